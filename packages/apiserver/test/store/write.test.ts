import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../src/store/index.ts';
import { nodes, pod, pods, statusOf } from './support.ts';

const a = { namespace: 'default', name: 'a' };
const label =
  (value: string) =>
  (current: ApiObject): ApiObject => ({ ...current, metadata: { ...current.metadata, labels: { v: value } } });

describe('create', () => {
  test('assigns the next revision and stores a copy', () => {
    const store = createStore({ revision: 41 });
    const input = { ...pod('a', { app: 'web' }), spec: { containers: [{ name: 'c' }] } };
    const stored = store.create(pods, a, input);
    expect(stored).toEqual({ ...input, metadata: { ...input.metadata, resourceVersion: '42' } });
    input.spec.containers.push({ name: 'd' });
    expect(store.get(pods, a)).toEqual({ ...stored, spec: { containers: [{ name: 'c' }] } });
    expect(store.revision).toBe(42);
  });

  test('returns a frozen object', () => {
    const stored = createStore().create(pods, a, { ...pod('a'), spec: { containers: [{ name: 'c' }] } }) as unknown as {
      metadata: { name: string };
      spec: { containers: object[] };
    };
    expect(() => stored.spec.containers.push({})).toThrow(TypeError);
    expect(() => {
      stored.metadata.name = 'b';
    }).toThrow(TypeError);
  });

  test('refuses an object that exists', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    expect(statusOf(() => store.create(pods, a, pod('a')))).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect(store.revision).toBe(2);
  });

  test('refuses a resourceVersion, as kube-apiserver does', () => {
    const object = { ...pod('a'), metadata: { name: 'a', resourceVersion: '1' } };
    expect(statusOf(() => createStore().create(pods, a, object))).toMatchObject({
      code: 500,
      message: 'resourceVersion should not be set on objects to be created',
    });
  });

  test('separates resources, namespaces and groups, but not versions of a group', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    store.create(pods, { namespace: 'other', name: 'a' }, pod('a', {}, 'other'));
    store.create(nodes, { name: 'a' }, { metadata: { name: 'a' } });
    store.create({ ...pods, group: 'example.com' }, a, pod('a'));
    expect(statusOf(() => store.create({ ...pods, version: 'v2' }, a, pod('a'))).reason).toBe('AlreadyExists');
    expect(store.stats().objects).toBe(4);
  });

  test('stores nothing if a value cannot be stored', () => {
    const store = createStore();
    expect(() => store.create(pods, a, { ...pod('a'), spec: { f: () => 1 } })).toThrow(TypeError);
    expect([store.revision, store.stats()]).toEqual([1, { objects: 0, events: 0, bytes: 0, compacted: 0 }]);
  });
});

describe('update', () => {
  test('replaces the object by the result of the change', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    const updated = store.update(pods, a, label('1'));
    expect(updated.metadata).toEqual({ name: 'a', namespace: 'default', labels: { v: '1' }, resourceVersion: '3' });
    expect(store.get(pods, a)).toBe(updated);
  });

  test('writes nothing if nothing changes', () => {
    const store = createStore();
    const stored = store.create(pods, a, pod('a', { v: '1' }));
    expect(store.update(pods, a, (current) => structuredClone(current))).toBe(stored);
    expect(store.update(pods, a, (current) => current)).toBe(stored);
    expect(store.update(pods, a, () => pod('a', { v: '1' }))).toBe(stored);
    expect([store.revision, store.stats().events]).toEqual([2, 1]);
  });

  test('refuses a stale resourceVersion', () => {
    const store = createStore();
    const read = store.create(pods, a, pod('a'));
    store.update(pods, a, label('1'));
    expect(statusOf(() => store.update(pods, a, () => label('2')(read)))).toMatchObject({
      code: 409,
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to the latest version and try again',
    });
    expect(store.revision).toBe(3);
  });

  test.each(['', '0', undefined])('overwrites any version with the resourceVersion %j', (resourceVersion) => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    const { metadata } = pod('a', { v: '9' });
    const input = { ...pod('a'), metadata: { ...metadata, ...(resourceVersion !== undefined && { resourceVersion }) } };
    expect(store.update(pods, a, () => input).metadata).toEqual({ ...metadata, resourceVersion: '3' });
  });

  test('calls the change again if the change itself wrote to the object', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    let attempts = 0;
    const updated = store.update(pods, a, (current) => {
      attempts += 1;
      if (attempts === 1) store.update(pods, a, label('inner'));
      return { ...current, spec: { attempts } };
    });
    expect([attempts, updated.metadata.labels, updated['spec']]).toEqual([2, { v: 'inner' }, { attempts: 2 }]);
  });

  test('writes nothing if the object is absent or the change throws', () => {
    const store = createStore();
    expect(statusOf(() => store.update(pods, a, label('1'))).reason).toBe('NotFound');
    store.create(pods, a, pod('a'));
    const change = (): never => {
      throw new Error('no');
    };
    expect(() => store.update(pods, a, change)).toThrow('no');
    expect(store.revision).toBe(2);
  });
});

