import { checkControllers } from '../base/checks.ts';
import { createLinkedAbortController, pause, waitForAbort } from '../base/time.ts';
import type { ControllersStats } from '../controllers/controllers.ts';
import { type Assembly, assemble, connect, createAdoption } from './assembly.ts';
import { cacheNames } from './caches.ts';
import { addBacklogs } from './claims.ts';
import { createSetup, type ServiceLoadBalancerOptions, type Setup } from './options.ts';

/** The service load-balancer controller: manages the cloud load balancer of each Service of type LoadBalancer. */
export interface ServiceLoadBalancer {
  /** Whether every cache is complete. */
  readonly ready: boolean;
  /** Whether no work is waiting, delayed or in progress, and the result of every call is known. False before `ready`. */
  readonly idle: boolean;
  /**
   * Fills the caches, then works until the signal is aborted. On shutdown, waits up to ten seconds for calls in progress, then resolves.
   * Can be called once.
   * @throws the error that a callback of the host throws, such as `onEvent`, after everything has stopped
   */
  run(signal: AbortSignal): Promise<void>;
  stats(): Pick<ControllersStats, 'objects' | 'controllers'>;
}

/**
 * Creates the controller; it does nothing until `run` is called.
 * @throws RangeError that names the invalid option, also if the cloud is missing or has no load balancers
 */
export function createServiceLoadBalancer(options: ServiceLoadBalancerOptions): ServiceLoadBalancer {
  checkControllers(options);
  const defects = createDefects();
  const assembly = assemble(guardObserver(createSetup(options), defects), defects.add);
  const { caches, syncs, nodeSync, inDoubtCalls, orphans, reclassifiedServices, removals } = assembly;
  const informers = [caches.services, caches.nodes];
  let hasRun = false;
  let isWorking = false;
  return {
    get ready() {
      return informers.every(({ hasSynced }) => hasSynced);
    },
    get idle() {
      return (
        isWorking && syncs.idle && nodeSync.idle && orphans.idle && reclassifiedServices.idle && removals.idle && inDoubtCalls.size === 0
      );
    },
    async run(signal) {
      if (hasRun) throw new Error('the service load-balancer controller has already run: create a new one');
      hasRun = true;
      const endSignal = createLinkedAbortController(signal, defects.signal).signal;
      const informersController = new AbortController();
      const informerRuns = informers.map((informer) => informer.run(informersController.signal));
      try {
        await Promise.all(informers.map((informer) => informer.synced(endSignal))).catch(() => undefined);
        isWorking = !endSignal.aborted;
        if (isWorking) await work(assembly, endSignal);
      } finally {
        isWorking = false;
        informersController.abort();
        await Promise.all(informerRuns);
      }
      defects.rethrow();
    },
    stats: () => ({
      objects: { [cacheNames.services]: caches.services.cache.size, [cacheNames.nodes]: caches.nodes.cache.size },
      controllers: {
        'service-lb': addBacklogs(
          syncs.stats(),
          [nodeSync, removals, orphans, reclassifiedServices].map(({ backlog }) => backlog),
        ),
      },
    }),
  };
}

/** Unexpected errors. The first one stops the controller. */
interface Defects {
  readonly signal: AbortSignal;
  add(error: unknown): void;
  /** @throws the first error, if any */
  rethrow(): void;
}

function createDefects(): Defects {
  const endController = new AbortController();
  return {
    signal: endController.signal,
    add: (error) => endController.abort({ error }),
    rethrow() {
      if (endController.signal.aborted) throw (endController.signal.reason as { readonly error: unknown }).error;
    },
  };
}

/** An observer that throws must not interrupt a call: its error is stored, and the controller shuts down cleanly. */
function guardObserver(setup: Setup, { add }: Defects): Setup {
  const onEvent: Setup['onEvent'] = (event) => {
    try {
      setup.onEvent(event);
    } catch (error) {
      add(error);
    }
  };
  return { ...setup, onEvent };
}

/** Time for calls in progress to end on shutdown. */
const drainTimeoutMs = 10_000;

/** Works from the time the caches are complete until the last call has ended. */
async function work(assembly: Assembly, signal: AbortSignal): Promise<void> {
  const { setup, calls, syncs, nodeSync, inDoubtCalls, removals, orphans, reclassifiedServices, recorder } = assembly;
  const disconnect = connect(assembly);
  const adoption = createAdoption(assembly);
  const unsubscribe = setup.ownership.onChange(adoption.adopt);
  const endController = new AbortController();
  const close = (): void => {
    for (const component of [syncs, removals]) component.shutDown();
    for (const component of [adoption, inDoubtCalls, reclassifiedServices]) component.stop();
    void pause(setup.clock, drainTimeoutMs, endController.signal).then(calls.cancelAll);
  };
  try {
    adoption.adopt();
    nodeSync.start();
    const closing = waitForAbort(signal).then(() => {
      close();
      return Promise.all([nodeSync.stop(), orphans.stop()]);
    });
    await Promise.all([syncs.run(), removals.run(), closing]);
  } finally {
    endController.abort();
    unsubscribe();
    disconnect();
    await recorder?.stop();
  }
}
