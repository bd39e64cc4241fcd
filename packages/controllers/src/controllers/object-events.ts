import { isMirroredSlice, serviceNameLabel, sliceController, sliceManagedByLabel, triggerTimeAnnotation } from 'kube-endpoints/internal';
import { nameOf } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import type { CacheEvent } from '../cache/cache.ts';
import type { Origin } from './write-expectations.ts';

/** When a change requires a sync: `now`, or `later`, after a delay that collects further changes; undefined if it requires none. */
export type SyncTiming = 'now' | 'later' | undefined;

/** Context of a change of Endpoints. */
export interface EndpointsChange {
  /** Whether the Service of this name exists, and whether the controller manages its Endpoints. */
  readonly serviceState: 'managed' | 'unmanaged' | 'missing';
  readonly origin: Origin;
  /** Whether the Endpoints existed when this replica became responsible for them. */
  readonly isLeftover: boolean;
  readonly profile: Profile;
}

/**
 * Returns whether and when a change of Endpoints requires a sync. As in onEndpointsDelete (Kubernetes 1.36,
 * pkg/controller/endpoint/endpoints_controller.go), a deletion requires one from 1.19 on. Unlike in Kubernetes, a sync is also required if another client wrote the Endpoints, if a write of this replica is no longer desired, or if the
 * Endpoints were created after their Service had been deleted.
 */
export function decideEndpointsSync(
  { type, object }: CacheEvent<EndpointsInput>,
  { serviceState, origin, isLeftover, profile }: EndpointsChange,
): SyncTiming {
  if (serviceState === 'unmanaged') return undefined;
  if (serviceState === 'missing') {
    return type === 'added' && (isLeftover || origin !== 'other' || isCreatedByController(object, profile)) ? 'later' : undefined;
  }
  if (type === 'deleted') return profile.deletedEndpointsRecreated ? 'now' : undefined;
  return origin === 'own' ? undefined : 'later';
}

/** Returns true if the controller created these Endpoints, false if another client created them without a Service. */
function isCreatedByController({ metadata }: EndpointsInput, profile: Profile): boolean {
  if (profile.managedByLabel) return metadata?.labels?.[endpointsManagedByLabel] === 'endpoint-controller';
  return metadata?.annotations?.[triggerTimeAnnotation] !== undefined;
}

const endpointsManagedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Whether Endpoints hold a leader-election lock. They must not be deleted, although they have no Service. */
export const isElectionLock = ({ metadata }: EndpointsInput): boolean =>
  Object.hasOwn(metadata?.annotations ?? {}, 'control-plane.alpha.kubernetes.io/leader');

/**
 * Returns the keys of the Services that need a sync, after a delay, because of a slice event.
 * @param mayRevert whether a change of a slice of this controller requires a sync; false if this replica made the change
 * @param isManaged whether the controller manages a slice
 *
 * Mirrors onEndpointSliceAdd, onEndpointSliceUpdate and onEndpointSliceDelete (Kubernetes 1.36,
 * pkg/controller/endpointslice/endpointslice_controller.go, and pkg/controller/endpointslicemirroring).
 */
export function findServicesToSync(
  { type, object, old }: CacheEvent<EndpointSliceInput>,
  mayRevert: boolean,
  isManaged: (slice: EndpointSliceInput) => boolean,
): string[] {
  const key = serviceKeyOfSlice(object);
  if (type === 'updated') {
    const previousKey = serviceKeyOfSlice(old);
    if (previousKey !== key) return [key, previousKey].filter((serviceKey) => serviceKey !== undefined);
    if (isManaged(old) !== isManaged(object)) return key === undefined ? [] : [key];
  }
  return key !== undefined && isManaged(object) && mayRevert ? [key] : [];
}

/** Returns the key of the Service that the service-name label names; undefined without this label. */
export function serviceKeyOfSlice({ metadata }: EndpointSliceInput): string | undefined {
  const name = metadata?.labels?.[serviceNameLabel];
  return name ? toServiceKey(metadata, name) : undefined;
}

const toServiceKey = (metadata: Optional<ObjectMeta>, name: string): string => `${metadata?.namespace ?? ''}/${name}`;

/** Whether the EndpointSlice controller manages the slice. */
export const isManaged = ({ metadata }: EndpointSliceInput): boolean => metadata?.labels?.[sliceManagedByLabel] === sliceController;

/** The EndpointSlices of each Service, by the service-name label. */
export interface SliceIndex {
  handle(event: CacheEvent<EndpointSliceInput>): void;
  /** Returns the slices of a Service, in the order in which they were added. */
  slicesOf(key: string): readonly EndpointSliceInput[];
  /** Returns the mirrored slices of a Service, in the same order. */
  mirroredSlicesOf(key: string): readonly EndpointSliceInput[];
  /** The keys of all Services that have slices. */
  keys(): Iterable<string>;
}

export function createSliceIndex(): SliceIndex {
  const slicesByService = new Map<string, Map<string, EndpointSliceInput>>();
  const drop = (slice: EndpointSliceInput): void => {
    const key = serviceKeyOfSlice(slice) ?? '';
    const slices = slicesByService.get(key);
    slices?.delete(nameOf(slice));
    if (slices?.size === 0) slicesByService.delete(key);
  };
  const slicesOf = (key: string): readonly EndpointSliceInput[] => [...(slicesByService.get(key)?.values() ?? [])];
  return {
    handle({ type, object, old }) {
      const key = serviceKeyOfSlice(object);
      if (type === 'updated' && serviceKeyOfSlice(old) !== key) drop(old);
      if (type === 'deleted') return drop(object);
      if (key === undefined) return;
      const slices = slicesByService.get(key) ?? new Map<string, EndpointSliceInput>();
      slicesByService.set(key, slices.set(nameOf(object), object));
    },
    slicesOf,
    mirroredSlicesOf: (key) => slicesOf(key).filter(isMirroredSlice),
    keys: () => slicesByService.keys(),
  };
}
