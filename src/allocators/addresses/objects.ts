import { type CIDR, cidrContains, type IP, parseCIDR, parseIP, printIP } from '../../apimachinery/index.ts';
import { type Draw, drawBelow } from '../bitmap.ts';
import { type AllocationResult, createAddressNotInRange, createNotAnAddress, type Refusal, refusals } from '../refusals.ts';
import {
  canonicalAddress,
  countStaticAddresses,
  firstAddress,
  type IPAllocation,
  type IPAllocator,
  lastAddress,
  networkAddress,
} from './allocator.ts';

/** The names of the existing IPAddress objects. A Set implements it; so can a store of objects. */
export interface AddressStore extends Iterable<string> {
  has(address: string): boolean;
  add(address: string): unknown;
  delete(address: string): unknown;
}

export interface IPObjectsOptions {
  readonly cidr: string;
  readonly draw: Draw;
  /** Several ranges may share a store. */
  readonly addresses?: AddressStore;
}

export interface IPObjects extends IPAllocator {
  readonly range: CIDR;
  /** The number of addresses in the range, free or allocated. */
  readonly size: bigint;
}

/**
 * Creates an allocator of the cluster IPs of one range as IPAddress objects, without the IPv6 limit of 2^16 addresses; the default since
 * 1.33. Mirrors Allocator (pkg/registry/core/service/ipallocator/ipallocator.go, 1.36).
 * @throws RangeError if `cidr` is not a CIDR, or an IPv6 prefix shorter than 64
 */
export function createIPObjects({ cidr: text, draw, addresses = new Set<string>() }: IPObjectsOptions): IPObjects {
  const range = parseServiceCIDR(text);
  const size = countAddresses(range);
  const allocate = (address: string): Refusal | undefined => {
    const checkedAddress = checkAddress(range, address);
    if (checkedAddress.refusal) return checkedAddress.refusal;
    if (addresses.has(checkedAddress.value)) return refusals.addressAllocated;
    addresses.add(checkedAddress.value);
    return undefined;
  };
  const allocateNext = (): AllocationResult<string> => {
    const value = findFreeAddress(range, size, addresses, draw);
    if (value === undefined) return { refusal: refusals.full };
    addresses.add(value);
    return { value };
  };
  const listAddressesOfFamily = (): IP[] =>
    [...addresses].flatMap((name) => parseIP(name) ?? []).filter(({ family }) => family === range.family);
  const used = (): number => listAddressesOfFamily().filter((address) => cidrContains(range, address)).length;
  const dryRunAllocation: IPAllocation = {
    allocate: (address) => checkAddress(range, address).refusal,
    allocateNext: () => ({ value: networkAddress(range) }),
    release: () => undefined,
  };
  return {
    family: range.family,
    first: printIP({ family: range.family, value: firstAddress(range) }),
    range,
    size,
    allocate,
    allocateNext,
    release: (address) => {
      addresses.delete(canonicalAddress(address) ?? '');
      return undefined;
    },
    has: (address) => addresses.has(canonicalAddress(address) ?? ''),
    free: () => countFree(size, used()),
    used,
    forEach: (visit) => {
      for (const address of sortByValue(listAddressesOfFamily())) visit(printIP(address));
    },
    dryRun: () => dryRunAllocation,
  };
}

/** The number of free addresses, at least 0. Capped at Go's maximum int64; above 2^53 a JavaScript number is approximate. */
export const countFree = (size: bigint, used: number): number => {
  const remaining = (size > maxInt64 ? maxInt64 : size) - BigInt(used);
  return remaining < 0n ? 0 : Number(remaining);
};

export const sortByValue = (list: readonly IP[]): IP[] => [...list].sort((a, b) => (a.value < b.value ? -1 : 1));

const maxInt64 = (1n << 63n) - 1n;

function parseServiceCIDR(text: string): CIDR {
  const range = parseCIDR(text);
  if (range.family === 'IPv4' || range.hostBits <= 64) return range;
  throw new RangeError(`shortest allowed prefix length for service CIDR is 64, got ${128 - range.hostBits}`);
}

function countAddresses(range: CIDR): bigint {
  const size = lastAddress(range) - firstAddress(range) + 1n;
  return size < 0n ? 0n : size;
}

/**
 * Returns the canonical name of an address, or a refusal if the text is not an address, or the address is of the other family or outside of
 * the range.
 */
