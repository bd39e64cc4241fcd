import { zeroQuantity } from 'kube-endpoints/internal/apimachinery';
import type { Fields } from '../../store/fields.ts';
import type { ApiType, StructType } from '../index.ts';

/**
 * Decodes objects that this server encoded; they are valid and have their defaults. Removes the zero values that a decoded object omits.
 * The result shares unchanged parts with the stored object and must not be modified.
 */
type StoredReader = (stored: Fields) => Fields;

export function createStoredReader(type: StructType): StoredReader {
  const read = createCompiler()(type);
  return (stored) => (read(stored) ?? {}) as Fields;
}

/** Undefined for a zero value, which a decoded object omits. */
type Reader = (value: unknown) => unknown;

type Compiler = (type: ApiType) => Reader;

function createCompiler(): Compiler {
  const structs = new Map<StructType, Reader>();
  const compile: Compiler = (type) => {
    // Targets of pointers and items of lists and maps stay even if they are zero.
    if (type.kind === 'pointer') return createRequiredReader(type.to, compile);
    if (type.kind === 'list') return createListReader(createRequiredReader(type.of, compile));
    if (type.kind === 'map') return createMapReader(type.of.kind === 'struct' ? createRequiredReader(type.of, compile) : undefined);
    if (type.kind !== 'struct') return zeroReaders[type.kind] ?? undefinedIfNull;
    const compiled = structs.get(type);
    if (compiled) return compiled;
    let readFields: Reader | undefined;
    const read: Reader = (value) => {
      readFields ??= createStructReader(type, compile);
      return readFields(value);
    };
    structs.set(type, read);
    return read;
  };
  return compile;
}

const undefinedIfNull: Reader = (value) => value ?? undefined;

const undefinedIfZero: Reader = (value) => value || undefined;

const zeroReaders: Readonly<Partial<Record<ApiType['kind'], Reader>>> = {
  text: undefinedIfZero,
  bytes: undefinedIfZero,
  bool: undefinedIfZero,
  integer: undefinedIfZero,
  float: undefinedIfZero,
  intOrString: (value) => (value === 0 || value === null ? undefined : value),
  quantity: (value) => (value === zeroQuantity.text || value === null ? undefined : value),
};

/** Creates a reader that keeps the value even if it is zero, but removes zero values inside structs, lists and maps. */
function createRequiredReader(type: ApiType, compile: Compiler): Reader {
  if (type.kind === 'pointer') return createRequiredReader(type.to, compile);
  if (type.kind !== 'struct' && type.kind !== 'list' && type.kind !== 'map') return undefinedIfNull;
  const read = compile(type);
  return (value) => (value === null || value === undefined ? undefined : (read(value) ?? (type.kind === 'list' ? emptyList : emptyObject)));
}

const emptyList: readonly never[] = Object.freeze([]);
const emptyObject: Fields = Object.freeze({});

function createListReader(read: Reader): Reader {
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

function createMapReader(read: Reader | undefined): Reader {
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const keys = Object.keys(value);
    if (keys.length === 0) return undefined;
    return read ? Object.fromEntries(keys.map((key) => [key, read((value as Fields)[key])])) : value;
  };
}

function createStructReader(type: StructType, compile: Compiler): Reader {
  const fields = new Map([...type.fields].map(([name, field]) => [name, compile(field.type)]));
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const keys = Object.keys(value);
    let copy: Record<string, unknown> | undefined;
    let fieldCount = 0;
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i] as string;
      const storedValue = (value as Fields)[key];
      const decodedValue = fields.get(key)?.(storedValue);
      if (decodedValue !== undefined) fieldCount += 1;
      if (!copy && decodedValue === storedValue) continue;
      copy ??= Object.fromEntries(keys.slice(0, i).map((each) => [each, (value as Fields)[each]]));
      if (decodedValue !== undefined) copy[key] = decodedValue;
    }
    return fieldCount === 0 ? undefined : (copy ?? value);
  };
}
