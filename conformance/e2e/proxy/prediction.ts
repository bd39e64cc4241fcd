import type { Expected } from './reach.ts';
import type { TestService, Via } from './services.ts';
import { topologyNodes, topologyPods } from './topology.ts';
import type { World } from './world.ts';

/**
 * A minimal model of a Service's expected backends: ready pods, or terminating ones if none is ready; with policy Local only those on the
 * node whose rules process the packet; with a preference for zones, those in its zone, if any.
 */
export function predictBackends(part: TestService, via: Via, from: string, world: World): Expected {
  const node = meetsRulesOf(via, from);
  const everywhere = pick(part.members, part, world);
  if (everywhere.length === 0) return 'refused';
  if (isLocal(part, via, from)) {
    const here = pick(
      part.members.filter((pod) => nodeOf(pod) === node),
      part,
      world,
    );
    return here.length > 0 ? here : 'dropped';
  }
  const isReady = everywhere.some((pod) => isTaken(pod, part, world));
  const near = everywhere.filter((pod) => zoneOf(nodeOf(pod)) === zoneOf(node));
  return part.specFields?.trafficDistribution === 'PreferSameZone' && isReady && near.length > 0 ? near : everywhere;
}

/** A pod's packet is processed on its own node first; a node port only on the addressed node. The client's packets are routed to node a. */
function meetsRulesOf(via: Via, from: string): string {
  if (via === 'node port of a') return 'a';
  if (via === 'node port of b') return 'b';
  return nodeOf(from) ?? 'a';
}

/** Traffic from outside is subject to the external policy; pods reach all endpoints that way. */
function isLocal({ specFields }: TestService, via: Via, from: string): boolean {
  if (via === 'cluster IP') return specFields?.internalTrafficPolicy === 'Local';
  return specFields?.externalTrafficPolicy === 'Local' && from === 'client';
}

function pick(pods: readonly string[], part: TestService, world: World): string[] {
  const ready = pods.filter((pod) => isTaken(pod, part, world));
  return ready.length > 0 ? ready : pods.filter((pod) => world.pods[pod] === 'leaving');
}

function isTaken(pod: string, part: TestService, { pods }: World): boolean {
  const state = pods[pod];
  return state === 'ready' || (part.specFields?.publishNotReadyAddresses === true && state !== 'gone');
}

function nodeOf(pod: string): string | undefined {
  return topologyPods.find(({ name }) => name === pod)?.node;
}

function zoneOf(node: string | undefined): string | undefined {
  return topologyNodes.find(({ name }) => name === node)?.zone;
}
