import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import { emit } from '../../controller/effects.ts';
import { sortInPlace } from '../../go/sort.ts';
import { isPodAvailable, isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetSync } from './context.ts';
import type { NodeFit } from './node-fit.ts';
import { hashLabel } from './objects.ts';
import { isEarlierPod } from './pods.ts';
import { allowsSurge } from './strategy.ts';

/** What one node needs. */
export interface NodePlan {
  readonly needsPod: boolean;
  readonly podsToDelete: readonly Pod[];
}

/** A node and the pods of a DaemonSet that it has. */
export interface NodePods extends NodeFit {
  readonly node: string;
  /** Undefined if it has no pods. */
  readonly pods: readonly Pod[] | undefined;
}

/** Whether a node needs a pod, and which of its pods must go: podsShouldBeOnNode (1.36, pkg/controller/daemon/daemon_controller.go). */
export function* planNode(sync: DaemonSetSync, { node, pods, shouldRun, shouldContinueRunning }: NodePods, hash: string): Steps<NodePlan> {
  if (shouldRun && !pods) return { needsPod: true, podsToDelete: [] };
  const livePods = (pods ?? []).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (!shouldContinueRunning) return { needsPod: false, podsToDelete: livePods };
  const { runningPods, endedPods } = yield* sortOutEndedPods(sync, node, livePods);
  sortInPlace(runningPods, isEarlierPod);
  if (!allowsSurge(sync.daemonSet)) return { needsPod: false, podsToDelete: [...endedPods, ...runningPods.slice(1)] };
  if (runningPods.length <= 1) return { needsPod: runningPods.length === 0 && shouldRun, podsToDelete: endedPods };
  return { needsPod: false, podsToDelete: [...endedPods, ...findSurplusPods(sync, runningPods, hash)] };
}

/** Splits pods into those that run and those that have ended and must go. Failed ones wait for their back-off. */
function* sortOutEndedPods(
  { context: { now }, failedPods, queue, key, daemonSet }: DaemonSetSync,
  node: string,
  pods: readonly Pod[],
): Steps<{ runningPods: Pod[]; endedPods: Pod[] }> {
  const backOffKey = `${daemonSet.metadata.uid}/${daemonSet.status?.observedGeneration ?? 0}/${node}`;
  const runningPods: Pod[] = [];
  const endedPods: Pod[] = [];
  for (const pod of pods) {
    const name = metaNamespaceKey(pod.metadata);
    if (pod.status?.phase === 'Failed') {
      if (failedPods.isInBackOffSinceUpdate(backOffKey, now())) {
        queue.addAfter(key, failedPods.get(backOffKey));
        continue;
      }
      failedPods.next(backOffKey, now());
      const message = `Found failed daemon pod ${name} on node ${node}, will try to kill it`;
      yield* emit(daemonSet, 'Warning', 'FailedDaemonPod', message);
      endedPods.push(pod);
    } else if (pod.status?.phase === 'Succeeded') {
      const message = `Found succeeded daemon pod ${name} on node ${node}, will try to delete it`;
      yield* emit(daemonSet, 'Normal', 'SucceededDaemonPod', message);
      endedPods.push(pod);
    } else runningPods.push(pod);
  }
  return { runningPods, endedPods };
}

/**
 * While surging, a node keeps the oldest pod of the current template, and of earlier templates the oldest one if it is ready and the new one
 * is not available.
 * @param pods in the order of `isEarlierPod`
 */
function findSurplusPods({ context: { now }, daemonSet }: DaemonSetSync, pods: readonly Pod[], hash: string): Pod[] {
  const isNew = ({ metadata }: Pod): boolean => (metadata.labels?.[hashLabel] ?? '') === hash;
  const newPod = pods.find(isNew);
  const oldPod = pods.find((pod) => !isNew(pod));
  const surplus = pods.filter((pod) => pod !== newPod && pod !== oldPod);
  if (!newPod || !oldPod) return surplus;
  const isReplaced = !isPodReady(oldPod) || isPodAvailable(newPod, daemonSet.spec.minReadySeconds ?? 0, now());
  return isReplaced ? [...surplus, oldPod] : surplus;
}
