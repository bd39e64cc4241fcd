import type { Digest } from './digest.ts';

/** Creates a digest that hashes all added text with MD5 when `hex` is called. */
export function createMD5(): Digest {
  const pieces: string[] = [];
  return {
    addLiteral: ({ text }) => void pieces.push(text),
    addText: (text) => void pieces.push(text),
    hex: () => md5(new TextEncoder().encode(pieces.join(''))),
  };
}

/** The MD5 hash of bytes (RFC 1321), as 32 hexadecimal digits. Implemented by hand, because the core also runs in browsers. */
export function md5(bytes: Uint8Array): string {
  const state = new Int32Array([0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476]);
  const words = new Int32Array(16);
  const padded = pad(bytes);
  const view = new DataView(padded.buffer);
  for (let offset = 0; offset < padded.length; offset += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(offset + 4 * i, true);
    digestBlock(state, words);
  }
  let text = '';
  for (let i = 0; i < 4; i++) {
    const word = state[i] as number;
    for (let shift = 0; shift < 32; shift += 8) text += ((word >>> shift) & 255).toString(16).padStart(2, '0');
  }
  return text;
}

/** Pads a message to a multiple of 64 bytes: with a one bit, zeros, and the length of the message in bits as a 64-bit number. */
function pad(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(((bytes.length + 8) >>> 6) * 64 + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setUint32(padded.length - 8, (bytes.length << 3) >>> 0, true);
  view.setUint32(padded.length - 4, bytes.length >>> 29, true);
  return padded;
}

function digestBlock(state: Int32Array, words: Int32Array): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  for (let i = 0; i < 64; i++) {
    const round = i >> 4;
    const mixed = round === 0 ? (b & c) | (~b & d) : round === 1 ? (d & b) | (~d & c) : round === 2 ? b ^ c ^ d : c ^ (b | ~d);
    const index = round === 0 ? i : round === 1 ? (5 * i + 1) & 15 : round === 2 ? (3 * i + 5) & 15 : (7 * i) & 15;
    const sum = (a + mixed + (sines[i] as number) + (words[index] as number)) | 0;
    const shift = shifts[round * 4 + (i & 3)] as number;
    a = d;
    d = c;
    c = b;
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
}

const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const sines = Int32Array.from({ length: 64 }, (_, i) => Math.floor(Math.abs(Math.sin(i + 1)) * 2 ** 32) | 0);
