import { fc } from '../../../../../test/support/property.ts';
import type { ApiType, StructType } from '../../../src/api-types/index.ts';

/** Generates JSON for a type: zero values, nulls, keys in any order and occasionally a value of another type. */
export const jsonOf = (type: ApiType, depth: number = 4): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 60, arbitrary: fittingValue(type, depth) },
    { weight: 4, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: misfit },
  );

const misfit = fc.constantFrom<unknown>('x', 1.5, true, [], {}, [null], { unknown: 1 });

function fittingValue(type: ApiType, depth: number): fc.Arbitrary<unknown> {
  if (type.kind === 'pointer') return fittingValue(type.to, depth);
  if (type.kind === 'list') return depth === 0 ? fc.constant([]) : fc.array(jsonOf(type.of, depth - 1), { maxLength: 2 });
  if (type.kind === 'map') {
    const key = fc.constantFrom('app', 'cpu', '__proto__', 'constructor', 'a.b/c');
    return depth === 0 ? fc.constant({}) : fc.dictionary(key, jsonOf(type.of, depth - 1), { maxKeys: 2 });
  }
  return type.kind === 'struct' ? structOf(type, depth) : fc.constantFrom(...scalars[type.kind]);
}

function structOf(type: StructType, depth: number): fc.Arbitrary<unknown> {
  if (depth === 0) return fc.constant({});
  const names = [...type.fields.keys()];
  return fc
    .shuffledSubarray(names, { maxLength: Math.min(5, names.length) })
    .chain((selectedNames) =>
      fc.tuple(...selectedNames.map((name) => jsonOf(type.fields.get(name)?.type as ApiType, depth - 1).map((json) => [name, json]))),
    )
    .map((entries) => Object.fromEntries(entries as [string, unknown][]));
}

type Scalar = Exclude<ApiType['kind'], 'list' | 'map' | 'pointer' | 'struct'>;

const scalars: Readonly<Record<Scalar, readonly unknown[]>> = {
  text: ['', 'web', 'Straße'],
  bool: [true, false],
  integer: [0, 1, 30_000],
  float: [0, 1.5],
  bytes: ['', 'aGk=', 'aGkh'],
  time: ['2026-01-02T03:04:05Z', '2026-01-31T03:04:05+01:00', '0001-01-01T00:00:00Z'],
  microTime: ['2026-01-02T03:04:05.000006Z', '2026-01-31T03:04:05.000006+01:00'],
  quantity: ['0', '100m', '1000m', '128Mi', 2, '1.5Gi'],
  intOrString: [0, 80, '', 'http'],
  raw: [{ 'f:a': {} }, {}, null],
};
