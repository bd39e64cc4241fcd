import { createKeyedMutex, hasCleanupFinalizer } from 'kube-endpoints/internal';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { ScheduledCall } from 'kube-endpoints/port';
import type { CacheListener } from '../cache/index.ts';
import { createEventRecorder, type EventRecorder } from '../events/index.ts';
import { type Caches, createCaches, type KnownService } from './caches.ts';
import { type Calls, createCalls, createDoubts, type Doubts } from './calls.ts';
import { hasStatus, isClaimed, isOver, weigh } from './claims.ts';
import { createFormer, type Former } from './former.ts';
import { createNodeSync, type NodeSync } from './node-sync.ts';
import type { Setup } from './options.ts';
import { createOrphans, type Orphans } from './orphans.ts';
import { createPerformer, type Performer } from './perform.ts';
import { createRemovals, type Removals } from './removals.ts';
import { createSyncs, type Syncs } from './syncs.ts';

/** All parts of the controller. */
export interface Assembly {
  readonly setup: Setup;
  readonly caches: Caches;
  readonly calls: Calls;
  readonly performer: Performer;
  readonly syncs: Syncs;
  readonly nodeSync: NodeSync;
  readonly doubts: Doubts;
  readonly removals: Removals;
  readonly orphans: Orphans;
  readonly former: Former;
  readonly recorder: EventRecorder | undefined;
}

/** @param defect is told of an error that nobody expects: everything is to end */
export function assemble(setup: Setup, defect: (error: unknown) => void): Assembly {
  const caches = createCaches(setup);
  const mutex = createKeyedMutex();
  const services = caches.services.cache;
  const recorder = setup.dryRun ? undefined : createEventRecorder({ ...setup, component: 'service-controller' });
  const look = (key: string, service: BalancedService): void => {
    const known = services.get(key);
    const isSame = known && known.metadata?.uid === service.metadata?.uid;
    if (isSame && !isOver(known) && isClaimed(setup.planner, known)) syncs.confirm(key);
    else removals.add(key, service);
  };
  const doubts = createDoubts({ clock: setup.clock, horizon: setup.cloudTimeout, look });
  const calls = createCalls(setup, doubts.add);
  const performer = createPerformer({ setup, calls, recorder });
  const nodeSync = createNodeSync({ setup, cache: caches.nodes.cache, mutex, performer, enqueue: (key) => syncs.enqueue(key), defect });
  const syncs: Syncs = createSyncs({ setup, services, nodes: nodeSync.nodes, calls, mutex, performer });
  const removals = createRemovals({ setup, calls, mutex, confirm: (key) => syncs.confirm(key) });
  const orphans = createOrphans({ setup, calls, services, syncs, removals, defect });
  const former = createFormer({ setup, services, calls, syncs });
  return { setup, caches, calls, performer, syncs, nodeSync, doubts, removals, orphans, former, recorder };
}

/** What becomes of the Services when it changes which are this replica's. */
export interface Adoption {
  /** Also at the start, when all that are this replica's are new. */
  adopt(): void;
  stop(): void;
}

/**
 * Those who had the Services before may have left calls behind that take effect later. So what is new is made sure of once more, when
 * nothing can be expected of these any longer.
 */
export function createAdoption({ setup, caches, calls, syncs, orphans, former }: Assembly): Adoption {
  const { clock, planner, ownership, cloudTimeout } = setup;
  const services = caches.services.cache;
  const timers = new Set<ScheduledCall>();
  let stopped = false;
  const confirmLater = (keys: readonly string[]): void => {
    const timer = clock.schedule(() => {
      timers.delete(timer);
      for (const key of keys) if (services.get(key)) syncs.confirm(key);
    }, cloudTimeout);
    timers.add(timer);
  };
  const isDue = (key: string): boolean => {
    const service = services.get(key);
    return service !== undefined && ownership.owns(key) && isClaimed(planner, service);
  };
  const publishedFirst = (keys: readonly string[]): string[] => {
    const published = new Set(keys.filter((key) => hasStatus(services.get(key))));
    return [...published, ...keys.filter((key) => !published.has(key))];
  };
  return {
    adopt() {
      calls.release();
      syncs.disown();
      // What comes at the end is the next process' to see to.
      if (stopped) return;
      const due = [...services.keys()].filter((key) => !syncs.isHeld(key) && isDue(key));
      const adopted = publishedFirst(due).filter(syncs.adopt);
      if (adopted.length > 0) confirmLater(adopted);
      former.look();
      orphans.sweep();
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}

/** Leads what happens in the caches to the queue and to the node sync. What is there at first is left to who adopts it. */
export function connect(assembly: Assembly): () => void {
  const { caches, nodeSync } = assembly;
  let filling = true;
  const onService = serviceListener(assembly);
  const stops = [
    caches.services.listen((event, key) => {
      if (!filling) onService(event, key);
    }),
    caches.nodes.listen((event) => {
      if (!filling) nodeSync.onNode(event);
    }),
  ];
  filling = false;
  return () => {
    for (const stop of stops) stop();
  };
}

function serviceListener({ setup, syncs, performer }: Assembly): CacheListener<KnownService> {
  const { planner, ownership } = setup;
  return ({ type, object, old }, key) => {
    if (!ownership.owns(key)) return;
    if (type === 'deleted') {
      // Kubernetes' controller leaves it at the clean-up before; but somebody else may have taken the finalizer away.
      if (!object.partial || syncs.isHeld(key)) syncs.enqueue(key);
      return;
    }
    const { due, events } = weigh(planner, old, object);
    for (const event of events) performer.record(key, event);
    if (isOver(object) && hasStatus(object)) syncs.confirm(key);
    else if (due || (old && isUndone(old, object) && isClaimed(planner, object))) syncs.enqueue(key);
  };
}

/** Somebody else has taken away what a sync wrote. Beyond Kubernetes' controller, which does not look at either. */
const isUndone = (old: BalancedService, service: BalancedService): boolean =>
  (hasCleanupFinalizer(old) && !hasCleanupFinalizer(service)) || (hasStatus(old) && !hasStatus(service));
