import { expect, test } from 'vitest';
import { admitObject, checkCreate, checkUpdate, printObject, readObject, withDefaults } from '../../src/resources/write.ts';
import { example } from './support.ts';

const storedExample = (name: string): ReturnType<typeof example> => {
  const { description, object } = example(name);
  return { description, object: { ...object, metadata: { ...(object['metadata'] as object), uid: 'u', resourceVersion: '1' } } };
};

test('checkCreate validates, and printObject prints the stored object', () => {
  const { description, object } = storedExample('endpoints/full');
  const checked = checkCreate(description, object);
  if (checked.causes) throw new Error('refused');
  expect(printObject(description, checked.object)).toMatchObject({ subsets: [{ ports: [{ protocol: 'TCP' }, { protocol: 'UDP' }] }, {}] });
});

test('admitObject, checkCreate, checkUpdate and withDefaults do not modify their input', () => {
  const { description, object } = storedExample('pods/full');
  const before = JSON.stringify(object);
  admitObject(description, object);
  checkCreate(description, object);
  checkUpdate(description, object, object);
  withDefaults(description, object);
  expect(JSON.stringify(object)).toBe(before);
});

test('checkUpdate keeps server-managed metadata', () => {
  const { description, object } = storedExample('configMaps/plain');
  const old = { ...object, metadata: { ...(object['metadata'] as object), creationTimestamp: 't', generation: 3, deletionTimestamp: 'd' } };
  const checked = checkUpdate(
    description,
    { ...object, metadata: { ...(object['metadata'] as object), uid: undefined, generation: 9 } },
    old,
  );
  expect(checked).toMatchObject({ object: { metadata: { uid: 'u', creationTimestamp: 't', generation: 3, deletionTimestamp: 'd' } } });
});

test('checkCreate requires a name that is a valid path segment for every resource', () => {
  const { description, object } = storedExample('events/old');
  const checked = checkCreate(description, { ...object, metadata: { ...(object['metadata'] as object), name: 'a/b' } });
  expect(checked.causes).toEqual([
    { reason: 'FieldValueInvalid', field: 'metadata.name', message: `Invalid value: "a/b": may not contain '/'` },
  ]);
});

test('readObject warns of duplicate owners, and returns problems without defaults', () => {
  const { description } = example('configMaps/plain');
  const owner = { apiVersion: 'v1', kind: 'Pod', name: 'a', uid: 'u' };
  expect(readObject(description, { metadata: { ownerReferences: [owner, owner] } }).warnings).toHaveLength(1);
  expect(readObject(description, { data: 5 })).toMatchObject({ problem: expect.stringContaining('number'), warnings: [] });
});

test('checkUpdate throws for a subresource that does not exist', () => {
  const { description, object } = storedExample('configMaps/plain');
  expect(() => checkUpdate(description, object, object, 'status')).toThrow(RangeError);
});

test('admitObject returns the message of a forbidden object', () => {
  const { description, object } = storedExample('pods/plain');
  const spec = { ...(object['spec'] as object), priorityClassName: 'none' };
  expect(admitObject(description, { ...object, spec })).toEqual({ forbidden: 'no PriorityClass with name none was found' });
  expect(admitObject(example('leases/plain').description, {})).toEqual({ object: {} });
});
