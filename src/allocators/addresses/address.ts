import { canonicalIP } from '../../apimachinery/index.ts';

export type IPFamily = 'IPv4' | 'IPv6';

/** An IP address as a number of its family's width. */
export interface Address {
  readonly family: IPFamily;
  readonly value: bigint;
}

export const bitsOf: Readonly<Record<IPFamily, number>> = { IPv4: 32, IPv6: 128 };

export const otherFamily = (family: string): IPFamily => (family === 'IPv4' ? 'IPv6' : 'IPv4');

/**
 * Reads an address as net.ParseIP of Go does: no leading zeros, IPv4-mapped IPv6 is IPv4. Undefined where the text is none.
 * Texts with leading zeros go through canonicalIP first.
 */
export function readAddress(text: string): Address | undefined {
  const canonical = hasLeadingZeros(text) ? undefined : canonicalIP(text);
  if (canonical === undefined) return undefined;
  if (canonical.includes(':')) return { family: 'IPv6', value: join(groupsOf(canonical), 16n) };
  return { family: 'IPv4', value: join(canonical.split('.').map(BigInt), 8n) };
}

/** The text of an address as Go prints it. */
export function printAddress({ family, value }: Address): string {
  if (family === 'IPv4') return printIPv4(Number(value));
  const groups = split(value, 8, 16n).map((group) => group.toString(16));
  return canonicalIP(groups.join(':')) as string;
}

/** Octets that begin with a zero, groups of more than four digits: lenient readers take them, Go does not. */
export function hasLeadingZeros(text: string): boolean {
  return text.split(':').some((group) => (group.includes('.') ? group.split('.').some((octet) => /^0\d/.test(octet)) : group.length > 4));
}

function groupsOf(canonical: string): bigint[] {
  const [head = [], tail] = canonical.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].map((group) => BigInt(`0x${group}`));
}

const printIPv4 = (value: number): string => `${value >>> 24}.${(value >>> 16) & 255}.${(value >>> 8) & 255}.${value & 255}`;

const join = (parts: readonly bigint[], width: bigint): bigint => parts.reduce((value, part) => (value << width) | part, 0n);

const split = (value: bigint, count: number, width: bigint): bigint[] =>
  Array.from({ length: count }, (_, i) => (value >> (width * BigInt(count - 1 - i))) & ((1n << width) - 1n));
