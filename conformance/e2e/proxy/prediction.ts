import type { ProxyGates } from 'kube-endpoints/internal';
import type { Expected } from './reach.ts';
import type { Mode } from './rules.ts';
import type { TestService, Via } from './services.ts';
import { topologyNodes, topologyPods } from './topology.ts';
import type { World } from './world.ts';

/** The mode, and the release by its gates. */
export interface Kind {
  readonly mode: Mode;
  readonly gates: ProxyGates;
}

/**
 * A minimal model of a Service's expected backends. These are the ready pods, or (from 1.26 on) the terminating pods if none is ready. With policy Local,
 * only pods on the node whose rules process the packet count. With a preference for zones, pods in the zone of this node are used, if any.
 */
export function predictBackends(service: TestService, via: Via, from: string, world: World, { mode, gates }: Kind): Expected {
  const node = ruleNodeOf(via, from);
  const localMembers = service.members.filter((pod) => nodeOf(pod) === node);
  const candidates = usablePods(isAlwaysLocal(service, gates) ? localMembers : service.members, service, world, gates);
  // Before 1.20, rules that reject traffic to external IPs do not apply to forwarded packets.
  if (candidates.length === 0) return via === 'external IP' && !gates.rejectsForwarded ? 'dropped' : 'refused';
  if (usesLocalPolicy(service, via, from, { mode, gates })) {
    const localPods = usablePods(localMembers, service, world, gates);
    if (localPods.length > 0) return localPods;
    // In the mode ipvs, others get this traffic. A pod of another node sees the client's address, and replies to it directly.
    if (mode !== 'ipvs' || (from === 'client' && via !== 'cluster IP')) return 'dropped';
  }
  const isAnyReady = candidates.some((pod) => isUsable(pod, service, world));
  const podsInZone = candidates.filter((pod) => zoneOf(nodeOf(pod)) === zoneOf(node));
  const prefersZone = gates.zoneHints && service.specFields?.trafficDistribution === 'PreferSameZone';
  return prefersZone && isAnyReady && podsInZone.length > 0 ? podsInZone : candidates;
}

/** Returns the addressed node for a node port; otherwise, the node of the client. Packets of the external client are routed to node a. */
function ruleNodeOf(via: Via, from: string): string {
  if (via === 'node port of a') return 'a';
  if (via === 'node port of b') return 'b';
  return nodeOf(from) ?? topologyNodes.find(({ name }) => name === from)?.name ?? 'a';
}

/** Whether all traffic of a Service uses local pods only: before 1.24, its internal policy Local implies this, except with the external policy Local. */
function isAlwaysLocal({ specFields }: TestService, { internalPolicy, separatePolicies }: ProxyGates): boolean {
  const isInternalLocal = internalPolicy && specFields?.internalTrafficPolicy === 'Local';
  return isInternalLocal && !separatePolicies && specFields?.externalTrafficPolicy !== 'Local';
}

/** Except in the mode ipvs, the external policy applies to traffic from outside only; pods reach all endpoints. */
function usesLocalPolicy({ specFields }: TestService, via: Via, from: string, { mode, gates }: Kind): boolean {
  if (via === 'cluster IP') return gates.separatePolicies && specFields?.internalTrafficPolicy === 'Local';
  if (via === 'external IP' && !gates.externalIPsLocal) return false;
  return specFields?.externalTrafficPolicy === 'Local' && (from === 'client' || mode === 'ipvs');
}

function usablePods(pods: readonly string[], service: TestService, world: World, { terminatingFallback }: ProxyGates): string[] {
  const ready = pods.filter((pod) => isUsable(pod, service, world));
  return ready.length > 0 || !terminatingFallback ? ready : pods.filter((pod) => world.pods[pod] === 'leaving');
}

function isUsable(pod: string, service: TestService, { pods }: World): boolean {
  const state = pods[pod];
  return state === 'ready' || (service.specFields?.publishNotReadyAddresses === true && state !== 'gone');
}

function nodeOf(pod: string): string | undefined {
  return topologyPods.find(({ name }) => name === pod)?.node;
}

function zoneOf(node: string | undefined): string | undefined {
  return topologyNodes.find(({ name }) => name === node)?.zone;
}
