import type { PolicyProbe, PolicyWorld, ProbeEnd } from '../../oracle/policy/case.ts';
import { portNumbers, protocols } from '../../oracle/policy/generate-objects.ts';
import { createRandom, type Random } from '../../oracle/random.ts';
import { isIPv6, nodeAddresses, nodeNames, OUTSIDE, outsideAddresses, podNamespace, ports } from './topology.ts';
import { keyOf } from './worlds.ts';

/** A connection, with the namespaces of its ends. */
export interface PacketProbe extends PolicyProbe {
  readonly source: string;
  readonly target: string;
}

/** An end with all its addresses. */
interface Place {
  readonly pod?: string;
  readonly namespace: string;
  readonly addresses: readonly string[];
}

/** Connections for an ordered pair and an IP family. */
const PROBES_OF_TWO_PODS = 20;
const PROBES_OF_A_POD_AND_ANOTHER_HOST = 3;
const PROBES_OF_A_POD_TO_ITSELF = 1;

/**
 * Lists connections for each ordered pair of pods, including a pod and itself, and of pods and nodes or the outside, in each IP family that both
 * have: several ports and protocols each. Deterministic for a seed and a world.
 */
export function listProbes(world: PolicyWorld, seed: number): PacketProbe[] {
  const random = createRandom(seed, Number(world.id.split('-').at(-1)), 23);
  const pods = world.pods.map((pod, index): Place => {
    const node = pod.spec?.nodeName ?? '';
    const addresses = (pod.status?.podIPs ?? []).map(({ ip }) => ip ?? '');
    return { pod: keyOf(pod), namespace: pod.spec?.hostNetwork ? node : podNamespace(index, node), addresses };
  });
  const others: Place[] = nodeNames.map((namespace) => ({ namespace, addresses: nodeAddresses[namespace] }));
  others.push({ namespace: OUTSIDE, addresses: pickPerFamily(random, outsideAddresses) });
  const places = [...pods, ...others];
  const pairs = places.flatMap((from) => places.filter((to) => from.pod || to.pod).map((to) => [from, to] as const));
  const candidates = listPorts(world);
  return pairs.flatMap(([from, to]) => [false, true].flatMap((family) => listProbesOfPair(random, candidates, from, to, family)));
}

/** The numbers in the policies, and the next ones, because ranges may end there; and the ports of containers. */
function listPorts(world: PolicyWorld): number[] {
  const { pods, networkPolicies, adminNetworkPolicies, baselineAdminNetworkPolicies } = world;
  const text = JSON.stringify([pods, networkPolicies, adminNetworkPolicies, baselineAdminNetworkPolicies]);
  const numbers = Array.from(text.matchAll(/"(?:port|endPort|start|end|containerPort)":(\d+)/g), ([, number]) => Number(number));
  const found = new Set(numbers.flatMap((number) => [number, number + 1]));
  return ports.filter((port) => found.has(port) || portNumbers.includes(port));
}

function listProbesOfPair(random: Random, candidates: readonly number[], from: Place, to: Place, isOfIPv6: boolean): PacketProbe[] {
  const [fromIP, toIP] = [from, to].map(({ addresses }) => addresses.find((address) => isIPv6(address) === isOfIPv6));
  if (fromIP === undefined || toIP === undefined) return [];
  const all = candidates.flatMap((port) => protocols.map((protocol) => ({ port, protocol })));
  const targets = random.shuffle(all).slice(0, countProbes(from, to));
  const [source, target] = [from.namespace, to.namespace];
  return targets.map((each) => ({ source, target, from: createEnd(from, fromIP), to: createEnd(to, toIP), ...each }));
}

function countProbes(from: Place, to: Place): number {
  if (from === to) return PROBES_OF_A_POD_TO_ITSELF;
  return from.pod && to.pod ? PROBES_OF_TWO_PODS : PROBES_OF_A_POD_AND_ANOTHER_HOST;
}

const createEnd = ({ pod }: Place, ip: string): ProbeEnd => ({ ...(pod && { pod }), ip });

const pickPerFamily = (random: Random, addresses: readonly string[]): string[] =>
  [false, true].map((family) => random.pick(addresses.filter((address) => isIPv6(address) === family)));
