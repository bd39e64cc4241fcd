import { zeroQuantity } from 'kube-endpoints/internal';
import type { ApiType, StructType } from '../schema/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads objects that were printed by this server: nothing can be wrong with them, and nothing has to be filled in. Only the zeros go that
 * are printed but not held; parts without any are not copied, so that what is read shares them and must not be written to.
 */
type StoredReader = (stored: Fields) => Fields;

export function createStoredReader(type: StructType): StoredReader {
  const read = createCompiler()(type);
  return (stored) => (read(stored) ?? {}) as Fields;
}

/** Undefined: it is zero, and nothing is held. */
type Read = (value: unknown) => unknown;

type Compiler = (type: ApiType) => Read;

function createCompiler(): Compiler {
  const structs = new Map<StructType, Read>();
  const compile: Compiler = (type) => {
    // What a pointer, a list or a map holds, it holds even where that is zero.
    if (type.kind === 'pointer') return heldReader(type.to, compile);
    if (type.kind === 'list') return listReader(heldReader(type.of, compile));
    if (type.kind === 'map') return mapReader(type.of.kind === 'struct' ? heldReader(type.of, compile) : undefined);
    if (type.kind !== 'struct') return zeros[type.kind] ?? asItIs;
    const known = structs.get(type);
    if (known) return known;
    let prepared: Read | undefined;
    const read: Read = (value) => {
      prepared ??= structReader(type, compile);
      return prepared(value);
    };
    structs.set(type, read);
    return read;
  };
  return compile;
}

const asItIs: Read = (value) => value ?? undefined;

const orNothing: Read = (value) => value || undefined;

const zeros: Readonly<Partial<Record<ApiType['kind'], Read>>> = {
  text: orNothing,
  bytes: orNothing,
  bool: orNothing,
  integer: orNothing,
  float: orNothing,
  intOrString: (value) => (value === 0 || value === null ? undefined : value),
  quantity: (value) => (value === zeroQuantity.text || value === null ? undefined : value),
};

/** A struct has zeros of its own inside; whatever else is held is not looked at. */
function heldReader(type: ApiType, compile: Compiler): Read {
  if (type.kind === 'pointer') return heldReader(type.to, compile);
  if (type.kind !== 'struct' && type.kind !== 'list' && type.kind !== 'map') return asItIs;
  const read = compile(type);
  return (value) => (value === null || value === undefined ? undefined : (read(value) ?? (type.kind === 'list' ? none : nothing)));
}

const none: readonly never[] = Object.freeze([]);
const nothing: Fields = Object.freeze({});

function listReader(read: Read): Read {
  return (value) => {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    let copy: unknown[] | undefined;
    for (let i = 0; i < value.length; i++) {
      const item = read(value[i]);
      if (item !== value[i]) copy ??= value.slice();
      if (copy) copy[i] = item;
    }
    return copy ?? value;
  };
}

function mapReader(read: Read | undefined): Read {
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const keys = Object.keys(value);
    if (keys.length === 0) return undefined;
    return read ? Object.fromEntries(keys.map((key) => [key, read((value as Fields)[key])])) : value;
  };
}

function structReader(type: StructType, compile: Compiler): Read {
  const fields = new Map([...type.fields].map(([name, field]) => [name, compile(field.type)]));
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const keys = Object.keys(value);
    let copy: Record<string, unknown> | undefined;
    let held = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const before = (value as Fields)[key];
      const after = fields.get(key)?.(before);
      if (after !== undefined) held += 1;
      if (!copy && after === before) continue;
      copy ??= Object.fromEntries(keys.slice(0, i).map((each) => [each, (value as Fields)[each]]));
      if (after !== undefined) copy[key] = after;
    }
    return held === 0 ? undefined : (copy ?? value);
  };
}
