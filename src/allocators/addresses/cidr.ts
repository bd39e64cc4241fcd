import { type Address, bitsOf, type IPFamily, printAddress, readAddress } from './address.ts';

/** A range of addresses in CIDR notation. */
export interface CIDR {
  readonly family: IPFamily;
  /** The network's own address. */
  readonly base: bigint;
  readonly hostBits: number;
  /** The network address and the prefix length. */
  readonly text: string;
}

/**
 * Reads "10.0.0.0/24"; the host bits of the address do not matter.
 * @throws RangeError worded as Go's net.ParseCIDR
 */
export function parseCIDR(text: string): CIDR {
  const [host = '', prefix, ...rest] = text.split('/');
  const address = readAddress(host);
  const length = prefix !== undefined && /^\d+$/.test(prefix) ? Number(prefix) : Number.NaN;
  const mapped = address?.family === 'IPv4' && host.includes(':');
  if (!address || mapped || rest.length > 0 || !(length <= bitsOf[address.family])) throw new RangeError(`invalid CIDR address: ${text}`);
  const hostBits = bitsOf[address.family] - length;
  const base = (address.value >> BigInt(hostBits)) << BigInt(hostBits);
  return { family: address.family, base, hostBits, text: `${printAddress({ family: address.family, value: base })}/${length}` };
}

export const contains = (cidr: CIDR, { family, value }: Address): boolean =>
  family === cidr.family && value >> BigInt(cidr.hostBits) === cidr.base >> BigInt(cidr.hostBits);

/** The address after the network's own. */
export const firstOf = (cidr: CIDR): bigint => cidr.base + 1n;

/** The last address that is given: for IPv4 the one before the broadcast address. */
export const lastOf = (cidr: CIDR): bigint => cidr.base + (1n << BigInt(cidr.hostBits)) - (cidr.family === 'IPv4' ? 2n : 1n);

/** How many addresses a range counts: none for half of all addresses or more. Mirrors RangeSize of k8s.io/utils/net, up to 2^63. */
export function rangeSize({ family, hostBits }: CIDR): bigint {
  if (hostBits >= bitsOf[family] - 1) return 0n;
  return hostBits >= 63 ? (1n << 63n) - 1n : 1n << BigInt(hostBits);
}

/**
 * How many of the first addresses are for explicit requests. Mirrors calculateRangeOffset
 * (pkg/registry/core/service/ipallocator/bitmap.go, 1.36): a sixteenth of the range, at least 16 and at most 256; none in a
 * range of 16 or fewer.
 */
export function staticAddresses(cidr: CIDR): number {
  const size = rangeSize(cidr);
  if (size <= 16n) return 0;
  const share = size / 16n;
  return share > 256n ? 256 : Math.max(16, Number(share));
}
