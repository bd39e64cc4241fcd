import { expect, test } from 'vitest';
import { parseTypes, type StructType } from '../../../src/resources/schema/parse.ts';

const types = parseTypes('core.Kind=string\ncore.A kind:core.Kind next?:*core.A list?~:[]core.A^merge(kind) map:map[string][]byte@Inner');
const a = types.get('core.A') as StructType;

test('parseTypes reads fields with their flags', () => {
  expect([...a.fields.keys()]).toEqual(['kind', 'next', 'list', 'map']);
  expect(a.fields.get('kind')).toMatchObject({ type: { kind: 'text', go: 'v1.Kind' }, omitEmpty: false });
  expect(a.fields.get('list')).toMatchObject({ omitEmpty: true, omitZero: true, patchStrategy: 'merge', patchMergeKey: 'kind' });
  expect(a.fields.get('map')).toMatchObject({
    type: { kind: 'map', go: 'map[string][]uint8', of: { kind: 'bytes' } },
    embedded: ['Inner'],
  });
});

test('parseTypes supports recursive types', () => {
  expect(a.fields.get('next')?.type).toEqual({ kind: 'pointer', to: a });
});

test.each(['core.A x', 'core.A x:core.Missing'])('parseTypes rejects the line %s', (line) =>
  expect(() => parseTypes(line)).toThrow(/not a (field|type)/),
);
