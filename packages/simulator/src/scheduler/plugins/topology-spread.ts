import { createRequirementsMatcher, type LabelRequirement, type Labels, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import { createNodeAffinityMatcher, type NodeMatcher } from '../../nodes/affinity.ts';
import type { NodeInfo } from '../node-info.ts';
import { type Cycle, maxScore, type Plugin, type PreparedFilter, type PreparedScore, unresolvable, unschedulable } from '../plugin.ts';
import type { Pod, TopologySpreadConstraint } from '../types.ts';
import { defaultSelectorOf } from './default-spread.ts';
import { hasUntoleratedTaint } from './node-properties.ts';

/** Spreads pods over zones and other topologies (1.36, plugins/podtopologyspread). */
export const podTopologySpread: Plugin = {
  name: 'PodTopologySpread',
  weight: 2,
  prepareFilter: (cycle) => {
    const constraints = explicitConstraints(cycle.pod, 'DoNotSchedule');
    return constraints.length > 0 ? prepareFilter(cycle, constraints) : undefined;
  },
  prepareScore: (cycle, feasible) => {
    const isExplicit = (cycle.pod.spec?.topologySpreadConstraints ?? []).length > 0;
    const constraints = isExplicit ? explicitConstraints(cycle.pod, 'ScheduleAnyway') : defaultConstraints(cycle);
    return constraints.length > 0 ? prepareScore(cycle, feasible, constraints, isExplicit) : undefined;
  },
};

/** A parsed constraint: topologySpreadConstraint (common.go). */
export interface SpreadConstraint {
  readonly maxSkew: number;
  readonly topologyKey: string;
  readonly minDomains: number;
  readonly honorsAffinity: boolean;
  readonly honorsTaints: boolean;
  readonly matches: (labels: Labels) => boolean;
  /** Whether the selector has no requirement: it counts no pods, although it matches. */
  readonly isEmpty: boolean;
}

const hostname = 'kubernetes.io/hostname';
const isTopologyOf = ({ node }: NodeInfo, { topologyKey }: SpreadConstraint): boolean => node.metadata.labels?.[topologyKey] !== undefined;
const topologyValueOf = ({ node }: NodeInfo, { topologyKey }: SpreadConstraint): string => node.metadata.labels?.[topologyKey] ?? '';

/** The constraints of a pod's spec with an action: "DoNotSchedule" or "ScheduleAnyway". */
export const explicitConstraints = (pod: Pod, action: string): SpreadConstraint[] =>
  (pod.spec?.topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === action)
    .map((constraint) => parseConstraint(constraint, pod));

function parseConstraint(constraint: TopologySpreadConstraint, pod: Pod): SpreadConstraint {
  const { maxSkew, topologyKey, minDomains = 1, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore', labelSelector } = constraint;
  const podLabels = pod.metadata.labels ?? {};
  const keys = (constraint.matchLabelKeys ?? []).filter((key) => podLabels[key] !== undefined);
  const requirements = labelSelector && [
    ...requirementsOf({ matchLabels: Object.fromEntries(keys.map((key) => [key, podLabels[key] as string])) }),
    ...requirementsOf(labelSelector),
  ];
  const policies = { honorsAffinity: nodeAffinityPolicy === 'Honor', honorsTaints: nodeTaintsPolicy === 'Honor' };
  return { maxSkew, topologyKey, minDomains, ...policies, ...createSelector(requirements) };
}

const createSelector = (requirements: readonly LabelRequirement[] | undefined): Pick<SpreadConstraint, 'matches' | 'isEmpty'> =>
  requirements
    ? { matches: createRequirementsMatcher(requirements), isEmpty: requirements.length === 0 }
    : { matches: () => false, isEmpty: false };

/** The constraints of a cluster without configuration, for a pod that some Service or controller selects: buildDefaultConstraints. */
function defaultConstraints({ pod, cache }: Cycle): SpreadConstraint[] {
  const requirements = defaultSelectorOf(pod, cache);
  if (requirements.length === 0) return [];
  const common = { minDomains: 1, honorsAffinity: true, honorsTaints: false, ...createSelector(requirements) };
  return [
    { maxSkew: 3, topologyKey: hostname, ...common },
    { maxSkew: 5, topologyKey: 'topology.kubernetes.io/zone', ...common },
  ];
}

/** Whether the pods of a node count: matchNodeInclusionPolicies. */
const counts = (constraint: SpreadConstraint, node: NodeInfo, pod: Pod, matchesAffinity: NodeMatcher): boolean =>
  (!constraint.honorsAffinity || matchesAffinity(node.node)) && !(constraint.honorsTaints && hasUntoleratedTaint(node, pod));

function countPods({ pods }: NodeInfo, { matches, isEmpty }: SpreadConstraint, namespace: string | undefined): number {
  if (isEmpty) return 0;
  let count = 0;
  for (const { pod } of pods.values()) {
    const { metadata } = pod;
    if (metadata.deletionTimestamp === undefined && metadata.namespace === namespace && matches(metadata.labels ?? {})) count += 1;
  }
  return count;
}

function prepareFilter({ pod, nodes }: Cycle, constraints: readonly SpreadConstraint[]): PreparedFilter {
  const matchesAffinity = createNodeAffinityMatcher(pod.spec ? { spec: pod.spec } : {});
  const countsOf = constraints.map(() => new Map<string, number>());
  for (const node of nodes) {
    if (!constraints.every((constraint) => isTopologyOf(node, constraint))) continue;
    for (const [i, constraint] of constraints.entries()) {
      if (!counts(constraint, node, pod, matchesAffinity)) continue;
      const value = topologyValueOf(node, constraint);
      const map = countsOf[i] as Map<string, number>;
      map.set(value, (map.get(value) ?? 0) + countPods(node, constraint, pod.metadata.namespace));
    }
  }
  const rules = constraints.map((constraint, i) => {
    const map = countsOf[i] as Map<string, number>;
    const minimum = map.size < constraint.minDomains ? 0 : Math.min(maxInt32, ...map.values());
    return { constraint, map, limit: constraint.maxSkew + minimum - (constraint.matches(pod.metadata.labels ?? {}) ? 1 : 0) };
  });
  return {
    filter: (node) => {
      for (const { constraint, map, limit } of rules) {
        if (!isTopologyOf(node, constraint)) return unresolvable(`${mismatch} (missing required label)`);
        if ((map.get(topologyValueOf(node, constraint)) ?? 0) > limit) return unschedulable(mismatch);
      }
      return undefined;
    },
  };
}

const mismatch = "node(s) didn't match pod topology spread constraints";
/** The count of a topology without domains. */
const maxInt32 = 2 ** 31 - 1;

function prepareScore(
  { pod, nodes }: Cycle,
  feasible: readonly NodeInfo[],
  constraints: readonly SpreadConstraint[],
  isExplicit: boolean,
): PreparedScore {
  const isIgnored = (node: NodeInfo): boolean => isExplicit && !constraints.every((constraint) => isTopologyOf(node, constraint));
  const rated = feasible.filter((node) => !isIgnored(node));
  const namespace = pod.metadata.namespace;
  const scorers = constraints.map((constraint) => {
    const domains = new Map<string, number>(
      constraint.topologyKey === hostname ? [] : rated.map((node) => [topologyValueOf(node, constraint), 0]),
    );
    const size = constraint.topologyKey === hostname ? rated.length : domains.size;
    return { constraint, domains, isUsed: rated.some((node) => isTopologyOf(node, constraint)), weight: Math.log(size + 2) };
  });
  countDomains(
    scorers,
    nodes.filter((node) => !isIgnored(node)),
    pod,
  );
  return {
    score: (node) => {
      if (isIgnored(node)) return 0;
      let score = 0;
      for (const { constraint, domains, weight } of scorers) {
        if (!isTopologyOf(node, constraint)) continue;
        const isHost = constraint.topologyKey === hostname;
        const count = isHost ? countPods(node, constraint, namespace) : (domains.get(topologyValueOf(node, constraint)) as number);
        score += count * weight + (constraint.maxSkew - 1);
      }
      return Math.round(score);
    },
    normalize: (scores, scored) => normalize(scores, scored.map(isIgnored)),
  };
}

interface Scorer {
  readonly constraint: SpreadConstraint;
  readonly domains: Map<string, number>;
  /** Whether a feasible node belongs to a domain. */
  readonly isUsed: boolean;
}

/** Adds the pods of all nodes to the domains of the feasible ones. */
function countDomains(scorers: readonly Scorer[], nodes: readonly NodeInfo[], pod: Pod): void {
  const matchesAffinity = createNodeAffinityMatcher(pod.spec ? { spec: pod.spec } : {});
  for (const { constraint, domains, isUsed } of scorers) {
    if (domains.size === 0 || !isUsed) continue;
    for (const node of nodes) {
      const value = topologyValueOf(node, constraint);
      const count = domains.get(value);
      if (count === undefined || !counts(constraint, node, pod, matchesAffinity)) continue;
      domains.set(value, count + countPods(node, constraint, pod.metadata.namespace));
    }
  }
}

/** The fewer pods, the higher the score. Ignored nodes get 0. */
function normalize(scores: readonly number[], ignored: readonly boolean[]): number[] {
  const rated = scores.filter((_, i) => !ignored[i]);
  const [minimum, maximum] = [Math.min(...rated), Math.max(0, ...rated)];
  return scores.map((score, i) => {
    if (ignored[i]) return 0;
    return maximum === 0 ? maxScore : Math.trunc((maxScore * (maximum + minimum - score)) / maximum);
  });
}
