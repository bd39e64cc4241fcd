import type { Queue, Steps } from '../../controller/controller.ts';

/** Deletions of pods by the pod's key, each at a time: TimedWorkerQueue (1.36, pkg/controller/tainteviction/timed_workers.go). */
export interface TimedWork {
  /** Adds a deletion unless the pod has one. `createdAt` and `fireAt` are milliseconds since the epoch. */
  add(podKey: string, createdAt: number, fireAt: number, queue: Queue): void;
  /** Cancels the waiting deletion of a pod. Returns whether there was one and it was not due at once. */
  cancel(podKey: string): boolean;
  /** The deletion of a pod, if it was not due at once. */
  find(podKey: string): PlannedWork | undefined;
  /** Does the work of a key that `add` has put into the queue, unless it was cancelled. */
  run(key: string, execute: (podKey: string) => Steps): Steps;
}

export interface PlannedWork {
  readonly createdAt: number;
}

interface Entry extends PlannedWork {
  readonly isImmediate: boolean;
  isCancelled: boolean;
}

export function createTimedWork(): TimedWork {
  const byPod = new Map<string, Entry>();
  /** Deletions that have not started, by their keys in the queue. */
  const byKey = new Map<string, { readonly podKey: string; readonly entry: Entry }>();
  let count = 0;
  return {
    add(podKey, createdAt, fireAt, queue) {
      if (byPod.has(podKey)) return;
      const entry: Entry = { createdAt, isImmediate: fireAt <= createdAt, isCancelled: false };
      byPod.set(podKey, entry);
      const key = `delete/${podKey}/${++count}`;
      byKey.set(key, { podKey, entry });
      queue.addAfter(key, fireAt - createdAt);
    },
    cancel(podKey) {
      const entry = byPod.get(podKey);
      byPod.delete(podKey);
      if (!entry || entry.isImmediate) return false;
      entry.isCancelled = true;
      return true;
    },
    find(podKey) {
      const entry = byPod.get(podKey);
      return entry?.isImmediate ? undefined : entry;
    },
    *run(key, execute) {
      const work = byKey.get(key);
      byKey.delete(key);
      if (!work || work.entry.isCancelled) return;
      yield* execute(work.podKey);
      // As upstream, also if another deletion was added meanwhile.
      byPod.delete(work.podKey);
    },
  };
}
