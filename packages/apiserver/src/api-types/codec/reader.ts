import { isQuantity, parseQuantity, zeroQuantity } from 'kube-endpoints/internal/apimachinery';
import type { ApiType, Field, StructType } from '../index.ts';
import { parseTime, zeroMicroTime, zeroTime } from './time.ts';

/** Decodes a body. Undefined if it has unknown fields or type mismatches. */
type FastReader = (body: unknown) => Record<string, unknown> | undefined;

/**
 * Compiles a reader equivalent to `decode` but several times as fast. If the reader returns undefined, use `decode`, which
 * reports the errors.
 */
export function createFastReader(type: StructType): FastReader {
  const compile = createCompiler();
  const read = compile(type);
  return (body) => {
    const value = read(body);
    return value === unhandled ? undefined : ((value ?? {}) as Record<string, unknown>);
  };
}

/** Returns undefined for an absent or zero value, and `unhandled` for a value that only the full decoder can read. */
type Reader = (json: unknown) => unknown;

/** Marks a value that needs the full decoder. */
const unhandled: unique symbol = Symbol('unhandled');

type Compiler = (type: ApiType) => Reader;

/** Compiles a struct at its first use, because types are recursive. */
function createCompiler(): Compiler {
  const structs = new Map<StructType, Reader>();
  const compile: Compiler = (type) => {
    if (type.kind === 'pointer') return createPointerReader(compile(type.to), type.to);
    if (type.kind === 'list') return createListReader(compile(type.of), type.of);
    if (type.kind === 'map') return createMapReader(compile(type.of), type.of);
    if (type.kind === 'integer') return createIntegerReader(type.min, type.max);
    if (type.kind !== 'struct') return scalarReaders[type.kind];
    const compiled = structs.get(type);
    if (compiled) return compiled;
    let readFields: Reader | undefined;
    const read: Reader = (json) => {
      readFields ??= createStructReader(type, compile);
      return readFields(json);
    };
    structs.set(type, read);
    return read;
  };
  return compile;
}

/** Reads a value that is not of the expected type. */
const undefinedIfAbsent = (json: unknown): undefined | typeof unhandled => (json === null || json === undefined ? undefined : unhandled);

type ScalarKind = Exclude<ApiType['kind'], 'integer' | 'list' | 'map' | 'pointer' | 'struct'>;

const scalarReaders: Readonly<Record<ScalarKind, Reader>> = {
  text: (json) => (typeof json === 'string' ? json || undefined : undefinedIfAbsent(json)),
  bool: (json) => (typeof json === 'boolean' ? json || undefined : undefinedIfAbsent(json)),
  float: (json) => (typeof json === 'number' ? json || undefined : undefinedIfAbsent(json)),
  bytes: (json) => (typeof json === 'string' && json.length % 4 === 0 && base64.test(json) ? json || undefined : undefinedIfAbsent(json)),
  time: (json) => (typeof json === 'string' ? readTime(json, 'seconds') : undefinedIfAbsent(json)),
  microTime: (json) => (typeof json === 'string' ? readTime(json, 'micros') : undefinedIfAbsent(json)),
  quantity: (json) =>
    typeof json === 'string' ? readQuantity(json.trim()) : typeof json === 'number' ? readQuantity(String(json)) : undefinedIfAbsent(json),
  intOrString: (json) => (typeof json === 'string' ? json : isInt32(json) ? json || undefined : undefinedIfAbsent(json)),
  raw: (json) => (json === null || json === undefined ? undefined : copyRaw(json)),
};

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isInt32 = (json: unknown): json is number => Number.isInteger(json) && Math.abs(json as number) <= 2 ** 31 - 1;

function readTime(json: string, precision: 'seconds' | 'micros'): unknown {
  const parsed = parseTime(json, precision);
  if ('problem' in parsed) return unhandled;
  return parsed.text === zeroTime || parsed.text === zeroMicroTime ? undefined : parsed.text;
}

/** Matches only canonical quantities, which need no parsing. */
const canonicalQuantity = /^[1-9]\d{0,2}(?:m|[kMG]|[KMG]i)?$/;

