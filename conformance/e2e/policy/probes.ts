import type { PolicyProbe, PolicyWorld, ProbeEnd } from '../../oracle/policy/case.ts';
import { createRandom, type Random } from '../../oracle/random.ts';
import { boundaryPorts, commonPorts, isIPv6, nodeAddresses, nodeNames, OUTSIDE, outsideAddresses, podNamespace } from './topology.ts';
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

const PROBES_PER_PAIR = 4;

/**
 * Lists connections for each ordered pair of pods, including a pod and itself, and of pods and nodes or the outside, in each IP family that both
 * have: several ports and protocols each. Deterministic for a seed and a number.
 */
export function listProbes(world: PolicyWorld, seed: number, number: number): PacketProbe[] {
  const random = createRandom(seed, number, 23);
  const pods = world.pods.map((pod, index): Place => {
    const node = pod.spec?.nodeName ?? '';
    const addresses = (pod.status?.podIPs ?? []).map(({ ip }) => ip ?? '');
    return { pod: keyOf(pod), namespace: pod.spec?.hostNetwork ? node : podNamespace(index, node), addresses };
  });
  const others: Place[] = nodeNames.map((namespace) => ({ namespace, addresses: nodeAddresses[namespace] }));
  others.push({ namespace: OUTSIDE, addresses: pickPerFamily(random, outsideAddresses) });
  const places = [...pods, ...others];
  const pairs = places.flatMap((from) => places.filter((to) => from.pod || to.pod).map((to) => [from, to] as const));
  return pairs.flatMap(([from, to]) => [false, true].flatMap((family) => listProbesOfPair(random, from, to, family)));
}

function listProbesOfPair(random: Random, from: Place, to: Place, isOfIPv6: boolean): PacketProbe[] {
  const [fromIP, toIP] = [from, to].map(({ addresses }) => addresses.find((address) => isIPv6(address) === isOfIPv6));
  if (fromIP === undefined || toIP === undefined) return [];
  const targets = new Map<string, { readonly port: number; readonly protocol: string }>();
  while (targets.size < PROBES_PER_PAIR) {
    const port = random.pick(random.chance(0.8) ? commonPorts : boundaryPorts);
    const protocol = random.pick(['TCP', 'TCP', 'UDP', 'SCTP']);
    targets.set(`${protocol} ${port}`, { port, protocol });
  }
  const [source, target] = [from.namespace, to.namespace];
  return [...targets.values()].map((each) => ({ source, target, from: createEnd(from, fromIP), to: createEnd(to, toIP), ...each }));
}

const createEnd = ({ pod }: Place, ip: string): ProbeEnd => ({ ...(pod && { pod }), ip });

const pickPerFamily = (random: Random, addresses: readonly string[]): string[] =>
  [false, true].map((family) => random.pick(addresses.filter((address) => isIPv6(address) === family)));
