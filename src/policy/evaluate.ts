import { compareText, nameOf, namespaceOf } from '../apimachinery/index.ts';
import { evaluateTier, matchSubject } from './cluster-policies.ts';
import { type ClusterPolicy, policiesOfTier } from './cluster-rules.ts';
import type { Direction } from './direction.ts';
import { createWorld, type End, resolveEnds, type TrafficEnd } from './ends.ts';
import { evaluateNetworkPolicies, type NamedNetworkPolicy, type PodView, selectNetworkPolicies } from './network-policies.ts';
import type { PolicyObjects, PolicyReference } from './objects.ts';
import { type Branches, createBranches, mergeBranches } from './outcome.ts';
import { findPolicyProblems } from './problems.ts';
import { createReason, formatPolicy, type PolicyReason, type PolicyReasonCode } from './reasons.ts';

/** A new connection. For traffic to a Service, `to` and `port` are those of the endpoint. */
export interface Traffic {
  readonly from: TrafficEnd;
  readonly to: TrafficEnd;
  /** The port of the target, from 1 to 65535. */
  readonly port: number;
  /** "TCP" (the default), "UDP" or "SCTP". */
  readonly protocol?: string;
}

/** "unknown": the specifications, or the given objects, leave it open. */
export type Verdict = boolean | 'unknown';

/** What the policies decide in one direction. */
export interface TrafficDecision {
  readonly allowed: Verdict;
  /** The policies that select the end and have rules for the direction, in the order in which they are applied. */
  readonly policies: readonly PolicyReference[];
  /** Why: one reason, or, if unknown, each open question. */
  readonly reasons: readonly PolicyReason[];
}

export interface TrafficVerdict {
  /** Whether both directions are allowed; false if one is denied, even if the other one is unknown. */
  readonly allowed: Verdict;
  /** The egress of the source. */
  readonly egress: TrafficDecision;
  /** The ingress of the target. */
  readonly ingress: TrafficDecision;
}

/**
 * Evaluates NetworkPolicies and cluster-wide policies for a connection: docs/semantics/policy.md.
 * @throws RangeError for an invalid end, port or protocol, and for a policy that an API server does not accept (`findPolicyProblems`)
 */
export function evaluateTraffic(traffic: Traffic, objects: PolicyObjects): TrafficVerdict {
  const { port, protocol = 'TCP' } = traffic;
  checkTraffic(port, protocol);
  const lists = copyLists(objects);
  const [problem] = findPolicyProblems(lists);
  if (problem) throw new RangeError(`${formatPolicy(problem.policy)}: ${problem.path} ${problem.message}`);
  const world = createWorld(lists);
  const { from, to } = resolveEnds(traffic.from, traffic.to, world);
  const policies = createPolicies(lists);
  const common = { target: to, port, protocol, world };
  const egress = decide({ ...common, name: 'egress', subject: from, peer: to }, policies);
  const ingress = decide({ ...common, name: 'ingress', subject: to, peer: from }, policies);
  return { allowed: combine(egress.allowed, ingress.allowed), egress, ingress };
}

const combine = (egress: Verdict, ingress: Verdict): Verdict => {
  if (egress === false || ingress === false) return false;
  return egress === true && ingress === true ? true : 'unknown';
};

function checkTraffic(port: number, protocol: string): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new RangeError(`port is ${JSON.stringify(port)}, but has to be a number from 1 to 65535`);
  if (!['TCP', 'UDP', 'SCTP'].includes(protocol))
    throw new RangeError(`protocol is ${JSON.stringify(protocol)}, but has to be TCP, UDP or SCTP`);
}

/** Iterates over each list once, because it may be a generator. */
const copyLists = (objects: PolicyObjects): PolicyObjects =>
  Object.fromEntries(Object.entries(objects).flatMap(([name, list]) => (list ? [[name, [...list]]] : [])));

