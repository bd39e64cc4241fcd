import { isQuantity, parseQuantity, zeroQuantity } from 'kube-endpoints/internal/apimachinery';
import { isFields } from '../../store/fields.ts';
import { writeJson } from '../../store/json.ts';
import type { ApiType, Field, StructType } from '../index.ts';
import { zeroOf } from './reader.ts';
import { parseTime, zeroMicroTime, zeroTime } from './time.ts';

/**
 * A decoded body. The value omits zero values: empty strings, lists, maps and structs; only fields that are pointers in Go may be zero.
 * Shares nothing with the input.
 */
export interface Decoded {
  readonly value: Record<string, unknown>;
  /** Paths of unknown fields, in the order of the body. */
  readonly unknown: readonly string[];
  /** The message of Go's JSON decoder if the body cannot be decoded. */
  readonly problem?: string;
}

/**
 * Decodes JSON as the API server does: names are case-sensitive, null means absent. Mirrors sigs.k8s.io/json as of 1.36.
 *
 * @param numbers by path, the original notation of numbers that JavaScript prints differently: Go rejects 80.0 as an integer
 */
export function decode(type: StructType, body: unknown, numbers: ReadonlyMap<string, string> = new Map()): Decoded {
  const state: DecodeState = { unknown: [], names: [], struct: undefined, firstError: undefined, numbers };
  try {
    const value = decodeValue(type, body, '', state) as Record<string, unknown> | undefined;
    return { value: value ?? {}, unknown: state.unknown, ...(state.firstError !== undefined && { problem: state.firstError }) };
  } catch (error) {
    if (!(error instanceof FatalDecodeError)) throw error;
    return { value: {}, unknown: state.unknown, problem: error.message };
  }
}

/** Returns the error of decoding a value as a type; undefined if the value can be decoded. */
export function findDecodeProblem(type: ApiType, json: unknown): string | undefined {
  const state: DecodeState = { unknown: [], names: [], struct: undefined, firstError: undefined, numbers: new Map() };
  try {
    decodeValue(type, json, '', state);
    return state.firstError;
  } catch (error) {
    if (!(error instanceof FatalDecodeError)) throw error;
    return error.message;
  }
}

interface DecodeState {
  readonly unknown: string[];
  /** Go's path to the field, which omits list indices and map keys. */
  readonly names: string[];
  struct: string | undefined;
  /** The first error; decoding continues after it. */
  firstError: string | undefined;
  readonly numbers: ReadonlyMap<string, string>;
}

/** Types with their own UnmarshalJSON stop decoding at the first error. */
class FatalDecodeError extends Error {}

function decodeValue(type: ApiType, json: unknown, path: string, state: DecodeState): unknown {
  if (type.kind === 'pointer') {
    if (json === null || json === undefined) return undefined;
    return decodeValue(type.to, json, path, state) ?? zeroOf(type.to);
  }
  if (json === null || json === undefined) return undefined;
  return readers[type.kind](type as never, json, path, state);
}

type NonPointerType = Exclude<ApiType, { kind: 'pointer' }>;
type Reader = (type: never, json: unknown, path: string, state: DecodeState) => unknown;

const readers: Readonly<Record<NonPointerType['kind'], Reader>> = {
  text: (type: NonPointerType, json, _path, state) => (typeof json === 'string' ? json || undefined : reportMismatch(type, json, state)),
  bool: (type: NonPointerType, json, _path, state) => (typeof json === 'boolean' ? json || undefined : reportMismatch(type, json, state)),
  integer: (type: NonPointerType & { kind: 'integer' }, json, path, state) => {
    if (typeof json === 'bigint') return isInt64(type) ? json : reportMismatch(type, json, state, `number ${json}`);
    if (typeof json !== 'number') return reportMismatch(type, json, state);
    const notation = notationOf(json, path, state);
    if (!integerPattern.test(notation) || json < type.min || json > type.max)
      return reportMismatch(type, json, state, `number ${notation}`);
    return json || undefined;
  },
  float: (type: NonPointerType, json, _path, state) => {
    if (typeof json === 'bigint') return Number(json);
    return typeof json === 'number' ? json || undefined : reportMismatch(type, json, state);
  },
  bytes: (type: NonPointerType, json, _path, state) => readBytes(type, json, state),
  time: (_type, json, _path, state) => readTime(json, 'seconds', state),
  microTime: (_type, json, _path, state) => readTime(json, 'micros', state),
  quantity: (_type, json) => readQuantity(json),
  intOrString: (_type, json, path, state) => readIntOrString(json, path, state),
  raw: (_type, json) => structuredClone(json),
  list: (type: NonPointerType & { kind: 'list' }, json, path, state) => {
    if (!Array.isArray(json)) return reportMismatch(type, json, state);
    const items = json.map((each, i) => decodeValue(type.of, each, `${path}[${i}]`, state) ?? zeroOf(type.of));
    return items.length > 0 ? items : undefined;
  },
  map: (type: NonPointerType & { kind: 'map' }, json, path, state) => readMap(type, json, path, state),
  struct: (type: StructType, json, path, state) => readStruct(type, json, path, state),
};

