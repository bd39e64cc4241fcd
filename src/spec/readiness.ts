import type { Pod } from '../types/index.ts';

/** The first condition of type Ready, as GetPodReadyCondition finds it (pkg/api/v1/pod/util.go). */
export function readyCondition(pod: Pod): NonNullable<NonNullable<Pod['status']>['conditions']>[number] | undefined {
  const conditions = pod.status?.conditions;
  if (!conditions) return undefined;
  for (const condition of conditions) if (condition.type === 'Ready') return condition;
  return undefined;
}

/** Whether a pod is ready: its Ready condition is there and "True". Mirrors IsPodReady (pkg/api/v1/pod/util.go). */
export const isPodReady = (pod: Pod): boolean => readyCondition(pod)?.status === 'True';
