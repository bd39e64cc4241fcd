import { isQuantity, parseQuantity, zeroQuantity } from 'kube-endpoints/internal';
import type { ApiType, Field, StructType } from '../schema/index.ts';
import { parseTime, zeroMicroTime, zeroTime } from './time.ts';

/** Reads bodies without irregularities. Undefined if there are unknown fields or type mismatches. */
type FastReader = (body: unknown) => Record<string, unknown> | undefined;

/**
 * Compiles a reader equivalent to `decode` but several times as fast. Bodies that it does not handle are left to `decode`, which reports
 * the errors.
 */
export function createFastReader(type: StructType): FastReader {
  const compile = createCompiler();
  const read = compile(type);
  return (body) => {
    const value = read(body);
    return value === unusual ? undefined : ((value ?? {}) as Record<string, unknown>);
  };
}

/** Undefined means absent or zero. */
type Read = (json: unknown) => unknown;

/** Marks a value that needs the full decoder. */
const unusual: unique symbol = Symbol('unusual');

type Compiler = (type: ApiType) => Read;

/** Types are recursive, so a struct is compiled at first use. */
function createCompiler(): Compiler {
  const structs = new Map<StructType, Read>();
  const compile: Compiler = (type) => {
    if (type.kind === 'pointer') return pointerReader(compile(type.to), type.to);
    if (type.kind === 'list') return listReader(compile(type.of), type.of);
    if (type.kind === 'map') return mapReader(compile(type.of), type.of);
    if (type.kind === 'integer') return integerReader(type.min, type.max);
    if (type.kind !== 'struct') return simple[type.kind];
    const known = structs.get(type);
    if (known) return known;
    let prepared: Read | undefined;
    const read: Read = (json) => {
      prepared ??= structReader(type, compile);
      return prepared(json);
    };
    structs.set(type, read);
    return read;
  };
  return compile;
}

const nothing = (json: unknown): undefined | typeof unusual => (json === null || json === undefined ? undefined : unusual);

type Simple = Exclude<ApiType['kind'], 'integer' | 'list' | 'map' | 'pointer' | 'struct'>;

const simple: Readonly<Record<Simple, Read>> = {
  text: (json) => (typeof json === 'string' ? json || undefined : nothing(json)),
  bool: (json) => (typeof json === 'boolean' ? json || undefined : nothing(json)),
  float: (json) => (typeof json === 'number' ? json || undefined : nothing(json)),
  bytes: (json) => (typeof json === 'string' && json.length % 4 === 0 && base64.test(json) ? json || undefined : nothing(json)),
  time: (json) => (typeof json === 'string' ? timeOf(json, 'seconds') : nothing(json)),
  microTime: (json) => (typeof json === 'string' ? timeOf(json, 'micros') : nothing(json)),
  quantity: (json) =>
    typeof json === 'string' ? quantityOf(json.trim()) : typeof json === 'number' ? quantityOf(String(json)) : nothing(json),
  intOrString: (json) => (typeof json === 'string' ? json : isInt32(json) ? json || undefined : nothing(json)),
  raw: (json) => (json === null || json === undefined ? undefined : copied(json)),
};

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

const isInt32 = (json: unknown): json is number => Number.isInteger(json) && Math.abs(json as number) <= 2 ** 31 - 1;

function timeOf(json: string, digits: 'seconds' | 'micros'): unknown {
  const parsed = parseTime(json, digits);
  if ('problem' in parsed) return unusual;
  return parsed.text === zeroTime || parsed.text === zeroMicroTime ? undefined : parsed.text;
}

/** Short quantities are already canonical. */
const plainQuantity = /^[1-9]\d{0,2}(?:m|[kMG]|[KMG]i)?$/;

function quantityOf(text: string): unknown {
  if (plainQuantity.test(text)) return text;
  const parsed = parseQuantity(text);
  return isQuantity(parsed) ? parsed.text : unusual;
}

/** Copies raw JSON; shares frozen values, which cannot change. */
function copied(json: unknown): unknown {
  if (typeof json !== 'object' || json === null || Object.isFrozen(json)) return json;
  if (Array.isArray(json)) return json.map(copied);
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(json)) put(copy, key, copied((json as Record<string, unknown>)[key]));
  return copy;
}

const integerReader =
  (min: number, max: number): Read =>
  (json) =>
    Number.isInteger(json) && (json as number) >= min && (json as number) <= max ? json || undefined : nothing(json);

const pointerReader =
  (read: Read, to: ApiType): Read =>
  (json) =>
    json === null || json === undefined ? undefined : (read(json) ?? zeroOf(to));

function listReader(read: Read, of: ApiType): Read {
  return (json) => {
    if (!Array.isArray(json)) return nothing(json);
    if (json.length === 0) return undefined;
    const items = new Array<unknown>(json.length);
    for (let i = 0; i < json.length; i++) {
      const item = read(json[i]) ?? zeroOf(of);
      if (item === unusual) return unusual;
      items[i] = item;
    }
    return items;
  };
}

function mapReader(read: Read, of: ApiType): Read {
  return (json) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return nothing(json);
    const keys = Object.keys(json);
    if (keys.length === 0) return undefined;
    const map: Record<string, unknown> = {};
    for (const key of keys) {
      const value = read((json as Record<string, unknown>)[key]) ?? zeroOf(of);
      if (value === unusual) return unusual;
      put(map, key, value);
    }
    return map;
  };
}

interface PreparedField {
  readonly place: number;
  readonly read: Read;
  readonly isZero: ((value: unknown) => boolean) | undefined;
}

function structReader(type: StructType, compile: Compiler): Read {
  const names = [...type.fields.keys()];
  const fields = new Map(names.map((name, place) => [name, prepare(type.fields.get(name) as Field, place, compile)]));
  return (json) => {
    if (typeof json !== 'object' || json === null || Array.isArray(json)) return nothing(json);
    const value: Record<string, unknown> = {};
    let last = -1;
    let isOrdered = true;
    for (const key of Object.keys(json)) {
      const field = fields.get(key);
      if (!field) return unusual;
      const each = field.read((json as Record<string, unknown>)[key]);
      if (each === undefined || field.isZero?.(each)) continue;
      if (each === unusual) return unusual;
      if (field.place < last) isOrdered = false;
      last = field.place;
      value[key] = each;
    }
    return isOrdered ? value : inOrder(value, names);
  };
}

const prepare = ({ type }: Field, place: number, compile: Compiler): PreparedField => ({
  place,
  read: compile(type),
  isZero: type.kind === 'struct' ? isEmpty : type.kind === 'quantity' ? isZeroQuantity : undefined,
});

function isEmpty(value: unknown): boolean {
  if (value === unusual) return false;
  for (const _ in value as object) return false;
  return true;
}

const isZeroQuantity = (value: unknown): boolean => value === zeroQuantity.text;

function inOrder(value: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const ordered: Record<string, unknown> = {};
  for (const name of names) if (value[name] !== undefined) ordered[name] = value[name];
  return ordered;
}

function put(map: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__') Object.defineProperty(map, key, { value, writable: true, enumerable: true, configurable: true });
  else map[key] = value;
}

/** The zero value where a value is required: behind a pointer, in a list or in a map. */
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
