import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** Writes the content of a string or message, without tag and length. */
export type ContentWriter = (writer: BinaryWriter, value: unknown) => void;

/** A field of a message: the number of the field and how to write a value. */
interface MessageField {
  readonly number: number;
  readonly write: (writer: BinaryWriter, number: number, value: unknown) => void;
}

export function encode(write: ContentWriter, value: unknown): Uint8Array {
  const writer = new BinaryWriter();
  write(writer, value);
  return writer.finish();
}

const utf8 = new TextEncoder();

export const writeText: ContentWriter = (writer, value) => void writer.raw(utf8.encode(String(value)));

/**
 * Creates a writer for messages whose fields have the given JSON names. `writeOther` writes a member without a field;
 * by default, such members are ignored.
 */
export function createMessageWriter(
  fields: Readonly<Record<string, MessageField>>,
  writeOther?: (writer: BinaryWriter, name: string, value: unknown) => void,
): ContentWriter {
  return (writer, value) => {
    for (const [name, fieldValue] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
      if (field) field.write(writer, field.number, fieldValue);
      else writeOther?.(writer, name, fieldValue);
    }
  };
}

/** Creates a length-delimited field: a string or message. */
export const createSingleField = (number: number, writeContent: ContentWriter): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => writeBytes(writer, fieldNumber, writeContent, value),
});

/** Creates a repeated length-delimited field. */
export const createRepeatedField = (number: number, writeContent: ContentWriter): MessageField => ({
  number,
  write(writer, fieldNumber, value) {
    for (const item of value as readonly unknown[]) writeBytes(writer, fieldNumber, writeContent, item);
  },
});

export const createBoolField = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => void writer.tag(fieldNumber, WireType.Varint).bool(value === true),
});

export const createIntegerField = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) =>
    void writer.tag(fieldNumber, WireType.Varint).int64(Math.min(Math.trunc(Number(value)), Number.MAX_SAFE_INTEGER)),
});

export const createDoubleField = (number: number): MessageField => ({
  number,
  write: (writer, fieldNumber, value) => void writer.tag(fieldNumber, WireType.Bit64).double(Number(value)),
});

/** Creates a writer for messages with the content as their only field. */
export const createWrappingWriter =
  (number: number, writeContent: ContentWriter): ContentWriter =>
  (writer, value) =>
    writeBytes(writer, number, writeContent, value);

/** Creates a writer for messages that represent a map, whose entries are messages with a name and a value. */
export const createMapWriter = (number: number, writeContent: ContentWriter): ContentWriter => {
  const write = createEntryWriter(number, writeContent);
  return (writer, value) => {
    for (const [name, fieldValue] of Object.entries(value as object)) write(writer, name, fieldValue);
  };
};

/** Creates a writer for an entry of a map as the field with the given number. */
export const createEntryWriter =
  (number: number, writeContent: ContentWriter) =>
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

function writeBytes(writer: BinaryWriter, number: number, writeContent: ContentWriter, value: unknown): void {
  writer.tag(number, WireType.LengthDelimited).fork();
  writeContent(writer, value);
  writer.join();
}
