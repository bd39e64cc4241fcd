import { compareText, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { createCache } from '../controller/cache.ts';
import type { Change } from '../controller/controller.ts';
import { createWorker, type PendingCall } from '../controller/worker.ts';
import type { Clock } from '../engine/clock.ts';
import type { Watches } from '../engine/watch.ts';
import type { NodeInfo } from '../scheduler/node-info.ts';
import { createScheduler } from '../scheduler/scheduler.ts';
import { createCausedQueue, type HostContext, settle } from './controller-host.ts';

export interface SchedulerContext extends Pick<HostContext, 'answer'> {
  readonly clock: Clock;
  readonly watches: Watches;
}

/**
 * Runs the scheduler: it places one pod after another, each in a delay of "schedule", and binds it in the background. Of several nodes with the same
 * score, it chooses the first by name. The cause of what it does about a pod is the entry that created the pod.
 */
export function startScheduler({ clock, watches, answer }: SchedulerContext): void {
  const cache = createCache();
  const causes = new Map<string, number | undefined>();
  const because = ({ namespace, name }: ApiObject['metadata'], run: () => void): void =>
    clock.because(causes.get(metaNamespaceKey({ namespace, name })), run);
  const scheduler = createScheduler(
    { cache, now: clock.now, random: () => 0 },
    { choose: firstByName, drawDuration: () => clock.draw({ name: 'schedule', actor }) },
  );
  const queue = createCausedQueue(clock, scheduler.queueOptions);
  const request = (pending: PendingCall): void =>
    because(metadataOf(pending.call), () =>
      clock.after({ name: 'request', actor }, () => {
        settle({ answer }, actor, pending, false);
        queue.wake();
      }),
    );
  const worker = createWorker(
    scheduler,
    { ...queue.inner, add: queue.add, addAfter: queue.addAfter, addRateLimited: queue.addRateLimited },
    {
      onCalls: (calls) => calls.forEach(request),
      onEvent: ({ object, reason, message }) =>
        because(object.metadata, () => void clock.record({ type: 'event', actor, object, reason, message })),
      onWait: (milliseconds, resume) =>
        void clock.at(clock.now() + milliseconds, () => {
          resume();
          queue.wake();
        }),
    },
  );
  watches.watch(actor, scheduler.kinds, ({ previous, current }) => {
    const change = current ? cache.put(current) : cache.remove(previous as ApiObject);
    noteCause(causes, change, clock.cause);
    scheduler.handle(change, queue);
    queue.wake();
  });
  // All caches are filled.
  queue.onReady = worker.run;
  queue.wake();
}

const actor = 'scheduler';

const firstByName = (best: readonly NodeInfo[]): NodeInfo | undefined =>
  best.reduce<NodeInfo | undefined>((first, node) => (first && compareText(first.name, node.name) <= 0 ? first : node), undefined);

const metadataOf = (call: PendingCall['call']): ApiObject['metadata'] => ('object' in call ? call.object.metadata : call);

/** Notes the cause of a pod that has no node, until it has one or is deleted. */
function noteCause(causes: Map<string, number | undefined>, { kind, previous, current }: Change, cause: number | undefined): void {
  if (kind !== 'Pod') return;
  const { metadata, spec } = (current ?? previous) as ApiObject & { readonly spec?: { readonly nodeName?: string } };
  const key = metaNamespaceKey(metadata);
  if (!current || spec?.nodeName) causes.delete(key);
  else if (!previous) causes.set(key, cause);
}
