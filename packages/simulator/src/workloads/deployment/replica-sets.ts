import { compareText, semanticEqual } from 'kube-endpoints/internal/apimachinery';
import { parseTime } from '../time.ts';
import type { Deployment, PodTemplate, ReplicaSet } from '../types.ts';

/** The ReplicaSets of a Deployment. Mirrors pkg/controller/deployment/util/deployment_util.go of 1.36. */

export const hashLabel = 'pod-template-hash';

/** Sorts by age, the oldest first. */
export const byCreation = (a: ReplicaSet, b: ReplicaSet): number =>
  (parseTime(a.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY) -
    (parseTime(b.metadata.creationTimestamp) ?? Number.NEGATIVE_INFINITY) || compareText(a.metadata.name ?? '', b.metadata.name ?? '');

/** The oldest ReplicaSet with the template of the Deployment. */
export const findNewReplicaSet = ({ spec }: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet | undefined =>
  replicaSets.toSorted(byCreation).find((replicaSet) => isSameTemplate(replicaSet.spec.template, spec.template));

/** All other ReplicaSets, the oldest first. */
export function findOldReplicaSets(deployment: Deployment, replicaSets: readonly ReplicaSet[]): ReplicaSet[] {
  const newReplicaSet = findNewReplicaSet(deployment, replicaSets);
  return replicaSets.toSorted(byCreation).filter(({ metadata }) => metadata.uid !== newReplicaSet?.metadata.uid);
}

/** Whether templates are equal except for their hash: `EqualIgnoreHash`. */
export const isSameTemplate = (a: PodTemplate, b: PodTemplate): boolean => semanticEqual(withoutHash(a), withoutHash(b));

/** A template without its hash label. */
export function withoutHash({ metadata, ...template }: PodTemplate): PodTemplate {
  const { [hashLabel]: _, ...labels } = metadata?.labels ?? {};
  return { ...template, metadata: { ...metadata, labels } };
}

/** ReplicaSets that have, or should have, Pods. */
export const filterActive = (replicaSets: readonly (ReplicaSet | undefined)[]): ReplicaSet[] =>
  replicaSets.filter((replicaSet) => replicaSet !== undefined && replicaSet.spec.replicas > 0) as ReplicaSet[];

/** The sum of the wanted sizes. */
export const countReplicas = (replicaSets: readonly (ReplicaSet | undefined)[]): number =>
  replicaSets.reduce((sum, replicaSet) => sum + (replicaSet?.spec.replicas ?? 0), 0);

/** The sum of a count of the statuses. */
export const countStatus = (
  replicaSets: readonly (ReplicaSet | undefined)[],
  count: 'replicas' | 'readyReplicas' | 'availableReplicas',
): number => replicaSets.reduce((sum, replicaSet) => sum + (replicaSet?.status?.[count] ?? 0), 0);

/** The sum of terminating Pods; undefined if a ReplicaSet does not report them. */
export function countTerminating(replicaSets: readonly (ReplicaSet | undefined)[]): number | undefined {
  let sum = 0;
  for (const replicaSet of replicaSets) {
    const { observedGeneration = 0, terminatingReplicas } = replicaSet?.status ?? {};
    if (terminatingReplicas === undefined && observedGeneration !== 0) return undefined;
    sum += terminatingReplicas ?? 0;
  }
  return sum;
}
