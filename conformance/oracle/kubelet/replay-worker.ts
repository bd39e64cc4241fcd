import { createPodWorker, type KubeletPod, type PodWorker, type SyncResult, type WorkerStep } from '@kube-endpoints/simulator/internal';
import type { WorkerCase } from './case.ts';
import { start } from './virtual-time.ts';

/** Runs the updates and syncs of a case in virtual time. */
export function replayWorker({ updates, syncs, running }: WorkerCase): unknown {
  const host = new WorkerHost(syncs, running);
  const states = updates.map((update) => {
    host.runUntil(start + update.at);
    host.handle(update);
    return host.state();
  });
  host.runUntil(Number.POSITIVE_INFINITY);
  return { calls: host.calls, states: [...states, host.state()] };
}

type Sync = WorkerCase['syncs'][number];

class WorkerHost {
  readonly calls: unknown[] = [];
  #now: number = start;
  #worker: PodWorker | undefined;
  /** Whether the kubelet has cleaned up before. */
  #isSynced = false;
  #current: { readonly sync: Sync; readonly endsAt: number } | undefined;
  readonly #syncs: Sync[];
  readonly #running: boolean;

  constructor(syncs: readonly Sync[], running: boolean) {
    this.#syncs = [...syncs];
    this.#running = running;
  }

  runUntil(time: number): void {
    while (this.#current && this.#current.endsAt <= time) {
      const { sync, endsAt } = this.#current;
      this.#now = endsAt;
      this.#end(resultOf(sync, endsAt));
    }
    this.#now = time;
  }

  handle({ type, pod = {}, kill }: WorkerCase['updates'][number]): void {
    if (type === 'known' || type === 'forget') {
      this.#isSynced = true;
      const step = this.#worker?.cleanUp(type === 'known');
      if (step?.removed) this.#worker = undefined;
      this.#apply(step ?? {});
      return;
    }
    this.#worker ??= createPodWorker({ now: () => this.#now });
    const containers = this.#running ? [{ id: 'containerd://c', name: 'c', state: 'running', hash: 0 } as const] : [];
    this.#apply(this.#worker.update({ type, pod: pod as KubeletPod, ...(kill && { kill }), runtime: { sandboxes: [], containers } }));
  }

  state(): unknown {
    const known = this.#worker?.state;
    return {
      knownTerminated: known?.terminated ?? false,
      couldRun: known ? !known.terminated : !this.#isSynced,
      finished: known?.finished ?? this.#isSynced,
      terminationRequested: known?.terminationRequested ?? false,
      containersTerminating: known?.startedTerminating ?? this.#isSynced,
      runtimeShouldBeRemoved: known?.terminated ?? this.#isSynced,
      contentShouldBeRemoved: known ? known.evicted || (known.deleted && known.terminated) : this.#isSynced,
    };
  }

  #end(result: SyncResult): void {
    this.#current = undefined;
    this.#apply((this.#worker as PodWorker).finish(result));
  }

  #apply({ cancel, requeue, work }: WorkerStep): void {
    const at = this.#now - start;
    if (requeue) this.calls.push({ at, do: 'requeue', delay: requeue.delay });
    if (work) {
      const { do: name, type, gracePeriod } = work;
      this.calls.push({ at, do: name, ...(name === 'sync' && { type }), ...(name === 'terminating' && { gracePeriod }) });
      const sync = this.#syncs.shift() ?? { duration: 0, result: 'ok', backOff: 0, stubborn: false };
      this.#current = { sync, endsAt: this.#now + sync.duration };
      this.runUntil(this.#now);
    }
    if (cancel && this.#current && !this.#current.sync.stubborn) this.#end({ result: 'cancelled' });
  }
}

function resultOf({ result, backOff }: Sync, now: number): SyncResult {
  if (result === 'error') return { result: 'failed' };
  if (result === 'network') return { result: 'failed', networkNotReady: true };
  if (result === 'backOff') return { result: 'failed', backOffUntil: now + backOff };
  return { result: 'done', terminal: result === 'terminal' };
}
