import type { AdminNetworkPolicy, NetworkPolicy } from 'kube-endpoints/policy';
import type { Pod } from 'kube-endpoints/types';
import { createRandom, type Random } from '../random.ts';
import type { PolicyProbe, PolicyWorld, ProbeEnd } from './case.ts';
import {
  makeNamespaceSelector,
  makeNamespaces,
  makeNodes,
  makePods,
  makeSelector,
  otherAddresses,
  podNamespaceNames,
  portNames,
  portNumbers,
  protocols,
} from './generate-objects.ts';

/** Generates random worlds, deterministic for a seed: small clusters with overlapping policies, and connections. */
export function* generatePolicy(seed: number, count: number, from = 0): Generator<PolicyWorld> {
  for (let number = from; number < from + count; number++) yield makeWorld(createRandom(seed, number, 17), `${seed}-policy-${number}`);
}

function makeWorld(random: Random, id: string): PolicyWorld {
  const pods = makePods(random);
  const networkPolicies = makeList(random.int(6), (i) => makeNetworkPolicy(random, i));
  const adminCount = random.chance(0.5) ? 1 + random.int(3) : 0;
  return {
    id,
    namespaces: makeNamespaces(random),
    pods,
    nodes: makeNodes(random),
    networkPolicies,
    adminNetworkPolicies: makeList(adminCount, (i) => makeAdminPolicy(random, `admin-${i}`, ['Allow', 'Deny', 'Pass'])),
    baselineAdminNetworkPolicies: makeList(random.int(2), () => makeAdminPolicy(random, 'default', ['Allow', 'Deny'])),
    probes: makeList(8, () => makeProbe(random, pods)),
  };
}

const makeList = <T>(length: number, make: (index: number) => T): T[] => Array.from({ length }, (_, i) => make(i));

function makeNetworkPolicy(random: Random, i: number): NetworkPolicy {
  return {
    metadata: { namespace: random.pick(podNamespaceNames), name: `np-${i}` },
    spec: {
      ...random.maybe(0.95, () => ({ podSelector: makeSelector(random) })),
      ...random.maybe(0.7, () => ({
        policyTypes: random.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress'], ['Egress', 'Ingress'], []]),
      })),
      ...random.maybe(0.75, () => ({ ingress: makeList(random.int(3), () => makeRule(random, 'from')) })),
      ...random.maybe(0.6, () => ({ egress: makeList(random.int(3), () => makeRule(random, 'to')) })),
    },
  };
}

const makeRule = (random: Random, field: 'from' | 'to'): object => ({
  ...random.maybe(0.65, () => ({ ports: makeList(random.int(3), () => makePort(random)) })),
  ...random.maybe(0.85, () => ({ [field]: makeList(random.int(3), () => makePeer(random)) })),
});

function makePort(random: Random): object {
  const protocol = random.maybe(0.7, () => ({ protocol: random.pick(['TCP', 'TCP', ...protocols]) }));
  if (random.chance(0.15)) return { ...protocol };
  if (random.chance(0.4)) return { ...protocol, port: random.pick(portNames) };
  const port = random.pick(portNumbers);
  return { ...protocol, port, ...random.maybe(0.3, () => ({ endPort: port + random.pick([0, 1, 30, 9000]) })) };
}

/** Ranges that overlap with each other and with the addresses of pods, each with ranges to leave out. */
const ranges: readonly (readonly [string, ...string[]])[] = [
  ['0.0.0.0/0', '10.0.0.0/24', '192.168.0.0/16', '10.0.0.1/32'],
  ['10.0.0.0/8', '10.0.0.0/24', '10.0.1.0/24', '10.0.0.2/31'],
  ['10.0.0.0/24', '10.0.0.0/30', '10.0.0.4/32'],
  ['10.0.1.77/24', '10.0.1.2/32'],
  ['10.0.0.3/32'],
  ['192.0.2.0/24', '192.0.2.8/29'],
  ['192.168.0.0/24', '192.168.0.1/32'],
  ['::/0', 'fd00::/64', '2001:db8::/32'],
  ['fd00::/64', 'fd00::/126', 'fd00::5/128'],
  ['fd00:1::/64', 'fd00:1::1/128'],
  ['010.0.0.0/8'],
  ['::ffff:10.0.0.0/104'],
];

