import { ApiError, type ApiObject } from 'kube-endpoints/port';
import { createCache } from '../controller/cache.ts';
import type { Cache, Call, Controller, ControllerContext, EventEffect, Queue, WorkQueueOptions } from '../controller/controller.ts';
import { createWorkQueue } from '../controller/queue.ts';
import { createWorker, type PendingCall } from '../controller/worker.ts';
import type { Clock } from '../engine/clock.ts';
import type { ChooseDelay } from '../engine/delays.ts';
import type { Watches } from '../engine/watch.ts';
import { leaseNamespace } from '../workloads/node-lifecycle/objects.ts';

/** A controller and its number of workers. */
export interface ControllerEntry {
  create(context: ControllerContext): Controller | readonly Controller[];
  /** The number of workers of the first controller: a flag of kube-controller-manager. */
  readonly workers: number;
  /** The number of workers of each other controller; 1 by default. */
  readonly otherWorkers?: number;
}

/** What controllers run on. */
export interface HostContext {
  readonly clock: Clock;
  readonly watches: Watches;
  readonly choose: ChooseDelay;
  /** The resourceVersion of the last write. */
  version(): string;
  answer(actor: string, call: Call): ApiObject;
  /** The Lease of a node, which is not stored. */
  leaseOf(node: string): ApiObject | undefined;
}

/** A controller that runs. */
export interface RunningController {
  /** For example "endpointslice-controller". */
  readonly name: string;
  /** Ends its work. Requests that it has sent still take effect. */
  stop(): void;
}

/**
 * Runs a controller: fills its cache by watches, keeps its queues, and runs its workers once the cache is filled. A sync reads the cache when it
 * starts. Its first call leaves after a delay of "sync". A call takes effect and is answered after a delay of "request".
 */
export function startController(host: HostContext, { create, workers, otherWorkers = 1 }: ControllerEntry): RunningController {
  const { clock, watches, choose } = host;
  const cache = createCache();
  const isReady = { value: false };
  const identity = { actor: '' };
  const emit = ({ object, reason, message }: EventEffect): void =>
    void clock.record({ type: 'event', actor: identity.actor, object, reason, message });
  const random = (bound: number): number =>
    Math.min(bound - 1, Math.floor(choose({ name: 'sync', actor: `${identity.actor} random` }, { min: 0, max: bound - 1 })));
  const controllers = [create({ cache: addLeases(cache, host.leaseOf), now: clock.now, random, emit })].flat();
  identity.actor = actorOf(controllers[0] as Controller);
  const started = controllers.map((controller, index) => ({
    controller,
    queue: startWorkers(host, controller, { workers: index === 0 ? workers : otherWorkers, isReady }),
  }));
  const kinds = [...new Set(controllers.flatMap((controller) => controller.kinds))];
  const watch = watches.watch(identity.actor, kinds, ({ previous, current }) => {
    const change = current ? cache.put(current) : cache.remove(previous as ApiObject);
    for (const { controller, queue } of started) {
      if (!controller.kinds.includes(change.kind)) continue;
      controller.handle(change, queue);
      queue.wake();
    }
  });
  for (const kind of kinds) cache.setResourceVersion(kind, host.version());
  isReady.value = true;
  for (const { queue } of started) queue.wake();
  return {
    name: identity.actor,
    stop() {
      watch.close();
      for (const { queue } of started) queue.stop();
    },
  };
}

/** A cache that also has the Leases of nodes. */
const addLeases = (cache: Cache, leaseOf: HostContext['leaseOf']): Cache => ({
  ...cache,
  get: <T extends ApiObject>(kind: string, namespace: string, name: string) =>
    kind === 'Lease' && namespace === leaseNamespace ? (leaseOf(name) as T | undefined) : cache.get<T>(kind, namespace, name),
});

const actorOf = ({ name }: Controller): string => (name.endsWith('-controller') ? name : `${name}-controller`);

interface WorkerOptions {
  readonly workers: number;
  /** Whether all caches are filled. Workers do not run before. */
  readonly isReady: { readonly value: boolean };
}

function startWorkers(host: HostContext, controller: Controller, { workers, isReady }: WorkerOptions): CausedQueue {
  const queue = createCausedQueue(host.clock, controller.queueOptions);
  const pool = Array.from({ length: workers }, () => createCausedWorker(host, actorOf(controller), controller, queue));
  queue.onReady = () => {
    if (!isReady.value) return;
    for (const run of pool) {
      if (!queue.hasReady()) return;
      run();
    }
  };
  controller.attach?.(createWakingQueue(queue));
  return queue;
}

