import { type LabelSelector, namespaceOf, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { Service } from 'kube-endpoints/types';
import type { Inventory, RelatedObject } from '../input/collection.ts';
import type { Scope } from '../input/scope.ts';

/** `policyv1.PodDisruptionBudget`, as far as a note uses it. */
interface DisruptionBudget extends RelatedObject {
  readonly spec?: { readonly selector?: LabelSelector };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** Names the PodDisruptionBudgets that allow no eviction of the pods of a Service now. An empty selector selects every pod, as since v1. */
export function findDisruptionNotes(
  service: Service,
  { podsSelectedBy }: Pick<Scope, 'podsSelectedBy'>,
  { related }: Pick<Inventory, 'related'>,
): string[] {
  const budgets = (related.PodDisruptionBudget as readonly DisruptionBudget[]).filter(
    (budget) => namespaceOf(budget) === namespaceOf(service) && budget.status?.disruptionsAllowed === 0 && budget.spec?.selector,
  );
  if (budgets.length === 0) return [];
  const pods = podsSelectedBy(service);
  return budgets
    .filter(({ spec }) => pods.some(({ metadata }) => selectorMatches(spec?.selector ?? {}, metadata?.labels ?? {})))
    .map(({ metadata }) => `PodDisruptionBudget ${metadata.name} allows no eviction of these pods now, so draining their nodes waits.`);
}
