import { checkControllers } from '../base/checks.ts';
import { aborted, linkedTo, pause } from '../base/time.ts';
import type { ControllersStats } from '../controllers/controllers.ts';
import { type Assembly, assemble, connect, createAdoption } from './assembly.ts';
import { cacheNames } from './caches.ts';
import { withBacklogs } from './claims.ts';
import { type ServiceLoadBalancerOptions, type Setup, setupOf } from './options.ts';

/** The service load-balancer controller: gives each Service of type LoadBalancer its load balancer in a cloud. */
export interface ServiceLoadBalancer {
  /** Whether every cache is complete. */
  readonly ready: boolean;
  /** Whether nothing waits, is delayed, is worked on, or is in doubt. False before it is ready. */
  readonly idle: boolean;
  /**
   * Runs until the signal is aborted: fills the caches, then works; in the end gives the calls under way ten seconds, and resolves. Once
   * only.
   * @throws what a host handed in throws, such as `tell`; then everything has ended, too
   */
  run(signal: AbortSignal): Promise<void>;
  stats(): Pick<ControllersStats, 'objects' | 'controllers'>;
}

/**
 * Makes the controller, which does nothing until it runs.
 * @throws RangeError that names the option which is wrong, also where there is no cloud, or one without load balancers
 */
export function createServiceLoadBalancer(options: ServiceLoadBalancerOptions): ServiceLoadBalancer {
  checkControllers(options);
  const defects = createDefects();
  const assembly = assemble(guarded(setupOf(options), defects), defects.add);
  const { caches, syncs, nodeSync, doubts, orphans, former, removals } = assembly;
  const all = [caches.services, caches.nodes];
  let begun = false;
  let working = false;
  return {
    get ready() {
      return all.every(({ hasSynced }) => hasSynced);
    },
    get idle() {
      return working && syncs.idle && nodeSync.idle && orphans.idle && former.idle && removals.idle && doubts.size === 0;
    },
    async run(signal) {
      if (begun) throw new Error('the service load-balancer controller has run already: make a new one');
      begun = true;
      const end = linkedTo(signal, defects.signal).signal;
      const over = new AbortController();
      const informers = all.map((informer) => informer.run(over.signal));
      try {
        await Promise.all(all.map((informer) => informer.synced(end))).catch(() => undefined);
        working = !end.aborted;
        if (working) await work(assembly, end);
      } finally {
        working = false;
        over.abort();
        await Promise.all(informers);
      }
      defects.rethrow();
    },
    stats: () => ({
      objects: { [cacheNames.services]: caches.services.cache.size, [cacheNames.nodes]: caches.nodes.cache.size },
      controllers: {
        'service-lb': withBacklogs(
          syncs.stats(),
          [nodeSync, removals, orphans, former].map(({ backlog }) => backlog),
        ),
      },
    }),
  };
}

/** Errors that nobody expects, which end everything. */
interface Defects {
  readonly signal: AbortSignal;
  add(error: unknown): void;
  /** @throws the first of them, where there is one */
  rethrow(): void;
}

function createDefects(): Defects {
  const end = new AbortController();
  return {
    signal: end.signal,
    add: (error) => end.abort({ error }),
    rethrow() {
      if (end.signal.aborted) throw (end.signal.reason as { readonly error: unknown }).error;
    },
  };
}

/** What listens must not come between a call and its answer: should it throw, everything ends in good order. */
function guarded(setup: Setup, { add }: Defects): Setup {
  const tell: Setup['tell'] = (happening) => {
    try {
      setup.tell(happening);
    } catch (error) {
      add(error);
    }
  };
  return { ...setup, tell };
}

/** Milliseconds that the calls under way are given in the end. */
const drainTime = 10_000;

/** From complete caches to the end of the last call. */
async function work(assembly: Assembly, signal: AbortSignal): Promise<void> {
  const { setup, calls, syncs, nodeSync, doubts, removals, orphans, former, recorder } = assembly;
  const disconnect = connect(assembly);
  const adoption = createAdoption(assembly);
  const leave = setup.ownership.onChange(adoption.adopt);
  const ended = new AbortController();
  const close = (): void => {
    for (const part of [syncs, removals]) part.shutDown();
    for (const part of [adoption, doubts, former]) part.stop();
    void pause(setup.clock, drainTime, ended.signal).then(calls.end);
  };
  try {
    adoption.adopt();
    nodeSync.start();
    const closing = aborted(signal).then(() => {
      close();
      return Promise.all([nodeSync.stop(), orphans.stop()]);
    });
    await Promise.all([syncs.run(), removals.run(), closing]);
  } finally {
    ended.abort();
    leave();
    disconnect();
    await recorder?.stop();
  }
}
