import { compareText } from '../../apimachinery/compare.ts';
import { canonicalIP, isIPv6, rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, Node, Optional, Pod, Service, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { createPodTargetRefBuilder, familyOf, shouldSetHostname, unparsedIP } from '../address.ts';
import { createEligibilityCheck, eligibilityRules, isPodReady } from '../eligibility.ts';
import type { Settings, TargetRefBuilder } from '../settings.ts';
import { createGroup, type DesiredGroup, type EndpointGroup } from './group.ts';
import { createPortResolver, type PortGroup } from './ports.ts';

/** The desired endpoints of a Service for one address type. */
export interface DesiredState {
  readonly addressType: AddressType;
  /** Sorted by key. */
  readonly groups: readonly DesiredGroup[];
  /** Pods that are left out, or that make the whole address type fail, because their node does not exist; sorted by name. */
  readonly missingNodes: readonly MissingNode[];
}

export interface MissingNode {
  readonly pod: string;
  readonly node: string;
}

/** Nodes by name. Undefined if nodes are unknown: then no node counts as missing. */
export type NodesByName = Pick<ReadonlyMap<string, Node>, 'get'> | undefined;

export const indexNodes = (nodes: readonly Node[]): ReadonlyMap<string, Node> =>
  new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));

/** The result for one pod. It has an endpoint if the pod has an address of the type, and its node exists or is not required. */
export interface PodOutcome {
  readonly ports: PortGroup;
  readonly endpoint?: Endpoint;
  readonly missingNode?: MissingNode;
}

/**
 * Returns a function that computes the outcome of a selected pod; undefined if the pod is in no slice. A pod without any of the
 * ports is still an endpoint, in a slice without ports.
 *
 * Mirrors the loop over pods in reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function createSlicePodEvaluator(
  service: Service,
  nodes: NodesByName,
  addressType: AddressType,
  profile: Profile,
  targetRef: TargetRefBuilder = createPodTargetRefBuilder(profile),
): (pod: Pod) => PodOutcome | undefined {
  const publishNotReady = service.spec?.publishNotReadyAddresses ?? false;
  const checkEligibility = createEligibilityCheck(eligibilityRules(profile, 'slices'));
  const resolvePorts = createPortResolver(service, profile);
  const keepsPodsWithoutNode = !nodes || (publishNotReady && profile.missingNodeSkipped);
  return (pod) => {
    if (checkEligibility(pod, publishNotReady)) return undefined;
    const ports = resolvePorts(pod);
    const nodeName = pod.spec?.nodeName ?? '';
    const node = nodes?.get(nodeName);
    if (!node && !keepsPodsWithoutNode) return { ports, missingNode: { pod: pod.metadata?.name ?? '', node: nodeName } };
    const addresses = addressesOf(pod, addressType, profile);
    return addresses.length > 0 ? { ports, endpoint: createEndpoint(pod, addresses, node, service, targetRef(pod), profile) } : { ports };
  };
}

/** Computes the desired states of the selected pods, one per address type. */
export const computeDesiredStates = (
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  { profile, targetRef }: Settings,
): DesiredState[] => addressTypesOf(service, profile).map((type) => computeDesiredState(service, pods, nodes, type, profile, targetRef));

/** Computes the endpoints of the selected pods for one address type, grouped by the ports that the pods resolve to. */
export function computeDesiredState(
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  addressType: AddressType,
  profile: Profile,
  targetRef?: TargetRefBuilder,
): DesiredState {
  const evaluate = createSlicePodEvaluator(service, nodes, addressType, profile, targetRef);
  const groups = new Map<string, EndpointGroup>();
  const missingNodes: MissingNode[] = [];
  for (const pod of pods) {
    const outcome = evaluate(pod);
    if (!outcome) continue;
    let group = groups.get(outcome.ports.key);
    if (!group) {
      group = createGroup(outcome.ports, addressType, profile);
      groups.set(outcome.ports.key, group);
    }
    if (outcome.endpoint) group.add(outcome.endpoint);
    if (outcome.missingNode) missingNodes.push(outcome.missingNode);
  }
  return { addressType, groups: sortGroups(groups.values()), missingNodes: sortByPod(missingNodes) };
}

export const sortByPod = (missingNodes: Iterable<MissingNode>): MissingNode[] =>
  [...missingNodes].sort((a, b) => compareText(a.pod, b.pod));

export const sortGroups = (groups: Iterable<DesiredGroup>): DesiredGroup[] => [...groups].sort((a, b) => compareText(a.key, b.key));

