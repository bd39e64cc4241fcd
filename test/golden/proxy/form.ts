import { join } from 'node:path';
import {
  createNodeView,
  type EndpointView,
  type IpvsRules,
  type NodeView,
  type ProxyNode,
  type ProxyService,
} from '../../../src/proxy/index.ts';
import { dumpIptables } from '../../../src/proxy/iptables/format.ts';
import { joinHostPort } from '../../../src/proxy/node-view.ts';
import type { EndpointSliceInput, EndpointsInput, IPFamily } from '../../../src/types/index.ts';
import type { ReleaseOptions } from '../../../src/versions/index.ts';
import { readGzippedLines } from '../../support/jsonl.ts';

/** A node with Services and slices, in the form that the Go program around kube-proxy reads. */
export interface ProxyCase {
  readonly id: string;
  readonly nodeName: string;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly nodeIPs: readonly string[];
  readonly podCIDRs: readonly string[];
  readonly serviceCIDRs: readonly string[];
  readonly masqueradeAll?: boolean;
  readonly localhostNodePorts?: boolean;
  readonly nodePortAddresses?: readonly string[];
  readonly services: readonly ProxyService[];
  readonly endpointSlices: readonly EndpointSliceInput[];
  /** For releases that read Endpoints. */
  readonly endpoints?: readonly EndpointsInput[];
}

/** The result of kube-proxy for one address family. */
export interface FamilyAnswer {
  readonly ports: readonly { readonly name: string; readonly protocol: string }[];
  readonly healthCheckNodePorts: Readonly<Record<string, number>>;
  readonly localReady: Readonly<Record<string, number>>;
  readonly iptables?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly nftables?: readonly string[];
  /** Sorted lines; the rules of a chain have numbers. */
  readonly ipvs?: readonly string[];
  readonly error?: string;
}

export interface ProxyAnswer {
  readonly id: string;
  readonly families: Readonly<Record<IPFamily, FamilyAnswer>>;
}

/** The lines of a file in this folder. */
export const readVectors = <T>(name: string): T[] =>
  readGzippedLines(join(import.meta.dirname, `${name}.jsonl.gz`)).map((line) => JSON.parse(line) as T);

/** The node of a case, as input of the library. */
export const nodeOf = (testCase: ProxyCase): ProxyNode => ({
  name: testCase.nodeName,
  labels: testCase.nodeLabels,
  addresses: testCase.nodeIPs,
  podCIDRs: testCase.podCIDRs,
  serviceCIDRs: testCase.serviceCIDRs,
  masqueradeAll: testCase.masqueradeAll ?? false,
  localhostNodePorts: testCase.localhostNodePorts ?? false,
  nodePortAddresses: testCase.nodePortAddresses ?? [],
});

export const viewOf = (testCase: ProxyCase, family: IPFamily, release: ReleaseOptions = {}): NodeView =>
  createNodeView(testCase, nodeOf(testCase), { family, ...release });

/** Converts a view to the form of a recorded result: `ports`, `healthCheckNodePorts` and `localReady`. */
export const answerOf = ({ ports, healthCheckNodePorts, localReady }: NodeView): FamilyAnswer => ({
  ports: ports
    .map(
      ({
        namespace: _,
        service: __,
        portName: ___,
        hints: ____,
        ignoresHints: _____,
        topologyKeys: ______,
        chained: _______,
        ...port
      }) => ({
        ...port,
        endpoints: port.endpoints.map(describeEndpoint),
        cluster: textsOf(port.cluster),
        local: textsOf(port.local),
        reachable: textsOf(port.reachable),
      }),
    )
    .sort((a, b) => (`${a.name} ${a.protocol}` < `${b.name} ${b.protocol}` ? -1 : 1)),
  healthCheckNodePorts,
  localReady,
});

const textsOf = (endpoints: readonly EndpointView[] | undefined): string[] | null => endpoints?.map(({ text }) => text) ?? null;

const describeEndpoint = ({ text, isLocal, ready, serving, terminating }: EndpointView): string =>
  [text, isLocal && 'local', ready && 'ready', serving && 'serving', terminating && 'terminating'].filter(Boolean).join(' ');

/** Lists everything that the mode ipvs writes, in the form of a recorded result. */
export function listIpvs({ family, addresses, virtualServers, sets, iptables }: IpvsRules): string[] {
  const ipFamily = family === 'IPv6' ? 'inet6' : 'inet';
  const tables = Object.entries(dumpIptables(iptables, (chain) => chain === 'KUBE-IPVS-OUT-FILTER'));
  return [
    ...virtualServers.flatMap(({ address, port, protocol, scheduler, persistenceSeconds, realServers }) => {
      const server = `server ${joinHostPort(address, port)}/${protocol}`;
      return [
        `${server} ${scheduler} flags ${persistenceSeconds === undefined ? 0 : 1} timeout ${persistenceSeconds ?? 0}`,
        ...realServers.map((real) => `${server} real ${joinHostPort(real.address, real.port)} weight 1`),
      ];
    }),
    ...addresses.map((address) => `address ${address}`),
    ...sets.flatMap(({ name, type, entries }) => [
      `set ${name} ${type} ${ipFamily}`,
      ...entries.map((entry) => `set ${name} entry ${entry}`),
    ]),
    ...tables.flatMap(([table, chains]) =>
      Object.entries(chains).flatMap(([chain, rules]) => rules.map((rule, i) => `${table} ${chain} ${String(i).padStart(2, '0')} ${rule}`)),
    ),
  ].sort();
}
