import { expect, test } from 'vitest';
import { flagReader, metadataFields, textReader } from '../../src/resources/description.ts';

const object = { metadata: { name: 'a', namespace: 'b' }, spec: { done: true, host: 'h' } };

test('metadataFields are the name, and the namespace of namespaced objects', () => {
  const read = (namespaced: boolean): Record<string, string> =>
    Object.fromEntries(Object.entries(metadataFields(namespaced)).map(([name, reader]) => [name, reader(object)]));
  expect(read(true)).toEqual({ 'metadata.name': 'a', 'metadata.namespace': 'b' });
  expect(read(false)).toEqual({ 'metadata.name': 'a' });
});

test.each([
  [textReader('spec', 'host'), object, 'h'],
  [textReader('spec', 'none'), object, ''],
  [textReader('spec', 'host'), {}, ''],
  [flagReader('spec', 'done'), object, 'true'],
  [flagReader('spec', 'done'), {}, 'false'],
])('textIn and flagIn read a field of a nested object, case %#', (read, input, expected) => expect(read(input)).toBe(expected));
