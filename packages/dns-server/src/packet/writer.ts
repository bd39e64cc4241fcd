import { createInvalidNameError, encodeLabels, maxLabelBytes, maxNameBytes } from './name.ts';

/** Writes a message sequentially. Names written before are compressed to pointers. */
export interface PacketWriter {
  /** Number of bytes written. */
  readonly length: number;
  /** Starts a new message with the first `end` bytes of a packet. `name` is the question's name at byte 12; "." if there is no question. */
  begin(packet: Uint8Array, end: number, name: string): void;
  writeUint8(value: number): void;
  writeUint16(value: number): void;
  writeUint32(value: number): void;
  writeBytes(values: ArrayLike<number>): void;
  /** @throws RangeError if the name is invalid */
  writeName(name: string, mayCompress: boolean): void;
  /** Overwrites two bytes. */
  overwriteUint16(offset: number, value: number): void;
  /** Discards everything from this offset on, including remembered names. */
  truncate(length: number): void;
  /** Returns a copy of the bytes written. */
  toBuffer(): Buffer;
}

/** Creates a writer for messages of up to 64 KiB. Bytes beyond that are counted but not stored. */
export function createPacketWriter(): PacketWriter {
  const buffer = Buffer.alloc(maxMessageBytes);
  const offsets = new Map<string, number>();
  let cursor = 0;
  const writeUint8 = (value: number): void => {
    buffer[cursor++] = value;
  };
  const writeUint16 = (value: number): void => {
    writeUint8((value >>> 8) & 255);
    writeUint8(value & 255);
  };
  const writeBytes = (values: ArrayLike<number>): void => {
    for (let i = 0; i < values.length; i++) writeUint8(values[i] as number);
  };
  let questionName = '';
  const findOffset = (name: string): number | undefined => {
    if (name === questionName && questionName !== '.') return headerLength;
    // Remembers suffixes of the question's name only when needed, because most answers contain only the full name.
    if (offsets.size === 0) rememberQuestion(questionName, remember);
    return offsets.get(name);
  };
  const remember = (name: string, offset: number): void => {
    if (offset < maxPointerOffset && !offsets.has(name)) offsets.set(name, offset);
  };
  return {
    get length() {
      return cursor;
    },
    begin(packet, end, name) {
      offsets.clear();
      buffer.set(packet.subarray(0, end));
      cursor = end;
      questionName = name;
    },
    writeUint8,
    writeUint16,
    writeUint32(value) {
      writeUint16(value >>> 16);
      writeUint16(value & 0xffff);
    },
    writeBytes,
    writeName: (name, mayCompress) =>
      chooseNameEncoder(name)(name, mayCompress, { findOffset, remember, writeUint8, writeUint16, writeBytes, offset: () => cursor }),
    overwriteUint16(offset, value) {
      buffer[offset] = (value >>> 8) & 255;
      buffer[offset + 1] = value & 255;
    },
    truncate(length) {
      cursor = length;
      for (const [name, offset] of offsets) if (offset >= length) offsets.delete(name);
    },
    toBuffer: () => copyBytes(buffer, cursor),
  };
}

const chooseNameEncoder = (name: string): typeof writePlainName => (name.includes('\\') ? writeEscapedName : writePlainName);

function copyBytes(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}

export const maxMessageBytes = 0xffff;
/** The range of a 14-bit pointer. */
const maxPointerOffset = 0x4000;
const headerLength = 12;

/**
 * Remembers the offsets of the question's name and of its suffixes, unless the name has escapes. Without escapes, a label has the same offset
 * in the text as in the packet, which has a length byte for each dot.
 */
function rememberQuestion(name: string, remember: (name: string, offset: number) => void): void {
  if (name.includes('\\')) return;
  remember(name, headerLength);
  for (let dot = name.indexOf('.'); dot < name.length - 1; dot = name.indexOf('.', dot + 1))
    remember(name.slice(dot + 1), headerLength + dot + 1);
}

interface NameWriter {
  findOffset(name: string): number | undefined;
  remember(name: string, offset: number): void;
  writeUint8(value: number): void;
  writeUint16(value: number): void;
  writeBytes(values: ArrayLike<number>): void;
  offset(): number;
}

function writePlainName(name: string, mayCompress: boolean, writer: NameWriter): void {
  const absoluteName = name.endsWith('.') ? name : `${name}.`;
  if (absoluteName.length >= maxNameBytes) throw createInvalidNameError(name);
  let from = absoluteName === '.' ? 1 : 0;
  while (from < absoluteName.length) {
    const suffix = from === 0 ? absoluteName : absoluteName.slice(from);
    const offset = mayCompress ? writer.findOffset(suffix) : undefined;
    if (offset !== undefined) {
      writer.writeUint16(0xc000 | offset);
      return;
    }
    writer.remember(suffix, writer.offset());
    const dot = absoluteName.indexOf('.', from);
    if (dot === from || dot - from > maxLabelBytes) throw createInvalidNameError(name);
    writer.writeUint8(dot - from);
    for (; from < dot; from++) writer.writeUint8(asciiByte(absoluteName.charCodeAt(from), name));
    from += 1;
  }
  writer.writeUint8(0);
}

function asciiByte(code: number, name: string): number {
  if (code > 0x7f) throw createInvalidNameError(name);
  return code;
}

/** Escaped names come from questions, and answers repeat them unchanged, so their suffixes are not remembered. */
function writeEscapedName(name: string, mayCompress: boolean, { findOffset, writeUint8, writeUint16, writeBytes }: NameWriter): void {
  const offset = mayCompress ? findOffset(name) : undefined;
  if (offset !== undefined) {
    writeUint16(0xc000 | offset);
    return;
  }
  const labels = encodeLabels(name);
  if (labels.reduce((sum, label) => sum + label.length + 1, 1) > maxNameBytes) throw createInvalidNameError(name);
  for (const label of labels) {
    writeUint8(label.length);
    writeBytes(label);
  }
  writeUint8(0);
}
