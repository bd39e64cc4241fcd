import {
  createRequirementsMatcher,
  type LabelRequirement,
  type LabelSelector,
  type Labels,
  requirementsOf,
  selectorMatches,
} from 'kube-endpoints/internal/apimachinery';
import type { Cache } from '../controller/controller.ts';
import type { Pod, PodAffinity, PodAffinityTerm } from './types.ts';

/** A parsed term of inter-pod affinity: AffinityTerm (1.36, kube-scheduler/framework/types.go). */
export interface AffinityTerm {
  readonly topologyKey: string;
  readonly namespaces: ReadonlySet<string>;
  readonly namespaceSelector: LabelSelector | undefined;
  readonly matchesLabels: (labels: Labels) => boolean;
}

export interface WeightedTerm {
  readonly weight: number;
  readonly term: AffinityTerm;
}

export interface AffinityTerms {
  readonly requiredAffinity: readonly AffinityTerm[];
  readonly requiredAntiAffinity: readonly AffinityTerm[];
  readonly preferredAffinity: readonly WeightedTerm[];
  readonly preferredAntiAffinity: readonly WeightedTerm[];
}

export function parseAffinityTerms(pod: Pod): AffinityTerms {
  const { podAffinity, podAntiAffinity } = pod.spec?.affinity ?? {};
  const parseRequired = (affinity: PodAffinity | undefined): AffinityTerm[] =>
    (affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map((term) => parseTerm(pod, term));
  const parsePreferred = (affinity: PodAffinity | undefined): WeightedTerm[] =>
    (affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ weight, podAffinityTerm }) => ({
      weight,
      term: parseTerm(pod, podAffinityTerm),
    }));
  return {
    requiredAffinity: parseRequired(podAffinity),
    requiredAntiAffinity: parseRequired(podAntiAffinity),
    preferredAffinity: parsePreferred(podAffinity),
    preferredAntiAffinity: parsePreferred(podAntiAffinity),
  };
}

function parseTerm(pod: Pod, { topologyKey, labelSelector, namespaces = [], namespaceSelector }: PodAffinityTerm): AffinityTerm {
  const isOwnNamespace = namespaces.length === 0 && !namespaceSelector;
  return {
    topologyKey,
    namespaces: new Set(isOwnNamespace ? [pod.metadata.namespace ?? ''] : namespaces),
    namespaceSelector,
    matchesLabels: createSelectorMatcher(labelSelector),
  };
}

/** The test of a selector; an absent one matches nothing. */
const createSelectorMatcher = (selector: LabelSelector | undefined): ((labels: Labels) => boolean) =>
  selector ? createRequirementsMatcher(requirementsOf(selector) as LabelRequirement[]) : () => false;

/**
 * Whether a term matches a pod.
 * @param namespaceLabels the labels of the pod's namespace; empty if the namespaces of the term are resolved already
 */
export const matchesTerm = (term: AffinityTerm, pod: Pod, namespaceLabels: Labels): boolean =>
  (term.namespaces.has(pod.metadata.namespace ?? '') ||
    (term.namespaceSelector !== undefined && selectorMatches(term.namespaceSelector, namespaceLabels))) &&
  term.matchesLabels(pod.metadata.labels ?? {});

/**
 * Adds the namespaces that the selector of a term matches: mergeAffinityTermNamespacesIfNotEmpty (1.36, interpodaffinity/plugin.go). As
 * upstream, the selector stays, so that one that matches a namespace without labels matches all namespaces.
 */
export function resolveNamespaces(term: AffinityTerm, cache: Cache): AffinityTerm {
  const { namespaceSelector, namespaces } = term;
  if (!namespaceSelector || requirementsOf(namespaceSelector).length === 0) return term;
  const matching = cache.list('Namespace').filter(({ metadata }) => selectorMatches(namespaceSelector, metadata.labels ?? {}));
  return { ...term, namespaces: new Set([...namespaces, ...matching.map(({ metadata }) => metadata.name ?? '')]) };
}
