import { metaNamespaceKey, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Controller, ControllerContext } from '../../controller/controller.ts';
import { isPodTerminal } from '../pods.ts';
import { formatTime, parseTime } from '../time.ts';
import type { Condition, Pod } from '../types.ts';

/** How long a pod may have the condition DisruptionTarget without being deleted. */
const staleTimeout = 2 * 60_000;
const conditionType = 'DisruptionTarget';

/**
 * The worker of the disruption controller that resets the condition DisruptionTarget of pods that were not deleted: 1.36,
 * pkg/controller/disruption/disruption.go. It has a queue of its own.
 */
export const createStaleDisruptionController = ({ cache, now }: ControllerContext): Controller => ({
  name: 'disruption-stale-pods',
  kinds: ['Pod'],
  handle({ current }, queue) {
    const delay = current && delayOf(current as Pod, now());
    if (current && delay !== undefined) queue.addAfter(metaNamespaceKey(current.metadata), delay);
  },
  *sync(key, queue) {
    const { namespace, name } = splitMetaNamespaceKey(key);
    const pod = cache.get<Pod>('Pod', namespace, name);
    const delay = pod && delayOf(pod, now());
    if (!pod || delay === undefined) return;
    if (delay > 0) queue.addAfter(key, delay);
    else yield { do: 'update', kind: 'Pod', subresource: 'status', object: resetCondition(pod, now()) };
  },
});

/**
 * Milliseconds until the condition of a pod is stale; undefined if it does not become stale: nonTerminatingPodHasStaleDisruptionCondition.
 */
function delayOf(pod: Pod, now: number): number | undefined {
  const condition = pod.status?.conditions?.find(({ type }) => type === conditionType);
  const isActive = condition?.status === 'True' && condition.reason !== 'TerminationByKubelet';
  if (!isActive || pod.metadata.deletionTimestamp !== undefined || isPodTerminal(pod)) return undefined;
  const since = parseTime(condition.lastTransitionTime);
  return since === undefined ? 0 : Math.max(0, since + staleTimeout - now);
}

/** A pod whose condition is False, without a reason: UpdatePodCondition (1.36, pkg/api/v1/pod/util.go). */
function resetCondition(pod: Pod, now: number): Pod {
  const { generation } = pod.metadata;
  const condition: Condition = {
    type: conditionType,
    ...(generation && { observedGeneration: generation }),
    status: 'False',
    lastTransitionTime: formatTime(now),
  };
  return {
    ...pod,
    status: { ...pod.status, conditions: (pod.status?.conditions ?? []).map((each) => (each.type === conditionType ? condition : each)) },
  };
}
