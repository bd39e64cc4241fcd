import { labelsOf, longestLabel, longestName, notAName } from './name.ts';

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
  cut(length: number): void;
  /** A copy of the bytes written. */
  taken(): Buffer;
}

/** Creates a writer for messages of up to 64 KiB. Bytes beyond that are counted but not stored. */
export function createPacketWriter(): PacketWriter {
  const buffer = Buffer.alloc(mostBytes);
  const places = new Map<string, number>();
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
  let asked = '';
  const known = (name: string): number | undefined => {
    if (name === asked && asked !== '.') return headerLength;
    // Most answers repeat the whole name of the question, and need none of its suffixes.
    if (places.size === 0) rememberQuestion(asked, remember);
    return places.get(name);
  };
  const remember = (name: string, place: number): void => {
    if (place < furthestPointer && !places.has(name)) places.set(name, place);
  };
  return {
    get length() {
      return at;
    },
    begin(start, end, name) {
      places.clear();
      buffer.set(start.subarray(0, end));
      at = end;
      asked = name;
    },
    byte: put,
    word,
    long(value) {
      word(value >>> 16);
      word(value & 0xffff);
    },
    bytes,
    name: (name, compressed) =>
      (name.includes('\\') ? writeEscaped : writeName)(name, compressed, { known, remember, put, word, bytes, place: () => at }),
    wordAt(place, value) {
      buffer[place] = (value >>> 8) & 255;
      buffer[place + 1] = value & 255;
    },
    cut(length) {
      at = length;
      for (const [name, place] of places) if (place >= length) places.delete(name);
    },
    taken: () => copyOf(buffer, at),
  };
}

function copyOf(buffer: Buffer, length: number): Buffer {
  const copy = Buffer.allocUnsafe(length);
  buffer.copy(copy, 0, 0, length);
  return copy;
}

export const mostBytes = 0xffff;
/** The range of a 14-bit pointer. */
const furthestPointer = 0x4000;
const headerLength = 12;

/** In a name without escapes, a label has the same offset in the text as in the packet: each dot takes the place of a length byte. */
function rememberQuestion(name: string, remember: (name: string, place: number) => void): void {
  if (name.includes('\\')) return;
  remember(name, headerLength);
  for (let dot = name.indexOf('.'); dot < name.length - 1; dot = name.indexOf('.', dot + 1))
    remember(name.slice(dot + 1), headerLength + dot + 1);
}

interface NameParts {
  known(name: string): number | undefined;
  remember(name: string, place: number): void;
  put(value: number): void;
  word(value: number): void;
  bytes(values: ArrayLike<number>): void;
  place(): number;
}

function writeName(name: string, compressed: boolean, parts: NameParts): void {
  const whole = name.endsWith('.') ? name : `${name}.`;
  if (whole.length >= longestName) throw notAName(name);
  let from = whole === '.' ? 1 : 0;
  while (from < whole.length) {
    const rest = from === 0 ? whole : whole.slice(from);
    const place = compressed ? parts.known(rest) : undefined;
    if (place !== undefined) {
      parts.word(0xc000 | place);
      return;
    }
    parts.remember(rest, parts.place());
    const dot = whole.indexOf('.', from);
    if (dot === from || dot - from > longestLabel) throw notAName(name);
    parts.put(dot - from);
    for (; from < dot; from++) parts.put(ascii(whole.charCodeAt(from), name));
    from += 1;
  }
  parts.put(0);
}

function ascii(code: number, name: string): number {
  if (code > 0x7f) throw notAName(name);
  return code;
}

/** Escaped names come from questions, and answers repeat them whole, so their suffixes are not remembered. */
function writeEscaped(name: string, compressed: boolean, { known, put, word, bytes }: NameParts): void {
  const place = compressed ? known(name) : undefined;
  if (place !== undefined) {
    word(0xc000 | place);
    return;
  }
  const labels = labelsOf(name);
  if (labels.reduce((sum, label) => sum + label.length + 1, 1) > longestName) throw notAName(name);
  for (const label of labels) {
    put(label.length);
    bytes(label);
  }
  put(0);
}