interface Policies {
  readonly admin: readonly ClusterPolicy[];
  readonly network: readonly NamedNetworkPolicy[];
  readonly baseline: readonly ClusterPolicy[];
}

const createPolicies = (objects: PolicyObjects): Policies => ({
  admin: policiesOfTier('Admin', objects),
  network: Array.from(objects.networkPolicies ?? [], (policy) => ({
    reference: { kind: 'NetworkPolicy' as const, namespace: namespaceOf(policy), name: nameOf(policy) },
    policy,
  })).sort((a, b) => compareText(a.reference.name, b.reference.name)),
  baseline: policiesOfTier('Baseline', objects),
});

/** NetworkPolicies may treat pods on the host network as pods or as their nodes: only a result that both have is certain. */
const podViews: readonly PodView[] = [({ pod }) => pod, ({ pod, isHostNetwork }) => (isHostNetwork ? undefined : pod)];

function decide(direction: Direction, policies: Policies): TrafficDecision {
  const { subject, peer } = direction;
  const onHost = [subject, peer].filter(({ isHostNetwork }) => isHostNetwork);
  const branches = podViews.slice(0, onHost.length > 0 ? 2 : 1).map((podOf) => evaluateTiers(direction, policies, podOf));
  const questions = onHost.map(({ text }) => createReason('HostNetworkUndefined', { pod: text }));
  const { outcomes, open } = mergeBranches(createBranches([], questions), ...branches);
  const last = outcomes.at(-1) as (typeof outcomes)[number];
  const isCertain = outcomes.every(({ allowed }) => allowed === last.allowed);
  return {
    allowed: isCertain ? last.allowed : 'unknown',
    policies: listPolicies(direction, policies),
    reasons: isCertain ? [last.reason] : removeDuplicates(open),
  };
}

function evaluateTiers(direction: Direction, { admin, network, baseline }: Policies, podOf: PodView): Branches {
  const { subject, name } = direction;
  const { applied, others } = selectNetworkPolicies(network, podOf(subject), name);
  const values = { subject: subject.text, direction: name };
  const isAffected = (list: readonly ClusterPolicy[]): boolean => list.some((policy) => isAppliedTo(policy, direction));
  const byDefault = (): Branches => {
    const code = defaultCode(subject, podOf, isAffected(admin) || isAffected(baseline));
    return createBranches([{ allowed: true, reason: createReason(code, values) }]);
  };
  const applyBaseline = (): Branches => {
    const branches = evaluateTier(baseline, direction, byDefault);
    if (others.length === 0 || !isAffected(baseline)) return branches;
    return mergeBranches(createBranches([], [createReason('OtherDirectionUndefined', values)]), byDefault(), branches);
  };
  return evaluateTier(admin, direction, () => (applied.length > 0 ? evaluateNetworkPolicies(applied, direction, podOf) : applyBaseline()));
}

function defaultCode(subject: End, podOf: PodView, isAffected: boolean): PolicyReasonCode {
  if (!subject.pod) return 'NotAPod';
  if (!podOf(subject)) return 'HostNetworkNotSelected';
  return isAffected ? 'NoRuleMatches' : 'NotSelected';
}

/** Cluster-wide policies without rules for a direction do not affect it. */
const isAppliedTo = (policy: ClusterPolicy, direction: Direction): boolean =>
  policy[direction.name].length > 0 && matchSubject(policy, direction) !== false;

function listPolicies(direction: Direction, { admin, network, baseline }: Policies): PolicyReference[] {
  const { applied } = selectNetworkPolicies(network, direction.subject.pod, direction.name);
  const isApplied = (policy: ClusterPolicy): boolean => isAppliedTo(policy, direction);
  return [...admin.filter(isApplied), ...applied, ...baseline.filter(isApplied)].map(({ reference }) => reference);
}

const removeDuplicates = (reasons: readonly PolicyReason[]): PolicyReason[] => [
  ...new Map(reasons.map((reason) => [reason.message, reason])).values(),
];