describe('delete', () => {
  test('returns the last state at the revision of the deletion', () => {
    const store = createStore();
    store.create(pods, a, pod('a', { v: '1' }));
    expect(store.delete(pods, a).metadata).toEqual({ name: 'a', namespace: 'default', labels: { v: '1' }, resourceVersion: '3' });
    expect(statusOf(() => store.get(pods, a)).reason).toBe('NotFound');
    expect(statusOf(() => store.delete(pods, a)).reason).toBe('NotFound');
    expect(store.stats().objects).toBe(0);
  });

  test('deletes nothing if validation throws', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    const refuse = (): never => {
      throw new Error('no');
    };
    expect(() => store.delete(pods, a, {}, refuse)).toThrow('no');
    expect([store.revision, store.stats().objects]).toEqual([2, 1]);
  });

  test('validates again if the validation itself wrote to the object', () => {
    const store = createStore();
    store.create(pods, a, pod('a'));
    let attempts = 0;
    store.delete(pods, a, {}, () => {
      attempts += 1;
      if (attempts === 1) store.update(pods, a, label('1'));
    });
    expect([attempts, store.stats().objects]).toEqual([2, 0]);
  });
});

test('log size does not depend on the history of an object', () => {
  const bytesOf = (write: (store: Store) => void): number => {
    const store = createStore({ maxEvents: 1 });
    write(store);
    store.delete(pods, a);
    return store.stats().bytes;
  };
  const largeObject = { ...pod('a'), data: 'x'.repeat(1000) };
  const bytesAtOnce = bytesOf((store) => store.create(pods, a, pod('a', { v: '1' })));
  const bytesInSteps = bytesOf((store) => {
    store.create(pods, a, largeObject);
    store.update(pods, a, () => pod('a', { v: '1' }));
  });
  expect(bytesInSteps).toBe(bytesAtOnce);
  expect(bytesOf((store) => store.create(pods, a, largeObject))).toBeGreaterThan(bytesAtOnce + 900);
});

describe('preconditions', () => {
  const key = { namespace: 'default', name: 's' };
  const preconditionError = (field: string, expected: string, actual: string): string =>
    'Operation cannot be fulfilled on services "s": StorageError: invalid object, Code: 4, Key: /registry/services/specs/default/s, ' +
    `ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ${field} in precondition: ${expected}, ${field} in object meta: ${actual}`;
  const stored = { metadata: { ...key, uid: 'u1' } };

  test.each([
    [{ uid: 'u2' }, preconditionError('UID', 'u2', 'u1')],
    [{ resourceVersion: '1' }, preconditionError('ResourceVersion', '1', '2')],
    [{ uid: 'u2', resourceVersion: '1' }, preconditionError('UID', 'u2', 'u1')],
  ])('%j refuse the write if they do not hold', (preconditions, message) => {
    const store = createStore();
    store.create(resources.services, key, stored);
    expect(statusOf(() => store.delete(resources.services, key, preconditions))).toMatchObject({ code: 409, reason: 'Conflict', message });
    expect(statusOf(() => store.update(resources.services, key, label('1'), preconditions)).message).toBe(message);
    expect(store.revision).toBe(2);
  });

  test('allow the write if they hold', () => {
    const store = createStore();
    store.create(resources.services, key, stored);
    store.update(resources.services, key, label('1'), { uid: 'u1', resourceVersion: '2' });
    expect(store.delete(resources.services, key, { uid: 'u1', resourceVersion: '3' }).metadata.resourceVersion).toBe('4');
  });
});
