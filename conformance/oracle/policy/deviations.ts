import type { AdminNetworkPolicy, NetworkPolicy } from 'kube-endpoints/policy';
import type { Pod } from 'kube-endpoints/types';
import type { DirectionName, Engine, PolicyProbe, PolicyWorld, ProbeEnd } from './case.ts';

/** A world with one of its probes. */
export interface Situation {
  readonly world: PolicyWorld;
  readonly probe: PolicyProbe;
}

/**
 * A way in which an engine deviates from the specification, as a change of the situation: the library's result for the changed situation
 * is the engine's result for the original one.
 */
export interface Deviation {
  readonly name: string;
  readonly engines: readonly Engine[];
  readonly rewrite: (situation: Situation, direction: DirectionName) => Situation;
}

type Spec = NonNullable<NetworkPolicy['spec']>;
type AdminSpec = NonNullable<AdminNetworkPolicy['spec']>;
type AdminRule = NonNullable<AdminSpec['ingress']>[number];
type Peer = NonNullable<AdminRule['to']>[number];

export const deviations: readonly Deviation[] = [
  { name: 'an empty list of rules allows everything', engines: ['controller'], rewrite: fillEmptyRules },
  { name: 'a named port of an admin rule matches every port', engines: ['controller'], rewrite: resolveNamedPorts },
  { name: 'peers by node match the pods of the nodes', engines: ['controller'], rewrite: replaceNodePeers },
  { name: 'peers without a known field match nothing', engines: ['controller'], rewrite: removeUnknownPeers },
  { name: 'the own node is restricted', engines: ['controller', 'matcher'], rewrite: hideOwnNode },
  { name: 'traffic of a pod to itself is restricted', engines: ['controller', 'matcher'], rewrite: splitPod },
  { name: 'NotIn does not match if the label is absent', engines: ['matcher'], rewrite: addExists },
  { name: 'an empty value of matchLabels matches if the label is absent', engines: ['matcher'], rewrite: fillEmptyLabels },
];

/** What an engine chooses where the specification leaves a choice. */
export const choices: readonly Deviation[] = [
  { name: 'pods on the host network are pods', engines: ['matcher'], rewrite: treatAsPods },
  { name: 'pods on the host network are nodes', engines: ['controller'], rewrite: treatAsNodes },
  { name: 'domain names have no addresses', engines: ['controller'], rewrite: removeDomainNames },
  { name: 'policies of the same priority are ordered by name', engines: ['controller'], rewrite: orderPriorities },
  { name: 'the Baseline tier is not applied to pods that any NetworkPolicy selects', engines: ['controller'], rewrite: removeBaseline },
  { name: 'names of ports are those of all containers, not of sidecars', engines: ['controller', 'matcher'], rewrite: sortPorts },
  { name: 'IPv4-mapped CIDRs are IPv4, and invalid ones contain all addresses', engines: ['controller', 'matcher'], rewrite: replaceCIDRs },
];

function fillEmptyRules({ world, probe }: Situation): Situation {
  const fill = <T>(rules: T): T => (Array.isArray(rules) && rules.length === 0 ? ([{}] as T) : rules);
  const networkPolicies = world.networkPolicies.map((policy) => {
    const { ingress, egress, policyTypes } = policy.spec as Spec;
    // Only egress rules in the original make a policy without policyTypes apply to egress.
    const types = policyTypes?.length ? policyTypes : ['Ingress', ...(egress?.length ? ['Egress'] : [])];
    return { ...policy, spec: { ...policy.spec, policyTypes: types, ingress: fill(ingress), egress: fill(egress) } };
  });
  return { probe, world: { ...world, networkPolicies } };
}

/** The name is looked up on the target for egress, on the source for ingress; number and protocol are ignored. */
function resolveNamedPorts({ world, probe }: Situation, direction: DirectionName): Situation {
  const pod = findNetworkPod(world, direction === 'egress' ? probe.to.pod : probe.from.pod);
  const names = (pod?.spec?.containers ?? []).flatMap(({ ports }) => ports ?? []).map(({ name }) => name);
  const change = (rule: AdminRule): AdminRule[] => {
    const { ports, ...rest } = rule;
    if (!ports) return [rule];
    if (ports.some(({ namedPort }) => namedPort && names.includes(namedPort))) return [rest];
    const others = ports.filter(({ namedPort }) => !namedPort);
    return others.length > 0 ? [{ ...rest, ports: others }] : [];
  };
  return { probe, world: changeAdminRules(world, change) };
}

