import { nameOf, serviceNameLabel, sliceController, sliceManagedByLabel, triggerTimeAnnotation } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import type { CacheEvent } from '../cache/cache.ts';
import type { Origin } from './write-expectations.ts';

/** Whether and when Endpoints or slices require a sync of their Service: at once, or after a delay that collects further changes. */
export type Due = 'now' | 'later' | undefined;

/** Context of a change of Endpoints. */
export interface EndpointsSituation {
  /** Whether the Service of this name exists, and whether the controller manages its Endpoints. */
  readonly service: 'managed' | 'unmanaged' | 'missing';
  readonly origin: Origin;
  /** Whether the Endpoints existed when this replica became responsible for them. */
  readonly leftover: boolean;
  readonly profile: Profile;
}

/**
 * Whether a change of Endpoints requires a sync: if they were deleted (as onEndpointsDelete, 1.36,
 * pkg/controller/endpoint/endpoints_controller.go) and, unlike in Kubernetes, if another client wrote them, if they are no longer as
 * desired, or if they were created after their Service had been deleted.
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

/** Whether the controller made these Endpoints for a Service since deleted, as opposed to Endpoints that others made without a Service. */
function isOfController({ metadata }: EndpointsInput, profile: Profile): boolean {
  if (profile.managedByLabel) return metadata?.labels?.[endpointsManagedByLabel] === 'endpoint-controller';
  return metadata?.annotations?.[triggerTimeAnnotation] !== undefined;
}

const endpointsManagedByLabel = 'endpoints.kubernetes.io/managed-by';

/** Whether Endpoints belong to no Service but hold a leader-election lock, which must not be deleted. */
export const isElectionLock = ({ metadata }: EndpointsInput): boolean =>
  Object.hasOwn(metadata?.annotations ?? {}, 'control-plane.alpha.kubernetes.io/leader');

/**
 * The keys of the Services that a slice event requires to sync, after a delay.
 * @param own whether this replica made this change
 *
 * Mirrors onEndpointSliceAdd, onEndpointSliceUpdate and onEndpointSliceDelete (1.36,
 * pkg/controller/endpointslice/endpointslice_controller.go), but a deleted slice requires a sync even if this process never wrote it.
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

/** The key of the Service that the slice's label names. */
export function serviceOfSlice({ metadata }: EndpointSliceInput): string | undefined {
  const name = metadata?.labels?.[serviceNameLabel];
  return name ? keyIn(metadata, name) : undefined;
}

const keyIn = (metadata: Optional<ObjectMeta>, name: string): string => `${metadata?.namespace ?? ''}/${name}`;

const isManaged = ({ metadata }: EndpointSliceInput): boolean => metadata?.labels?.[sliceManagedByLabel] === sliceController;

/** The EndpointSlices of each Service, by the service-name label. */
export interface SliceIndex {
  take(event: CacheEvent<EndpointSliceInput>): void;
  /** In order of arrival. */
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
