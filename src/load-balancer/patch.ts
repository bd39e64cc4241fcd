import type { BalancedService, LoadBalancerStatus } from './objects.ts';

export type ServicePatch = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch by which the finalizers of a Service become others.
 *
 * Mirrors PatchService (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go).
 */
export const finalizersPatch = (service: BalancedService, finalizers: readonly string[]): ServicePatch => ({
  metadata: mergedList('finalizers', finalizersOf(service), finalizers),
});

/** The one by which its load balancer status becomes another. */
export function statusPatch(service: BalancedService, { ingress }: LoadBalancerStatus): ServicePatch {
  const finalizers = finalizersOf(service);
  const metadata = mergedList('finalizers', finalizers, finalizers);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    status: { loadBalancer: { ingress: ingress?.length ? ingress : null } },
  };
}

export const finalizersOf = ({ metadata }: BalancedService): readonly string[] => metadata?.finalizers ?? [];

/**
 * How a list of texts that is merged becomes another. A list that is not in the order of its texts is ordered anew, though nothing of it
 * changes: what the library compares has been sorted.
 *
 * Mirrors diffLists (1.36, staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go) for lists of texts.
 */
function mergedList(name: string, from: readonly string[], to: readonly string[]): Record<string, unknown> {
  if (from.length === 0) return to.length > 0 ? { [name]: to } : {};
  if (to.length === 0) return { [name]: null };
  const added = without(to, from);
  const removed = [...new Set(without(from, to))].sort();
  const isOrdered = removed.length === 0 && isSame([...from].sort(), to);
  return {
    ...(removed.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: removed }),
    ...(!isOrdered && { [`$setElementOrder/${name}`]: to }),
    ...(added.length > 0 && { [name]: added }),
  };
}

/** A text that is there twice has to be among the others twice. */
function without(texts: readonly string[], others: readonly string[]): string[] {
  const left = [...others];
  return texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((text, at) => text === b[at]);
