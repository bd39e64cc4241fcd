import { metaNamespaceKey, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Controller, Queue } from '../../controller/controller.ts';
import type { Pod } from '../types.ts';
import { markPodsNotReady } from './mark-pods.ts';
import type { MonitorState } from './monitor.ts';
import { findCondition } from './objects.ts';

/** The part of the controller that marks pods which are assigned to nodes that are not ready: processPod. */
export function createMarkingController({ cache, health, now }: MonitorState): Controller {
  // The original never resets the back-off of a pod.
  const failures = new Map<string, number>();
  const retry = (key: string, queue: Queue): void => {
    const count = failures.get(key) ?? 0;
    failures.set(key, count + 1);
    queue.addAfter(key, Math.min(minBackoff * 2 ** count, maxBackoff));
  };
  return {
    name: 'node-lifecycle-pods',
    kinds: ['Pod'],
    concurrentSyncs: 4,
    handle({ previous, current }, queue) {
      const nodeName = (current as Pod | undefined)?.spec?.nodeName;
      if (current && nodeName && nodeName !== (previous as Pod | undefined)?.spec?.nodeName) queue.add(metaNamespaceKey(current.metadata));
    },
    *sync(key, queue) {
      const { namespace, name } = splitMetaNamespaceKey(key);
      const pod = cache.get<Pod>('Pod', namespace, name);
      const nodeName = pod?.spec?.nodeName ?? '';
      const known = health.get(nodeName);
      if (!pod || !known) return;
      if (!cache.get('Node', '', nodeName)) {
        retry(key, queue);
        return;
      }
      const ready = findCondition(known.status, 'Ready');
      if (ready && ready.status !== 'True' && !(yield* markPodsNotReady([pod], now))) retry(key, queue);
    },
  };
}

/** The back-off in milliseconds: DefaultTypedControllerRateLimiter (1.36, client-go/util/workqueue). */
const minBackoff = 5;
const maxBackoff = 1_000_000;
