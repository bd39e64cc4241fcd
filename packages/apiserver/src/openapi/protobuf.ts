import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Writes the content of a string or message, without tag and length. */
export type Write = (writer: BinaryWriter, value: unknown) => void;

/** A field of a message: its number and how to write its value. */
interface MessageField {
  readonly number: number;
  readonly write: (writer: BinaryWriter, number: number, value: unknown) => void;
}

export function encode(write: Write, value: unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer, value);
  return writer.finish();
}

const utf8 = new TextEncoder();

export const writeText: Write = (writer, value) => void writer.raw(utf8.encode(String(value)));

/** A message whose fields have the given JSON names; `others` writes the remaining members. */
export function message(
  fields: Readonly<Record<string, MessageField>>,
  others?: (writer: BinaryWriter, name: string, value: unknown) => void,
): Write {
  return (writer, value) => {
    for (const [name, fieldValue] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) field.write(writer, field.number, fieldValue);
      else others?.(writer, name, fieldValue);
    }
  };
}

/** A length-delimited field: a string or message. */
export const single = (number: number, writeContent: Write): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => writeBytes(writer, fieldNumber, writeContent, value),
});

/** A repeated length-delimited field. */
export const repeated = (number: number, writeContent: Write): MessageField => ({
  number,
  write(writer, fieldNumber, value) {
    for (const item of value as readonly unknown[]) writeBytes(writer, fieldNumber, writeContent, item);
  },
});

export const flag = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => void writer.tag(fieldNumber, WireType.Varint).bool(value === true),
});

export const integer = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) =>
    void writer.tag(fieldNumber, WireType.Varint).int64(Math.min(Math.trunc(Number(value)), Number.MAX_SAFE_INTEGER)),
});

export const double = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => void writer.tag(fieldNumber, WireType.Bit64).double(Number(value)),
});

/** Writes content as the only field of a message. */
export const wrap =
  (number: number, writeContent: Write): Write =>
  (writer, value) =>
    writeBytes(writer, number, writeContent, value);

/** A message that represents a map: its entries are messages with a name and a value. */
export const writeMap = (number: number, writeContent: Write): Write => {
  const write = writeEntry(number, writeContent);
  return (writer, value) => {
    for (const [name, fieldValue] of Object.entries(value as object)) write(writer, name, fieldValue);
  };
};

/** Writes an entry of a map as the field with the given number. */
export const writeEntry =
  (number: number, writeContent: Write) =>
  (writer: BinaryWriter, name: string, value: unknown): void =>
    writeBytes(
      writer,
      number,
      () => {
        writeBytes(writer, 1, writeText, name);
        writeBytes(writer, 2, writeContent, value);
      },
      value,
    );

function writeBytes(writer: BinaryWriter, number: number, writeContent: Write, value: unknown): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  writeContent(writer, value);
  writer.join();
}
