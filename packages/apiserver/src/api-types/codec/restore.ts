import { isFields } from '../../store/fields.ts';
import type { ApiType, StructType } from '../index.ts';
import { findDecodeProblem } from './decode.ts';

/**
 * Returns the error message if the result of a strategic merge patch cannot be converted to a type; otherwise undefined. The message
 * contains no field path, as in Go.
 * Map keys are checked in sorted order; Go's order is random.
 *
 * Mirrors DefaultUnstructuredConverter (apimachinery/pkg/runtime/converter.go, 1.36).
 */
export function findConversionProblem(type: ApiType, value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (type.kind === 'pointer') return findConversionProblem(type.to, value);
  return checks[type.kind]?.(type as never, value) ?? undefined;
}

type Check = (type: never, value: unknown) => string | undefined;
type NonPointerType = Exclude<ApiType, { kind: 'pointer' }>;
type TypeOfKind<Kind extends NonPointerType['kind']> = Extract<NonPointerType, { kind: Kind }>;

/** For types with their own UnmarshalJSON. */
const checkByDecoding: Check = (type: NonPointerType, value) => findDecodeProblem(type, value);

const checks: Readonly<Record<NonPointerType['kind'], Check>> = {
  text: ({ go }: TypeOfKind<'text'>, value) =>
    typeof value === 'string' ? undefined : formatMismatch(value, go, 'string', isInteger(value)),
  bool: ({ go }: TypeOfKind<'bool'>, value) => (typeof value === 'boolean' ? undefined : formatMismatch(value, go, 'bool', false)),
  integer: ({ go, min }: TypeOfKind<'integer'>, value) =>
    isInteger(value) ? undefined : formatMismatch(value, go, min < -(2 ** 31) ? 'int64' : 'int32', typeof value === 'number'),
  float: ({ go }: TypeOfKind<'float'>, value) =>
    typeof value === 'number' || typeof value === 'bigint' ? undefined : formatMismatch(value, go, 'float64', false),
  bytes: (type: TypeOfKind<'bytes'>, value) => findBytesProblem(type, value),
  time: checkByDecoding,
  microTime: checkByDecoding,
  quantity: checkByDecoding,
  intOrString: checkByDecoding,
  raw: checkByDecoding,
  list: ({ of }: TypeOfKind<'list'>, value) =>
    Array.isArray(value) ? findFirstProblem(value, of) : `cannot restore slice from ${kindOf(value)}`,
  map: ({ of }: TypeOfKind<'map'>, value) =>
    isFields(value) ? findFirstProblem(sortedValues(value), of) : `cannot restore map from ${kindOf(value)}`,
  struct: (type: StructType, value) => (isFields(value) ? findStructProblem(type, value) : `cannot restore struct from: ${kindOf(value)}`),
};

const formatMismatch = (value: unknown, go: string, goKind: string, convertible: boolean): string =>
  convertible ? `cannot convert ${kindOf(value)} to ${go}` : `unrecognized type: ${goKind}`;

function findBytesProblem(type: TypeOfKind<'bytes'>, value: unknown): string | undefined {
  if (typeof value !== 'string') return Array.isArray(value) ? undefined : `cannot restore slice from ${kindOf(value)}`;
  const problem = findDecodeProblem(type, value);
  return problem && `error decoding from json: ${problem}`;
}

function findStructProblem({ fields }: StructType, value: Readonly<Record<string, unknown>>): string | undefined {
  for (const { name, type } of fields.values()) {
    const problem = Object.hasOwn(value, name) ? findConversionProblem(type, value[name]) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function findFirstProblem(values: readonly unknown[], type: ApiType): string | undefined {
  for (const value of values) {
    const problem = findConversionProblem(type, value);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const sortedValues = (map: Readonly<Record<string, unknown>>): unknown[] =>
  Object.keys(map)
    .sort()
    .map((key) => map[key]);

const isInteger = (value: unknown): boolean => Number.isInteger(value) || typeof value === 'bigint';

/** The `reflect.Kind` of a decoded JSON value. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'slice';
  if (isInteger(value)) return 'int64';
  if (typeof value === 'number') return 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'map';
}
