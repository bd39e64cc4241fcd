/**
 * A buffer that is filled from its end to its start. A message is preceded by its length, which is known if the message is written first;
 * Kubernetes' own encoder works the same way.
 */
export interface Output {
  bytes: Buffer;
  /** The offset of the first byte in use. */
  start: number;
}

export const createOutput = (capacity: number): Output => ({ bytes: Buffer.allocUnsafeSlow(capacity), start: capacity });

/** The bytes written so far, which share memory with the output. */
export const written = ({ bytes, start }: Output): Buffer => bytes.subarray(start);

/** The number of bytes written so far. */
export const sizeOf = ({ bytes, start }: Output): number => bytes.length - start;

/** Writes a non-negative safe integer as a varint. */
export function prependVarint(output: Output, value: number): void {
  if (value < 0x80) {
    if (output.start < 1) reserve(output, 1);
    output.bytes[--output.start] = value;
    return;
  }
  reserve(output, 10);
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size += 1;
  output.start -= size;
  const { bytes } = output;
  let offset = output.start;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes[offset++] = (rest % 0x80) | 0x80;
  bytes[offset] = rest;
}

/** Writes an integer as a varint. As in proto2, negative numbers take 10 bytes. */
export function prependInteger(output: Output, value: number | bigint): void {
  if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) {
    prependVarint(output, value);
    return;
  }
  const groups: number[] = [];
  for (let rest = BigInt.asUintN(64, BigInt(value)); rest > 0n || groups.length === 0; rest >>= 7n) groups.push(Number(rest & 0x7fn));
  for (let i = groups.length - 1; i >= 0; i--) prependByte(output, (groups[i] as number) | (i < groups.length - 1 ? 0x80 : 0));
}

export function prependByte(output: Output, byte: number): void {
  if (output.start < 1) reserve(output, 1);
  output.bytes[--output.start] = byte;
}

export function prependDouble(output: Output, value: number): void {
  reserve(output, 8);
  output.start -= 8;
  output.bytes.writeDoubleLE(value, output.start);
}

/** Writes a string in UTF-8 after its length. */
export function prependText(output: Output, text: string): void {
  const { length } = text;
  if (length > maxCopiedCharacters || !prependShortAscii(output, text)) {
    prependVarint(output, prependEncoded(output, text, 'utf8'));
    return;
  }
  prependVarint(output, length);
}

/** Characters. Copying one by one is faster than a call of native code for shorter strings. */
const maxCopiedCharacters = 48;

/** @returns false if the text is not ASCII; then nothing is written */
function prependShortAscii(output: Output, text: string): boolean {
  const { length } = text;
  if (output.start < length) reserve(output, length);
  const start = output.start - length;
  const { bytes } = output;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    if (code > 0x7f) return false;
    bytes[start + i] = code;
  }
  output.start = start;
  return true;
}

/** Writes bytes without their length. */
export function prependRaw(output: Output, content: Uint8Array): void {
  reserve(output, content.length);
  output.start -= content.length;
  output.bytes.set(content, output.start);
}

/** Writes bytes given in base64 after their length. */
export const prependBase64 = (output: Output, text: string): void => prependVarint(output, prependEncoded(output, text, 'base64'));

/** @returns the number of bytes written */
function prependEncoded(output: Output, text: string, encoding: 'utf8' | 'base64'): number {
  const size = Buffer.byteLength(text, encoding);
  reserve(output, size);
  output.start -= size;
  output.bytes.write(text, output.start, size, encoding);
  return size;
}

/** Calls `write` and writes the length of the result. */
export function prependNested(output: Output, write: (output: Output) => void): void {
  const size = sizeOf(output);
  write(output);
  prependVarint(output, sizeOf(output) - size);
}

/** Ensures that there is room for this number of bytes before the first byte in use. */
function reserve(output: Output, count: number): void {
  if (output.start >= count) return;
  const { bytes, start } = output;
  const larger = Buffer.allocUnsafeSlow(2 * bytes.length + count);
  const newStart = larger.length - (bytes.length - start);
  larger.set(bytes.subarray(start), newStart);
  output.bytes = larger;
  output.start = newStart;
}
