import type { DnsQuestion } from 'kube-endpoints/dns';
import type { DnsCase } from '../../oracle/dns/case.ts';
import { reverseName } from '../../oracle/dns/generate-names.ts';

/** A cluster in which every second Service has a cluster IP; the others are headless, with five endpoints each. */
export function worldOf(count: number): DnsCase['objects'] {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return {
    services: numbers.map((at) => ({
      metadata: { name: `web-${at}`, namespace: namespaceOf(at) },
      spec: {
        type: 'ClusterIP',
        clusterIP: isHeadless(at) ? 'None' : clusterIP(at),
        clusterIPs: [isHeadless(at) ? 'None' : clusterIP(at)],
        ipFamilies: ['IPv4'],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      },
    })),
    endpointSlices: numbers.map((at) => ({
      metadata: { name: `web-${at}-ipv4`, namespace: namespaceOf(at), labels: { 'kubernetes.io/service-name': `web-${at}` } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: Array.from({ length: endpoints }, (_, member) => ({
        addresses: [podIP(at, member)],
        conditions: { ready: true },
        hostname: `h${member}`,
      })),
    })),
    pods: [],
    namespaces: Array.from({ length: namespaces }, (_, at) => ({ metadata: { name: `team-${at}` } })),
  };
}

/** For each kind of question, one question per Service that it applies to. */
export interface Mix {
  readonly name: string;
  readonly questions: (services: number) => DnsQuestion[];
}

export const mixes: readonly Mix[] = [
  { name: 'A of a cluster IP', questions: (services) => every(services, clusterIPs, (at) => question(at, 'A')) },
  { name: 'A of a headless Service', questions: (services) => every(services, headless, (at) => question(at, 'A')) },
  { name: 'A of an endpoint', questions: (services) => every(services, headless, (at) => question(at, 'A', `h${at % endpoints}.`)) },
  { name: 'SRV of a headless port', questions: (services) => every(services, headless, (at) => question(at, 'SRV', '_http._tcp.')) },
  { name: 'PTR of a cluster IP', questions: (services) => every(services, clusterIPs, (at) => pointer(clusterIP(at))) },
  { name: 'PTR of an endpoint', questions: (services) => every(services, headless, (at) => pointer(podIP(at, at % endpoints))) },
  { name: 'A of an absent name', questions: (services) => every(services, headless, (at) => question(at, 'A', 'no.')) },
];

const [endpoints, namespaces, headless, clusterIPs] = [5, 20, 0, 1];

const isHeadless = (at: number): boolean => at % 2 === headless;
const namespaceOf = (at: number): string => `team-${at % namespaces}`;
const clusterIP = (at: number): string => `10.96.${at >> 8}.${at & 255}`;
const podIP = (at: number, member: number): string => `10.${member}.${at >> 8}.${at & 255}`;

const every = (services: number, rest: number, make: (at: number) => DnsQuestion): DnsQuestion[] =>
  Array.from({ length: services / 2 }, (_, at) => make(2 * at + rest));

const question = (at: number, type: string, prefix = ''): DnsQuestion => ({
  name: `${prefix}web-${at}.${namespaceOf(at)}.svc.cluster.local.`,
  type,
});

const pointer = (address: string): DnsQuestion => ({ name: reverseName(address), type: 'PTR' });
