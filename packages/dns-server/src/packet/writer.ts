import { encodeLabels, invalidNameError, maxLabelBytes, maxNameBytes } from './name.ts';

/** Writes a message sequentially. Names written before are compressed to pointers. */
export interface PacketWriter {
  /** Number of bytes written. */
  readonly length: number;
  /** Starts a new message with the first `end` bytes of a packet. `name` is the name at byte 12, or the root. */
  begin(start: Uint8Array, end: number, name: string): void;
  uint8(value: number): void;
  uint16(value: number): void;
  uint32(value: number): void;
  bytes(values: ArrayLike<number>): void;
  /** @throws RangeError if the name is invalid */
  name(name: string, compressed: boolean): void;
  /** Overwrites two bytes. */
  uint16At(offset: number, value: number): void;
  /** Discards everything from this offset on, including remembered names. */
  truncate(length: number): void;
  /** A copy of the bytes written. */
  toBuffer(): Buffer;
}

/** Creates a writer for messages of up to 64 KiB. Bytes beyond that are counted but not stored. */
export function createPacketWriter(): PacketWriter {
  const buffer = Buffer.alloc(maxMessageBytes);
  const offsets = new Map<string, number>();
  let cursor = 0;
  const uint8 = (value: number): void => {
    buffer[cursor++] = value;
  };
  const uint16 = (value: number): void => {
    uint8((value >>> 8) & 255);
    uint8(value & 255);
  };
  const bytes = (values: ArrayLike<number>): void => {
    for (let i = 0; i < values.length; i++) uint8(values[i] as number);
  };
  let questionName = '';
  const findOffset = (name: string): number | undefined => {
    if (name === questionName && questionName !== '.') return headerLength;
    // Suffixes are remembered on first use, because most answers contain only the full name of the question.
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
    begin(start, end, name) {
      offsets.clear();
      buffer.set(start.subarray(0, end));
      cursor = end;
      questionName = name;
    },
    uint8,
    uint16,
    uint32(value) {
      uint16(value >>> 16);
      uint16(value & 0xffff);
    },
    bytes,
    name: (name, compressed) => nameWriterFor(name)(name, compressed, { findOffset, remember, uint8, uint16, bytes, offset: () => cursor }),
    uint16At(offset, value) {
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

const nameWriterFor = (name: string): typeof writeName => (name.includes('\\') ? writeEscaped : writeName);

function copyBytes(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}

export const maxMessageBytes = 0xffff;
/** The range of a 14-bit pointer. */
const maxPointerOffset = 0x4000;
const headerLength = 12;

/** In a name without escapes, a label has the same offset in the text as in the packet, which has a length byte for each dot. */
function rememberQuestion(name: string, remember: (name: string, offset: number) => void): void {
  if (name.includes('\\')) return;
  remember(name, headerLength);
  for (let dot = name.indexOf('.'); dot < name.length - 1; dot = name.indexOf('.', dot + 1))
    remember(name.slice(dot + 1), headerLength + dot + 1);
}

interface NameWriter {
  findOffset(name: string): number | undefined;
  remember(name: string, offset: number): void;
  uint8(value: number): void;
  uint16(value: number): void;
  bytes(values: ArrayLike<number>): void;
  offset(): number;
}

function writeName(name: string, compressed: boolean, writer: NameWriter): void {
  const absoluteName = name.endsWith('.') ? name : `${name}.`;
  if (absoluteName.length >= maxNameBytes) throw invalidNameError(name);
  let from = absoluteName === '.' ? 1 : 0;
  while (from < absoluteName.length) {
    const suffix = from === 0 ? absoluteName : absoluteName.slice(from);
    const offset = compressed ? writer.findOffset(suffix) : undefined;
    if (offset !== undefined) {
      writer.uint16(0xc000 | offset);
      return;
    }
    writer.remember(suffix, writer.offset());
    const dot = absoluteName.indexOf('.', from);
    if (dot === from || dot - from > maxLabelBytes) throw invalidNameError(name);
    writer.uint8(dot - from);
    for (; from < dot; from++) writer.uint8(asciiByte(absoluteName.charCodeAt(from), name));
    from += 1;
  }
  writer.uint8(0);
}

function asciiByte(code: number, name: string): number {
  if (code > 0x7f) throw invalidNameError(name);
  return code;
}

/** Escaped names come from questions, and answers repeat them unchanged, so their suffixes are not remembered. */
function writeEscaped(name: string, compressed: boolean, { findOffset, uint8, uint16, bytes }: NameWriter): void {
  const offset = compressed ? findOffset(name) : undefined;
  if (offset !== undefined) {
    uint16(0xc000 | offset);
    return;
  }
  const labels = encodeLabels(name);
  if (labels.reduce((sum, label) => sum + label.length + 1, 1) > maxNameBytes) throw invalidNameError(name);
  for (const label of labels) {
    uint8(label.length);
    bytes(label);
  }
  uint8(0);
}
