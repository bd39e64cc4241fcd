import { parseNumber } from '../store/json.ts';
import { EvaluationFailure } from './admission-expressions.ts';
import { loadCelLibrary } from './library.ts';
import { MessageValue } from './patch-types.ts';

/**
 * Converts the value of a JSON patch operation to JSON. As upstream, integers beyond the safe range become strings, but doubles in
 * `Object{...}`.
 *
 * Mirrors evaluatePatchExpression (apiserver/pkg/admission/plugin/policy/mutating/patch/json_patch.go, 1.36), and ConvertToNative of
 * ObjectVal and of the values of cel-go.
 * @throws EvaluationFailure if the value has no form in JSON
 */
export const toPatchValue = (value: unknown): unknown => convert(value, patchValue, '', false);

/**
 * Converts the value of an apply configuration to JSON. Integers are exact.
 *
 * Mirrors ObjectVal.Value (apiserver/pkg/cel/mutation/dynamic, 1.36) and the conversion of its result to a typed object.
 * @throws EvaluationFailure if the value has no form in JSON; the message is upstream's for a field without a schema
 */
export const toConfiguration = (value: unknown): object => convert(value, configuration, '', false) as object;

/** How to convert the values of one place. */
interface Conversion {
  /** By the kind of the value; other kinds have no form in JSON. */
  readonly scalars: Readonly<Partial<Record<string, (value: never) => unknown>>>;
  readonly describeFailure: (kind: string, value: never, path: string) => string;
  /** The conversion of the fields of an `Object{...}`, if it differs. */
  readonly fields?: Conversion;
}

/** @param isField whether the value is the field of an `Object{...}`, which cannot be null; other values may come from existing objects */
function convert(value: unknown, conversion: Conversion, path: string, isField: boolean): unknown {
  const kind = typeof value === 'number' && !Number.isFinite(value) ? nonFinite : loadCelLibrary().kindOf(value);
  const toScalar = conversion.scalars[kind];
  if (toScalar) return toScalar(value as never);
  if (value === null && !isField) return null;
  if (kind === 'list') return (value as readonly unknown[]).map((each, i) => convert(each, conversion, `${path}[${i}]`, false));
  if (kind === 'optional_type' && (value as Optional).hasValue()) return convert((value as Optional).value(), conversion, path, isField);
  if (kind !== 'map') throw new EvaluationFailure(conversion.describeFailure(kind, value as never, path));
  const isMessage = value instanceof MessageValue;
  const inner = (isMessage && conversion.fields) || conversion;
  const entries = value instanceof Map ? [...value] : Object.entries(value as object);
  return Object.fromEntries(entries.map(([key, each]) => [String(key), convert(each, inner, `${path}.${key}`, isMessage)]));
}

interface Optional {
  hasValue(): boolean;
  value(): unknown;
}

interface Uint {
  readonly value: bigint;
}

const nonFinite = 'NaN or infinity';

const identity = (value: unknown): unknown => value;
const toBase64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
const writeText = (value: unknown): string => loadCelLibrary().writeText(value);

const isSafe = (integer: bigint): boolean => Number.isSafeInteger(Number(integer));
const toExact = (integer: bigint): number | bigint => (isSafe(integer) ? Number(integer) : integer);
const toNumberOrText = (integer: bigint): number | string => (isSafe(integer) ? Number(integer) : String(integer));

/** Rereads a double as the JSON that upstream writes: integers of 64 bits are integers again. */
const toWrittenDouble = (value: number | bigint): number | bigint => parseNumber(String(Number(value)));

const messagePrefix = 'JSONPath valueExpression evaluated to a type that could not marshal to JSON: ';

const describeNonFinite = (value: number, goType: string): string => {
  const text = Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  return `${messagePrefix}json: error calling MarshalJSON for type ${goType}: proto: google.protobuf.Value.number_value: invalid ${text} value`;
};

/** The fields of `Object{...}` in a JSON patch. */
const patchField: Conversion = {
  scalars: {
    bool: identity,
    string: identity,
    double: toWrittenDouble,
    int: toWrittenDouble,
    uint: ({ value }: Uint) => toWrittenDouble(value),
    bytes: toBase64,
    type: writeText,
  },
  describeFailure: (kind, value) =>
    kind === nonFinite ? describeNonFinite(value, '*structpb.Struct') : `${messagePrefix}proto: invalid type: ${goTypes[kind] ?? kind}`,
};

const goTypes: Readonly<Partial<Record<string, string>>> = {
  null_type: 'structpb.NullValue',
  'google.protobuf.Duration': 'time.Duration',
  'google.protobuf.Timestamp': 'time.Time',
};

const patchValue: Conversion = {
  scalars: {
    bool: identity,
    string: identity,
    double: toWrittenDouble,
    int: toNumberOrText,
    uint: ({ value }: Uint) => toNumberOrText(value),
    bytes: toBase64,
    'google.protobuf.Duration': writeText,
    'google.protobuf.Timestamp': writeText,
  },
  describeFailure(kind, value) {
    if (kind === nonFinite) return describeNonFinite(value, '*structpb.Value');
    if (kind === 'type') return `${messagePrefix}type conversion not supported for 'type'`;
    return `${messagePrefix}type conversion error from '${kind}' to '*structpb.Value'`;
  },
  fields: patchField,
};

const configuration: Conversion = {
  scalars: { bool: identity, string: identity, double: identity, int: toExact, type: writeText },
  describeFailure: (kind, value, path) =>
    `error applying patch: failed to convert patch object to typed object: ${path}: expected map, got &{${formatLikeGo(kind, value)}}`,
};

function formatLikeGo(kind: string, value: never): string {
  if (kind === 'null_type') return 'NULL_VALUE';
  if (kind === 'bytes') return `[${(value as Uint8Array).join(' ')}]`;
  if (kind === 'google.protobuf.Timestamp') return writeText(value).replace('T', ' ').replace('Z', ' +0000 UTC');
  return kind === 'uint' || kind === 'google.protobuf.Duration' ? writeText(value) : String(value);
}
