import { type CIDR, cidrContains, parseCIDR, parseIP, printIP, rangeSize } from '../../apimachinery/index.ts';
import { newest } from '../../versions/index.ts';
import { createBitmap, type Draw } from '../bitmap.ts';
import { type AllocatorVersion, allocatorSettings } from '../gates.ts';
import { type AllocationResult, createAddressNotInRange, type Refusal, refusals } from '../refusals.ts';
import { canonicalAddress, countStaticAddresses, firstAddress, type IPAllocation, type IPAllocator, networkAddress } from './allocator.ts';

export interface IPRangeOptions extends AllocatorVersion {
  readonly cidr: string;
  readonly draw: Draw;
}

/** The stored state of a range: RangeAllocation of the API, with its bits as bytes. */
export interface RangeSnapshot {
  readonly range: string;
  readonly data: Uint8Array;
}

export interface IPBitmap extends IPAllocator {
  readonly range: string;
  snapshot(): RangeSnapshot;
  /** Replaces the state by a stored one; refuses the state of another range. */
  restore(snapshot: RangeSnapshot): Refusal | undefined;
}

/**
 * Creates an allocator that stores cluster IPs as a bitmap, the default up to 1.32. Mirrors Range
 * (pkg/registry/core/service/ipallocator/bitmap.go, 1.36; allocator.go, 1.17).
 * @throws RangeError if `cidr` is not a CIDR
 */
export function createIPBitmap({ cidr: text, draw, version = newest }: IPRangeOptions): IPBitmap {
  const settings = allocatorSettings(version);
  const cidr = parseCIDR(text);
  const size = countUsableAddresses(cidr, settings.lastIPv6AddressUsable);
  const bits = createBitmap({ size, bandSize: settings.staticBandOfIPs ? countStaticAddresses(cidr) : 0, draw });
  const find = (address: string): number | undefined => offsetOf(cidr, address, size);
  const print = (offset: number): string => printIP({ family: cidr.family, value: firstAddress(cidr) + BigInt(offset) });
  const refuseOutOfRange = (address: string): Refusal =>
    createAddressNotInRange(canonicalAddress(address), cidr.text, settings.outOfRangeErrorNamesIP);
  const allocate = (address: string): Refusal | undefined => {
    const offset = find(address);
    if (offset === undefined) return refuseOutOfRange(address);
    return bits.allocate(offset) ? undefined : refusals.addressAllocated;
  };
  const release = (address: string): undefined => {
    const offset = find(address);
    if (offset !== undefined) bits.release(offset);
  };
  const dryRunAllocation: IPAllocation = {
    allocate: (address) => (find(address) === undefined ? refuseOutOfRange(address) : undefined),
    allocateNext: () => ({ value: networkAddress(cidr) }),
    release: () => undefined,
  };
  return {
    family: cidr.family,
    first: print(0),
    range: cidr.text,
    allocate,
    allocateNext: () => toResult(bits.allocateNext(), print),
    release,
    has: (address) => bits.has(find(address) ?? -1),
    free: bits.free,
    used: bits.used,
    forEach: (visit) =>
      bits.forEach((offset) => {
        visit(print(offset));
      }),
    dryRun: () => dryRunAllocation,
    snapshot: () => ({ range: cidr.text, data: bits.snapshot() }),
    restore: ({ range, data }) => {
      if (!isSameRange(range, cidr)) return refusals.mismatchedNetwork;
      bits.restore(data);
      return undefined;
    },
  };
}

/**
 * The number of usable addresses. Excludes the network address and, for IPv4, the broadcast address. IPv6 uses the first 2^16 addresses.
 */
function countUsableAddresses(cidr: CIDR, usesLast: boolean): number {
  const size = Number(rangeSize(cidr));
  if (cidr.family === 'IPv4') return Math.max(0, size - 2);
  return Math.max(0, Math.min(size, 65536) - (usesLast ? 1 : 2));
}

/**
 * Returns the offset of an address; undefined if the address is not usable. As upstream, offsets wrap at 64 bits, so distant addresses of a
 * wider IPv6 range share the bits of near ones.
 */
function offsetOf(cidr: CIDR, text: string, size: number): number | undefined {
  const address = parseIP(text);
  if (!address || !cidrContains(cidr, address)) return undefined;
  const offset = BigInt.asIntN(64, address.value - firstAddress(cidr));
  return offset >= 0n && offset < BigInt(size) ? Number(offset) : undefined;
}

const toResult = (offset: number | undefined, print: (offset: number) => string): AllocationResult<string> =>
  offset === undefined ? { refusal: refusals.full } : { value: print(offset) };

function isSameRange(text: string, cidr: CIDR): boolean {
  try {
    return parseCIDR(text).text === cidr.text;
  } catch {
    return false;
  }
}
