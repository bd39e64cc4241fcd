import { join } from 'node:path';
import { createNodeView, type EndpointView, type NodeView, type ProxyNode, type ProxyService } from '../../../src/proxy/index.ts';
import type { EndpointSliceInput, IPFamily } from '../../../src/types/index.ts';
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
}

/** The result of kube-proxy for one address family. */
export interface FamilyAnswer {
  readonly ports: readonly { readonly name: string; readonly protocol: string }[];
  readonly healthCheckNodePorts: Readonly<Record<string, number>>;
  readonly localReady: Readonly<Record<string, number>>;
  readonly iptables?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly nftables?: readonly string[];
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
    .map(({ namespace: _, service: __, portName: ___, hints: ____, ignoresHints: _____, ...port }) => ({
      ...port,
      endpoints: port.endpoints.map(describeEndpoint),
      cluster: textsOf(port.cluster),
      local: textsOf(port.local),
      reachable: textsOf(port.reachable),
    }))
    .sort((a, b) => (`${a.name} ${a.protocol}` < `${b.name} ${b.protocol}` ? -1 : 1)),
  healthCheckNodePorts,
  localReady,
});

const textsOf = (endpoints: readonly EndpointView[] | undefined): string[] | null => endpoints?.map(({ text }) => text) ?? null;

const describeEndpoint = ({ text, isLocal, ready, serving, terminating }: EndpointView): string =>
  [text, isLocal && 'local', ready && 'ready', serving && 'serving', terminating && 'terminating'].filter(Boolean).join(' ');
