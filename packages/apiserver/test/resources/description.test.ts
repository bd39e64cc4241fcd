import { expect, test } from 'vitest';
import { createFlagReader, createTextReader, metadataFields } from '../../src/resources/description.ts';

const object = { metadata: { name: 'a', namespace: 'b' }, spec: { done: true, host: 'h' } };

test('metadataFields are the name, and the namespace of namespaced objects', () => {
  const read = (namespaced: boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(metadataFields(namespaced)).map(([name, reader]) => [name, reader(object)]));
  expect(read(true)).toEqual({ 'metadata.name': 'a', 'metadata.namespace': 'b' });
  expect(read(false)).toEqual({ 'metadata.name': 'a' });
});

test.each([
  [createTextReader('spec', 'host'), object, 'h'],
  [createTextReader('spec', 'none'), object, ''],
  [createTextReader('spec', 'host'), {}, ''],
  [createFlagReader('spec', 'done'), object, 'true'],
  [createFlagReader('spec', 'done'), {}, 'false'],
])('createTextReader and createFlagReader read a field of a nested object, case %#', (read, input, expected) =>
  expect(read(input)).toBe(expected),
);
