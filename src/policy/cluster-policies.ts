import { namespaceOf, selectorMatches } from '../apimachinery/index.ts';
import type { Pod } from '../types/index.ts';
import { type ClusterPolicy, type Rule, rulesOf } from './cluster-rules.ts';
import { type Direction, matchCIDR, matchNamespace, matchPod, matchPortName } from './direction.ts';
import { type End, hasAddress } from './ends.ts';
import { type Match, matchAll, matchAny, type OpenQuestion } from './match.ts';
import type { ClusterPeer, PodPeer } from './objects.ts';
import { type Branches, createBranches, mergeBranches } from './outcome.ts';
import { createReason, formatPolicy, type PolicyReason, type RuleLocation } from './reasons.ts';

/** Whether a policy selects the subject. Pods on the host network are never selected. */
export const matchSubject = ({ subject }: ClusterPolicy, { subject: end, world }: Direction): Match => matchPods(subject, end, world);

/**
 * What the policies of a tier decide. Policies of the same priority are applied in any order.
 * @param policies sorted by priority
 * @param next what the next tier decides
 */
export function evaluateTier(policies: readonly ClusterPolicy[], direction: Direction, next: () => Branches): Branches {
  const branches: Branches[] = [];
  for (const group of groupByPriority(policies)) {
    const matching = group.map((policy) => ({ policy, hits: findHits(policy, direction) })).filter(({ hits }) => hits.length > 0);
    if (matching.length > 1) {
      const names = matching.map(({ policy }) => formatPolicy(policy.reference)).join(', ');
      branches.push(createBranches([], [createReason('SamePriorityUndefined', { policies: names })]));
    }
    for (const { hits } of matching) branches.push(...hits.map((hit) => branchesOf(hit, direction, next)));
    if (matching.some(({ hits }) => hits.some(({ open }) => open === undefined))) return mergeBranches(...branches);
  }
  return mergeBranches(...branches, next());
}

/** A rule that matches, or that matches if a question is answered so. */
interface Hit {
  readonly rule: Rule;
  readonly location: RuleLocation;
  readonly open: OpenQuestion | undefined;
  /** The rule has a peer without a known field. */
  readonly isUnknownPeer: boolean;
}

/** The rules of a policy that may match, up to the first one that certainly does. */
function findHits(policy: ClusterPolicy, direction: Direction): Hit[] {
  const subject = matchSubject(policy, direction);
  const hits: Hit[] = [];
  if (subject === false) return hits;
  for (const rule of rulesOf(policy, direction.name)) {
    const unknown = rule.peers.findIndex(({ peer }) => isUnknownPeer(peer, direction.name));
    const found = unknown >= 0 ? { path: rule.path, match: rule.action !== 'Accept' } : matchRule(rule, direction);
    const match = matchAll(
      () => found.match,
      () => subject,
    );
    if (match === false) continue;
    const location = { policy: policy.reference, path: found.path };
    hits.push({ rule, location, open: match === true ? undefined : match, isUnknownPeer: unknown >= 0 });
    if (match === true) return hits;
  }
  return hits;
}

function branchesOf({ rule, location, open, isUnknownPeer }: Hit, { subject, peer }: Direction, next: () => Branches): Branches {
  const values = { subject: subject.text, action: rule.actionText };
  const questions: PolicyReason[] = open ? [createReason(open.code, open.values, location)] : [];
  if (rule.action === 'Pass' && !isUnknownPeer) return mergeBranches(createBranches([], questions), next());
  if (rule.action === 'Accept')
    return createBranches([{ allowed: true, reason: createReason('RuleAccepts', values, location) }], questions);
  const denied = { allowed: false, reason: createReason(isUnknownPeer ? 'UnknownPeerDenies' : 'RuleDenies', values, location) };
  if (subject.pod !== peer.pod) return createBranches([denied], questions);
  return createBranches([{ ...denied, allowed: true }, denied], [...questions, createReason('PodToItselfUndefined', values, location)]);
}

function matchRule(rule: Rule, direction: Direction): { readonly path: string; readonly match: Match } {
  const ports = rule.ports === undefined || matchAny(rule.ports, (port) => matchPort(port, direction));
  const candidates = rule.peers.map(({ path, peer }) => ({
    path,
    match: matchAll(
      () => matchPeer(peer, direction),
      () => ports,
    ),
  }));
  const isOpen = ({ match }: { readonly match: Match }): boolean => match !== false;
  return candidates.find(({ match }) => match === true) ?? candidates.find(isOpen) ?? { path: rule.path, match: false };
}

function matchPort(match: NonNullable<Rule['ports']>[number], direction: Direction): Match {
  const { port, protocol, target } = direction;
  if (match.name !== undefined) return matchPortName(match.name, podOf(target), direction);
  return match.protocol === protocol && match.start <= port && port <= match.end;
}

function matchPeer(peer: ClusterPeer, { peer: end, world }: Direction): Match {
  if (peer.namespaces || peer.pods) return matchPods(peer, end, world);
  if (peer.nodes) return matchNodes(peer.nodes, end, world);
  if (peer.networks) return matchAny(peer.networks, (network) => matchCIDR(network, end));
  return { code: 'DomainNamesUnknown', values: {} };
}

/** Ingress peers are pods only. */
const isUnknownPeer = ({ namespaces, pods, nodes, networks, domainNames }: ClusterPeer, name: Direction['name']): boolean =>
  !namespaces && !pods && (name === 'ingress' || (!nodes && !networks && !domainNames));

function matchPods({ namespaces, pods }: PodPeer, end: End, world: Direction['world']): Match {
  const pod = podOf(end);
  if (!pod) return false;
  if (namespaces) return matchNamespace(namespaces, namespaceOf(pod), world);
  return matchAll(
    () => matchNamespace(pods?.namespaceSelector ?? {}, namespaceOf(pod), world),
    () => matchPod(pods?.podSelector ?? {}, pod),
  );
}

function matchNodes(selector: NonNullable<ClusterPeer['nodes']>, end: End, { nodes }: Direction['world']): Match {
  const { ip, text } = end;
  if (podOf(end)) return false;
  if (!ip) return { code: 'AddressUnknown', values: { peer: text } };
  if (!nodes) return { code: 'NodesUnknown', values: {} };
  return nodes.some((node) => selectorMatches(selector, node.metadata?.labels ?? {}) && hasAddress(node, ip));
}

const podOf = ({ pod, isHostNetwork }: End): Pod | undefined => (isHostNetwork ? undefined : pod);

function groupByPriority(policies: readonly ClusterPolicy[]): ClusterPolicy[][] {
  const groups: ClusterPolicy[][] = [];
  for (const policy of policies) {
    const last = groups.at(-1);
    if (last?.[0]?.priority === policy.priority) last.push(policy);
    else groups.push([policy]);
  }
  return groups;
}