/**
 * Returns all IPs of a pod of one address type, printed as the release prints them. Invalid and empty texts count as IPv4.
 * Mirrors getEndpointAddresses (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function addressesOf(pod: Pod, addressType: AddressType, profile: Profile): string[] {
  const ips = pod.status?.podIPs ?? [];
  if (ips.length === 1) {
    const address = addressOfType(ips[0]?.ip ?? '', addressType, profile);
    return address === undefined ? [] : [address];
  }
  return ips.flatMap(({ ip }) => addressOfType(ip ?? '', addressType, profile) ?? []).sort(compareText);
}

/** Prints an IP as the release does; undefined if the IP has the other type. */
function addressOfType(ip: string, addressType: AddressType, profile: Profile): string | undefined {
  const isPlainIPv4 = rankOfIPv4(ip) >= 0;
  if ((!isPlainIPv4 && isIPv6(ip)) !== (addressType === 'IPv6')) return undefined;
  return isPlainIPv4 || !profile.addressCanonicalized ? ip : (canonicalIP(ip) ?? unparsedIP);
}

/** Creates the endpoint of a pod. Mirrors podToEndpoint (1.36, staging/src/k8s.io/endpointslice/utils.go). */
function createEndpoint(
  pod: Pod,
  addresses: string[],
  node: Node | undefined,
  service: Service,
  targetRef: TargetRef,
  profile: Profile,
): Endpoint {
  const serving = isPodReady(pod);
  const terminating = !!pod.metadata?.deletionTimestamp;
  const ready = (service.spec?.publishNotReadyAddresses ?? false) || (serving && !(terminating && profile.sliceTerminatingPodsExcluded));
  const conditions = profile.terminatingPodsIncluded ? { ready, serving, terminating } : { ready };
  const nodeName = profile.sliceNodeName ? pod.spec?.nodeName : undefined;
  const zone = profile.slicesAreV1 ? node?.metadata?.labels?.[zoneLabel] : undefined;
  const hostname = shouldSetHostname(pod, service) ? (pod.spec?.hostname as string) : undefined;
  // the common case: an object literal with fixed fields takes less memory than one built by spreads
  if (nodeName && zone && hostname === undefined) return { addresses, conditions, targetRef, nodeName, zone };
  return {
    addresses,
    conditions,
    targetRef,
    ...(!profile.slicesAreV1 && topologyOf(pod.spec?.nodeName, node)),
    ...(nodeName && { nodeName }),
    ...(zone && { zone }),
    ...(hostname !== undefined && { hostname }),
  };
}

/** The labels of a node that name its zone and the node itself, which are also keys of the topology map of v1beta1. */
export const zoneLabel = 'topology.kubernetes.io/zone';
export const hostnameLabel = 'kubernetes.io/hostname';
const regionLabel = 'topology.kubernetes.io/region';

/** The topology map of v1beta1; absent if it would be empty. Mirrors podToEndpoint (1.20, pkg/controller/endpointslice/utils.go). */
export function topologyOf(nodeName: Optional<string>, node?: Node): { readonly topology?: Record<string, string> } {
  const labels = node?.metadata?.labels;
  const entries = [[hostnameLabel, nodeName], ...[regionLabel, zoneLabel].map((label) => [label, labels?.[label]])];
  const topology = Object.fromEntries(entries.filter(([, value]) => value)) as Record<string, string>;
  return Object.keys(topology).length > 0 ? { topology } : {};
}

/**
 * Returns the address types of a Service's slices, IPv4 first: the types of its ipFamilies; without ipFamilies, the type of its cluster IP,
 * or both types if it has no cluster IP (headless). Before 1.20, the one type of the cluster IP or of ipFamily.
 *
 * Mirrors getAddressTypesForService (1.36, staging/src/k8s.io/endpointslice/utils.go), and isIPv6Service (1.17,
 * pkg/controller/endpointslice/utils.go).
 */
export function addressTypesOf(service: Service, profile: Pick<Profile, 'ipFamiliesRead' | 'ipFamilyRead'>): AddressType[] {
  const { spec } = service;
  if (profile.ipFamilyRead) return [familyOf(service, profile)?.family ?? 'IPv4'];
  if (!profile.ipFamiliesRead) return [spec?.ipFamily === 'IPv6' || isIPv6(spec?.clusterIP ?? '') ? 'IPv6' : 'IPv4'];
  const families = spec?.ipFamilies ?? [];
  const typesOfFamilies = allAddressTypes.filter((type) => families.includes(type));
  if (typesOfFamilies.length > 0) return typesOfFamilies;
  const clusterIP = spec?.clusterIP;
  if (!clusterIP || clusterIP === 'None') return [...allAddressTypes];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

const allAddressTypes: readonly AddressType[] = ['IPv4', 'IPv6'];
