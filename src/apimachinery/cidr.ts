import { canonicalIP, type IP, type IPFamily, ipBits, ipFamilyOf, printIP, readCanonicalIP, strictIP } from './ip.ts';

/** A network in CIDR notation. */
export interface CIDR {
  readonly family: IPFamily;
  /** The address of the network. */
  readonly base: bigint;
  readonly hostBits: number;
  /** As written. For an IPv4-mapped network, it counts 128 bits. */
  readonly prefixLength: number;
  /** The address of the network and the prefix length, as Go prints them. */
  readonly text: string;
}

/**
 * Parses "10.0.0.0/24"; host bits are dropped. Mirrors net.ParseCIDR and net.IPNet.String, but rejects IPv4-mapped IPv6, which no
 * range of a cluster may use.
 * @throws RangeError with the message of net.ParseCIDR
 */
export function parseCIDR(text: string): CIDR {
  const cidr = readCIDR(text, strictUnmappedIP);
  if (!cidr) throw new RangeError(`invalid CIDR address: ${text}`);
  return cidr;
}

function strictUnmappedIP(host: string): string | undefined {
  const canonical = strictIP(host);
  return canonical !== undefined && ipFamilyOf(canonical) === ipFamilyOf(host) ? canonical : undefined;
}

/**
 * Parses "010.0.0.0/24": leading zeros are decimal. The prefix length of IPv4-mapped IPv6 counts 128 bits; the result is IPv4 if
 * the network address is still IPv4-mapped. Undefined if the text is not a network.
 *
 * Mirrors ParseCIDRSloppy of k8s.io/utils/net and net.IPNet.String.
 */
export const parseCIDRSloppy = (text: string): CIDR | undefined => readCIDR(text, canonicalIP);

/** Whether an address is in a network. */
export const cidrContains = (cidr: CIDR, { family, value }: IP): boolean =>
  family === cidr.family && value >> BigInt(cidr.hostBits) === cidr.base >> BigInt(cidr.hostBits);

/**
 * The number of addresses in a network, at most 2^63 - 1; 0 if the network has at least half of its family's addresses. Mirrors RangeSize of
 * k8s.io/utils/net.
 */
export function rangeSize({ family, hostBits }: CIDR): bigint {
  if (hostBits >= ipBits[family] - 1) return 0n;
  return hostBits >= 63 ? (1n << 63n) - 1n : 1n << BigInt(hostBits);
}

function readCIDR(text: string, parseHost: (host: string) => string | undefined): CIDR | undefined {
  const [host = '', prefix = '', ...rest] = text.split('/');
  const canonical = parseHost(host);
  if (canonical === undefined || rest.length > 0 || !/^\d+$/.test(prefix)) return undefined;
  const length = Number(prefix);
  const bits = ipBits[ipFamilyOf(host)];
  if (length > bits) return undefined;
  const ip = readCanonicalIP(canonical);
  // Go stores an IPv4-mapped address in 16 bytes, and the prefix length counts all of them.
  const isMapped = bits === 128 && ip.family === 'IPv4';
  return createNetwork(isMapped ? { family: 'IPv6', value: mappedPrefix | ip.value } : ip, bits - length, length);
}

const mappedPrefix = 0xffffn << 32n;

function createNetwork({ family, value }: IP, hostBits: number, prefixLength: number): CIDR {
  const base = (value >> BigInt(hostBits)) << BigInt(hostBits);
  if (family === 'IPv6' && base >> 32n === 0xffffn)
    return createNetwork({ family: 'IPv4', value: base & 0xffffffffn }, hostBits, prefixLength);
  return { family, base, hostBits, prefixLength, text: `${printIP({ family, value: base })}/${ipBits[family] - hostBits}` };
}