function checkAddress(range: CIDR, text: string): AllocationResult<string> {
  const address = parseIP(text);
  if (!address) return { refusal: createNotAnAddress() };
  const name = printIP(address);
  const isInRange = address.family === range.family && address.value >= firstAddress(range) && address.value <= lastAddress(range);
  return isInRange ? { value: name } : { refusal: createAddressNotInRange(name, range.text, true) };
}

/** Finds a free address in the upper band, or else in the static band of the lowest addresses; starts at a random address of each band. */
function findFreeAddress(range: CIDR, size: bigint, allocated: AddressStore, draw: Draw): string | undefined {
  const band = BigInt(countStaticAddresses(range));
  const first = firstAddress(range);
  const scan = (from: bigint, length: bigint): string | undefined => {
    if (length <= 0n) return undefined;
    const start = drawBelow(draw, length);
    for (let i = 0n; i < length; i++) {
      const name = printIP({ family: range.family, value: from + ((start + i) % length) });
      if (!allocated.has(name)) return name;
    }
    return undefined;
  };
  return scan(first + band, size - band) ?? scan(first, band);
}

export interface ServiceCIDRsOptions {
  /** The ranges of one family, at least one, in the order of use. */
  readonly cidrs: readonly string[];
  readonly draw: Draw;
  readonly addresses?: AddressStore;
}

/**
 * Creates an allocator of the cluster IPs of one family in all its ServiceCIDRs, as in an API server since 1.33. Mirrors MetaAllocator
 * (pkg/registry/core/service/ipallocator/cidrallocator.go, 1.36), which tries the ranges in no defined order.
 * @throws RangeError if `cidrs` is empty, mixes families, or contains a range that createIPObjects rejects
 */
export function createServiceCIDRs({ cidrs, draw, addresses = new Set<string>() }: ServiceCIDRsOptions): IPAllocator {
  const ranges = [...new Set(cidrs)].map((cidr) => createIPObjects({ cidr, draw, addresses }));
  const [firstRange] = ranges;
  if (!firstRange || ranges.some(({ family }) => family !== firstRange.family)) {
    throw new RangeError(`cidrs must contain at least one CIDR, all of one IP family, got: ${cidrs.join(', ') || 'none'}`);
  }
  const findRange = (text: string): IPObjects | undefined => {
    const address = parseIP(text);
    return address && ranges.find((each) => hasUsableAddress(each, address));
  };
  const listAddressesOfFamily = (): IP[] =>
    [...addresses].flatMap((name) => parseIP(name) ?? []).filter(({ family }) => family === firstRange.family);
  // Addresses of a range inside another range count once.
  const totalSize = ranges.filter((each) => !ranges.some((other) => isInside(each, other))).reduce((sum, { size }) => sum + size, 0n);
  return {
    family: firstRange.family,
    first: firstRange.first,
    allocate: (address) => runInRange(findRange(address), (range) => range.allocate(address)),
    allocateNext: () => allocateFromFirstRange(ranges),
    release: (address) => runInRange(findRange(address), (range) => range.release(address)),
    has: (address) => findRange(address)?.has(address) ?? false,
    free: () => countFree(totalSize, listAddressesOfFamily().length),
    used: () => listAddressesOfFamily().length,
    forEach: (visit) => {
      for (const address of sortByValue(listAddressesOfFamily())) visit(printIP(address));
    },
    dryRun: firstRange.dryRun,
  };
}

const runInRange = (range: IPObjects | undefined, operation: (range: IPObjects) => Refusal | undefined): Refusal | undefined =>
  range ? operation(range) : refusals.mismatchedNetwork;

function allocateFromFirstRange(ranges: readonly IPObjects[]): AllocationResult<string> {
  for (const range of ranges) {
    const result = range.allocateNext();
    if (!result.refusal) return result;
  }
  return { refusal: refusals.full };
}

/** Mirrors PrefixContainsIP (pkg/api/servicecidr): excludes the network address and the IPv4 broadcast address. */
const hasUsableAddress = ({ range }: IPObjects, address: IP): boolean =>
  cidrContains(range, address) && address.value !== range.base && (range.family === 'IPv6' || address.value <= lastAddress(range));

const isInside = (inner: IPObjects, outer: IPObjects): boolean =>
  inner !== outer &&
  inner.range.hostBits < outer.range.hostBits &&
  cidrContains(outer.range, { family: inner.family, value: inner.range.base });
