import type { KubeletPod, PodUpdate, PodWork, Requeue, SyncResult, WorkerStep } from '../../kubelet/index.ts';
import type { PodHost } from './context.ts';
import { runSync } from './sync.ts';
import { runTermination } from './termination.ts';

/**
 * The loop of a pod's worker. The kubelet reads the runtime in a delay of "podStatusRead" after a container started or ended, and after each sync: a
 * sync waits for a status that is newer than the last sync. Mirrors `podWorkerLoop` and the relisting of the PLEG (1.36, pkg/kubelet).
 */
export function updatePod(host: PodHost, update: Omit<PodUpdate, 'pod'>): void {
  handleStep(host, host.worker.update({ ...update, pod: host.pod }));
}

/** The pod changed in the API. If its readiness is not the kubelet's, the next periodic sync writes the kubelet's status again. */
export function receivePod(host: PodHost, pod: KubeletPod): void {
  host.pod = pod;
  if (host.cache.status && readinessOf(pod.status) !== readinessOf(host.cache.status)) host.node.writer.notifyLater();
  updatePod(host, { type: 'update' });
}

const readinessOf = (status: KubeletPod['status']): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? undefined;

/** The pod was deleted from the API: the kubelet cleans up within its housekeeping period. */
export function handleDeletion(host: PodHost): void {
  const { clock, actor } = host.node;
  host.isDeleted = true;
  clock.after({ name: 'podStatusRead', actor, range: { min: 0, max: housekeepingPeriod } }, () => {
    host.cache.forget();
    host.loop.requeue?.cancel();
    handleStep(host, host.worker.cleanUp(false));
  });
}

/** How often the kubelet looks for pods whose retry is due, in milliseconds. */
const retryPeriod = 1000;
/** How often the kubelet looks for deleted pods, in milliseconds. */
const housekeepingPeriod = 2000;

/** Lets the kubelet read the runtime soon. */
export function requestRead(host: PodHost): void {
  const { loop, node } = host;
  loop.readingCause = node.clock.cause;
  loop.reading ??= node.clock.after({ name: 'podStatusRead', actor: node.actor }, () => {
    loop.reading = undefined;
    node.clock.because(loop.readingCause, () => relist(host));
  });
}

function handleStep(host: PodHost, { removed, requeue, cancel, work }: WorkerStep): void {
  if (removed) host.node.forget(host);
  if (requeue) setRequeue(host, requeue);
  if (cancel) cancelSync(host);
  if (work) startWork(host, work);
}

function setRequeue(host: PodHost, { delay, jitter }: Requeue): void {
  const { loop, node } = host;
  loop.requeue?.cancel();
  if (host.isDeleted) return;
  const range = { min: delay, max: delay * (1 + jitter) + retryPeriod };
  loop.requeue = node.clock.after({ name: 'podResync', actor: node.actor, range }, () => updatePod(host, { type: 'sync' }));
}

function startWork(host: PodHost, work: PodWork): void {
  const { loop } = host;
  if (loop.isStale) {
    loop.waiting = work;
    if (!loop.reading) requestRead(host);
    return;
  }
  const running = { isCancelled: false };
  loop.running = running;
  const context = { host, pod: work.pod, isCancelled: () => running.isCancelled };
  const onEnd = (result: SyncResult): void => {
    if (!running.isCancelled) finishWork(host, result);
  };
  if (work.do === 'sync') runSync(context, onEnd);
  else runTermination(context, work, onEnd);
}

function finishWork(host: PodHost, result: SyncResult): void {
  const { loop, worker } = host;
  loop.running = undefined;
  loop.isStale = true;
  handleStep(host, worker.finish(result));
  // A read that is due anyway keeps its cause: the container that started or ended.
  if (!worker.state.finished && !loop.reading) requestRead(host);
}

/** Cancels a running sync. A termination goes on. */
function cancelSync(host: PodHost): void {
  const { running } = host.loop;
  if (!running || host.worker.state.startedTerminating) return;
  running.isCancelled = true;
  finishWork(host, { result: 'cancelled' });
}

function relist(host: PodHost): void {
  const { loop, runtime } = host;
  host.read = runtime.snapshot();
  loop.isStale = false;
  const work = loop.waiting;
  loop.waiting = undefined;
  if (work) startWork(host, work);
  const signature = host.read.containers.map(({ id, state }) => `${id} ${state}`).join();
  if (signature !== loop.signature) updatePod(host, { type: 'sync' });
  loop.signature = signature;
}
