import { hasCleanupFinalizer } from 'kube-endpoints/internal';
import { createKeyedMutex } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService } from 'kube-endpoints/load-balancer';
import type { ScheduledCall } from 'kube-endpoints/port';
import type { CacheListener } from '../cache/index.ts';
import { createEventRecorder, type EventRecorder } from '../events/index.ts';
import { type CachedService, type Caches, createCaches } from './caches.ts';
import { type Calls, createCalls, createInDoubtCalls, type InDoubtCalls } from './calls.ts';
import { classifyChange, hasPublishedAddress, isClaimed, isReleased } from './claims.ts';
import { createNodeSync, type NodeSync } from './node-sync.ts';
import type { Setup } from './options.ts';
import { createOrphans, type Orphans } from './orphans.ts';
import { createPerformer, type Performer } from './perform.ts';
import { createReclassifiedServices, type ReclassifiedServices } from './reclassified.ts';
import { createRemovals, type Removals } from './removals.ts';
import { createSyncs, type Syncs } from './syncs.ts';

/** All components of the controller. */
export interface Assembly {
  readonly setup: Setup;
  readonly caches: Caches;
  readonly calls: Calls;
  readonly performer: Performer;
  readonly syncs: Syncs;
  readonly nodeSync: NodeSync;
  readonly inDoubtCalls: InDoubtCalls;
  readonly removals: Removals;
  readonly orphans: Orphans;
  readonly reclassifiedServices: ReclassifiedServices;
  readonly recorder: EventRecorder | undefined;
}

/** @param onDefect receives an unexpected error; the controller must then stop */
export function assemble(setup: Setup, onDefect: (error: unknown) => void): Assembly {
  const caches = createCaches(setup);
  const mutex = createKeyedMutex();
  const services = caches.services.cache;
  const recorder = setup.dryRun ? undefined : createEventRecorder({ ...setup, component: 'service-controller' });
  const recheck = (key: string, service: BalancedService): void => {
    const cached = services.get(key);
    const isSameService = cached && cached.metadata?.uid === service.metadata?.uid;
    if (isSameService && !isReleased(cached) && isClaimed(setup.planner, cached)) syncs.confirm(key);
    else removals.add(key, service);
  };
  const inDoubtCalls = createInDoubtCalls({ clock: setup.clock, timeoutMs: setup.cloudTimeout, recheck });
  const calls = createCalls(setup, inDoubtCalls.add);
  const performer = createPerformer({ setup, calls, recorder });
  const nodeSync = createNodeSync({ setup, cache: caches.nodes.cache, mutex, performer, enqueue: (key) => syncs.enqueue(key), onDefect });
  const syncs: Syncs = createSyncs({ setup, services, nodes: nodeSync.nodes, calls, mutex, performer });
  const removals = createRemovals({ setup, calls, mutex, enqueueSync: (key) => syncs.confirm(key) });
  const orphans = createOrphans({ setup, calls, services, syncs, removals, onDefect });
  const reclassifiedServices = createReclassifiedServices({ setup, services, calls, syncs });
  return { setup, caches, calls, performer, syncs, nodeSync, inDoubtCalls, removals, orphans, reclassifiedServices, recorder };
}

/** Takes over Services when ownership changes. */
export interface Adoption {
  /** Call it on every change of ownership and once at the start, when every owned Service is new. */
  adopt(): void;
  stop(): void;
}

/**
 * Confirms each adopted Service after `cloudTimeout`: a call of the previous owner may take effect late, but all such calls have ended by
 * then.
 */
export function createAdoption({ setup, caches, calls, syncs, orphans, reclassifiedServices }: Assembly): Adoption {
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
  const needsAdoption = (key: string): boolean => {
    const service = services.get(key);
    return service !== undefined && ownership.owns(key) && isClaimed(planner, service);
  };
  const sortPublishedFirst = (keys: readonly string[]): string[] => {
    const publishedKeys = new Set(keys.filter((key) => hasPublishedAddress(services.get(key))));
    return [...publishedKeys, ...keys.filter((key) => !publishedKeys.has(key))];
  };
  return {
    adopt() {
      calls.cancelUnowned();
      syncs.disown();
      // Ownership changes during shutdown are left to the next process.
      if (stopped) return;
      const keys = [...services.keys()].filter((key) => !syncs.isAdopted(key) && needsAdoption(key));
      const adoptedKeys = sortPublishedFirst(keys).filter(syncs.adopt);
      if (adoptedKeys.length > 0) confirmLater(adoptedKeys);
      reclassifiedServices.checkAll();
      orphans.sweep();
    },
    stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}

/**
 * Forwards cache events to the queue and to the node sync. Ignores the initial contents, because `Adoption.adopt` handles them. Returns a
 * function that disconnects.
 */
export function connect(assembly: Assembly): () => void {
  const { caches, nodeSync } = assembly;
  let isInitial = true;
  const onService = createServiceListener(assembly);
  const removeListeners = [
    caches.services.listen((event, key) => {
      if (!isInitial) onService(event, key);
    }),
    caches.nodes.listen((event) => {
      if (!isInitial) nodeSync.onNode(event);
    }),
  ];
  isInitial = false;
  return () => {
    for (const remove of removeListeners) remove();
  };
}

function createServiceListener({ setup, syncs, performer }: Assembly): CacheListener<CachedService> {
  const { planner, ownership } = setup;
  return ({ type, object, old }, key) => {
    if (!ownership.owns(key)) return;
    if (type === 'deleted') {
      // Upstream expects that the cleanup has run before the deletion. But another client may have removed the finalizer before.
      if (!object.partial || syncs.isAdopted(key)) syncs.enqueue(key);
      return;
    }
    const { due, events } = classifyChange(planner, old, object);
    for (const event of events) performer.record(key, event);
    if (isReleased(object) && hasPublishedAddress(object)) syncs.confirm(key);
    else if (due || (old && isReverted(old, object) && isClaimed(planner, object))) syncs.enqueue(key);
  };
}

/** Whether another client removed the finalizer or the status that a sync wrote. Upstream checks neither. */
const isReverted = (old: BalancedService, service: BalancedService): boolean =>
  (hasCleanupFinalizer(old) && !hasCleanupFinalizer(service)) || (hasPublishedAddress(old) && !hasPublishedAddress(service));
