import { isMirroredSlice, shouldMirror } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Service } from 'kube-endpoints/types';
import type { Cache, CacheEvent } from '../cache/cache.ts';
import type { ListListener } from './caches.ts';
import type { Controller } from './controller.ts';
import type { MirrorHandler } from './mirror-sync.ts';
import { findServicesToSync, type SliceIndex, serviceKeyOfSlice } from './object-events.ts';
import type { Setup } from './options.ts';
import { externalChangeDelayMs } from './sync-context.ts';
import { deletionVersion, type WriteExpectations } from './write-expectations.ts';

export interface MirrorEventOptions {
  readonly controller: Pick<Controller, 'enqueue'>;
  readonly handler: Pick<MirrorHandler, 'handleDeletion' | 'isTracked'>;
  readonly expectations: WriteExpectations;
  readonly setup: Pick<Setup, 'mirroring' | 'settings'>;
  readonly services: Cache<Service>;
  readonly index: SliceIndex;
}

/** The event handlers of the mirroring controller. `mayEnqueue` is false for objects that the caches held before they were connected. */
export interface MirrorEvents {
  onService(event: CacheEvent<Service>, key: string, mayEnqueue: boolean): void;
  onEndpoints(event: CacheEvent<EndpointsInput>, key: string, mayEnqueue: boolean): void;
  /** Call after the index has handled the event. */
  onSlice(event: CacheEvent<EndpointSliceInput>, mayEnqueue: boolean): void;
  onList: ListListener;
  /** The keys of all Services that may need a sync. */
  keys(): string[];
}

/**
 * Creates the event handlers. Upstream also syncs Services that have a selector, at every change of their Endpoints; here, such a Service is
 * synced only if it has mirrored slices.
 *
 * Mirrors onServiceAdd, onEndpointsAdd, onEndpointSliceAdd and their counterparts (Kubernetes 1.36,
 * pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go).
 */
export function createMirrorEvents({ setup, services, index, controller, handler, expectations }: MirrorEventOptions): MirrorEvents {
  const { profile } = setup.settings;
  const { batchPeriod } = setup.mirroring;
  const mayNeedSync = (key: string): boolean => {
    const service = services.get(key);
    return (service !== undefined && !hasSelector(service)) || index.mirroredSlicesOf(key).length > 0;
  };
  /** Whether another client's change of a mirrored slice requires a sync. */
  const mayRevert = (event: CacheEvent<EndpointSliceInput>, key: string): boolean => {
    const { type, object, old } = event;
    const isDeleted = type === 'deleted';
    const version = isDeleted ? deletionVersion(object.metadata?.uid ?? '') : (object.metadata?.resourceVersion ?? '');
    const isOwn = expectations.observe(key, object.metadata?.name ?? '', version) === 'own';
    if (isDeleted) return !handler.handleDeletion(object) || (profile.mirrorUnchangedTracked && !isOwn);
    if (type === 'updated' && !profile.mirrorSliceChangesReverted && handler.isTracked(old)) return false;
    return !isOwn;
  };
  return {
    onService(event, key, mayEnqueue) {
      const { type, object, old } = event;
      const isRelevant = type === 'updated' ? hasSelector(old) !== hasSelector(object) : !hasSelector(object);
      if (mayEnqueue && isRelevant) controller.enqueue(key);
    },
    onEndpoints({ type, object, old }, key, mayEnqueue) {
      const isRelevant = shouldMirror(object) || (type === 'updated' && shouldMirror(old));
      if (mayEnqueue && isRelevant && mayNeedSync(key)) controller.enqueue(key);
    },
    onSlice(event, mayEnqueue) {
      const key = serviceKeyOfSlice(event.object);
      const isRelevant = key !== undefined && isMirroredSlice(event.object) && mayRevert(event, key);
      if (!mayEnqueue) return;
      for (const serviceKey of findServicesToSync(event, isRelevant, isMirroredSlice))
        if (mayNeedSync(serviceKey)) controller.enqueue(serviceKey, batchPeriod);
    },
    onList(phase) {
      if (phase === 'started') return expectations.listStarted();
      for (const key of expectations.listCompleted()) if (mayNeedSync(key)) controller.enqueue(key, externalChangeDelayMs({ batchPeriod }));
    },
    keys: () => [...new Set([...services.keys(), ...index.keys()])].filter(mayNeedSync),
  };
}

/** An empty selector counts. */
const hasSelector = ({ spec }: Service): boolean => spec?.selector !== undefined && spec.selector !== null;
