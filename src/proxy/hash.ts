/**
 * Creates a function that returns the first 16 base32 characters of a text's SHA-256. It is synchronous, unlike Web Crypto, and reuses its
 * buffers, so that hashing tens of thousands of names produces no garbage.
 */
export function createHasher(): (text: string) => string {
  const words = new Int32Array(64);
  const state = new Int32Array(8);
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(256);

  return (text) => {
    if (bytes.length < text.length * 3 + maxPadding) bytes = new Uint8Array(text.length * 6 + maxPadding);
    const blockCount = pad(bytes, writeAscii(text, bytes) ?? encoder.encodeInto(text, bytes).written);
    state.set(initialState);
    for (let offset = 0; offset < blockCount * 64; offset += 64) {
      loadBlock(bytes, offset, words);
      compress(state, words);
    }
    return base32(state);
  };
}

/** Writes ASCII text, the usual case for names, and returns its length; returns undefined for any other text. */
function writeAscii(text: string, bytes: Uint8Array): number | undefined {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code > 127) return undefined;
    bytes[i] = code;
  }
  return text.length;
}

/** Maximum padding in bytes: a block of 64 bytes, and the length in 8 bytes. */
const maxPadding = 72;

/** Appends the SHA-256 padding: a one bit, zeros and the length in bits. Returns the number of blocks. */
function pad(bytes: Uint8Array, length: number): number {
  const blockCount = (length + maxPadding) >> 6;
  const end = blockCount * 64;
  bytes[length] = 0x80;
  for (let offset = length + 1; offset < end; offset++) bytes[offset] = 0;
  for (let offset = end - 1, bits = length * 8; bits > 0; offset--, bits >>>= 8) bytes[offset] = bits & 255;
  return blockCount;
}

function loadBlock(bytes: Uint8Array, offset: number, words: Int32Array): void {
  for (let i = 0; i < 16; i++) {
    const start = offset + i * 4;
    words[i] =
      ((bytes[start] as number) << 24) |
      ((bytes[start + 1] as number) << 16) |
      ((bytes[start + 2] as number) << 8) |
      (bytes[start + 3] as number);
  }
  for (let i = 16; i < 64; i++) {
    const early = words[i - 15] as number;
    const late = words[i - 2] as number;
    const s0 = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const s1 = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
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
    const s1 = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (roundConstants[i] as number) + (words[i] as number)) | 0;
    const s0 = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
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

const rotateRight = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** The first 80 bits as 16 characters. One String.fromCharCode call yields a flat string; concatenation would not. */
function base32(state: Int32Array): string {
  const a = state[0] as number;
  const b = state[1] as number;
  const c = state[2] as number;
  return String.fromCharCode(
    encodeBits(a >>> 27),
    encodeBits(a >>> 22),
    encodeBits(a >>> 17),
    encodeBits(a >>> 12),
    encodeBits(a >>> 7),
    encodeBits(a >>> 2),
    encodeBits((a << 3) | (b >>> 29)),
    encodeBits(b >>> 24),
    encodeBits(b >>> 19),
    encodeBits(b >>> 14),
    encodeBits(b >>> 9),
    encodeBits(b >>> 4),
    encodeBits((b << 1) | (c >>> 31)),
    encodeBits(c >>> 26),
    encodeBits(c >>> 21),
    encodeBits(c >>> 16),
  );
}

const encodeBits = (bits: number): number => alphabet.charCodeAt(bits & 31);

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** The first 32 bits of a prime root's fractional part, as FIPS 180-4 defines the constants. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;

const primes: readonly number[] = Array.from({ length: 312 }, (_, i) => i).filter(
  (n) => n > 1 && !Array.from({ length: Math.floor(Math.sqrt(n)) - 1 }, (_, i) => i + 2).some((d) => n % d === 0),
);
const roundConstants: Int32Array = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)));
const initialState: Int32Array = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
