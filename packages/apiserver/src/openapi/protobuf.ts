import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Writes the content of a string or message, without tag and length. */
export type Write = (writer: BinaryWriter, value: unknown) => void;

/** A field of a message: its number and how to write its value. */
interface MessageField {
  readonly number: number;
  readonly write: (writer: BinaryWriter, number: number, value: unknown) => void;
}

/** Encodes a message. */
export function encode(write: Write, value: unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer, value);
  return writer.finish();
}

const utf8 = new TextEncoder();

export const text: Write = (writer, value) => void writer.raw(utf8.encode(String(value)));

/** A message whose fields have the given JSON names; `others` writes the remaining members. */
export function message(
  fields: Readonly<Record<string, MessageField>>,
  others?: (writer: BinaryWriter, name: string, value: unknown) => void,
): Write {
  return (writer, value) => {
    for (const [name, each] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) field.write(writer, field.number, each);
      else others?.(writer, name, each);
    }
  };
}

/** A length-delimited field: a string or message. */
export const one = (number: number, inside: Write): MessageField => ({
  number,
  write: (writer, at, value) => bytes(writer, at, inside, value),
});

/** A repeated length-delimited field. */
export const many = (number: number, inside: Write): MessageField => ({
  number,
  write(writer, at, value) {
    for (const item of value as readonly unknown[]) bytes(writer, at, inside, item);
  },
});

export const flag = (number: number): MessageField => ({
  number,
  write: (writer, at, value) => void writer.tag(at, WireType.Varint).bool(value === true),
});

export const integer = (number: number): MessageField => ({
  number,
  write: (writer, at, value) => void writer.tag(at, WireType.Varint).int64(Math.min(Math.trunc(Number(value)), Number.MAX_SAFE_INTEGER)),
});

export const double = (number: number): MessageField => ({
  number,
  write: (writer, at, value) => void writer.tag(at, WireType.Bit64).double(Number(value)),
});

/** A message with a single field. */
export const wrapped =
  (number: number, inside: Write): Write =>
  (writer, value) =>
    bytes(writer, number, inside, value);

/** A message that represents a map: its entries are messages with a name and a value. */
export const mapped = (number: number, inside: Write): Write => {
  const write = entry(number, inside);
  return (writer, value) => {
    for (const [name, each] of Object.entries(value as object)) write(writer, name, each);
  };
};

/** Writes an entry of a map as the field with the given number. */
export const entry =
  (number: number, inside: Write) =>
  (writer: BinaryWriter, name: string, value: unknown): void =>
    bytes(
      writer,
      number,
      () => {
        bytes(writer, 1, text, name);
        bytes(writer, 2, inside, value);
      },
      value,
    );

function bytes(writer: BinaryWriter, number: number, inside: Write, value: unknown): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  inside(writer, value);
  writer.join();
}
