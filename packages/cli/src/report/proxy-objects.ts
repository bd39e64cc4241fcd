import { formatCount, proxyGatesFor } from 'kube-endpoints/internal';
import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import { isWatched, type ProxyNode, type ProxyObjects, type ProxyService } from 'kube-endpoints/proxy';
import type { EndpointSliceInput, EndpointsInput, IPFamily, Node, Optional } from 'kube-endpoints/types';
import { UsageError } from '../base/io.ts';
import type { Release, ReleaseFlags } from '../flags/common.ts';
import type { Inventory } from '../input/collection.ts';
import { computeInputEndpoints, computeInputSlices, createComputedSlicesHint } from '../input/computed-slices.ts';
import { escapeUnprintable } from '../print/text.ts';

/** The objects that kube-proxy watches, and hints about them. */
export interface ProxyInput extends Required<ProxyObjects> {
  readonly services: readonly ProxyService[];
  readonly endpointSlices: readonly EndpointSliceInput[];
  readonly endpoints: readonly EndpointsInput[];
  readonly hints: readonly string[];
}

/** The release of kube-proxy and of the controllers if none is given. */
export const defaultProxyRelease = '1.36';

/**
 * Selects the Services of the input that kube-proxy watches, and the EndpointSlices or Endpoints that it reads. If the files hold no slices,
 * computes the slices that the controllers would write, from pods or from manually managed Endpoints. Computes Endpoints that files lack.
 * @param live whether the input comes from a cluster, where absent objects do not exist
 * @param release the release of the controllers
 * @param readers the releases of kube-proxy
 * @throws RangeError if the rules of a release are unknown
 */
export function selectProxyObjects(
  inventory: Inventory,
  live: boolean,
  release: Release = { version: defaultProxyRelease },
  readers: readonly Release[] = [release],
): ProxyInput {
  const services = inventory.services.filter((service) => isWatched(service, 'Service')) as readonly ProxyService[];
  const placeholders = inventory.servicesWithPlaceholderIP.size;
  const readsSlices = new Set(readers.map((reader) => proxyGatesFor(reader).slicesRead));
  const slices = readsSlices.has(true) ? selectSlices(inventory, live, release) : nothing;
  const endpoints = readsSlices.has(false) ? selectEndpoints(inventory, live, release) : nothing;
  return {
    services,
    endpointSlices: slices.objects,
    endpoints: endpoints.objects,
    hints: [...(placeholders > 0 ? [createPlaceholderHint(placeholders)] : []), ...slices.hints, ...endpoints.hints],
  };
}

interface Selection<T> {
  readonly objects: readonly T[];
  readonly hints: readonly string[];
}

const nothing: Selection<never> = { objects: [], hints: [] };

function selectSlices(inventory: Inventory, live: boolean, release: Release): Selection<EndpointSliceInput> {
  if (live || inventory.slices.length > 0)
    return { objects: inventory.slices.filter((slice) => isWatched(slice, 'EndpointSlice')), hints: [] };
  const hints = inventory.services.length > 0 ? [createComputedSlicesHint(release.version)] : [];
  return { objects: computeInputSlices(inventory, release), hints };
}

function selectEndpoints(inventory: Inventory, live: boolean, release: Release): Selection<EndpointsInput> {
  const endpoints = live ? inventory.endpoints : computeInputEndpoints(inventory, release);
  const given = new Set<EndpointsInput>(inventory.endpoints);
  const computedCount = endpoints.filter((object) => !given.has(object)).length;
  const isIgnoringSlices = inventory.slices.length > 0;
  return {
    objects: endpoints.filter((object) => isWatched(object, 'Endpoints')),
    hints: computedCount > 0 ? [createComputedEndpointsHint(release.version, computedCount, isIgnoringSlices)] : [],
  };
}

const createComputedEndpointsHint = (version: string, count: number, isIgnoringSlices: boolean): string =>
  `kube-proxy ${version} reads Endpoints${isIgnoringSlices ? ', not EndpointSlices' : ''}, and the input lacks those of ${formatCount(count, 'Service')}: ` +
  `these are what Kubernetes ${version} writes for the Pods of the input.`;

const createPlaceholderHint = (count: number): string =>
  `The input lacks the cluster IP of ${formatCount(count, 'Service')}: a placeholder address is used.`;

/** The flags that select a node and configure its kube-proxy. */
export interface ProxyFlags extends ReleaseFlags {
  readonly node: string;
  readonly family?: 'IPv4' | 'IPv6';
  readonly clusterCidr?: readonly string[];
  readonly serviceCidr?: readonly string[];
}

