import type { Cache, Steps } from '../../controller/controller.ts';
import { emit, perform } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { isCausedBy } from '../retry.ts';
import { formatTime } from '../time.ts';
import type { Pod } from '../types.ts';

export const listPodsOnNode = (cache: Cache, node: string): readonly Pod[] =>
  cache.list<Pod>('Pod').filter(({ spec }) => spec?.nodeName === node);

/**
 * Sets the condition Ready of pods to False. Returns whether all writes succeeded. Mirrors MarkPodsNotReady (1.36, pkg/controller/util/node).
 * @param now the current time in milliseconds since the epoch
 */
export function* markPodsNotReady(pods: readonly Pod[], now: () => number): Steps<boolean> {
  let hasSucceeded = true;
  for (const pod of pods) {
    const conditions = pod.status?.conditions ?? [];
    const index = conditions.findIndex(({ type }) => type === 'Ready');
    const ready = conditions[index];
    if (!ready || ready.status === 'False') continue;
    const marked = conditions.with(index, { ...ready, status: 'False', lastTransitionTime: formatTime(now()) });
    const object: Pod = { ...pod, status: { ...pod.status, conditions: marked } };
    const error = yield* catchFailure(perform({ do: 'update', kind: 'Pod', subresource: 'status', object }));
    if (isCausedBy(error, 'NotFound')) continue;
    if (error) hasSucceeded = false;
    yield* emit(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
  }
  return hasSucceeded;
}
