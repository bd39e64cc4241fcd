import { type Taint, type Toleration, toleratesTaint } from '../../nodes/taints.ts';

/**
 * How long a pod stays on a node with NoExecute taints: 'now' if it does not tolerate one of them, 'never' if it is not evicted, or
 * milliseconds; 0 for a toleration of no seconds. Mirrors GetMatchingTolerations (1.36, pkg/apis/core/v1/helper) and getMinTolerationTime
 * (pkg/controller/tainteviction).
 */
export function evictionDelay(taints: readonly Taint[], tolerations: readonly Toleration[]): 'now' | 'never' | number {
  const used = taints.map((taint) => tolerations.find((toleration) => toleratesTaint(toleration, taint)));
  if (used.includes(undefined)) return 'now';
  const seconds = used.flatMap((toleration) => toleration?.tolerationSeconds ?? []);
  return seconds.length === 0 ? 'never' : Math.max(0, Math.min(...seconds)) * 1000;
}
