import { namespaceOf } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import { type Direction, matchCIDR, matchNamespace, matchPod, matchPortName } from './direction.ts';
import { type End, isOnNodeOf } from './ends.ts';
import { type Match, matchAll, matchAny, matchNot } from './match.ts';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort, NetworkPolicyRule, PolicyReference } from './objects.ts';
import { type Branches, createBranches } from './outcome.ts';
import { createReason, formatPolicy, type PolicyReason } from './reasons.ts';

/** A NetworkPolicy with its name. */
export interface NamedNetworkPolicy {
  readonly reference: PolicyReference;
  readonly policy: NetworkPolicy;
}

/** The NetworkPolicies that select a pod: those that apply to the direction, and those that apply to the other one only. */
export interface SelectingPolicies {
  readonly applied: readonly NamedNetworkPolicy[];
  readonly others: readonly NamedNetworkPolicy[];
}

/** How NetworkPolicies see pods on the host network: as pods, or as their nodes. */
export type PodView = (end: End) => Pod | undefined;

export function selectNetworkPolicies(
  policies: readonly NamedNetworkPolicy[],
  pod: Pod | undefined,
  name: Direction['name'],
): SelectingPolicies {
  const selecting = policies.filter(
    ({ policy }) => pod && namespaceOf(policy) === namespaceOf(pod) && matchPod(policy.spec?.podSelector ?? {}, pod),
  );
  return {
    applied: selecting.filter(({ policy }) => appliesTo(policy, name)),
    others: selecting.filter(({ policy }) => !appliesTo(policy, name)),
  };
}

/** Without policyTypes, a policy applies to ingress, and to egress if it has egress rules: SetDefaults_NetworkPolicy (1.37). */
function appliesTo({ spec }: NetworkPolicy, name: Direction['name']): boolean {
  const types = spec?.policyTypes ?? [];
  if (types.length === 0) return name === 'ingress' || (spec?.egress ?? []).length > 0;
  return types.includes(name === 'ingress' ? 'Ingress' : 'Egress');
}

/** What the NetworkPolicies that select the subject decide. One that allows the traffic suffices. */
export function evaluateNetworkPolicies(policies: readonly NamedNetworkPolicy[], direction: Direction, podOf: PodView): Branches {
  const { name, subject, peer, world } = direction;
  const values = { subject: subject.text, direction: name, policies: policies.map(({ reference }) => formatPolicy(reference)).join(', ') };
  const allow = (reason: PolicyReason): Branches => createBranches([{ allowed: true, reason }]);
  if (subject.pod === peer.pod) return allow(createReason('PodToItself', values));
  const isOwnNode = isOnNodeOf(peer, subject, world) && !podOf(peer);
  if (name === 'ingress' && isOwnNode) return allow(createReason('OwnNode', values));
  const open: PolicyReason[] = [];
  for (const { reference, policy } of policies) {
    for (const { path, match } of matchRules(policy, direction, podOf)) {
      const location = { policy: reference, path };
      if (match === true) return allow(createReason('RuleAllows', values, location));
      if (match !== false) open.push(createReason(match.code, match.values, location));
    }
  }
  const denied = { allowed: false, reason: createReason('NoRuleAllows', values) };
  if (isOwnNode) open.push(createReason('EgressToOwnNodeUndefined', values));
  return open.length === 0 ? createBranches([denied]) : createBranches([{ ...denied, allowed: true }, denied], open);
}

/** Matches every peer of every rule; a rule without peers matches all. */
function* matchRules(
  policy: NetworkPolicy,
  direction: Direction,
  podOf: PodView,
): Generator<{ readonly path: string; readonly match: Match }> {
  const { name } = direction;
  for (const [i, rule] of (policy.spec?.[name] ?? []).entries()) {
    const path = `spec.${name}[${i}]`;
    const ports = matchPorts(rule, direction, podOf);
    const peersField = name === 'ingress' ? 'from' : 'to';
    const peers = rule[peersField] ?? [];
    if (peers.length === 0) yield { path, match: ports };
    for (const [j, peer] of peers.entries())
      yield {
        path: `${path}.${peersField}[${j}]`,
        match: matchAll(
          () => matchPeer(peer, namespaceOf(policy), direction, podOf),
          () => ports,
        ),
      };
  }
}

function matchPorts({ ports }: NetworkPolicyRule, direction: Direction, podOf: PodView): Match {
  return (ports ?? []).length === 0 || matchAny(ports ?? [], (port) => matchPort(port, direction, podOf));
}

function matchPort({ protocol, port, endPort }: NetworkPolicyPort, direction: Direction, podOf: PodView): Match {
  if ((protocol ?? 'TCP') !== direction.protocol) return false;
  if (typeof port === 'string') return matchPortName(port, podOf(direction.target), direction);
  return port === undefined || port === null || (port <= direction.port && direction.port <= (endPort ?? port));
}

function matchPeer(
  { ipBlock, podSelector, namespaceSelector }: NetworkPolicyPeer,
  namespace: string,
  { peer, world }: Direction,
  podOf: PodView,
): Match {
  if (ipBlock) return matchIPBlock(ipBlock, peer);
  const pod = podOf(peer);
  if (!pod) return false;
  return matchAll(
    () => (namespaceSelector ? matchNamespace(namespaceSelector, namespaceOf(pod), world) : namespaceOf(pod) === namespace),
    () => matchPod(podSelector ?? {}, pod),
  );
}

const matchIPBlock = ({ cidr, except }: IPBlock, peer: End): Match =>
  matchAll(
    () => matchCIDR(cidr ?? '', peer),
    () => matchNot(matchAny(except ?? [], (each) => matchCIDR(each, peer))),
  );
