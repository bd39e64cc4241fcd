import type { DnsService } from '../../../src/dns/index.ts';
import type { Random } from '../random.ts';

export const namespaceNames: readonly string[] = ['default', 'prod', 'kube-system'];

export type Family = 'IPv4' | 'IPv6';

/** A Service and what stands behind it, from which slices, pods and questions are made. */
export interface ServiceSketch {
  readonly name: string;
  readonly namespace: string;
  readonly service: DnsService;
  readonly families: readonly Family[];
  readonly headless: boolean;
  readonly ports: readonly { readonly name?: string; readonly port: number; readonly protocol: string }[];
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly addresses: Readonly<Record<Family, string>>;
  readonly hostname?: string;
}

/** An address that none else has: whose name an address has is a matter of chance where two share it. */
export function freshAddress(random: Random, family: Family, used: Set<string>, prefix = '10.0'): string {
  for (;;) {
    const address = family === 'IPv4' ? `${prefix}.${random.int(4)}.${1 + random.int(250)}` : random.pick(sixes)(1 + random.int(65_000));
    if (used.has(address)) continue;
    used.add(address);
    return address;
  }
}

/** In the form that Go prints, each: zeros in the middle, at the end, in two places, none. */
const sixes: readonly ((number: number) => string)[] = [
  (number) => `fd00::${number.toString(16)}`,
  (number) => `fd00:1:2:3:4:5:6:${number.toString(16)}`,
  (number) => `fd00:${number.toString(16)}::`,
  (number) => `fd00:0:1::${number.toString(16)}:0`,
  (number) => `fd00:${number.toString(16)}::1:0:0:1`,
  (number) => `2001:db8::${number.toString(16)}`,
];

/** "5.0.0.10.in-addr.arpa." */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  const digits = groups.map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa.`;
}

/** "10-0-0-5" */
export const dashed = (address: string): string => address.replaceAll(/[.:]/g, '-');
