import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, EndpointsInput, Optional, StringMap } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sameMap } from '../equal.ts';
import { sortedMap, triggerTimeAnnotation, withoutKeys } from '../metadata.ts';
import { endpointKey, equalBeyondKey } from '../slices/endpoint.ts';
import { generateNameFor, managedByLabel, mirroringController, ownerReferenceTo, serviceNameLabel } from '../slices/metadata.ts';
import { byName } from '../slices/pack.ts';
import type { MirrorGroup } from './desired.ts';

/** Whether the mirroring controller manages this slice. */
export const isMirroredSlice = ({ metadata }: EndpointSliceInput): boolean => metadata?.labels?.[managedByLabel] === mirroringController;

/**
 * The mirrored slices of a Service, sorted by name, each name once.
 * Mirrors endpointSlicesMirroredForService (1.36, pkg/controller/endpointslicemirroring/endpointslicemirroring_controller.go).
 */
export function mirroredSlicesOf(key: string, slices: readonly EndpointSliceInput[]): EndpointSliceInput[] {
  const separator = key.indexOf('/');
  const namespace = key.slice(0, Math.max(separator, 0));
  const name = key.slice(separator + 1);
  const slicesByName = new Map<string, EndpointSliceInput>();
  for (const slice of slices) {
    const { metadata } = slice;
    const isOwn = (metadata?.namespace ?? '') === namespace && metadata?.labels?.[serviceNameLabel] === name && isMirroredSlice(slice);
    if (isOwn && metadata.name) slicesByName.set(metadata.name, slice);
  }
  return [...slicesByName.values()].sort(byName);
}

/**
 * Builds the slice of a group. A replacement takes only the name of the existing slice. Because it has no resourceVersion, the
 * update succeeds even if that slice changed meanwhile.
 *
 * Mirrors newEndpointSlice (1.36, pkg/controller/endpointslicemirroring/utils.go).
 */
export function newMirrorSlice(
  endpoints: EndpointsInput,
  group: MirrorGroup,
  max: number,
  profile: Profile,
  sliceName?: string,
): EndpointSlice {
  const { name, namespace, uid } = endpoints.metadata ?? {};
  const annotations = mirroredAnnotations(endpoints, profile);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...(sliceName === undefined ? { generateName: generateNameFor(name ?? '') } : { name: sliceName }),
      namespace: namespace ?? '',
      labels: mirroredLabels(endpoints),
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [ownerReferenceTo('Endpoints', name ?? '', uid ?? '')],
    },
    addressType: group.addressType,
    endpoints: [...group.endpoints.values()].slice(0, max),
    ports: group.ports,
  };
}

/**
 * Whether a slice needs no write. If a group has more endpoints than fit into a slice, any full slice of them matches, because
 * upstream picks them at random in every sync.
 *
 * Mirrors the early return of reconcileByPortMapping, totalChanges and needRebuildExistingSlices (1.36,
 * pkg/controller/endpointslicemirroring/reconciler.go). As upstream, an endpoint that the slice contains twice counts twice.
 */
export function matchesMirrorGroup(
  slice: EndpointSliceInput,
  endpoints: EndpointsInput,
  group: MirrorGroup,
  max: number,
  profile: Profile,
): boolean {
  const existing = slice.endpoints ?? [];
  const desired = group.endpoints;
  return (
    (existing.length === desired.size || (desired.size > max && existing.length === max && areDistinct(existing, profile))) &&
    sameMap(withoutReservedLabels(slice.metadata?.labels), endpoints.metadata?.labels) &&
    sameMap(slice.metadata?.annotations, mirroredAnnotations(endpoints, profile)) &&
    !(profile.mirrorRebuiltForNewOwner && isOwnedByNamesake(slice, endpoints)) &&
    existing.every((endpoint) => matchesDesired(desired.get(endpointKey(endpoint, profile)), endpoint, profile))
  );
}

const areDistinct = (endpoints: readonly EndpointInput[], profile: Profile): boolean =>
  new Set(endpoints.map((endpoint) => endpointKey(endpoint, profile))).size === endpoints.length;

const matchesDesired = (desired: Endpoint | undefined, existing: EndpointInput, profile: Profile): boolean =>
  desired !== undefined && equalBeyondKey(desired, existing, profile);

/** Whether the slice is owned by deleted Endpoints of the same name. */
const isOwnedByNamesake = ({ metadata }: EndpointSliceInput, endpoints: EndpointsInput): boolean =>
  (metadata?.ownerReferences ?? []).some(
    ({ kind, name, uid }) =>
      kind === 'Endpoints' && (name ?? '') === (endpoints.metadata?.name ?? '') && (uid ?? '') !== (endpoints.metadata?.uid ?? ''),
  );

/** Labels without the two that name Service and controller. Endpoints that carry one of these never compare equal. */
const withoutReservedLabels = (labels: Optional<StringMap>): Record<string, string> =>
  withoutKeys(labels, serviceNameLabel, managedByLabel);

/** The labels of the Endpoints, and the two that name Service and controller. */
const mirroredLabels = ({ metadata }: EndpointsInput): Record<string, string> =>
  sortedMap([
    ...Object.entries(withoutReservedLabels(metadata?.labels)),
    [serviceNameLabel, metadata?.name ?? ''],
    [managedByLabel, mirroringController],
  ]);

const mirroredAnnotations = ({ metadata }: EndpointsInput, profile: Profile): Record<string, string> =>
  sortedMap(
    Object.entries(metadata?.annotations ?? {}).filter(
      ([key]) => key !== triggerTimeAnnotation && !(profile.lastAppliedNotMirrored && key === lastAppliedAnnotation),
    ),
  );

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
