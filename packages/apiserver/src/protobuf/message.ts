import { compareText } from 'kube-endpoints/internal/apimachinery';
import type { ApiType, Field, StructType } from '../api-types/index.ts';
import { type Input, numberOf, readAll, readNested, readTag, readText, readVarint, skip, wireOf } from './input.ts';
import { createOpaqueCodec } from './opaque.ts';
import { type Output, prependNested, prependText, prependVarint, sizeOf } from './output.ts';
import { type Codec, createNestedCodec, createScalarCodec, isScalar, type MessageCodec, requireWire, tagOf } from './values.ts';

type Fields = Record<string, unknown>;
type ListType = Extract<ApiType, { kind: 'list' }>;

/** Returns the codec of a struct. */
export function messageCodecOf(struct: StructType): MessageCodec {
  const existing = codecs.get(struct);
  if (existing) return existing;
  const codec = createMessageCodec(struct);
  codecs.set(struct, codec);
  return codec;
}

/** Codecs are derived from the constant table of types. */
const codecs = new Map<StructType, MessageCodec>();

/** A codec is compiled at its first use, because types are recursive. */
function createMessageCodec(struct: StructType): MessageCodec {
  let compiled: CompiledMessage | undefined;
  const compile = (): CompiledMessage => {
    compiled ??= compileMessage(struct.go.replace(/^.*\./, ''), [...struct.fields.values()], 0);
    return compiled;
  };
  return {
    readFields(input) {
      const object: Fields = {};
      const { read } = compile();
      readAll(input, () => read(input, object));
      return object;
    },
    writeFields: (output, value) => compile().write(output, value),
  };
}

interface CompiledMessage {
  /** Reads one field into an object. */
  read(input: Input, object: Fields): void;
  write(output: Output, object: Fields): void;
}

/** A field of a message, or an embedded message, whose fields are fields of the same JSON object. */
interface FieldCodec {
  readonly number: number;
  read(input: Input, wire: number, object: Fields): void;
  write(output: Output, object: Fields): void;
}

/** @param depth how many embedded messages contain the fields */
function compileMessage(name: string, fields: readonly Field[], depth: number): CompiledMessage {
  const byNumber = new Map<number, Field[]>();
  for (const field of fields) {
    const number = field.numbers[depth];
    if (number !== undefined) byNumber.set(number, [...(byNumber.get(number) ?? []), field]);
  }
  return createCompiledMessage(
    name,
    [...byNumber].sort(([a], [b]) => b - a).map(([, each]) => createFieldCodec(each, depth)),
  );
}

/**
 * @param name the Go name of the message
 * @param codecs with descending numbers
 */
function createCompiledMessage(name: string, codecs: readonly FieldCodec[]): CompiledMessage {
  const codecByNumber = new Map(codecs.map((codec) => [codec.number, codec]));
  return {
    read(input, object) {
      const tag = readTag(input, name);
      const codec = codecByNumber.get(numberOf(tag));
      if (codec) codec.read(input, wireOf(tag), object);
      else skip(input, wireOf(tag));
    },
    // A buffer is filled from its end, so the field with the highest number is written first.
    write(output, object) {
      for (let i = 0; i < codecs.length; i++) (codecs[i] as FieldCodec).write(output, object);
    },
  };
}

function createFieldCodec(fields: readonly Field[], depth: number): FieldCodec {
  const [field] = fields as readonly [Field];
  const number = field.numbers[depth] as number;
  const { type } = field;
  if (field.numbers.length > depth + 1) return createEmbeddedCodec(number, fields, depth);
  if (type.kind === 'list' && !isWrapped(type)) return createListCodec(number, field.name, createCodec(type.of));
  if (type.kind === 'map') return createMapCodec(number, field.name, createCodec(type.of));
  return createSingleCodec(number, field);
}

function createEmbeddedCodec(number: number, fields: readonly Field[], depth: number): FieldCodec {
  const name = fields[0]?.embedded[depth] ?? '';
  const { read, write } = compileMessage(name, fields, depth + 1);
  const tag = tagOf(number, 2);
  return {
    number,
    read(input, wire, object) {
      requireWire(wire, 2, name);
      readNested(input, () => readAll(input, () => read(input, object)));
    },
    write(output, object) {
      const size = sizeOf(output);
      write(output, object);
      prependVarint(output, sizeOf(output) - size);
      prependVarint(output, tag);
    },
  };
}

