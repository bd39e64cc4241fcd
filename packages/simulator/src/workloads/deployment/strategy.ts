import { scaleValue } from '../scaled-value.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import { countReplicas } from './replica-sets.ts';

/** How many Pods a rollout may have at a time. Mirrors pkg/controller/deployment/util/deployment_util.go of 1.36. */

export const isRollingUpdate = ({ spec }: Deployment): boolean => spec.strategy.type === 'RollingUpdate';

/** The number of Pods that may exist beyond `spec.replicas`; percentages are rounded up. */
export const maxSurge = (deployment: Deployment): number => (isRollingUpdate(deployment) ? resolveFenceposts(deployment).surge : 0);

/** The number of Pods of `spec.replicas` that may be unavailable; percentages are rounded down. */
export const maxUnavailable = (deployment: Deployment): number =>
  isRollingUpdate(deployment) ? Math.min(resolveFenceposts(deployment).unavailable, deployment.spec.replicas) : 0;

/** If both limits are 0, for example because of rounding, one Pod may be unavailable: otherwise nothing could be replaced. */
function resolveFenceposts({ spec: { replicas, strategy } }: Deployment): { readonly surge: number; readonly unavailable: number } {
  const surge = scaleValue(strategy.rollingUpdate?.maxSurge ?? 0, replicas, Math.ceil);
  const unavailable = scaleValue(strategy.rollingUpdate?.maxUnavailable ?? 0, replicas, Math.floor);
  return { surge, unavailable: surge === 0 && unavailable === 0 ? 1 : unavailable };
}

/** The size of the new ReplicaSet in the next step of a rollout: `NewRSNewReplicas`. */
export function newReplicaSetSize(deployment: Deployment, all: readonly (ReplicaSet | undefined)[], newSize: number): number {
  const { replicas, strategy } = deployment.spec;
  if (!isRollingUpdate(deployment)) return replicas;
  const maxTotal = replicas + scaleValue(strategy.rollingUpdate?.maxSurge ?? 0, replicas, Math.ceil);
  const total = countReplicas(all);
  if (total >= maxTotal) return newSize;
  return newSize + Math.min(maxTotal - total, replicas - newSize);
}
