/** A position in a message that is being read. */
export interface Input {
  readonly bytes: Buffer;
  position: number;
  /** The end of the message. */
  end: number;
  /** The number of messages that contain this one. */
  depth: number;
}

export const createInput = ({ buffer, byteOffset, length }: Uint8Array): Input => ({
  bytes: Buffer.from(buffer, byteOffset, length),
  position: 0,
  end: length,
  depth: 0,
});

/** The bytes are not a valid message. The message is that of Kubernetes' generated code. */
export class MalformedMessageError extends Error {}

/** Calls `read` until the end of the message. */
export function readAll(input: Input, read: () => void): void {
  while (input.position < input.end) read();
}

/**
 * Reads a varint of at most 64 bits as an unsigned number. Exact up to 2^53, larger numbers are rounded.
 * @throws MalformedMessageError if it does not end
 */
export function readVarint(input: Input): number {
  let value = 0;
  let factor = 1;
  for (let count = 0; count < maxVarintBytes; count++) {
    const byte = readByte(input);
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
    factor *= 0x80;
  }
  throw new MalformedMessageError('proto: integer overflow');
}

/** Reads a varint as a signed 64-bit integer: a BigInt if a number cannot represent it. @throws MalformedMessageError if it does not end */
export function readInteger(input: Input): number | bigint {
  const { position } = input;
  const small = readVarint(input);
  if (small <= Number.MAX_SAFE_INTEGER) return small;
  let value = 0n;
  for (let i = position; i < input.position; i++) value |= BigInt((input.bytes[i] as number) & 0x7f) << BigInt(7 * (i - position));
  const signed = BigInt.asIntN(64, value);
  return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed;
}

/**
 * Reads the tag before a field: its number times 8 plus the wire type.
 * @param message the Go name of the message
 * @throws MalformedMessageError if the tag is invalid
 */
export function readTag(input: Input, message: string): number {
  const tag = readVarint(input);
  const number = numberOf(tag);
  if (wireOf(tag) === 4) throw new MalformedMessageError(`proto: ${message}: wiretype end group for non-group`);
  if (number <= 0) throw new MalformedMessageError(`proto: ${message}: illegal tag ${number} (wire type ${tag})`);
  return tag;
}

export const numberOf = (tag: number): number => Math.floor(tag / 8) | 0;
export const wireOf = (tag: number): number => tag % 8;

const maxVarintBytes = 10;

function readByte(input: Input): number {
  if (input.position >= input.end) throw new MalformedMessageError('unexpected EOF');
  return input.bytes[input.position++] as number;
}

export function readDouble(input: Input): number {
  const start = advance(input, 8);
  return input.bytes.readDoubleLE(start);
}

/** Reads a length and returns the bytes, which share memory with the input. */
export function readBytes(input: Input): Buffer {
  const size = readSize(input);
  const start = advance(input, size);
  return input.bytes.subarray(start, start + size);
}

export function readText(input: Input): string {
  const size = readSize(input);
  const start = advance(input, size);
  return input.bytes.toString('utf8', start, start + size);
}

/**
 * Reads a length and calls `read` with the input limited to the nested message.
 * @throws MalformedMessageError if messages are nested too deeply
 */
export function readNested<T>(input: Input, read: (input: Input) => T): T {
  const { end: outerEnd } = input;
  const size = readSize(input);
  if (size > outerEnd - input.position) throw new MalformedMessageError('unexpected EOF');
  if (input.depth >= maxDepth) throw new MalformedMessageError('exceeded max depth');
  input.end = input.position + size;
  input.depth += 1;
  const value = read(input);
  input.depth -= 1;
  input.end = outerEnd;
  return value;
}

/** Maximum nesting depth of messages. Only schemas are recursive, and their limit is lower. */
const maxDepth = 1000;

/** Reads and discards the value of an unknown field. Mirrors skipGenerated (1.36, api/core/v1/generated.pb.go). */
export function skip(input: Input, wire: number): void {
  if (wire === 0) readVarint(input);
  else if (wire === 1) advance(input, 8);
  else if (wire === 2) advance(input, readSize(input));
  else if (wire === 3) skipGroup(input);
  else if (wire === 4) throw new MalformedMessageError('proto: unexpected end of group');
  else if (wire === 5) advance(input, 4);
  else throw new MalformedMessageError(`proto: illegal wireType ${wire}`);
}

function skipGroup(input: Input): void {
  for (let depth = 1; depth > 0; ) {
    const wire = readVarint(input) % 8;
    if (wire === 3) depth += 1;
    else if (wire === 4) depth -= 1;
    else skip(input, wire);
  }
}

function readSize(input: Input): number {
  const size = readVarint(input);
  if (size >= 2 ** 63) throw new MalformedMessageError('proto: negative length found during unmarshaling');
  return size;
}

/** Moves the position forward and returns the previous one. */
function advance(input: Input, count: number): number {
  const { position } = input;
  if (count > input.end - position) throw new MalformedMessageError('unexpected EOF');
  input.position += count;
  return position;
}
