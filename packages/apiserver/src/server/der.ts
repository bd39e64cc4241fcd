/**
 * Values of ASN.1 in their distinguished encoding, as far as a certificate needs them. By hand, for a server is to listen at once:
 * loading a library for it takes longer than all the rest of making a certificate.
 */
export type Der = Uint8Array;

export const sequence = (...values: readonly Der[]): Der => encode(0x30, ...values);
export const set = (...values: readonly Der[]): Der => encode(0x31, ...values);
export const utf8String = (text: string): Der => encode(0x0c, Buffer.from(text));
export const octetString = (bytes: Uint8Array): Der => encode(0x04, bytes);
export const bitString = (bytes: Uint8Array, unusedBits = 0): Der => encode(0x03, Uint8Array.of(unusedBits), bytes);
export const isTrue = (): Der => encode(0x01, Uint8Array.of(0xff));

/** In square brackets in the standards: around a value that stands for itself. */
export const explicit = (tag: number, value: Der): Der => encode(0xa0 | tag, value);

/** In square brackets in the standards: in the place of the tag that the type has by itself. */
export const implicit = (tag: number, bytes: Uint8Array): Der => encode(0x80 | tag, bytes);

/** Of a number that is not negative, with its most significant byte first. */
export function integer(bytes: Uint8Array): Der {
  const start = bytes.findIndex((byte, place) => byte !== 0 || place === bytes.length - 1);
  const digits = bytes.subarray(Math.max(start, 0));
  const looksNegative = (digits[0] ?? 0) > 0x7f;
  return looksNegative ? encode(0x02, Uint8Array.of(0), digits) : encode(0x02, digits);
}

/** Of a name such as "2.5.4.3". */
export function objectIdentifier(name: string): Der {
  const [first = 0, second = 0, ...rest] = name.split('.').map(Number);
  return encode(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** To the second, with two-digit years until 2049, as RFC 5280 has it. */
export function time(milliseconds: number): Der {
  const digits = new Date(milliseconds).toISOString().replace(/\.\d+|[-:T]/g, '');
  return Number(digits.slice(0, 4)) < 2050 ? encode(0x17, Buffer.from(digits.slice(2))) : encode(0x18, Buffer.from(digits));
}

function encode(tag: number, ...contents: readonly Uint8Array[]): Der {
  const length = contents.reduce((sum, bytes) => sum + bytes.length, 0);
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) digits.unshift(rest % 256);
  const head = length < 0x80 ? [tag, length] : [tag, 0x80 | digits.length, ...digits];
  return Buffer.concat([Uint8Array.from(head), ...contents]);
}

/** Seven bits to a byte; all but the last of them have their highest bit set. */
function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) digits.unshift((rest & 0x7f) | 0x80);
  return digits;
}