/** The queue for other controllers, which do not wake its workers themselves. */
function createWakingQueue(queue: CausedQueue): Queue {
  const waking =
    <Parameters extends unknown[]>(add: (...parameters: Parameters) => void) =>
    (...parameters: Parameters): void => {
      add(...parameters);
      queue.wake();
    };
  return { ...queue, add: waking(queue.add), addAfter: waking(queue.addAfter), addRateLimited: waking(queue.addRateLimited) };
}

/** A work queue that remembers the cause of each key, and wakes its workers. */
export interface CausedQueue extends Queue {
  readonly inner: ReturnType<typeof createWorkQueue>;
  causeOf(key: string): number | undefined;
  hasReady(): boolean;
  onReady: () => void;
  /** Runs idle workers, and sets the timer of the next delayed key. */
  wake(): void;
  /** Ends the work: no sync starts or continues. */
  stop(): void;
  readonly isStopped: boolean;
}

export function createCausedQueue(clock: Clock, options: WorkQueueOptions | undefined): CausedQueue {
  const inner = createWorkQueue(clock.now, options);
  const causes = new Map<string, number | undefined>();
  let timer: { readonly time: number; cancel(): void } | undefined;
  let isStopped = false;
  const setCause = (key: string): void => void causes.set(key, clock.cause);
  const queue: CausedQueue = {
    inner,
    onReady: () => undefined,
    causeOf: (key) => causes.get(key),
    hasReady: () => inner.size() > 0,
    add(key) {
      setCause(key);
      inner.add(key);
    },
    addAfter(key, delay) {
      setCause(key);
      inner.addAfter(key, delay);
    },
    addRateLimited(key) {
      setCause(key);
      inner.addRateLimited(key);
    },
    forget: (key) => inner.forget(key),
    requeues: (key) => inner.requeues(key),
    get isStopped() {
      return isStopped;
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
    wake() {
      if (isStopped) return;
      inner.addReady();
      queue.onReady();
      const next = inner.nextTime();
      if (next === undefined || (timer && timer.time <= next && timer.time > clock.now())) return;
      timer?.cancel();
      timer = clock.at(next, () => {
        timer = undefined;
        queue.wake();
      });
    },
  };
  return queue;
}

/** Creates a worker whose work has the change that required it as its cause. Returns a function that runs it. */
function createCausedWorker(host: HostContext, actor: string, controller: Controller, queue: CausedQueue): () => void {
  const { clock } = host;
  let cause: number | undefined;
  let isNewSync = false;
  const watched: Controller = {
    ...controller,
    sync(key, given) {
      cause = queue.causeOf(key);
      isNewSync = true;
      return controller.sync(key, given);
    },
  };
  const request = (pending: PendingCall): void => {
    clock.after({ name: 'request', actor }, () => {
      settle(host, actor, pending, queue.isStopped);
      queue.wake();
    });
  };
  const worker = createWorker(
    watched,
    { ...queue.inner, add: queue.add, addAfter: queue.addAfter, addRateLimited: queue.addRateLimited },
    {
      onCalls(calls) {
        const start = (): void => {
          if (!queue.isStopped) calls.forEach(request);
        };
        clock.because(cause, () => {
          if (isNewSync) clock.after({ name: 'sync', actor }, start);
          else start();
        });
        isNewSync = false;
      },
      onEvent: ({ object, reason, message }) =>
        clock.because(cause, () => void clock.record({ type: 'event', actor, object, reason, message })),
      onWait: (milliseconds, resume) =>
        void clock.at(clock.now() + milliseconds, () => {
          if (queue.isStopped) return;
          resume();
          queue.wake();
        }),
    },
  );
  return worker.run;
}

/** Performs a call, and returns its answer to the sync unless its controller was stopped. */
export function settle(host: Pick<HostContext, 'answer'>, actor: string, { call, resolve, reject }: PendingCall, isStopped: boolean): void {
  let object: ApiObject;
  try {
    object = host.answer(actor, call);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (!isStopped) reject(error);
    return;
  }
  if (!isStopped) resolve(object);
}
