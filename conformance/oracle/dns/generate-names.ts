import type { DnsService } from 'kube-endpoints/internal';
import type { Random } from '../random.ts';

export const namespaceNames: readonly string[] = ['default', 'prod', 'kube-system'];

/** Service names that the grammar or a wildcard may misinterpret; an API server refuses some of them. */
export const oddNames: readonly string[] = [
  ...['Web', 'ANY', '*', 'a.b', '10-0-0-5', 'fd00--1', 'ns', 'dns', 'apex', 'dns-version', '_http', '_tcp', 'pod', 'svc', '0', '-'],
  ...['web_1', 'x'.repeat(63), 'cluster', 'local'],
];

/** Namespaces of Services and questions. */
export const oddNamespaces: readonly string[] = ['any', 'ANY', '*', 'Prod', 'svc', 'pod', 'tcp', 'dns', 'default-x', '10-0-0-5'];

/** Hostnames of endpoints, and names of their pods. */
export const oddHostnames: readonly string[] = [
  ...['ANY', 'Any', 'any', '*', 'a.b', 'web.0', '10-0-0-1', 'fd00--1', '_http', '_tcp', '-', 'h0', 'H0', 'UPPER', '10.0.0.1', 'a b', 'h@x'],
  ...['ü', 'x'.repeat(64), 'svc', 'pod', 'ns', '0', "it's", 'a$b'],
];

export const oddPortNames: readonly string[] = ['', 'HTTP', 'http', 'ANY', 'any', '*', '_http', 'a.b', 'tcp', 'x'.repeat(15), '80'];

export const oddProtocols: readonly string[] = ['SCTP', 'sctp', 'Tcp', 'ANY', 'any', '*', 'QUIC', 'UDP', '_tcp'];

export type Family = 'IPv4' | 'IPv6';

/** A Service and its endpoints, from which slices, pods and questions are generated. */
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

/** Draws an unused address, because if two Services share an address, the name of its PTR record is random. */
export function drawUnusedAddress(random: Random, family: Family, used: Set<string>, prefix = '10.0'): string {
  for (;;) {
    const address =
      family === 'IPv4' ? `${prefix}.${random.int(4)}.${1 + random.int(250)}` : random.pick(ipv6Forms)(1 + random.int(65_000));
    if (used.has(address)) continue;
    used.add(address);
    return address;
  }
}

/** IPv6 addresses as Go prints them: with zeros in the middle, at the end, in two places, or without zeros. */
const ipv6Forms: readonly ((number: number) => string)[] = [
  (number) => `fd00::${number.toString(16)}`,
  (number) => `fd00:1:2:3:4:5:6:${number.toString(16)}`,
  (number) => `fd00:${number.toString(16)}::`,
  (number) => `fd00:0:1::${number.toString(16)}:0`,
  (number) => `fd00:${number.toString(16)}::1:0:0:1`,
  (number) => `2001:db8::${number.toString(16)}`,
];

/** Draws an address in an unusual notation, a duplicate, or an invalid address. */
export const oddAddress = (random: Random): string =>
  random.pick([
    ...[
      'FD00::AB',
      'fd00:0:0:0:0:0:0:5',
      'fd00::0005',
      '::ffff:10.0.0.9',
      '::10.0.0.9',
      '::',
      '::1',
      'fd00::',
      '1::',
      '0.0.0.0',
      '127.0.0.1',
    ],
    ...['10.0.0.09', '10.0.0', '10.0.0.256', ' 10.0.0.1', 'fe80::1%eth0', 'not-an-ip', '', 'db.example.com', 'None', '10.0.0.1:80'],
    ...['10.0.0.5', '10.0.0.5', '10.0.0.6', 'fd00::5', 'fd00::6', '10.96.0.1', '10.96.0.2', '198.51.0.1', '255.255.255.255'],
    ...['1:2:3:4:5:6:7:8', 'fd00:1::2:0:0:3', '64:ff9b::1.2.3.4', 'FD00:1:2:3:4:5:6:A', 'web.default.svc.cluster.local', '224.0.0.1'],
  ]);

/** Returns the name of the PTR record, for example "5.0.0.10.in-addr.arpa." */
export function reverseName(address: string): string {
  if (!address.includes(':')) return `${address.split('.').reverse().join('.')}.in-addr.arpa.`;
  const [head = [], tail = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const groups = [...head, ...Array.from({ length: 8 - head.length - tail.length }, () => '0'), ...tail];
  const digits = groups.map((group) => group.padStart(4, '0')).join('');
  return `${[...digits].reverse().join('.')}.ip6.arpa.`;
}

/** Replaces dots and colons, for example "10-0-0-5". */
export const toDashed = (address: string): string => address.replaceAll(/[.:]/g, '-');
