import { expect, test } from 'vitest';
import { readTypeTable, type StructType } from '../../src/api-types/index.ts';

const types = readTypeTable(
  'core.Kind=string||A|B\ncore.A! kind!:core.Kind#1="A" next?:*core.A#2 list?~!:[]core.A#3%map(kind)^merge(kind) map:map[string][]byte@Inner#4#1\n',
);
const a = types.find('core.A') as StructType;

test('a struct has fields with their flags', () => {
  expect([...a.fields.keys()]).toEqual(['kind', 'next', 'list', 'map']);
  expect(a).toMatchObject({ name: 'core.A', go: 'v1.A', atomic: true });
  expect(a.fields.get('kind')).toStrictEqual({
    name: 'kind',
    type: { kind: 'text', go: 'v1.Kind', values: ['', 'A', 'B'] },
    omitEmpty: false,
    omitZero: false,
    required: false,
    embedded: [],
    numbers: [1],
    default: 'A',
  });
  expect(a.fields.get('list')).toMatchObject({
    omitEmpty: true,
    omitZero: true,
    required: true,
    merging: { kind: 'map', keys: ['kind'] },
    patchStrategy: 'merge',
    patchMergeKey: 'kind',
  });
  expect(a.fields.get('map')).toMatchObject({
    type: { kind: 'map', go: 'map[string][]uint8', of: { kind: 'bytes' } },
    embedded: ['Inner'],
    numbers: [4, 1],
  });
});

test('types may be recursive', () => {
  expect(a.fields.get('next')?.type).toStrictEqual({ kind: 'pointer', to: a });
});

test('names() lists the types of the table', () => {
  expect(types.names()).toStrictEqual(['core.Kind', 'core.A']);
  expect(types.find('core.Nothing')).toBeUndefined();
});

test.each(['core.A x', 'core.A x:core.Missing', 'core.A x:string%list'])('the line %s is refused at the first use of its fields', (line) =>
  expect(() => (readTypeTable(line).find('core.A') as StructType).fields).toThrow(/not a (field|type)/),
);
