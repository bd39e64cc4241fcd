import { nameOf, serviceNameLabel, sliceController, sliceManagedByLabel, triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import type { CacheEvent } from '../cache/cache.ts';
import type { Origin } from './echoes.ts';

/** Whether and when a Service is to be synced because of its Endpoints or slices: at once, or after a while in which more may change. */
export type Due = 'now' | 'later' | undefined;

/** What is known besides of Endpoints that have changed. */
export interface EndpointsSituation {
  /** Whether there is a Service of this name, and whether its Endpoints are the controller's. */
  readonly service: 'managed' | 'unmanaged' | 'missing';
  readonly origin: Origin;
  /** Whether they were there when this replica became responsible for them. */
  readonly leftover: boolean;
  readonly profile: Profile;
}

/**
 * What of Endpoints makes a sync due: that they are gone (as onEndpointsDelete, 1.36, pkg/controller/endpoint/endpoints_controller.go)
 * and, beyond Kubernetes' controller, that somebody else has written them, that they are no longer what they should be, or that they
 * came when their Service had gone.
 */
export function dueForEndpoints(
  { type, object }: CacheEvent<EndpointsInput>,
  { service, origin, leftover, profile }: EndpointsSituation,
): Due {
  if (service === 'unmanaged') return undefined;
  if (service === 'missing') {
    return type === 'added' && (leftover || origin !== 'other' || isOfController(object, profile)) ? 'later' : undefined;
  }
  if (type === 'deleted') return 'now';
  return origin === 'own' ? undefined : 'later';
}

/** Endpoints of a Service that has gone meanwhile; those that others made without a Service are theirs. */
function isOfController({ metadata }: EndpointsInput, profile: Profile): boolean {
  if (profile.managedByLabel) return metadata?.labels?.[endpointsManagedByLabel] === 'endpoint-controller';
  return metadata?.annotations?.[triggerTimeAnnotation] !== undefined;
}

const endpointsManagedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Whether Endpoints are no Service's but hold the lock of a leader election, which must not be cleaned up. */
export const isElectionLock = ({ metadata }: EndpointsInput): boolean =>
  Object.hasOwn(metadata?.annotations ?? {}, 'control-plane.alpha.kubernetes.io/leader');

/**
 * The keys of the Services to sync, after a while, because of a slice.
 * @param own whether this replica wrote or deleted it so
 *
 * Mirrors onEndpointSliceAdd, onEndpointSliceUpdate and onEndpointSliceDelete (1.36,
 * pkg/controller/endpointslice/endpointslice_controller.go), except that a slice that is gone is missed even if the process never wrote it.
 */
export function servicesDueForSlice({ type, object, old }: CacheEvent<EndpointSliceInput>, own: boolean): string[] {
  const key = serviceOfSlice(object);
  if (type === 'updated') {
    const before = serviceOfSlice(old);
    if (before !== key) return [key, before].filter((each) => each !== undefined);
    if (isManaged(old) !== isManaged(object)) return key === undefined ? [] : [key];
  }
  return key !== undefined && isManaged(object) && !own ? [key] : [];
}

/** The key of the Service that a slice belongs to by its label. */
export function serviceOfSlice({ metadata }: EndpointSliceInput): string | undefined {
  const name = metadata?.labels?.[serviceNameLabel];
  return name ? keyIn(metadata, name) : undefined;
}

const keyIn = (metadata: Optional<ObjectMeta>, name: string): string => `${metadata?.namespace ?? ''}/${name}`;

const isManaged = ({ metadata }: EndpointSliceInput): boolean => metadata?.labels?.[sliceManagedByLabel] === sliceController;

/** The EndpointSlices of each Service, by the label that names it. */
export interface SliceIndex {
  take(event: CacheEvent<EndpointSliceInput>): void;
  /** In the order in which they came. */
  of(key: string): readonly EndpointSliceInput[];
}

export function createSliceIndex(): SliceIndex {
  const services = new Map<string, Map<string, EndpointSliceInput>>();
  const drop = (slice: EndpointSliceInput): void => {
    const key = serviceOfSlice(slice) ?? '';
    const slices = services.get(key);
    slices?.delete(nameOf(slice));
    if (slices?.size === 0) services.delete(key);
  };
  return {
    take({ type, object, old }) {
      const key = serviceOfSlice(object);
      if (type === 'updated' && serviceOfSlice(old) !== key) drop(old);
      if (type === 'deleted') return drop(object);
      if (key === undefined) return;
      const slices = services.get(key) ?? new Map<string, EndpointSliceInput>();
      services.set(key, slices.set(nameOf(object), object));
    },
    of: (key) => [...(services.get(key)?.values() ?? [])],
  };
}
