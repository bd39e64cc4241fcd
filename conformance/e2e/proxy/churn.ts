import type { Check } from './checks.ts';
import { predictBackends } from './prediction.ts';
import { checkStatements, type Statement } from './reach.ts';
import { applyWorld, type Setup } from './scenario.ts';
import type { TestService, Via } from './services.ts';
import { expectTraffic } from './statements.ts';
import { topologyPods } from './topology.ts';
import { firstWorld, type PodState, type World } from './world.ts';

const states: readonly PodState[] = ['ready', 'ready', 'notReady', 'leaving', 'gone'];
const policies = ['Cluster', 'Local'];
const distributions = [undefined, 'PreferSameZone'];
/** Services whose backends depend only on pod states, nodes and policies. */
const PREDICTABLE = ['web', 'local', 'inner', 'near', 'leaving', 'idle', 'far', 'early'];
const MAX_STATEMENTS = 24;

/** Applies random states of the pods and Services, one after another, and compares the backends with those of predictBackends. */
export async function churn(setup: Setup, rounds: number, seed: number): Promise<Check[]> {
  const random = createRandom(seed);
  const checks: Check[] = [];
  for (let round = 1; round <= rounds; round++) {
    const world = randomWorld(random);
    const roundTitle = `random world ${round}`;
    checks.push(...applyWorld(roundTitle, world, setup));
    checks.push(...(await checkStatements(roundTitle, randomStatements(world, random, setup), world, setup)));
  }
  return checks;
}

function randomWorld(random: Random): World {
  const services = firstWorld.services.filter(({ name }) => PREDICTABLE.includes(name) && random(8) > 0);
  return {
    pods: Object.fromEntries(topologyPods.map(({ name }) => [name, pick(states, random)])),
    services: services.map((service): TestService => {
      const trafficDistribution = pick(distributions, random);
      const internalTrafficPolicy = pick(policies, random);
      const externalFields = service.type === 'ClusterIP' ? {} : { externalTrafficPolicy: pick(policies, random) };
      const specFields = { internalTrafficPolicy, ...externalFields, ...(trafficDistribution !== undefined && { trafficDistribution }) };
      const members = topologyPods.map(({ name }) => name).filter(() => random(3) > 0);
      return { ...service, members, specFields: { ...specFields, publishNotReadyAddresses: random(6) === 0 } };
    }),
  };
}

function randomStatements(world: World, random: Random, setup: Setup): Statement[] {
  const allStatements = world.services.flatMap((service) => {
    const nodePortVias: Via[] = service.type === 'ClusterIP' ? [] : ['node port of a', 'node port of b'];
    const balancerVias: Via[] = service.type === 'LoadBalancer' ? ['external IP', 'load balancer IP'] : [];
    const vias: Via[] = ['cluster IP', ...nodePortVias, ...balancerVias];
    return vias.flatMap((via) =>
      ['client', 'a1', 'b1']
        .filter((from) => !mayBypassNode(via, from))
        .map((from) => expectTraffic(service.name, via, from, predictBackends(service, via, from, world, setup))),
    );
  });
  return Array.from({ length: Math.min(MAX_STATEMENTS, allStatements.length) }, () =>
    allStatements.splice(random(allStatements.length), 1),
  ).flat();
}

/**
 * If a pod connects to another node under the policy Local, its source address is kept. The backend may be a pod on the node of the client,
 * whose reply then returns directly and bypasses the node's rules. Clusters that do not masquerade pod-to-node traffic have the same
 * problem, so nothing is guaranteed.
 */
function mayBypassNode(via: Via, from: string): boolean {
  return (via === 'node port of a' && from === 'b1') || (via === 'node port of b' && from === 'a1');
}

/** Returns an integer below the limit. */
type Random = (limit: number) => number;

function pick<T>(members: readonly T[], random: Random): T {
  return members[random(members.length)] as T;
}

/** A linear congruential generator that uses the upper bits. */
function createRandom(seed: number): Random {
  let state = BigInt(seed);
  return (limit) => {
    state = (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) % 2n ** 64n;
    return Number((state >> 33n) % BigInt(limit));
  };
}
