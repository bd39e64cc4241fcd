import { type CIDR, canonicalIP, type IPFamily, ipFamilyOf, parseCIDRSloppy } from '../apimachinery/index.ts';
import { isZeroCIDR } from './addresses.ts';
import type { ProxyNode } from './objects.ts';

/** Returns the node's own addresses of a family, the primary first. @throws RangeError naming the first invalid address */
export function readNodeAddresses({ addresses }: ProxyNode, family: IPFamily): readonly string[] {
  if (!Array.isArray(addresses)) throw new RangeError('node.addresses: give the addresses of the node, such as ["192.168.0.2"]');
  return addresses.map(readNodeAddress).filter((address) => ipFamilyOf(address) === family);
}

/**
 * Returns the node's first address of a family, or a loopback address if it has none. Mirrors detectNodeIPs (1.36,
 * cmd/kube-proxy/app/server.go).
 */
export const findPrimaryAddress = (node: ProxyNode, family: IPFamily): string =>
  readNodeAddresses(node, family)[0] ?? (family === 'IPv6' ? '::1' : '127.0.0.1');

/**
 * Parses the ranges of node addresses that serve node ports. Undefined means all addresses of the family, also if no range of that family
 * is configured. Mirrors NewNodePortAddresses (1.36, pkg/proxy/util/nodeport_addresses.go) and the handling of "primary" in newProxyServer
 * (cmd/kube-proxy/app/server.go).
 * @param isPrimaryDefault whether the primary address is used if no range of the family is configured
 * @throws RangeError naming the first invalid range or address
 */
export function readNodePortRanges(node: ProxyNode, family: IPFamily, isPrimaryDefault = false): readonly CIDR[] | undefined {
  const configured = node.nodePortAddresses ?? [];
  const texts = configured.length === 1 && configured[0] === 'primary' ? primaryRange(findPrimaryAddress(node, family)) : configured;
  const ranges = texts.map((text) => readNodeRange(text, 'nodePortAddresses')).filter((range) => range.family === family);
  if (isPrimaryDefault && ranges.length === 0) return [readNodeRange(hostRangeOf(findPrimaryAddress(node, family)), 'addresses')];
  return ranges.length === 0 || ranges.some(isZeroCIDR) ? undefined : ranges;
}

/**
 * Like `readNodePortRanges`, before 1.19: a range of the other family counts as configured, so that the result may be empty. A range of
 * all addresses, of either family, means all.
 * @throws RangeError naming the first invalid range or address
 */
export function readAnyNodePortRanges(node: ProxyNode, family: IPFamily): readonly CIDR[] | undefined {
  const [own, other] = [family, family === 'IPv4' ? 'IPv6' : 'IPv4'] as const;
  const all = [own, other].map((each) => readNodePortRanges(node, each));
  const configured = node.nodePortAddresses ?? [];
  const isPrimary = configured.length === 1 && configured[0] === 'primary';
  const isAny = isPrimary
    ? all.every((ranges) => !ranges)
    : configured.length === 0 || configured.some((text) => isZeroCIDR(readNodeRange(text, 'nodePortAddresses')));
  return isAny ? undefined : (all[0] ?? []);
}

/** Returns the range of the primary address alone; empty, which means all addresses, for a loopback address. */
const primaryRange = (address: string): readonly string[] => (isLoopback(address) ? [] : [hostRangeOf(address)]);

const hostRangeOf = (address: string): string => `${address}/${address.includes(':') ? 128 : 32}`;

/** Selects the CIDRs of a family in a field. @throws RangeError naming the first invalid CIDR */
export const cidrsOfFamily = (texts: readonly string[] | undefined, field: string, family: IPFamily): readonly string[] =>
  (texts ?? []).filter((text) => readNodeRange(text, field).family === family);

/** @param field the node's field, for the error. @throws RangeError if `text` is not a CIDR */
export function readNodeRange(text: string, field: string): CIDR {
  const range = parseCIDRSloppy(text);
  if (range) return range;
  throw new RangeError(`node.${field}: ${JSON.stringify(text)} is not a CIDR such as "10.0.0.0/8" or "fd00::/64"`);
}

/**
 * Formats the mark for masquerading as eight hex digits: "0x00004000".
 * @throws RangeError if masqueradeBit is not an integer from 0 to 31
 */
export function markOf({ masqueradeBit = 14 }: ProxyNode): string {
  if (Number.isInteger(masqueradeBit) && masqueradeBit >= 0 && masqueradeBit <= 31)
    return `0x${(2 ** masqueradeBit).toString(16).padStart(8, '0')}`;
  throw new RangeError(`node.masqueradeBit: give a whole number from 0 to 31, not ${String(masqueradeBit)}`);
}

/** The loopback addresses of each family. */
export const loopbackRanges: Readonly<Record<IPFamily, string>> = { IPv4: '127.0.0.0/8', IPv6: '::1/128' };

export const isLoopback = (address: string): boolean => address === '::1' || address.startsWith('127.');

function readNodeAddress(text: string): string {
  const address = canonicalIP(text);
  if (address !== undefined) return address;
  throw new RangeError(`node.addresses: ${JSON.stringify(text)} is not an IP address such as "192.168.0.2"`);
}
