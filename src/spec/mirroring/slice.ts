import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, EndpointsInput, Optional, StringMap } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sameMap } from '../equal.ts';
import { omitKeys, toSortedMap, triggerTimeAnnotation } from '../metadata.ts';
import { areEqualBeyondKey, endpointKey } from '../slices/endpoint.ts';
import {
  generateNameFor,
  managedByLabel,
  mirroringController,
  ownerReferenceTo,
  serviceNameLabel,
  sliceApiVersion,
} from '../slices/metadata.ts';
import { compareByName } from '../slices/pack.ts';
import type { MirrorGroup } from './desired.ts';

/** Whether the mirroring controller manages this slice. */
export const isMirroredSlice = ({ metadata }: EndpointSliceInput): boolean => metadata?.labels?.[managedByLabel] === mirroringController;

/**
 * Selects the mirrored slices of a Service, sorted by name. If a name occurs twice, the last slice wins.
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
  return [...slicesByName.values()].sort(compareByName);
}

/**
 * Builds the slice of a group. With `sliceName`, the result replaces that slice. Because the result has no resourceVersion, the
 * update succeeds even if the existing slice changed meanwhile.
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
    apiVersion: sliceApiVersion(profile),
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
 * Whether a slice needs no write. If a group has more endpoints than fit into a slice, any full slice of its endpoints matches,
 * because upstream picks the endpoints at random in every sync.
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
  const existingEndpoints = slice.endpoints ?? [];
  const desiredEndpoints = group.endpoints;
  return (
    (existingEndpoints.length === desiredEndpoints.size ||
      (desiredEndpoints.size > max && existingEndpoints.length === max && areDistinct(existingEndpoints, profile))) &&
    (!profile.mirroredMetadataCompared || hasMirroredMetadata(slice, endpoints, profile)) &&
    !(profile.mirrorRebuiltForNewOwner && isOwnedByNamesake(slice, endpoints)) &&
    existingEndpoints.every((endpoint) => matchesDesired(desiredEndpoints.get(endpointKey(endpoint, profile)), endpoint, profile))
  );
}

const hasMirroredMetadata = ({ metadata }: EndpointSliceInput, endpoints: EndpointsInput, profile: Profile): boolean =>
  sameMap(omitReservedLabels(metadata?.labels), endpoints.metadata?.labels) &&
  sameMap(metadata?.annotations, mirroredAnnotations(endpoints, profile));

const areDistinct = (endpoints: readonly EndpointInput[], profile: Profile): boolean =>
  new Set(endpoints.map((endpoint) => endpointKey(endpoint, profile))).size === endpoints.length;

const matchesDesired = (desired: Endpoint | undefined, existing: EndpointInput, profile: Profile): boolean =>
  desired !== undefined && areEqualBeyondKey(desired, existing, profile);

/** Whether the slice is owned by deleted Endpoints of the same name. */
const isOwnedByNamesake = ({ metadata }: EndpointSliceInput, endpoints: EndpointsInput): boolean =>
  (metadata?.ownerReferences ?? []).some(
    ({ kind, name, uid }) =>
      kind === 'Endpoints' && (name ?? '') === (endpoints.metadata?.name ?? '') && (uid ?? '') !== (endpoints.metadata?.uid ?? ''),
  );

/** Removes the two labels that name Service and controller. Endpoints that carry one of these labels never compare equal. */
const omitReservedLabels = (labels: Optional<StringMap>): Record<string, string> => omitKeys(labels, serviceNameLabel, managedByLabel);

/** Computes the labels of a slice: those of the Endpoints, and the two that name Service and controller. */
const mirroredLabels = ({ metadata }: EndpointsInput): Record<string, string> =>
  toSortedMap([
    ...Object.entries(omitReservedLabels(metadata?.labels)),
    [serviceNameLabel, metadata?.name ?? ''],
    [managedByLabel, mirroringController],
  ]);

const mirroredAnnotations = ({ metadata }: EndpointsInput, profile: Profile): Record<string, string> =>
  toSortedMap(
    Object.entries(metadata?.annotations ?? {}).filter(
      ([key]) =>
        profile.mirroredMetadataCompared &&
        key !== triggerTimeAnnotation &&
        !(profile.lastAppliedNotMirrored && key === lastAppliedAnnotation),
    ),
  );

const lastAppliedAnnotation = 'kubectl.kubernetes.io/last-applied-configuration';
