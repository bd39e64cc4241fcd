import { cidrContains, type IP, parseIP, printIP } from '../../apimachinery/index.ts';
import type { Draw } from '../draw.ts';
import { type Given, type Refusal, refusals } from '../refusals.ts';
import { type IPAllocator, lastOf } from './allocator.ts';
import { type AddressStore, createIPObjects, type IPObjects, leftOf, sorted } from './objects.ts';

export interface ServiceCIDRsOptions {
  /** The ranges of one family, at least one, in the order in which they are tried. */
  readonly cidrs: readonly string[];
  readonly draw: Draw;
  readonly addresses?: AddressStore;
}

/**
 * The cluster IPs of one family over all its ServiceCIDRs, as an API server since 1.33 gives them. Mirrors MetaAllocator
 * (pkg/registry/core/service/ipallocator/cidrallocator.go, 1.36), which tries the ranges in no order.
 * @throws RangeError for no ranges, for ranges of both families, and for those that createIPObjects refuses
 */
export function createServiceCIDRs({ cidrs, draw, addresses = new Set<string>() }: ServiceCIDRsOptions): IPAllocator {
  const ranges = [...new Set(cidrs)].map((cidr) => createIPObjects({ cidr, draw, addresses }));
  const [first] = ranges;
  if (!first || ranges.some(({ family }) => family !== first.family)) {
    throw new RangeError(`service CIDRs must be one or more of one family: ${cidrs.join(', ') || 'none'}`);
  }
  const holding = (text: string): IPObjects | undefined => {
    const address = parseIP(text);
    return address && ranges.find((each) => mayGive(each, address));
  };
  const own = (): IP[] => [...addresses].flatMap((name) => parseIP(name) ?? []).filter(({ family }) => family === first.family);
  const total = ranges.filter((each) => !ranges.some((other) => isInside(each, other))).reduce((sum, { size }) => sum + size, 0n);
  return {
    family: first.family,
    first: first.first,
    allocate: (address) => ask(holding(address), (range) => range.allocate(address)),
    allocateNext: () => firstGiven(ranges),
    release: (address) => ask(holding(address), (range) => range.release(address)),
    has: (address) => holding(address)?.has(address) ?? false,
    free: () => leftOf(total, own().length),
    used: () => own().length,
    forEach: (visit) => {
      for (const address of sorted(own())) visit(printIP(address));
    },
    dryRun: first.dryRun,
  };
}

const ask = (range: IPObjects | undefined, question: (range: IPObjects) => Refusal | undefined): Refusal | undefined =>
  range ? question(range) : refusals.mismatchedNetwork;

function firstGiven(ranges: readonly IPObjects[]): Given<string> {
  for (const range of ranges) {
    const given = range.allocateNext();
    if (!given.refusal) return given;
  }
  return { refusal: refusals.full };
}

/** Mirrors PrefixContainsIP (pkg/api/servicecidr): neither the network's own address nor IPv4's broadcast address. */
const mayGive = ({ range }: IPObjects, address: IP): boolean =>
  cidrContains(range, address) && address.value !== range.base && (range.family === 'IPv6' || address.value <= lastOf(range));

const isInside = (inner: IPObjects, outer: IPObjects): boolean =>
  inner !== outer &&
  inner.range.hostBits < outer.range.hostBits &&
  cidrContains(outer.range, { family: inner.family, value: inner.range.base });