function readMap(type: NonPointerType & { kind: 'map' }, json: unknown, path: string, state: DecodeState): unknown {
  if (!isFields(json)) return reportMismatch(type, json, state);
  const entries = Object.entries(json).map(
    ([key, each]) => [key, decodeValue(type.of, each, join(path, key), state) ?? zeroOf(type.of)] as const,
  );
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function readStruct(type: StructType, json: unknown, path: string, state: DecodeState): unknown {
  if (!isFields(json)) return reportMismatch(type, json, state);
  const { struct } = state;
  const depth = state.names.length;
  const decodedFields = new Map<Field, unknown>();
  for (const [key, each] of Object.entries(json)) {
    const field = type.fields.get(key);
    if (!field) {
      state.unknown.push(join(path, key));
      continue;
    }
    state.struct = type.go;
    state.names.push(...field.embedded, field.name);
    const value = decodeValue(field.type, each, join(path, key), state);
    if (value !== undefined && !isZero(field.type, value)) decodedFields.set(field, value);
    state.names.length = depth;
    state.struct = struct;
  }
  const value: Record<string, unknown> = {};
  for (const field of type.fields.values()) if (decodedFields.has(field)) value[field.name] = decodedFields.get(field);
  return value;
}

/** True for an empty struct and a zero quantity; never true for the value of a pointer field. */
const isZero = ({ kind }: ApiType, value: unknown): boolean =>
  kind === 'struct' ? Object.keys(value as Record<string, unknown>).length === 0 : kind === 'quantity' && value === zeroQuantity.text;

function readTime(json: unknown, precision: 'seconds' | 'micros', state: DecodeState): unknown {
  if (typeof json !== 'string') throw new FatalDecodeError(describeMismatch('string', jsonKindOf(json), state));
  const parsed = parseTime(json, precision);
  if ('problem' in parsed) throw new FatalDecodeError(parsed.problem);
  return parsed.text === zeroTime || parsed.text === zeroMicroTime ? undefined : parsed.text;
}

function readQuantity(json: unknown): string {
  const parsed = parseQuantity(typeof json === 'string' ? json.trim() : writeJson(json));
  if (!isQuantity(parsed)) throw new FatalDecodeError(parsed);
  return parsed.text;
}

function readIntOrString(json: unknown, path: string, state: DecodeState): unknown {
  if (typeof json === 'string') return json;
  if (typeof json === 'bigint') throw new FatalDecodeError(describeMismatch('int32', `number ${json}`, state));
  if (typeof json !== 'number') throw new FatalDecodeError(describeMismatch('int32', jsonKindOf(json), state));
  const notation = notationOf(json, path, state);
  if (!integerPattern.test(notation) || Math.abs(json) > 2 ** 31 - 1)
    throw new FatalDecodeError(describeMismatch('int32', `number ${notation}`, state));
  return json || undefined;
}

function readBytes(type: NonPointerType, json: unknown, state: DecodeState): unknown {
  if (typeof json !== 'string') return reportMismatch(type, json, state);
  const text = json.replace(/[\r\n]/g, '');
  const errorOffset = base64ErrorOffset(text);
  if (errorOffset !== undefined) state.firstError ??= `illegal base64 data at input byte ${errorOffset}`;
  return errorOffset === undefined && text !== '' ? text : undefined;
}

/** Offset of the error in Go's base64 decoder. */
function base64ErrorOffset(text: string): number | undefined {
  const firstInvalid = /[^A-Za-z0-9+/]/.exec(text)?.index ?? text.length;
  const padding = text.slice(firstInvalid);
  const remainder = firstInvalid % 4;
  if (padding === '') return remainder === 0 ? undefined : firstInvalid - remainder;
  if (!padding.startsWith('=')) return firstInvalid;
  if (remainder < 2) return firstInvalid;
  const expected = '='.repeat(4 - remainder);
  if (padding === expected) return undefined;
  return padding.startsWith(expected) ? firstInvalid + expected.length : text.length;
}

function reportMismatch(type: NonPointerType, json: unknown, state: DecodeState, jsonKind: string = jsonKindOf(json)): undefined {
  state.firstError ??= describeMismatch(type.go, jsonKind, state);
  return undefined;
}

function describeMismatch(goType: string, jsonKind: string, { struct, names }: DecodeState): string {
  const target = struct === undefined ? 'Go value' : `Go struct field ${struct.slice(struct.indexOf('.') + 1)}.${names.join('.')}`;
  return `json: cannot unmarshal ${jsonKind} into ${target} of type ${goType}`;
}

const jsonKindOf = (json: unknown): string => (Array.isArray(json) ? 'array' : isFields(json) ? 'object' : goKinds[typeof json]) ?? 'value';

const goKinds: Readonly<Record<string, string>> = { string: 'string', number: 'number', bigint: 'number', boolean: 'bool' };

const notationOf = (value: number, path: string, { numbers }: DecodeState): string => numbers.get(path) ?? String(value);

const isInt64 = ({ max }: { readonly max: number }): boolean => max > Number.MAX_SAFE_INTEGER;

/** Go's notation of integers. */
const integerPattern = /^-?\d+$/;

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);
