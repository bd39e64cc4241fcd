import type { Expected } from './reach.ts';
import type { TestService, Via } from './services.ts';
import { topologyNodes, topologyPods } from './topology.ts';
import type { World } from './world.ts';

/**
 * A minimal model of a Service's expected backends: ready pods, or terminating ones if none is ready; with policy Local only those on the
 * node whose rules process the packet; with a preference for zones, those in its zone, if any.
 */
export function predictBackends(service: TestService, via: Via, from: string, world: World): Expected {
  const node = ruleNodeOf(via, from);
  const all = usablePods(service.members, service, world);
  if (all.length === 0) return 'refused';
  if (isLocal(service, via, from)) {
    const local = usablePods(
      service.members.filter((pod) => nodeOf(pod) === node),
      service,
      world,
    );
    return local.length > 0 ? local : 'dropped';
  }
  const isReady = all.some((pod) => isUsable(pod, service, world));
  const inZone = all.filter((pod) => zoneOf(nodeOf(pod)) === zoneOf(node));
  return service.specFields?.trafficDistribution === 'PreferSameZone' && isReady && inZone.length > 0 ? inZone : all;
}

/** A pod's packet is processed on its own node first; a node port only on the addressed node. The client's packets are routed to node a. */
function ruleNodeOf(via: Via, from: string): string {
  if (via === 'node port of a') return 'a';
  if (via === 'node port of b') return 'b';
  return nodeOf(from) ?? 'a';
}

/** The external policy applies to traffic from outside only; pods reach all endpoints. */
function isLocal({ specFields }: TestService, via: Via, from: string): boolean {
  if (via === 'cluster IP') return specFields?.internalTrafficPolicy === 'Local';
  return specFields?.externalTrafficPolicy === 'Local' && from === 'client';
}

function usablePods(pods: readonly string[], service: TestService, world: World): string[] {
  const ready = pods.filter((pod) => isUsable(pod, service, world));
  return ready.length > 0 ? ready : pods.filter((pod) => world.pods[pod] === 'leaving');
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
