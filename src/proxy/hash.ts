/**
 * Creates a function that returns the first 16 base32 characters of a text's SHA-256. Web Crypto offers only an asynchronous one. The
 * function reuses its buffers, so that hashing tens of thousands of names produces no garbage.
 */
export function createHash(): (text: string) => string {
  const words = new Int32Array(64);
  const state = new Int32Array(8);
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(256);

  return (text) => {
    if (bytes.length < text.length * 3 + 72) bytes = new Uint8Array(text.length * 6 + 72);
    const blocks = pad(bytes, write(text, bytes) ?? encoder.encodeInto(text, bytes).written);
    state.set(initial);
    for (let at = 0; at < blocks * 64; at += 64) {
      load(bytes, at, words);
      compress(state, words);
    }
    return base32(state);
  };
}

/** Writes ASCII text, the usual case for names; undefined for any other text. */
function write(text: string, bytes: Uint8Array): number | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return undefined;
    bytes[i] = code;
  }
  return text.length;
}

/** Appends the SHA-256 padding: a one bit, zeros and the length in bits. Returns the number of blocks. */
function pad(bytes: Uint8Array, length: number): number {
  const blocks = (length + 72) >> 6;
  const end = blocks * 64;
  bytes[length] = 0x80;
  for (let at = length + 1; at < end; at++) bytes[at] = 0;
  for (let at = end - 1, bits = length * 8; bits > 0; at--, bits >>>= 8) bytes[at] = bits & 255;
  return blocks;
}

function load(bytes: Uint8Array, at: number, words: Int32Array): void {
  for (let i = 0; i < 16; i++) {
    const from = at + i * 4;
    words[i] =
      ((bytes[from] as number) << 24) |
      ((bytes[from + 1] as number) << 16) |
      ((bytes[from + 2] as number) << 8) |
      (bytes[from + 3] as number);
  }
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[i] = (words[i - 16] as number) + s0 + (words[i - 7] as number) + s1;
  }
}

function compress(state: Int32Array, words: Int32Array): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + (words[i] as number)) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/** The first 80 bits as 16 characters. One String.fromCharCode call yields a flat string; concatenation would not. */
function base32(state: Int32Array): string {
  const a = state[0] as number;
  const b = state[1] as number;
  const c = state[2] as number;
  return String.fromCharCode(
    code(a >>> 27),
    code(a >>> 22),
    code(a >>> 17),
    code(a >>> 12),
    code(a >>> 7),
    code(a >>> 2),
    code((a << 3) | (b >>> 29)),
    code(b >>> 24),
    code(b >>> 19),
    code(b >>> 14),
    code(b >>> 9),
    code(b >>> 4),
    code((b << 1) | (c >>> 31)),
    code(c >>> 26),
    code(c >>> 21),
    code(c >>> 16),
  );
}

const code = (bits: number): number => alphabet.charCodeAt(bits & 31);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The first 32 bits of a prime root's fractional part, as FIPS 180-4 defines the constants. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;

const primes: readonly number[] = Array.from({ length: 312 }, (_, i) => i).filter(
  (n) => n > 1 && !Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, i) => i + 2).some((d) => n % d === 0),
);
const constants: Int32Array = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initial: Int32Array = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