function replaceNodePeers({ world, probe }: Situation): Situation {
  const nodeName = findNetworkPod(world, probe.to.pod)?.spec?.nodeName;
  const labels = world.nodes.find(({ metadata }) => nodeName && metadata?.name === nodeName)?.metadata?.labels;
  const change = (peer: Peer): Peer[] => {
    if (!peer.nodes) return [peer];
    return labels && selectsLabels(peer.nodes, labels) ? [{ namespaces: {} }] : [];
  };
  return { probe, world: changeAdminRules(world, (rule) => changePeers(rule, change)) };
}

function removeUnknownPeers({ world, probe }: Situation): Situation {
  const change = (peer: Peer): Peer[] => (Object.keys(peer).length === 0 ? [] : [peer]);
  return { probe, world: changeAdminRules(world, (rule) => changePeers(rule, change)) };
}

function hideOwnNode({ world, probe }: Situation): Situation {
  const pods = world.pods.map((pod): Pod => {
    const { hostIP: _, hostIPs: __, ...status } = pod.status ?? {};
    const { nodeName: ___, ...spec } = pod.spec ?? {};
    return { ...pod, spec, status };
  });
  return { probe, world: { ...world, pods } };
}

/** Gives the source a second name, so that it is another pod than the target. */
function splitPod({ world, probe }: Situation): Situation {
  const source = world.pods.find((pod) => keyOf(pod) === probe.from.pod);
  if (!source || probe.from.pod !== probe.to.pod) return { world, probe };
  const copy = { ...source, metadata: { ...source.metadata, name: 'copy' } };
  return { probe: { ...probe, from: { ...probe.from, pod: keyOf(copy) } }, world: { ...world, pods: [...world.pods, copy] } };
}

/** The pods have no addresses of their own, so that those of nodes stay those of nodes. */
function treatAsPods({ world, probe }: Situation): Situation {
  const pods = world.pods.map(
    (pod): Pod => (pod.spec?.hostNetwork ? { ...pod, spec: { ...pod.spec, hostNetwork: false }, status: { phase: 'Running' } } : pod),
  );
  return { probe, world: { ...world, pods } };
}

/** Replaces pods on the host network by their addresses. */
function treatAsNodes({ world, probe }: Situation): Situation {
  const isOnHost = (end: ProbeEnd): boolean => world.pods.some((pod) => keyOf(pod) === end.pod && pod.spec?.hostNetwork);
  const change = (end: ProbeEnd): ProbeEnd => (isOnHost(end) && end.ip !== undefined ? { ip: end.ip } : end);
  return { world, probe: { ...probe, from: change(probe.from), to: change(probe.to) } };
}

function removeDomainNames({ world, probe }: Situation): Situation {
  const change = (peer: Peer): Peer[] => (peer.domainNames ? [] : [peer]);
  return { probe, world: changeAdminRules(world, (rule) => changePeers(rule, change)) };
}

function orderPriorities({ world, probe }: Situation): Situation {
  const priorityOf = ({ spec }: AdminNetworkPolicy): number => spec?.priority ?? 0;
  // The generated policies are in the order of their names.
  const sorted = world.adminNetworkPolicies.toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const adminNetworkPolicies = sorted.map((policy, priority) => ({ ...policy, spec: { ...policy.spec, priority } }));
  return { probe, world: { ...world, adminNetworkPolicies } };
}

function removeBaseline({ world, probe }: Situation, direction: DirectionName): Situation {
  const subject = findNetworkPod(world, direction === 'egress' ? probe.from.pod : probe.to.pod);
  const isSelected = world.networkPolicies.some(
    ({ metadata, spec }) =>
      metadata?.namespace === subject?.metadata?.namespace && selectsLabels(spec?.podSelector ?? {}, subject?.metadata?.labels ?? {}),
  );
  return { probe, world: isSelected ? { ...world, baselineAdminNetworkPolicies: [] } : world };
}

function sortPorts({ world, probe }: Situation): Situation {
  const pods = world.pods.map((pod): Pod => {
    const { initContainers: _, containers, ...spec } = pod.spec ?? {};
    const ports = (containers ?? []).flatMap((each) => each.ports ?? []);
    const isFirst = ({ containerPort }: (typeof ports)[number]): boolean => containerPort === probe.port;
    return { ...pod, spec: { ...spec, containers: [{ ports: [...ports.filter(isFirst), ...ports.filter((each) => !isFirst(each))] }] } };
  });
  return { probe, world: { ...world, pods } };
}