/** kube-proxy's `--proxy-mode`. */
export type ProxyMode = 'nftables' | 'iptables' | 'ipvs';

/** The flags for the format and details of the rules. */
export interface RuleFlags extends ProxyFlags {
  readonly mode: ProxyMode;
  readonly masqueradeAll: boolean;
  readonly masqueradeBit: number;
  readonly nodePortAddresses?: readonly string[];
  /** iptables only. */
  readonly localhostNodePorts: boolean;
  /** ipvs only. */
  readonly ipvsScheduler?: string;
}

/** A node with the fields that kube-proxy reads. */
interface NodeForProxy extends Node {
  readonly spec?: Optional<{ readonly podCIDR?: Optional<string>; readonly podCIDRs?: Optional<readonly string[]> }>;
  readonly status?: Optional<
    NonNullable<Node['status']> & {
      readonly addresses?: Optional<readonly { readonly type?: Optional<string>; readonly address?: Optional<string> }[]>;
    }
  >;
}

/**
 * Creates the node of a command line from its Node object and flags.
 * @throws UsageError if the input has Nodes, but not this one
 * @throws RangeError if the rules of the release are unknown
 */
export function createProxyNode(
  { nodes }: Pick<Inventory, 'nodes'>,
  flags: ProxyFlags & Partial<RuleFlags>,
  release: Release = { version: defaultProxyRelease },
): ProxyNode {
  const { primaryNodePorts } = proxyGatesFor(release);
  const node = nodes?.find(({ metadata }) => metadata?.name === flags.node);
  if (nodes && !node) {
    const names = nodes.map(({ metadata }) => metadata?.name ?? '').sort();
    throw new UsageError(`--node: no Node ${JSON.stringify(flags.node)} in the input: there ${describeNodeNames(names)}`);
  }
  const { metadata, spec, status } = (node ?? {}) as NodeForProxy;
  const nodePodCIDRs = spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : []);
  const nodePortAddresses = flags.nodePortAddresses ?? (flags.mode === 'nftables' && primaryNodePorts ? ['primary'] : []);
  return {
    name: flags.node,
    labels: metadata?.labels,
    addresses: addressesOf(status?.addresses ?? []),
    podCIDRs: flags.clusterCidr ?? nodePodCIDRs,
    serviceCIDRs: flags.serviceCidr ?? [],
    masqueradeAll: flags.masqueradeAll ?? false,
    localhostNodePorts: flags.localhostNodePorts ?? true,
    randomFully: true,
    nodePortAddresses,
    ...(flags.ipvsScheduler !== undefined && { ipvsScheduler: flags.ipvsScheduler }),
    ...(flags.masqueradeBit !== undefined && { masqueradeBit: flags.masqueradeBit }),
  };
}

/** Returns the family of --family; without it, the family of the node's first address, or IPv4 if the node has no address. */
export const chooseFamily = ({ addresses: [first] }: ProxyNode, { family }: ProxyFlags): IPFamily =>
  family ?? (first?.includes(':') ? 'IPv6' : 'IPv4');

/** Creates a hint about the missing information if the input has no Nodes. */
export const createNodeHints = ({ nodes }: Pick<Inventory, 'nodes'>): readonly string[] =>
  nodes ? [] : ['The input has no Nodes, so the labels, addresses and pod CIDRs of the node are unknown: add the Nodes.'];

/** Returns the internal addresses of a node, then the external ones. Mirrors GetNodeHostIPs (1.36, pkg/util/node/node.go). */
function addressesOf(addresses: NonNullable<NonNullable<NodeForProxy['status']>['addresses']>): readonly string[] {
  const selectByType = (addressType: string): string[] =>
    (addresses ?? [])
      .flatMap(({ type, address }) => (type === addressType ? [canonicalIP(address ?? '') ?? ''] : []))
      .filter((ip) => ip !== '');
  return [...selectByType('InternalIP'), ...selectByType('ExternalIP')];
}

const maxListedNames = 8;

function describeNodeNames(names: readonly string[]): string {
  if (names.length === 0) return 'are none';
  const listedNames = names.slice(0, maxListedNames).map(escapeUnprintable).join(', ');
  return names.length > maxListedNames
    ? `are ${listedNames} and ${names.length - maxListedNames} more`
    : `${names.length === 1 ? 'is' : 'are'} ${listedNames}`;
}
