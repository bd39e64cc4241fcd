import { setImmediate } from 'node:timers/promises';
import type { Registry } from '../registry/index.ts';
import { type Clock, createAlarm, type StoreWrite } from '../store/index.ts';

/** A built-in controller: writes cause work for keys. */
export interface Controller {
  /** The keys for which it has work when it starts, in addition to those of stored objects. Default none. */
  readonly initialKeys?: readonly string[];
  /** The keys for which a write causes work. */
  keysOf(write: StoreWrite): readonly string[];
  /** Brings about the state that the key must have. It must be idempotent. */
  reconcile(key: string): Promise<void>;
}

export interface ControllerLoop {
  /** Adds controllers, and runs until no work is pending. Work that fails stays pending. */
  start(controllers: readonly Controller[]): Promise<void>;
  /** Runs until no work is pending. Work that fails stays pending. */
  settle(): Promise<void>;
  /** Processes every stored object again, after something outside the store has changed. */
  resync(): void;
  close(): void;
}

interface LoopOptions {
  readonly registry: Registry;
  readonly clock: Clock;
  /** Called with the error of a reconciliation that will be retried. */
  readonly onError?: (error: unknown) => void;
}

/** A controller with the keys for which it has work. */
interface Worker {
  readonly controller: Controller;
  readonly keys: Set<string>;
}

/** Milliseconds in which further writes are batched into one run. */
const batchDelayMs = 50;
/** Milliseconds before work that failed is retried. */
const retryDelayMs = 1000;

/** Runs controllers when writes to the store cause work for them. One of them works at a time. */
export function startControllers(controllers: readonly Controller[], { registry, clock, onError }: LoopOptions): ControllerLoop {
  const workers: Worker[] = [];
  const alarm = createAlarm(clock, () => void runAndRetry());
  const hasPending = (): boolean => workers.some(({ keys }) => keys.size > 0);
  let isClosed = false;
  const schedule = (delay: number): void => {
    if (hasPending() && !isClosed) alarm.set(clock.now() + delay);
  };
  const record = (write: StoreWrite, receivers: readonly Worker[] = workers): void => {
    for (const { controller, keys } of receivers) for (const key of controller.keysOf(write)) keys.add(key);
  };
  const recordStored = (receivers: readonly Worker[]): void => {
    for (const resource of registry.store.storedResources()) {
      for (const current of registry.store.list(resource).items) record({ resource, current, previous: undefined }, receivers);
    }
  };
  const add = (added: readonly Controller[]): void => {
    const receivers = added.map((controller) => ({ controller, keys: new Set(controller.initialKeys) }));
    workers.push(...receivers);
    recordStored(receivers);
  };
  let currentRun: Promise<void> | undefined;
  const run = (): Promise<void> => {
    currentRun ??= runAll(workers, onError).finally(() => {
      currentRun = undefined;
      if (!hasPending()) alarm.cancel();
    });
    return currentRun;
  };
  const runAndRetry = (): Promise<void> => run().then(() => schedule(retryDelayMs));
  add(controllers);
  schedule(batchDelayMs);
  const stopObserving = registry.store.observe((write) => {
    record(write);
    schedule(batchDelayMs);
  });
  return {
    start(added) {
      add(added);
      return runAndRetry();
    },
    settle: run,
    resync() {
      recordStored(workers);
      schedule(batchDelayMs);
    },
    close() {
      isClosed = true;
      stopObserving();
      alarm.cancel();
    },
  };
}

/** Reconciles all pending keys, also those that are added meanwhile. Keys whose reconciliation fails are pending again afterwards. */
async function runAll(workers: readonly Worker[], onError: LoopOptions['onError']): Promise<void> {
  const failed: { readonly keys: Set<string>; readonly key: string }[] = [];
  while (workers.some(({ keys }) => keys.size > 0)) {
    for (const { controller, keys } of workers) {
      for (const key of [...keys]) {
        keys.delete(key);
        try {
          await controller.reconcile(key);
          // Requests that arrived meanwhile come first: clients wait for the first answers of a server that starts.
          await setImmediate();
        } catch (error) {
          failed.push({ keys, key });
          onError?.(error);
        }
      }
    }
  }
  for (const { keys, key } of failed) keys.add(key);
}
