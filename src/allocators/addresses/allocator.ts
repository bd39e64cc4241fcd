import { type CIDR, type IPFamily, parseIP, printIP, rangeSize } from '../../apimachinery/index.ts';
import type { AllocationResult, Refusal } from '../refusals.ts';

/** Operations on a range of addresses. Addresses are strings, parsed strictly and returned in Go's canonical form. */
export interface IPAllocation {
  /** Allocates an address; returns a refusal if that fails. */
  allocate(address: string): Refusal | undefined;
  /** Allocates any free address. */
  allocateNext(): AllocationResult<string>;
  /** Frees an address. No effect if it is already free, or outside of a single range. */
  release(address: string): Refusal | undefined;
}

/** The addresses of one family, each free or allocated. */
export interface IPAllocator extends IPAllocation {
  readonly family: IPFamily;
  has(address: string): boolean;
  free(): number;
  used(): number;
  /**
   * The address after the network address, conventionally the API server's. Like the whole static band, it is meant for explicit requests.
   */
  readonly first: string;
  /** The allocated addresses, in ascending order. */
  forEach(visit: (address: string) => void): void;
  /** The same operations without any effect; allocateNext always returns the network address. */
  dryRun(): IPAllocation;
}

/** The address after the network address. */
export const firstAddress = (cidr: CIDR): bigint => cidr.base + 1n;

/** The last usable address: for IPv4 the one before the broadcast address. */
export const lastAddress = (cidr: CIDR): bigint => cidr.base + (1n << BigInt(cidr.hostBits)) - (cidr.family === 'IPv4' ? 2n : 1n);

/**
 * The number of addresses at the start of the range that are reserved for explicit requests. Mirrors calculateRangeOffset
 * (pkg/registry/core/service/ipallocator/bitmap.go, 1.36): a sixteenth of the range, at least 16 and at most 256; 0 for at most 16
 * addresses.
 */
export function countStaticAddresses(cidr: CIDR): number {
  const size = rangeSize(cidr);
  if (size <= 16n) return 0;
  const share = size / 16n;
  return share > 256n ? 256 : Math.max(16, Number(share));
}

/** The network address as text. */
export const networkAddress = ({ family, base }: CIDR): string => printIP({ family, value: base });

/** An address in Go's canonical form; undefined if the text is not an address. */
export function canonicalAddress(text: string): string | undefined {
  const address = parseIP(text);
  return address && printIP(address);
}