/** Pointers are written if they are set, everything else always. */
function createSingleCodec(number: number, { name, type, omitEmpty }: Field): FieldCodec {
  const isOptional = type.kind === 'pointer' || type.kind === 'bytes' || type.kind === 'list';
  const codec = createCodec(type);
  const tag = tagOf(number, codec.wire);
  const omittedValue = omitEmpty && type.kind !== 'pointer' ? codec.zero : undefined;
  return {
    number,
    read(input, wire, object) {
      requireWire(wire, codec.wire, name);
      const value = codec.read(input);
      if (value !== undefined && value !== omittedValue) object[name] = value;
      else delete object[name];
    },
    write(output, object) {
      const value = object[name] ?? undefined;
      if (value === undefined && isOptional) return;
      codec.write(output, value ?? codec.zero);
      prependVarint(output, tag);
    },
  };
}

function createListCodec(number: number, name: string, codec: Codec): FieldCodec {
  const tag = tagOf(number, codec.wire);
  return {
    number,
    read(input, wire, object) {
      object[name] ??= [];
      const items = object[name] as unknown[];
      const readItem = (): void => void items.push(codec.read(input) ?? codec.zero);
      // Numbers may also be packed into a single value.
      if (wire === 2 && codec.wire !== 2) return readNested(input, () => readAll(input, readItem));
      requireWire(wire, codec.wire, name);
      readItem();
    },
    write(output, object) {
      const items = object[name] as readonly unknown[] | null | undefined;
      if (!items) return;
      for (let i = items.length - 1; i >= 0; i--) {
        codec.write(output, items[i] ?? codec.zero);
        prependVarint(output, tag);
      }
    },
  };
}

function createMapCodec(number: number, name: string, codec: Codec): FieldCodec {
  const [tag, keyTag, valueTag] = [tagOf(number, 2), tagOf(1, 2), tagOf(2, codec.wire)];
  return {
    number,
    read(input, wire, object) {
      requireWire(wire, 2, name);
      object[name] ??= {};
      let [key, value]: [string, unknown] = ['', undefined];
      const readEntry = (): void => {
        const entryTag = readVarint(input);
        if (numberOf(entryTag) === 1) key = readText(input);
        else if (numberOf(entryTag) === 2) value = codec.read(input);
        else skip(input, wireOf(entryTag));
      };
      readNested(input, () => readAll(input, readEntry));
      // Keys are data, even __proto__.
      const property = { value: value ?? codec.zero, enumerable: true, configurable: true, writable: true };
      Object.defineProperty(object[name], key, property);
    },
    write(output, object) {
      const entries = object[name] as Fields | null | undefined;
      if (!entries) return;
      const keys = Object.keys(entries);
      if (keys.length > 1) keys.sort(compareText);
      for (let i = keys.length - 1; i >= 0; i--) {
        const key = keys[i] as string;
        const size = sizeOf(output);
        codec.write(output, entries[key] ?? codec.zero);
        prependVarint(output, valueTag);
        prependText(output, key);
        prependVarint(output, keyTag);
        prependVarint(output, sizeOf(output) - size);
        prependVarint(output, tag);
      }
    },
  };
}

/** Creates the codec of a single value. */
function createCodec(type: ApiType): Codec {
  if (type.kind === 'pointer') return createCodec(type.to);
  if (type.kind === 'struct') return createNestedCodec(messageCodecOf(type));
  if (type.kind === 'list') return createWrappedListCodec(type);
  if (type.kind === 'map') throw new TypeError(`${type.go} is not the type of a field`);
  return isScalar(type) ? createScalarCodec(type) : createOpaqueCodec(type, messageCodecOf);
}

/** Whether a list is a message with a field instead of a repeated field: named types of lists of strings, such as ExtraValue. */
const isWrapped = ({ go, of }: ListType): boolean => !go.startsWith('[]') && of.kind === 'text';

function createWrappedListCodec({ go, of }: ListType): Codec {
  const { read, write } = createCompiledMessage(go.replace(/^.*\./, ''), [createListCodec(1, 'items', createCodec(of))]);
  return {
    wire: 2,
    zero: [],
    read(input) {
      const object: Fields = { items: [] };
      readNested(input, () => readAll(input, () => read(input, object)));
      return object['items'];
    },
    write: (output, items) => prependNested(output, () => write(output, { items })),
  };
}
