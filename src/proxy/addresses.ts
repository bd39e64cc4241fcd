import { canonicalIP } from '../apimachinery/index.ts';

export type ProxyFamily = 'IPv4' | 'IPv6';

export const isProxyFamily = (family: unknown): family is ProxyFamily => family === 'IPv4' || family === 'IPv6';

/** The family of an address that canonicalIP has printed. */
export const familyOfIP = (canonical: string): ProxyFamily => (canonical.includes(':') ? 'IPv6' : 'IPv4');

/** Those of the texts that are addresses of the family, printed as Go prints them. */
export function addressesOfFamily(texts: Iterable<string>, family: ProxyFamily): string[] {
  const found: string[] = [];
  for (const text of texts) {
    const ip = canonicalIP(text);
    if (ip !== undefined && familyOfIP(ip) === family) found.push(ip);
  }
  return found;
}

/** A range of addresses in CIDR notation. */
export interface AddressRange {
  readonly family: ProxyFamily;
  /** The network address and the prefix length, as Go prints them. */
  readonly text: string;
  /** All there is: a prefix of no length. */
  readonly isZero: boolean;
  /** @param ip printed by canonicalIP */
  contains(ip: string): boolean;
}

/**
 * Reads a range; undefined where the text is none. Leading zeros of octets are decimal, host bits fall away.
 * Mirrors ParseCIDRSloppy of k8s.io/utils/net and IPNet.String of Go.
 */
export function readRange(text: string): AddressRange | undefined {
  const [host = '', prefix = '', ...rest] = text.split('/');
  const ip = canonicalIP(host);
  if (ip === undefined || rest.length > 0 || !/^\d+$/.test(prefix)) return undefined;
  const length = Number(prefix);
  if (length > (host.includes(':') ? 128 : 32)) return undefined;
  // Go keeps an IPv4-mapped address in 16 bytes, and the prefix length counts all of them
  const mapped = host.includes(':') && !ip.includes(':');
  const bytes = masked(mapped ? [...mappedPrefix, ...bytesOf(ip)] : bytesOf(ip), length);
  const network = printBytes(bytes);
  const family = familyOfIP(network);
  const bits = mapped && family === 'IPv4' ? length - 96 : length;
  const short = bytesOf(network);
  return {
    family,
    text: `${network}/${bits}`,
    isZero: length === 0,
    contains: (other) => familyOfIP(other) === family && masked(bytesOf(other), bits).every((byte, i) => byte === short[i]),
  };
}

/** The ranges among the texts that are of the family; what is none is left out, as kube-proxy does. */
export const rangesOfFamily = (texts: Iterable<string>, family: ProxyFamily): AddressRange[] =>
  Array.from(texts, (text) => readRange(text.replace(outerSpace, ''))).filter((range): range is AddressRange => range?.family === family);

/** As strings.TrimSpace of Go has it; `trim` knows another set of characters. */
const outerSpace = /^\p{White_Space}+|\p{White_Space}+$/gu;

/** Whether an address, printed by canonicalIP, is in one of the ranges; what is none counts for nothing. */
export const isInRanges = (ip: string, ranges: Iterable<string>): boolean =>
  Array.from(ranges, (text) => readRange(text)).some((range) => range?.contains(ip));

const mappedPrefix: readonly number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

function bytesOf(canonical: string): number[] {
  if (!canonical.includes(':')) return canonical.split('.').map(Number);
  const [head = [], tail] = canonical.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const zeros = tail === undefined ? [] : Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16)).flatMap((group) => [group >> 8, group & 255]);
}

const masked = (bytes: readonly number[], length: number): number[] =>
  bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, length - 8 * i))) & 0xff);

function printBytes(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, i) => (((bytes[2 * i] as number) << 8) | (bytes[2 * i + 1] as number)).toString(16));
  return canonicalIP(groups.join(':')) as string;
}
