/**
 * The 128-bit FNV-1a hash of bytes, as 32 hexadecimal digits.
 *
 * The state is six limbs of 22 bits, least significant first (the top one holds 18). The prime is 2^88 + 315, and 88 is
 * four limbs, so that multiplying is: every limb times 315, plus limbs 0 and 1 once more four places up. The largest
 * intermediate value, 316 * 2^22 and a carry, stays within 31 bits, so all of it is small-integer arithmetic.
 */
export function fnv128a(bytes: Uint8Array): string {
  let [l0, l1, l2, l3, l4, l5] = offsetBasis;
  for (let i = 0; i < bytes.length; i++) {
    const low = l0 ^ (bytes[i] as number);
    const second = l1;
    let sum = low * factor;
    l0 = sum & mask;
    sum = second * factor + (sum >>> width);
    l1 = sum & mask;
    sum = l2 * factor + (sum >>> width);
    l2 = sum & mask;
    sum = l3 * factor + (sum >>> width);
    l3 = sum & mask;
    sum = l4 * factor + low + (sum >>> width);
    l4 = sum & mask;
    l5 = (l5 * factor + second + (sum >>> width)) & topMask;
  }
  const limbs = [l0, l1, l2, l3, l4, l5];
  const value = limbs.reduceRight((high, limb) => (high << BigInt(width)) | BigInt(limb), 0n);
  return value.toString(16).padStart(32, '0');
}

const width = 22;
const mask = 0x3fffff;
const topMask = 0x3ffff;
const factor = 315;

/** 0x6c62272e07bb014262b821756295c58d, the offset basis of 128 bits, cut into limbs. */
const offsetBasis = limbsOf(0x6c62272e07bb014262b821756295c58dn);

function limbsOf(value: bigint): [number, number, number, number, number, number] {
  const at = (index: number): number => Number((value >> BigInt(width * index)) & BigInt(mask));
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}
