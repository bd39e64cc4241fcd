import type { DnsQuestion } from 'kube-endpoints/dns';
import type { DnsCase } from '../../oracle/dns/case.ts';
import { reverseName } from '../../oracle/dns/generate-names.ts';

/** Creates a cluster whose Services alternate: one is headless with five endpoints, the next one has a cluster IP. */
export function createObjects(count: number): DnsCase['objects'] {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    services: numbers.map((index) => ({
      metadata: { name: `web-${index}`, namespace: namespaceOf(index) },
      spec: {
        type: 'ClusterIP',
        clusterIP: isHeadless(index) ? 'None' : clusterIP(index),
        clusterIPs: [isHeadless(index) ? 'None' : clusterIP(index)],
        ipFamilies: ['IPv4'],
        ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
      },
    })),
    endpointSlices: numbers.map((index) => ({
      metadata: { name: `web-${index}-ipv4`, namespace: namespaceOf(index), labels: { 'kubernetes.io/service-name': `web-${index}` } },
      addressType: 'IPv4',
      ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      endpoints: Array.from({ length: endpointsPerService }, (_, member) => ({
        addresses: [podIP(index, member)],
        conditions: { ready: true },
        hostname: `h${member}`,
      })),
    })),
    endpoints: [],
    pods: [],
    namespaces: Array.from({ length: namespaceCount }, (_, index) => ({ metadata: { name: `team-${index}` } })),
  };
}

/** One kind of question. Creates one question for each Service that the kind applies to. */
export interface QuestionKind {
  readonly name: string;
  readonly createQuestions: (serviceCount: number) => DnsQuestion[];
}

export const questionKinds: readonly QuestionKind[] = [
  {
    name: 'A of a cluster IP',
    createQuestions: (serviceCount) => forEveryOther(serviceCount, clusterIPParity, (index) => createServiceQuestion(index, 'A')),
  },
  {
    name: 'A of a headless Service',
    createQuestions: (serviceCount) => forEveryOther(serviceCount, headlessParity, (index) => createServiceQuestion(index, 'A')),
  },
  {
    name: 'A of an endpoint',
    createQuestions: (serviceCount) =>
      forEveryOther(serviceCount, headlessParity, (index) => createServiceQuestion(index, 'A', `h${index % endpointsPerService}.`)),
  },
  {
    name: 'SRV of a headless port',
    createQuestions: (serviceCount) =>
      forEveryOther(serviceCount, headlessParity, (index) => createServiceQuestion(index, 'SRV', '_http._tcp.')),
  },
  {
    name: 'PTR of a cluster IP',
    createQuestions: (serviceCount) => forEveryOther(serviceCount, clusterIPParity, (index) => createPtrQuestion(clusterIP(index))),
  },
  {
    name: 'PTR of an endpoint',
    createQuestions: (serviceCount) =>
      forEveryOther(serviceCount, headlessParity, (index) => createPtrQuestion(podIP(index, index % endpointsPerService))),
  },
  {
    name: 'A of an absent name',
    createQuestions: (serviceCount) => forEveryOther(serviceCount, headlessParity, (index) => createServiceQuestion(index, 'A', 'no.')),
  },
];

const [endpointsPerService, namespaceCount, headlessParity, clusterIPParity] = [5, 20, 0, 1];

const isHeadless = (index: number): boolean => index % 2 === headlessParity;
const namespaceOf = (index: number): string => `team-${index % namespaceCount}`;
const clusterIP = (index: number): string => `10.96.${index >> 8}.${index & 255}`;
const podIP = (index: number, member: number): string => `10.${member}.${index >> 8}.${index & 255}`;

const forEveryOther = (serviceCount: number, parity: number, createQuestion: (index: number) => DnsQuestion): DnsQuestion[] =>
  Array.from({ length: serviceCount / 2 }, (_, index) => createQuestion(2 * index + parity));

const createServiceQuestion = (index: number, type: string, prefix = ''): DnsQuestion => ({
  name: `${prefix}web-${index}.${namespaceOf(index)}.svc.cluster.local.`,
  type,
});

const createPtrQuestion = (address: string): DnsQuestion => ({ name: reverseName(address), type: 'PTR' });
