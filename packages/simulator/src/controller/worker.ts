import type { ApiError, ApiObject } from 'kube-endpoints/port';
import { type Call, type Controller, type EventEffect, isFailure, type Steps } from './controller.ts';
import type { WorkQueue } from './queue.ts';

/** A call that waits for the API server's answer. */
export interface PendingCall {
  readonly call: Call;
  resolve(object?: ApiObject): void;
  reject(error: ApiError): void;
}

export interface WorkerHost {
  /** Receives calls that start together. Must not answer them before it returns. */
  onCalls(calls: readonly PendingCall[]): void;
  onEvent(event: EventEffect): void;
  /** Resumes a sync after a delay. Must not resume it before it returns. */
  onWait(milliseconds: number, resume: () => void): void;
}

/** The workers of a controller: each syncs one key after another. It stops at each call until the host answers it. */
export interface Worker {
  /** Syncs ready keys until as many syncs as the controller allows wait for a call. */
  run(): void;
}

export function createWorker(controller: Controller, queue: WorkQueue, host: WorkerHost): Worker {
  let running = 0;
  const run = (): void => {
    while (running < (controller.concurrentSyncs ?? 1)) {
      const key = queue.take();
      if (key === undefined) return;
      running += 1;
      runSteps(controller.sync(key, queue), host, (error) => {
        running -= 1;
        if (error === undefined) queue.forget(key);
        else handleFailure(controller, key, error, queue);
        queue.done(key);
      });
    }
  };
  return { run };
}

function handleFailure(controller: Controller, key: string, error: unknown, queue: WorkQueue): void {
  if (!isFailure(error)) throw error;
  if (controller.handleFailure) controller.handleFailure(key, error, queue);
  else queue.addRateLimited(key);
}

/** Runs steps to their end, and then calls `onEnd` with their error, if any. */
function runSteps(steps: Steps, host: WorkerHost, onEnd: (error?: unknown) => void): void {
  const advance = (resume: () => IteratorResult<unknown>): void => {
    for (let next = resume; ; next = () => steps.next()) {
      let result: ReturnType<Steps['next']>;
      try {
        result = next() as typeof result;
      } catch (error) {
        onEnd(error);
        return;
      }
      if (result.done) {
        onEnd();
        return;
      }
      const effect = result.value;
      if (effect.do === 'event') {
        host.onEvent(effect);
        continue;
      }
      if (effect.do === 'parallel')
        runBranches(effect.branches, host, (error) => advance(() => (error === undefined ? steps.next() : steps.throw(error))));
      else if (effect.do === 'wait') host.onWait(effect.milliseconds, () => advance(() => steps.next()));
      else host.onCalls([createPendingCall(effect, steps, advance)]);
      return;
    }
  };
  advance(() => steps.next());
}

const createPendingCall = (call: Call, steps: Steps, advance: (resume: () => IteratorResult<unknown>) => void): PendingCall => ({
  call,
  resolve: (object) => advance(() => steps.next(object)),
  reject: (error) => advance(() => steps.throw(error)),
});

/** Runs branches to their ends; `onEnd` receives their first error. */
function runBranches(branches: readonly Steps[], host: WorkerHost, onEnd: (error?: unknown) => void): void {
  let remaining = branches.length;
  let firstError: unknown;
  // The first calls of all branches start together.
  const firstCalls: PendingCall[] = [];
  let isStarting = true;
  const branchHost: WorkerHost = {
    onEvent: (event) => host.onEvent(event),
    onWait: (milliseconds, resume) => host.onWait(milliseconds, resume),
    onCalls(calls) {
      if (isStarting) firstCalls.push(...calls);
      else host.onCalls(calls);
    },
  };
  for (const branch of branches) {
    runSteps(branch, branchHost, (error) => {
      firstError ??= error;
      remaining -= 1;
      if (remaining === 0 && !isStarting) onEnd(firstError);
    });
  }
  isStarting = false;
  if (firstCalls.length > 0) host.onCalls(firstCalls);
  else onEnd(firstError);
}
