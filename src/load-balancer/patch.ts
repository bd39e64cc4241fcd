import type { BalancedService, LoadBalancerStatus } from './objects.ts';

export type ServicePatch = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch that changes a Service's finalizers.
 *
 * Mirrors PatchService (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go).
 */
export const createFinalizersPatch = (service: BalancedService, finalizers: readonly string[]): ServicePatch => ({
  metadata: createListPatch('finalizers', finalizersOf(service), finalizers),
});

/** The strategic merge patch that changes a Service's load balancer status. */
export function createStatusPatch(service: BalancedService, { ingress }: LoadBalancerStatus): ServicePatch {
  const finalizers = finalizersOf(service);
  const metadata = createListPatch('finalizers', finalizers, finalizers);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    status: { loadBalancer: { ingress: ingress?.length ? ingress : null } },
  };
}

export const finalizersOf = ({ metadata }: BalancedService): readonly string[] => metadata?.finalizers ?? [];

/**
 * The patch of a merged list of strings. A list that is not sorted gets a $setElementOrder directive even if unchanged, because upstream
 * compares it with a sorted copy.
 *
 * Mirrors diffLists (1.36, staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go) for lists of strings.
 */
function createListPatch(name: string, from: readonly string[], to: readonly string[]): Record<string, unknown> {
  if (from.length === 0) return to.length > 0 ? { [name]: to } : {};
  if (to.length === 0) return { [name]: null };
  const added = subtract(to, from);
  const removed = [...new Set(subtract(from, to))].sort();
  const isOrdered = removed.length === 0 && isSame([...from].sort(), to);
  return {
    ...(removed.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: removed }),
    ...(!isOrdered && { [`$setElementOrder/${name}`]: to }),
    ...(added.length > 0 && { [name]: added }),
  };
}

/** Multiset difference: each occurrence in `others` cancels one in `texts`. */
function subtract(texts: readonly string[], others: readonly string[]): string[] {
  const remaining = [...others];
  return texts.filter((text) => {
    const index = remaining.indexOf(text);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