function readQuantity(text: string): unknown {
  if (canonicalQuantity.test(text)) return text;
  const parsed = parseQuantity(text);
  return isQuantity(parsed) ? parsed.text : unhandled;
}

/** Copies raw JSON; shares frozen values, which cannot change. */
function copyRaw(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Object.isFrozen(json)) return json;
  if (Array.isArray(json)) return json.map(copyRaw);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(json)) put(copy, key, copyRaw((json as Record<string, unknown>)[key]));
  return copy;
}

const createIntegerReader =
  (min: number, max: number): Reader =>
  (json) =>
    Number.isInteger(json) && (json as number) >= min && (json as number) <= max ? json || undefined : undefinedIfAbsent(json);

const createPointerReader =
  (read: Reader, target: ApiType): Reader =>
  (json) =>
    json === null || json === undefined ? undefined : (read(json) ?? zeroOf(target));

function createListReader(read: Reader, itemType: ApiType): Reader {
  return (json) => {
    if (!Array.isArray(json)) return undefinedIfAbsent(json);
    if (json.length === 0) return undefined;
    const items = new Array<unknown>(json.length);
    for (let i = 0; i < json.length; i++) {
      const item = read(json[i]) ?? zeroOf(itemType);
      if (item === unhandled) return unhandled;
      items[i] = item;
    }
    return items;
  };
}

function createMapReader(read: Reader, valueType: ApiType): Reader {
  return (json) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefinedIfAbsent(json);
    const keys = Object.keys(json);
    if (keys.length === 0) return undefined;
    const map: Record<string, unknown> = {};
    for (const key of keys) {
      const value = read((json as Record<string, unknown>)[key]) ?? zeroOf(valueType);
      if (value === unhandled) return unhandled;
      put(map, key, value);
    }
    return map;
  };
}

interface PreparedField {
  readonly index: number;
  readonly read: Reader;
  /** Absent if the reader itself returns undefined for the zero value. */
  readonly isZero: ((value: unknown) => boolean) | undefined;
}

function createStructReader(type: StructType, compile: Compiler): Reader {
  const names = [...type.fields.keys()];
  const fields = new Map(names.map((name, index) => [name, prepareField(type.fields.get(name) as Field, index, compile)]));
  return (json) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefinedIfAbsent(json);
    const value: Record<string, unknown> = {};
    let lastIndex = -1;
    let isOrdered = true;
    for (const key of Object.keys(json)) {
      const field = fields.get(key);
      if (!field) return unhandled;
      const each = field.read((json as Record<string, unknown>)[key]);
      if (each === undefined || field.isZero?.(each)) continue;
      if (each === unhandled) return unhandled;
      if (field.index < lastIndex) isOrdered = false;
      lastIndex = field.index;
      value[key] = each;
    }
    return isOrdered ? value : sortFields(value, names);
  };
}

const prepareField = ({ type }: Field, index: number, compile: Compiler): PreparedField => ({
  index,
  read: compile(type),
  isZero: type.kind === 'struct' ? isEmpty : type.kind === 'quantity' ? isZeroQuantity : undefined,
});

function isEmpty(value: unknown): boolean {
  if (value === unhandled) return false;
  for (const _ in value as object) return false;
  return true;
}

const isZeroQuantity = (value: unknown): boolean => value === zeroQuantity.text;

function sortFields(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const name of names) if (value[name] !== undefined) ordered[name] = value[name];
  return ordered;
}

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  else map[key] = value;
}

/** The zero value of a pointer's target, a list item or a map value; these cannot be absent. */
export const zeroOf = ({ kind }: ApiType): unknown => {
  if (kind === 'struct' || kind === 'map') return {};
  return kind === 'list' ? [] : zeros[kind];
};

const zeros: Readonly<Partial<Record<ApiType['kind'], unknown>>> = {
  text: '',
  bytes: '',
  bool: false,
  integer: 0,
  float: 0,
  intOrString: 0,
  quantity: zeroQuantity.text,
};
