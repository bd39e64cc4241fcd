import type { Labels } from 'kube-endpoints/internal/apimachinery';
import type { Cache } from '../../controller/controller.ts';
import { type AffinityTerm, type AffinityTerms, matchesTerm, resolveNamespaces, type WeightedTerm } from '../affinity-terms.ts';
import type { NodeInfo, PodInfo } from '../node-info.ts';
import { type Cycle, maxScore, type Plugin, type PreparedFilter, type PreparedScore, unresolvable, unschedulable } from '../plugin.ts';
import type { Pod } from '../types.ts';

/** Affinity and anti-affinity to pods (1.36, plugins/interpodaffinity). */
export const interPodAffinity: Plugin = { name: 'InterPodAffinity', weight: 2, prepareFilter, prepareScore };

/** Numbers by the key and then by the value of a topology. */
type TopologyCounts = Map<string, Map<string, number>>;

function add(counts: TopologyCounts, { node }: NodeInfo, key: string, count: number): void {
  const value = node.metadata.labels?.[key];
  if (value === undefined) return;
  const values = counts.get(key) ?? new Map<string, number>();
  counts.set(key, values);
  values.set(value, (values.get(value) ?? 0) + count);
}

const countOf = (counts: TopologyCounts, { node }: NodeInfo, key: string): number => {
  const value = node.metadata.labels?.[key];
  return value === undefined ? 0 : (counts.get(key)?.get(value) ?? 0);
};

function prepareFilter({ pod, info, nodes, cache }: Cycle): PreparedFilter | undefined {
  const affinity = info.terms.requiredAffinity.map((term) => resolveNamespaces(term, cache));
  const antiAffinity = info.terms.requiredAntiAffinity.map((term) => resolveNamespaces(term, cache));
  const existing = countExistingAntiAffinity(pod, nodes, cache);
  if (existing.size === 0 && affinity.length === 0 && antiAffinity.length === 0) return undefined;
  const [wanted, unwanted]: TopologyCounts[] = [new Map(), new Map()] as const;
  if (affinity.length + antiAffinity.length > 0)
    for (const node of nodes)
      for (const other of node.pods.values()) {
        if (matchesAll(affinity, other.pod)) for (const { topologyKey } of affinity) add(wanted as TopologyCounts, node, topologyKey, 1);
        for (const term of antiAffinity) if (matchesTerm(term, other.pod, {})) add(unwanted as TopologyCounts, node, term.topologyKey, 1);
      }
  // The first pod of a group that has affinity to itself.
  const isFirst = wanted?.size === 0 && matchesAll(affinity, pod);
  const isAffine = (node: NodeInfo): boolean =>
    affinity.every(({ topologyKey }) => node.node.metadata.labels?.[topologyKey] !== undefined) &&
    (isFirst || affinity.every(({ topologyKey }) => countOf(wanted as TopologyCounts, node, topologyKey) > 0));
  return {
    filter: (node) => {
      if (!isAffine(node)) return unresolvable("node(s) didn't match pod affinity rules");
      if (antiAffinity.some(({ topologyKey }) => countOf(unwanted as TopologyCounts, node, topologyKey) > 0))
        return unschedulable("node(s) didn't match pod anti-affinity rules");
      if ([...existing.keys()].some((key) => countOf(existing, node, key) > 0))
        return unschedulable("node(s) didn't satisfy existing pods anti-affinity rules");
      return undefined;
    },
  };
}

const matchesAll = (terms: readonly AffinityTerm[], pod: Pod): boolean =>
  terms.length > 0 && terms.every((term) => matchesTerm(term, pod, {}));

const namespaceLabelsOf = (pod: Pod, cache: Cache): Labels =>
  cache.get('Namespace', '', pod.metadata.namespace ?? '')?.metadata.labels ?? {};

/** The topologies of existing pods whose anti-affinity matches a pod. */
function countExistingAntiAffinity(pod: Pod, nodes: readonly NodeInfo[], cache: Cache): TopologyCounts {
  const counts: TopologyCounts = new Map();
  const namespaceLabels = namespaceLabelsOf(pod, cache);
  for (const node of nodes)
    for (const { terms } of node.podsWithRequiredAntiAffinity.values())
      for (const term of terms.requiredAntiAffinity) if (matchesTerm(term, pod, namespaceLabels)) add(counts, node, term.topologyKey, 1);
  return counts;
}

/** The weight of the required affinity of existing pods. */
const hardPodAffinityWeight = 1;

function prepareScore({ pod, info, nodes, cache }: Cycle): PreparedScore | undefined {
  const resolve = ({ weight, term }: WeightedTerm): WeightedTerm => ({ weight, term: resolveNamespaces(term, cache) });
  const terms = {
    preferredAffinity: info.terms.preferredAffinity.map(resolve),
    preferredAntiAffinity: info.terms.preferredAntiAffinity.map(resolve),
  };
  const hasTerms = terms.preferredAffinity.length + terms.preferredAntiAffinity.length > 0;
  const counts: TopologyCounts = new Map();
  const namespaceLabels = namespaceLabelsOf(pod, cache);
  for (const node of nodes)
    for (const other of (hasTerms ? node.pods : node.podsWithAffinity).values())
      addScores(counts, node, { pod, terms, namespaceLabels }, other);
  if (counts.size === 0) return undefined;
  return {
    score: (node) => [...counts.keys()].reduce((sum, key) => sum + countOf(counts, node, key), 0),
    normalize,
  };
}

interface Incoming {
  readonly pod: Pod;
  readonly terms: Pick<AffinityTerms, 'preferredAffinity' | 'preferredAntiAffinity'>;
  readonly namespaceLabels: Labels;
}

/** Adds the weights between a pod to place and an existing one, in both directions: processExistingPod. */
function addScores(counts: TopologyCounts, node: NodeInfo, { pod, terms, namespaceLabels }: Incoming, existing: PodInfo): void {
  const addAll = (list: readonly WeightedTerm[], target: Pod, labels: Labels, sign: 1 | -1): void => {
    for (const { weight, term } of list) if (matchesTerm(term, target, labels)) add(counts, node, term.topologyKey, sign * weight);
  };
  addAll(terms.preferredAffinity, existing.pod, {}, 1);
  addAll(terms.preferredAntiAffinity, existing.pod, {}, -1);
  const required = existing.terms.requiredAffinity.map((term) => ({ term, weight: hardPodAffinityWeight }));
  addAll(required, pod, namespaceLabels, 1);
  addAll(existing.terms.preferredAffinity, pod, namespaceLabels, 1);
  addAll(existing.terms.preferredAntiAffinity, pod, namespaceLabels, -1);
}

function normalize(scores: readonly number[]): readonly number[] {
  const minimum = Math.min(...scores);
  const range = Math.max(...scores) - minimum;
  return scores.map((score) => (range > 0 ? Math.trunc(maxScore * ((score - minimum) / range)) : 0));
}
