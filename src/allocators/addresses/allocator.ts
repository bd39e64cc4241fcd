import { type CIDR, type IPFamily, parseIP, printIP, rangeSize } from '../../apimachinery/index.ts';
import type { Given, Refusal } from '../refusals.ts';

/** What is asked of a range of addresses. Addresses are texts, read strictly and printed as Go prints them. */
export interface IPAllocation {
  /** Takes an address; a refusal says why not. */
  allocate(address: string): Refusal | undefined;
  /** Takes any free address. */
  allocateNext(): Given<string>;
  /** Frees an address. One that is free already, or outside of a single range, is none of its business. */
  release(address: string): Refusal | undefined;
}

/** Addresses of one family, each free or taken. */
export interface IPAllocator extends IPAllocation {
  readonly family: IPFamily;
  has(address: string): boolean;
  free(): number;
  used(): number;
  /** The address after the network's own, which is the API server's: it is for explicit requests, like all of the static band. */
  readonly first: string;
  /** The addresses taken, in ascending order. */
  forEach(visit: (address: string) => void): void;
  /** The same questions, answered without taking or freeing anything: the next address is always the network's own. */
  dryRun(): IPAllocation;
}

/** The address after the network's own. */
export const firstOf = (cidr: CIDR): bigint => cidr.base + 1n;

/** The last address that is given: for IPv4 the one before the broadcast address. */
export const lastOf = (cidr: CIDR): bigint => cidr.base + (1n << BigInt(cidr.hostBits)) - (cidr.family === 'IPv4' ? 2n : 1n);

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

/** The address of the network, as text. */
export const networkOf = ({ family, base }: CIDR): string => printIP({ family, value: base });

/** The text of an address as Go prints it; undefined if it is not an address. */
export function canonical(text: string): string | undefined {
  const address = parseIP(text);
  return address && printIP(address);
}