function makePeer(random: Random): object {
  if (random.chance(0.35)) {
    const [cidr, ...excepts] = random.chance(0.97) ? random.pick(ranges.slice(0, -2)) : random.pick(ranges);
    return { ipBlock: { cidr, ...random.maybe(0.5, () => ({ except: excepts.filter(() => random.chance(0.6)) })) } };
  }
  if (random.chance(0.4)) return { podSelector: makeSelector(random) };
  return { namespaceSelector: makeNamespaceSelector(random), ...random.maybe(0.5, () => ({ podSelector: makeSelector(random) })) };
}

function makeAdminPolicy(random: Random, name: string, actions: readonly string[]): AdminNetworkPolicy {
  const makeRules = (field: 'from' | 'to'): object[] => makeList(random.int(4), () => makeAdminRule(random, field, actions));
  return {
    metadata: { name },
    spec: {
      ...(actions.length === 3 && { priority: random.int(4) }),
      subject: makePodPeer(random),
      ...random.maybe(0.8, () => ({ ingress: makeRules('from') })),
      ...random.maybe(0.8, () => ({ egress: makeRules('to') })),
    },
  };
}

const makePodPeer = (random: Random): object =>
  random.chance(0.5)
    ? { namespaces: makeNamespaceSelector(random) }
    : { pods: { namespaceSelector: makeNamespaceSelector(random), podSelector: makeSelector(random) } };

function makeAdminRule(random: Random, field: 'from' | 'to', actions: readonly string[]): object {
  const peers = makeList(1 + random.int(2), () => makeAdminPeer(random, field));
  return {
    action: random.pick(actions),
    [field]: peers,
    ...random.maybe(0.5, () => ({ ports: makeList(1 + random.int(2), () => makeAdminPort(random)) })),
  };
}

function makeAdminPeer(random: Random, field: 'from' | 'to'): object {
  if (random.chance(0.04)) return {};
  if (field === 'from' || random.chance(0.5)) return makePodPeer(random);
  if (random.chance(0.25)) return { nodes: makeSelector(random) };
  if (random.chance(0.1)) return { domainNames: ['*.example.com'] };
  const networks = makeList(1 + random.int(2), () => random.pick(ranges.slice(0, -2))[0]);
  return { networks: [...new Set(networks.map((each) => each.replace('10.0.1.77', '10.0.1.0')))] };
}

function makeAdminPort(random: Random): object {
  const protocol = random.maybe(0.8, () => ({ protocol: random.pick(['TCP', 'TCP', ...protocols]) }));
  const port = random.pick(portNumbers);
  if (random.chance(0.3)) return { namedPort: random.pick(portNames) };
  if (random.chance(0.4)) return { portRange: { ...protocol, start: port, end: port + random.pick([1, 30, 9000]) } };
  return { portNumber: { ...protocol, port } };
}

/** At least one end is a pod, and both have addresses of one family if possible. */
function makeProbe(random: Random, pods: PolicyWorld['pods']): PolicyProbe {
  const shuffled = random.shuffle(pods);
  const external = random.chance(0.3) ? random.int(2) : undefined;
  // Rarely a pod and itself.
  const chosen = [0, 1].map((end) => (random.chance(0.9) ? (shuffled[end] as Pod) : random.pick(pods)));
  const families = random.chance(0.3) ? [true, false] : [false, true];
  const candidates = families.map((isIPv6) => [0, 1].map((end) => makeEnd(random, end === external ? undefined : chosen[end], isIPv6)));
  const [from, to] = candidates.find((ends) => ends.every(({ ip }) => ip !== undefined)) ?? candidates[0] ?? [];
  const protocol = random.pick(['TCP', 'TCP', 'TCP', 'UDP', 'SCTP']);
  return { from: from as ProbeEnd, to: to as ProbeEnd, port: random.pick(portNumbers), protocol };
}

function makeEnd(random: Random, pod: Pod | undefined, isIPv6: boolean): ProbeEnd {
  if (!pod) return { ip: random.pick(otherAddresses.filter((ip) => ip.includes(':') === isIPv6)) };
  const ip = pod.status?.podIPs?.find((each) => each.ip?.includes(':') === isIPv6)?.ip;
  return { pod: `${pod.metadata?.namespace}/${pod.metadata?.name}`, ...(ip && { ip }) };
}
