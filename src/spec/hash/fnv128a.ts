import type { Digest, Literal } from './digest.ts';

/**
 * The 128-bit FNV-1a hash. For each byte: h = (h xor byte) * prime, modulo 2^128.
 *
 * 1. The state is six limbs of 22 bits, least significant first (the top one holds 18). The prime is 2^88 + 315, and 88 bits are
 *    four limbs, so a multiplication is: every limb times 315, plus limbs 0 and 1 added again four limbs higher. The largest
 *    intermediate value, 316 * 2^22 plus a carry, fits 31 bits, so everything is small-integer arithmetic.
 * 2. A byte changes only the lowest eight bits before the multiplication, and these depend only on themselves. Over a fixed text
 *    of n bytes, h therefore becomes h * prime^n + c, where c depends only on the lowest byte of h. So a literal caches prime^n
 *    and up to 256 values of c, and is then processed in one multiplication.
 */
export function createFNV128a(): Digest {
  const state = Float64Array.from(offsetBasis);
  return {
    addLiteral: (text) => hashLiteral(state, text),
    addText(text) {
      if (!hashBytes(state, text, maxASCII)) hashBytes(state, bytesOf(text), maxByte);
    },
    hex: () => hexOf(state),
  };
}

/** Creates a literal for `Digest.addLiteral`. Its cached values depend on the text only. */
export const createLiteral = (text: string): Literal => ({ text, power: limbsOf(prime ** BigInt(text.length)), constants: [] });

const limbCount = 6;
const limbBits = 22;
const mask = 0x3fffff;
const topLimbMask = 0x3ffff;
const primeFactor = 315;
const prime = (1n << 88n) + BigInt(primeFactor);
const maxASCII = 127;
const maxByte = 255;

/** Splits the lowest 128 bits of a value into limbs. */
function limbsOf(value: bigint): Float64Array {
  const bits = BigInt.asUintN(128, value);
  return Float64Array.from({ length: limbCount }, (_, i) => Number((bits >> BigInt(limbBits * i)) & BigInt(mask)));
}

const offsetBasis: Float64Array = /* @__PURE__ */ limbsOf(0x6c62272e07bb014262b821756295c58dn);

function hexOf(state: Float64Array): string {
  let value = 0n;
  for (const limb of state.toReversed()) value = (value << BigInt(limbBits)) | BigInt(limb);
  return value.toString(16).padStart(32, '0');
}

/** The UTF-8 bytes of a text, each as one character. */
const bytesOf = (text: string): string => Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/**
 * Hashes the characters of a text as bytes, one by one (rule 1). Returns false, without changing the state, if a character is above `max`.
 * The limbs are stored as doubles for `hashLiteral`; `| 0` shows the engine that they are small integers.
 */
function hashBytes(state: Float64Array, text: string, max: number): boolean {
  let l0 = (state[0] as number) | 0;
  let l1 = (state[1] as number) | 0;
  let l2 = (state[2] as number) | 0;
  let l3 = (state[3] as number) | 0;
  let l4 = (state[4] as number) | 0;
  let l5 = (state[5] as number) | 0;
  let allBits = 0;
  for (let i = 0; i < text.length; i++) {
    const byte = text.charCodeAt(i);
    allBits |= byte;
    const low = l0 ^ byte;
    const second = l1;
    let sum = Math.imul(low, primeFactor);
    l0 = sum & mask;
    sum = (Math.imul(second, primeFactor) + (sum >> limbBits)) | 0;
    l1 = sum & mask;
    sum = (Math.imul(l2, primeFactor) + (sum >> limbBits)) | 0;
    l2 = sum & mask;
    sum = (Math.imul(l3, primeFactor) + (sum >> limbBits)) | 0;
    l3 = sum & mask;
    sum = (Math.imul(l4, primeFactor) + low + (sum >> limbBits)) | 0;
    l4 = sum & mask;
    l5 = (Math.imul(l5, primeFactor) + second + (sum >> limbBits)) & topLimbMask;
  }
  if (allBits > max) return false;
  store(state, l0, l1, l2, l3, l4, l5);
  return true;
}

function store(state: Float64Array, l0: number, l1: number, l2: number, l3: number, l4: number, l5: number): void {
  state[0] = l0;
  state[1] = l1;
  state[2] = l2;
  state[3] = l3;
  state[4] = l4;
  state[5] = l5;
}

/**
 * Hashes a literal in one step (rule 2): a schoolbook multiplication from the lowest limb up, unrolled for speed. Sums of
 * products stay below 2^47, which a double holds exactly.
 */
function hashLiteral(state: Float64Array, fixed: Literal): void {
  const low = (state[0] as number) & maxByte;
  const { power } = fixed;
  const c = fixed.constants[low] ?? computeConstant(fixed, low);
  const s0 = state[0] as number;
  const s1 = state[1] as number;
  const s2 = state[2] as number;
  const s3 = state[3] as number;
  const s4 = state[4] as number;
  const s5 = state[5] as number;
  const p0 = power[0] as number;
  const p1 = power[1] as number;
  const p2 = power[2] as number;
  const p3 = power[3] as number;
  const p4 = power[4] as number;
  const p5 = power[5] as number;
  const sum0 = (c[0] as number) + s0 * p0;
  const carry0 = Math.floor(sum0 * inverseLimbSize);
  const sum1 = (c[1] as number) + carry0 + s0 * p1 + s1 * p0;
  const carry1 = Math.floor(sum1 * inverseLimbSize);
  const sum2 = (c[2] as number) + carry1 + s0 * p2 + s1 * p1 + s2 * p0;
  const carry2 = Math.floor(sum2 * inverseLimbSize);
  const sum3 = (c[3] as number) + carry2 + s0 * p3 + s1 * p2 + s2 * p1 + s3 * p0;
  const carry3 = Math.floor(sum3 * inverseLimbSize);
  const sum4 = (c[4] as number) + carry3 + s0 * p4 + s1 * p3 + s2 * p2 + s3 * p1 + s4 * p0;
  const carry4 = Math.floor(sum4 * inverseLimbSize);
  const sum5 = (c[5] as number) + carry4 + s0 * p5 + s1 * p4 + s2 * p3 + s3 * p2 + s4 * p1 + s5 * p0;
  const carry5 = Math.floor(sum5 / topLimbSize);
  state[0] = sum0 - carry0 * limbSize;
  state[1] = sum1 - carry1 * limbSize;
  state[2] = sum2 - carry2 * limbSize;
  state[3] = sum3 - carry3 * limbSize;
  state[4] = sum4 - carry4 * limbSize;
  state[5] = sum5 - carry5 * topLimbSize;
}

const limbSize = 2 ** limbBits;
const inverseLimbSize = 1 / limbSize;
const topLimbSize = 2 ** 18;

/** Computes c for one lowest byte: the hash of the text from that byte as state, minus that byte times prime^n. */
function computeConstant({ text, power, constants }: Literal, low: number): Float64Array {
  const constant = new Float64Array(limbCount);
  constant[0] = low;
  hashBytes(constant, text, maxASCII);
  let carry = 0;
  for (let i = 0; i < limbCount; i++) {
    const size = i < limbCount - 1 ? limbSize : topLimbSize;
    const sum = (constant[i] as number) - low * (power[i] as number) + carry;
    carry = Math.floor(sum / size);
    constant[i] = sum - carry * size;
  }
  constants[low] = constant;
  return constant;
}
