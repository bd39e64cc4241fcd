import { compareText } from 'kube-endpoints/internal/apimachinery';
import { sortInPlace } from '../../go/sort.ts';
import { compareRestarts, compareStates } from '../pod-order.ts';
import { isPodActive, isPodReady, readyTimeOf } from '../pods.ts';
import { parseTime } from '../time.ts';
import type { Pod } from '../types.ts';

/**
 * Returns the Pods that a ReplicaSet deletes first. Mirrors getPodsToDelete (1.36, pkg/controller/replicaset/replica_set.go) and
 * ActivePodsWithRanks (pkg/controller/controller_utils.go) with LogarithmicScaleDown and PodDeletionCost.
 * @param related Pods that count for how crowded a node is
 */
export function choosePodsToDelete(pods: readonly Pod[], related: readonly Pod[], count: number, now: number): Pod[] {
  if (count >= pods.length) return [...pods];
  const podsOnNode = new Map<string, number>();
  for (const pod of related.filter(isPodActive)) podsOnNode.set(nodeOf(pod), (podsOnNode.get(nodeOf(pod)) ?? 0) + 1);
  const ranked = pods.map((pod) => ({ pod, rank: podsOnNode.get(nodeOf(pod)) ?? 0 }));
  sortInPlace(ranked, (a, b) => comparePods(a, b, now) < 0);
  return ranked.slice(0, count).map(({ pod }) => pod);
}

interface RankedPod {
  readonly pod: Pod;
  readonly rank: number;
}

/** Negative if the first Pod is deleted before the second one. The first rule that differs decides. */
function comparePods(a: RankedPod, b: RankedPod, now: number): number {
  return (
    compareStates(a.pod, b.pod) ||
    deletionCost(a.pod) - deletionCost(b.pod) ||
    b.rank - a.rank ||
    (isPodReady(a.pod) ? compareAge(a.pod, b.pod, readyTimeOf, now) : 0) ||
    compareRestarts(a.pod, b.pod) ||
    compareAge(a.pod, b.pod, (pod) => parseTime(pod.metadata.creationTimestamp), now)
  );
}

const nodeOf = ({ spec }: Pod): string => spec?.nodeName ?? '';

function deletionCost({ metadata }: Pod): number {
  const text = metadata.annotations?.['controller.kubernetes.io/pod-deletion-cost'] ?? '';
  const cost = /^(0|-\d+|[1-9]\d*)$/.test(text) ? Number(text) : 0;
  return cost >= -(2 ** 31) && cost < 2 ** 31 ? cost : 0;
}

/** Younger Pods come first; of similar age, on a logarithmic scale, the one with the smaller UID. */
function compareAge(a: Pod, b: Pod, timeOf: (pod: Pod) => number | undefined, now: number): number {
  const [first, second] = [timeOf(a), timeOf(b)];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  return logarithmicAge(now - first) - logarithmicAge(now - second) || compareText(a.metadata.uid ?? '', b.metadata.uid ?? '');
}

const logarithmicAge = (ms: number): number => (ms > 0 ? Math.floor(Math.log2(ms * 1e6)) : -1);
