import type { Registry } from '../registry/index.ts';
import { type Clock, createAlarm, type StoreWrite } from '../store/index.ts';

/** A built-in controller: writes cause work for keys. */
export interface Controller {
  /** The keys for which a write causes work. */
  keysOf(write: StoreWrite): readonly string[];
  /** Brings about the state that the key must have. It must be idempotent. */
  reconcile(key: string): Promise<void>;
}

/** A controller of kube-apiserver itself, which does nothing before the server listens. */
export interface ServerController extends Controller {
  /** Starts the controller, and reconciles for the first time. */
  start(): Promise<void>;
}

export interface ControllerLoop {
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

/** Milliseconds in which further writes are batched into one run. */
const batchDelayMs = 50;
/** Milliseconds before work that failed is retried. */
const retryDelayMs = 1000;

/** Runs controllers when writes to the store cause work for them. */
export function startControllers(controllers: readonly Controller[], { registry, clock, onError }: LoopOptions): ControllerLoop {
  const pendingKeys = controllers.map(() => new Set<string>());
  const alarm = createAlarm(clock, () => void run().then(() => schedule(retryDelayMs)));
  const hasPending = (): boolean => pendingKeys.some((keys) => keys.size > 0);
  const schedule = (delay: number): void => {
    if (hasPending()) alarm.set(clock.now() + delay);
  };
  const record = (write: StoreWrite): void => {
    for (const [i, controller] of controllers.entries()) for (const key of controller.keysOf(write)) pendingKeys[i]?.add(key);
  };
  let currentRun: Promise<void> | undefined;
  const run = (): Promise<void> => {
    currentRun ??= runAll().finally(() => {
      currentRun = undefined;
      if (!hasPending()) alarm.cancel();
    });
    return currentRun;
  };
  const runAll = async (): Promise<void> => {
    const failed: { readonly keys: Set<string>; readonly key: string }[] = [];
    while (hasPending()) {
      for (const [i, controller] of controllers.entries()) {
        const keys = pendingKeys[i] as Set<string>;
        for (const key of [...keys]) {
          keys.delete(key);
          try {
            await controller.reconcile(key);
          } catch (error) {
            failed.push({ keys, key });
            onError?.(error);
          }
        }
      }
    }
    for (const { keys, key } of failed) keys.add(key);
  };
  const resync = (): void => {
    for (const resource of registry.resources) {
      if (registry.strategyFor(resource).storedAs) continue;
      for (const current of registry.store.list(resource).items) record({ resource, current, previous: undefined });
    }
    schedule(batchDelayMs);
  };
  resync();
  const stopObserving = registry.store.observe((write) => {
    record(write);
    schedule(batchDelayMs);
  });
  return {
    settle: run,
    resync,
    close() {
      stopObserving();
      alarm.cancel();
    },
  };
}
