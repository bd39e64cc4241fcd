import { compareText } from '../../apimachinery/compare.ts';
import { canonicalIP, isIPv6, rankOfIPv4 } from '../../apimachinery/ip.ts';
import type { AddressType, Endpoint, Node, Pod, Service, TargetRef } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { refersToPod, takesHostname, unprintable } from '../address.ts';
import { createEligibilityCheck, eligibilityRules, isPodReady } from '../eligibility.ts';
import type { Settings, TargetRefOf } from '../settings.ts';
import { createGroup, type DesiredGroup, type EndpointGroup } from './group.ts';
import { createPortResolver, type PortGroup } from './ports.ts';

/** What the pods of a Service come to under one address type. */
export interface DesiredState {
  readonly addressType: AddressType;
  /** In the order of their keys. */
  readonly groups: readonly DesiredGroup[];
  /** Pods that are left out, or that make the whole address type fail, because their node is not there; by name. */
  readonly missingNodes: readonly MissingNode[];
}

export interface MissingNode {
  readonly pod: string;
  readonly node: string;
}

/** Nodes by name; undefined if nodes are not known, so that none is missing. */
export type NodesByName = Pick<ReadonlyMap<string, Node>, 'get'> | undefined;

export const indexNodes = (nodes: readonly Node[]): ReadonlyMap<string, Node> =>
  new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));

/** What one pod comes to: a group always, an endpoint of it where the pod's node is there and it has an address of the type. */
export interface PodOutcome {
  readonly ports: PortGroup;
  readonly endpoint?: Endpoint;
  readonly missingNode?: MissingNode;
}

/**
 * Tells what selected pods come to, one by one; undefined for one that is in no slice. A pod without any of the ports is an
 * endpoint all the same, in a slice without ports.
 *
 * Mirrors the loop over pods in reconcileByAddressType (1.36, staging/src/k8s.io/endpointslice/reconciler.go).
 */
export function createPodJudge(
  service: Service,
  nodes: NodesByName,
  addressType: AddressType,
  profile: Profile,
  targetRef: TargetRefOf = refersToPod(profile),
): (pod: Pod) => PodOutcome | undefined {
  const publish = service.spec?.publishNotReadyAddresses ?? false;
  const ineligibleBecause = createEligibilityCheck(eligibilityRules(profile, 'slices'));
  const portsOf = createPortResolver(service, profile);
  const keepWithoutNode = !nodes || (publish && profile.missingNodeSkipped);
  return (pod) => {
    if (ineligibleBecause(pod, publish)) return undefined;
    const ports = portsOf(pod);
    const nodeName = pod.spec?.nodeName ?? '';
    const node = nodes?.get(nodeName);
    if (!node && !keepWithoutNode) return { ports, missingNode: { pod: pod.metadata?.name ?? '', node: nodeName } };
    const addresses = addressesOf(pod, addressType, profile);
    return addresses.length > 0 ? { ports, endpoint: endpointOf(pod, addresses, node, service, targetRef(pod), profile) } : { ports };
  };
}

/** What the selected pods come to an address type each. */
export const desiredStates = (
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  { profile, targetRef }: Settings,
): DesiredState[] => addressTypesOf(service).map((type) => desiredEndpoints(service, pods, nodes, type, profile, targetRef));

/** The endpoints of the selected pods under one address type, grouped by the ports that they resolve to. */
export function desiredEndpoints(
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  addressType: AddressType,
  profile: Profile,
  targetRef?: TargetRefOf,
): DesiredState {
  const judge = createPodJudge(service, nodes, addressType, profile, targetRef);
  const groups = new Map<string, EndpointGroup>();
  const missingNodes: MissingNode[] = [];
  for (const pod of pods) {
    const outcome = judge(pod);
    if (!outcome) continue;
    let group = groups.get(outcome.ports.key);
    if (!group) {
      group = createGroup(outcome.ports, addressType, profile);
      groups.set(outcome.ports.key, group);
    }
    if (outcome.endpoint) group.add(outcome.endpoint);
    if (outcome.missingNode) missingNodes.push(outcome.missingNode);
  }
  return { addressType, groups: inOrder(groups.values()), missingNodes: byPod(missingNodes) };
}

export const byPod = (missing: Iterable<MissingNode>): MissingNode[] => [...missing].sort((a, b) => compareText(a.pod, b.pod));

export const inOrder = (groups: Iterable<DesiredGroup>): DesiredGroup[] => [...groups].sort((a, b) => compareText(a.key, b.key));

/**
 * The IPs of a pod that are of an address type, all of them, printed as the release prints them. What is no IP counts as
 * IPv4, as does an empty text. Mirrors getEndpointAddresses (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function addressesOf(pod: Pod, addressType: AddressType, profile: Profile): string[] {
  const ips = pod.status?.podIPs ?? [];
  if (ips.length === 1) {
    const only = addressIn(ips[0]?.ip ?? '', addressType, profile);
    return only === undefined ? [] : [only];
  }
  return ips.flatMap(({ ip }) => addressIn(ip ?? '', addressType, profile) ?? []).sort(compareText);
}

/** An IP as the release prints it; undefined where it is of the other type. */
function addressIn(ip: string, addressType: AddressType, profile: Profile): string | undefined {
  const plain = rankOfIPv4(ip) >= 0;
  if ((!plain && isIPv6(ip)) !== (addressType === 'IPv6')) return undefined;
  return plain || !profile.addressReprinted ? ip : (canonicalIP(ip) ?? unprintable);
}

/** The endpoint of a pod. Mirrors podToEndpoint (1.36, staging/src/k8s.io/endpointslice/utils.go). */
function endpointOf(
  pod: Pod,
  addresses: string[],
  node: Node | undefined,
  service: Service,
  targetRef: TargetRef,
  profile: Profile,
): Endpoint {
  const serving = isPodReady(pod);
  const terminating = !!pod.metadata?.deletionTimestamp;
  const ready = (service.spec?.publishNotReadyAddresses ?? false) || (serving && !terminating);
  const conditions = profile.terminatingServed ? { ready, serving, terminating } : { ready };
  const nodeName = pod.spec?.nodeName;
  const zone = node?.metadata?.labels?.[zoneLabel];
  const hostname = takesHostname(pod, service) ? (pod.spec?.hostname as string) : undefined;
  // by far the most endpoints have these fields and no others: objects that are made in one go are smaller
  if (nodeName && zone && hostname === undefined) return { addresses, conditions, targetRef, nodeName, zone };
  return {
    addresses,
    conditions,
    targetRef,
    ...(nodeName && { nodeName }),
    ...(zone && { zone }),
    ...(hostname !== undefined && { hostname }),
  };
}

/** The label that names the zone of a node. */
export const zoneLabel = 'topology.kubernetes.io/zone';

/**
 * The address types that a Service has slices of: those of its ipFamilies; where it has none, that of its cluster IP; where
 * it has none of that either (headless), both. IPv4 comes first.
 *
 * Mirrors getAddressTypesForService (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function addressTypesOf({ spec }: Service): AddressType[] {
  const families = spec?.ipFamilies ?? [];
  const named = bothTypes.filter((type) => families.includes(type));
  if (named.length > 0) return named;
  const clusterIP = spec?.clusterIP;
  if (!clusterIP || clusterIP === 'None') return [...bothTypes];
  return [isIPv6(clusterIP) ? 'IPv6' : 'IPv4'];
}

const bothTypes: readonly AddressType[] = ['IPv4', 'IPv6'];
