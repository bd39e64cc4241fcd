import { encodeLabels, invalidNameError, maxLabelBytes, maxNameBytes } from './name.ts';

/** Writes a message sequentially. Names written before are compressed to pointers. */
export interface PacketWriter {
  /** Number of bytes written. */
  readonly length: number;
  /** Starts a new message with the first bytes of a packet. `name` is the one at byte 12, or the root. */
  begin(start: Uint8Array, end: number, name: string): void;
  byte(value: number): void;
  word(value: number): void;
  long(value: number): void;
  bytes(values: ArrayLike<number>): void;
  /** @throws RangeError if the name is invalid */
  name(name: string, compressed: boolean): void;
  /** Overwrites two bytes. */
  wordAt(at: number, value: number): void;
  /** Discards everything from this offset on, including remembered names. */
  truncate(length: number): void;
  /** A copy of the bytes written. */
  toBuffer(): Buffer;
}

/** Creates a writer for messages of up to 64 KiB. Bytes beyond that are counted but not stored. */
export function createPacketWriter(): PacketWriter {
  const buffer = Buffer.alloc(maxMessageBytes);
  const offsets = new Map<string, number>();
  let at = 0;
  const put = (value: number): void => {
    buffer[at++] = value;
  };
  const word = (value: number): void => {
    put((value >>> 8) & 255);
    put(value & 255);
  };
  const bytes = (values: ArrayLike<number>): void => {
    for (let i = 0; i < values.length; i++) put(values[i] as number);
  };
  let questionName = '';
  const findOffset = (name: string): number | undefined => {
    if (name === questionName && questionName !== '.') return headerLength;
    // Most answers repeat the whole name of the question, and need none of its suffixes.
    if (offsets.size === 0) rememberQuestion(questionName, remember);
    return offsets.get(name);
  };
  const remember = (name: string, offset: number): void => {
    if (offset < maxPointerOffset && !offsets.has(name)) offsets.set(name, offset);
  };
  return {
    get length() {
      return at;
    },
    begin(start, end, name) {
      offsets.clear();
      buffer.set(start.subarray(0, end));
      at = end;
      questionName = name;
    },
    byte: put,
    word,
    long(value) {
      word(value >>> 16);
      word(value & 0xffff);
    },
    bytes,
    name: (name, compressed) =>
      (name.includes('\\') ? writeEscaped : writeName)(name, compressed, { findOffset, remember, put, word, bytes, offset: () => at }),
    wordAt(offset, value) {
      buffer[offset] = (value >>> 8) & 255;
      buffer[offset + 1] = value & 255;
    },
    truncate(length) {
      at = length;
      for (const [name, offset] of offsets) if (offset >= length) offsets.delete(name);
    },
    toBuffer: () => copyOf(buffer, at),
  };
}

function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}

export const maxMessageBytes = 0xffff;
/** The range of a 14-bit pointer. */
const maxPointerOffset = 0x4000;
const headerLength = 12;

/** In a name without escapes, a label has the same offset in the text as in the packet: each dot takes the place of a length byte. */
function rememberQuestion(name: string, remember: (name: string, offset: number) => void): void {
  if (name.includes('\\')) return;
  remember(name, headerLength);
  for (let dot = name.indexOf('.'); dot < name.length - 1; dot = name.indexOf('.', dot + 1))
    remember(name.slice(dot + 1), headerLength + dot + 1);
}

interface NameParts {
  findOffset(name: string): number | undefined;
  remember(name: string, offset: number): void;
  put(value: number): void;
  word(value: number): void;
  bytes(values: ArrayLike<number>): void;
  offset(): number;
}

function writeName(name: string, compressed: boolean, parts: NameParts): void {
  const whole = name.endsWith('.') ? name : `${name}.`;
  if (whole.length >= maxNameBytes) throw invalidNameError(name);
  let from = whole === '.' ? 1 : 0;
  while (from < whole.length) {
    const rest = from === 0 ? whole : whole.slice(from);
    const offset = compressed ? parts.findOffset(rest) : undefined;
    if (offset !== undefined) {
      parts.word(0xc000 | offset);
      return;
    }
    parts.remember(rest, parts.offset());
    const dot = whole.indexOf('.', from);
    if (dot === from || dot - from > maxLabelBytes) throw invalidNameError(name);
    parts.put(dot - from);
    for (; from < dot; from++) parts.put(ascii(whole.charCodeAt(from), name));
    from += 1;
  }
  parts.put(0);
}

function ascii(code: number, name: string): number {
  if (code > 0x7f) throw invalidNameError(name);
  return code;
}

/** Escaped names come from questions, and answers repeat them whole, so their suffixes are not remembered. */
function writeEscaped(name: string, compressed: boolean, { findOffset, put, word, bytes }: NameParts): void {
  const offset = compressed ? findOffset(name) : undefined;
  if (offset !== undefined) {
    word(0xc000 | offset);
    return;
  }
  const labels = encodeLabels(name);
  if (labels.reduce((sum, label) => sum + label.length + 1, 1) > maxNameBytes) throw invalidNameError(name);
  for (const label of labels) {
    put(label.length);
    bytes(label);
  }
  put(0);
}