/** Go reads IPv4-mapped networks as IPv4, and no leading zeros. */
function replaceCIDRs({ world, probe }: Situation): Situation {
  const isIPv6 = [probe.from.ip, probe.to.ip].some((ip) => ip?.includes(':'));
  const text = JSON.stringify(world.networkPolicies)
    .replaceAll('"010.0.0.0/8"', isIPv6 ? '"::/0"' : '"0.0.0.0/0"')
    .replaceAll('"::ffff:10.0.0.0/104"', '"10.0.0.0/8"');
  return { probe, world: { ...world, networkPolicies: JSON.parse(text) as NetworkPolicy[] } };
}

function addExists({ world, probe }: Situation): Situation {
  return mapSelectors({ world, probe }, (selector) => ({
    ...selector,
    matchExpressions: selector.matchExpressions?.flatMap((each) =>
      each.operator === 'NotIn' ? [each, { key: each.key, operator: 'Exists' }] : [each],
    ),
  }));
}

/** Requires a label that all objects without the label, or with an empty value, have. */
function fillEmptyLabels(situation: Situation): Situation {
  const { world, probe } = mapSelectors(situation, ({ matchLabels, ...rest }) => ({
    ...rest,
    matchLabels: Object.fromEntries(
      Object.entries(matchLabels ?? {}).map(([key, value]) => (value === '' ? [`empty/${key}`, 'yes'] : [key, value])),
    ),
  }));
  const keys = ['app', 'role', 'tier'];
  const fill = <T extends { readonly metadata?: Pod['metadata'] }>(object: T): T => {
    const labels = object.metadata?.labels ?? {};
    const added = Object.fromEntries(keys.filter((key) => !labels[key]).map((key) => [`empty/${key}`, 'yes']));
    return { ...object, metadata: { ...object.metadata, labels: { ...labels, ...added } } };
  };
  return { probe, world: { ...world, pods: world.pods.map(fill), namespaces: world.namespaces.map(fill) } };
}

interface Selector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?:
    | readonly { readonly key: string; readonly operator: string; readonly values?: readonly string[] }[]
    | undefined;
}

/** Changes every selector of the NetworkPolicies. */
function mapSelectors({ world, probe }: Situation, change: (selector: Selector) => Selector): Situation {
  const text = JSON.stringify(world.networkPolicies, (key, value: unknown) =>
    key === 'podSelector' || key === 'namespaceSelector' ? change(value as Selector) : value,
  );
  return { probe, world: { ...world, networkPolicies: JSON.parse(text) as NetworkPolicy[] } };
}

export function changeAdminRules(world: PolicyWorld, change: (rule: AdminRule) => AdminRule[]): PolicyWorld {
  const apply = (policy: AdminNetworkPolicy): AdminNetworkPolicy => ({
    ...policy,
    spec: { ...policy.spec, ingress: policy.spec?.ingress?.flatMap(change), egress: policy.spec?.egress?.flatMap(change) },
  });
  return {
    ...world,
    adminNetworkPolicies: world.adminNetworkPolicies.map(apply),
    baselineAdminNetworkPolicies: world.baselineAdminNetworkPolicies.map(apply),
  };
}

/** A rule without peers is removed. */
export function changePeers(rule: AdminRule, change: (peer: Peer) => Peer[]): AdminRule[] {
  const [from, to] = [rule.from?.flatMap(change), rule.to?.flatMap(change)];
  return from?.length || to?.length ? [{ ...rule, ...(from && { from }), ...(to && { to }) }] : [];
}

/** Tests a selector that has been generated. */
export function selectsLabels(
  { matchLabels, matchExpressions }: NonNullable<Peer['nodes']>,
  labels: Readonly<Record<string, string>>,
): boolean {
  const hasValue = (key: string, values: readonly string[]): boolean => labels[key] !== undefined && values.includes(labels[key]);
  const tests: Readonly<Record<string, (key: string, values: readonly string[]) => boolean>> = {
    In: hasValue,
    NotIn: (key, values) => !hasValue(key, values),
    Exists: (key) => labels[key] !== undefined,
    DoesNotExist: (key) => labels[key] === undefined,
  };
  return (
    Object.entries(matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (matchExpressions ?? []).every(({ key, operator, values }) => tests[operator ?? '']?.(key ?? '', values ?? []))
  );
}

const keyOf = ({ metadata }: Pod): string => `${metadata?.namespace}/${metadata?.name}`;

/** The pod of a key, unless it is on the host network or has no address: the controller does not know those. */
const findNetworkPod = (world: PolicyWorld, key: string | undefined): Pod | undefined =>
  world.pods.find((pod) => keyOf(pod) === key && !pod.spec?.hostNetwork && pod.status?.podIP);
