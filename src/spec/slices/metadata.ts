import { isDNS1123Subdomain } from '../../apimachinery/names.ts';
import type {
  AddressType,
  EndpointSlice,
  EndpointSliceInput,
  Optional,
  OwnerReference,
  Service,
  SlicePort,
  StringMap,
} from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { sameMap } from '../equal.ts';
import { headlessLabel, isHeadless, omitKeys, toSortedMap, triggerTimeAnnotation } from '../metadata.ts';

/** The slice label that names its Service. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The slice label that names the controller that manages it. No other client should write the slice. */
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** The managed-by value of the EndpointSlice controller. */
export const sliceController = 'endpointslice-controller.k8s.io';

/** The managed-by value of the mirroring controller. */
export const mirroringController = 'endpointslicemirroring-controller.k8s.io';

/** Labels that slices set themselves, regardless of the Service's labels. */
const reservedLabels: readonly string[] = [headlessLabel, managedByLabel, serviceNameLabel];

/**
 * Computes the labels of a Service's slices: the Service's own labels, with the reserved ones set by the controller.
 * Mirrors setEndpointSliceLabels (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function sliceLabels(
  service: Service,
  { sliceLabelsMirrored }: Pick<Profile, 'sliceLabelsMirrored'> = { sliceLabelsMirrored: true },
): Record<string, string> {
  const entries = sliceLabelsMirrored ? Object.entries(omitReservedLabels(service.metadata?.labels)) : [];
  if (sliceLabelsMirrored && isHeadless(service)) entries.push([headlessLabel, '']);
  entries.push([serviceNameLabel, service.metadata?.name ?? ''], [managedByLabel, sliceController]);
  return toSortedMap(entries);
}

/** Whether a slice has the labels of its Service. Reserved labels are ignored. */
export const areSliceLabelsCorrect = (slice: EndpointSliceInput, service: Service): boolean =>
  sameMap(omitReservedLabels(slice.metadata?.labels), omitReservedLabels(service.metadata?.labels));

const omitReservedLabels = (labels: Optional<StringMap>): Record<string, string> => omitKeys(labels, ...reservedLabels);

/** Whether the given controller manages the slice for this Service. */
export const isManagedBy = ({ metadata }: EndpointSliceInput, service: Service, controller: string): boolean =>
  (metadata?.namespace ?? '') === (service.metadata?.namespace ?? '') &&
  metadata?.labels?.[serviceNameLabel] === (service.metadata?.name ?? '') &&
  metadata?.labels?.[managedByLabel] === controller;

/** Whether a slice belongs to this Service and not to an earlier one of the same name. Mirrors ownedBy (utils.go). */
export const isOwnedBy = ({ metadata }: EndpointSliceInput, service: Service): boolean =>
  (metadata?.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => (uid ?? '') === (service.metadata?.uid ?? '') && kind === 'Service' && apiVersion === 'v1',
  );

/** The API version of the slices that a release writes. */
export const sliceApiVersion = ({ slicesAreV1 }: Pick<Profile, 'slicesAreV1'>): EndpointSlice['apiVersion'] =>
  slicesAreV1 ? 'discovery.k8s.io/v1' : 'discovery.k8s.io/v1beta1';

/** Creates a new slice without endpoints. Mirrors newEndpointSlice (1.36, staging/src/k8s.io/endpointslice/utils.go). */
export function newSlice(
  service: Service,
  addressType: AddressType,
  ports: SlicePort[],
  labels: Record<string, string> = sliceLabels(service),
): EndpointSlice {
  const { name = '', namespace = '', uid = '' } = service.metadata ?? {};
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: generateNameFor(name ?? ''),
      namespace: namespace ?? '',
      labels,
      ownerReferences: [ownerReferenceTo('Service', name ?? '', uid ?? '')],
    },
    addressType,
    endpoints: [],
    ports,
  };
}

/**
 * Creates the owner reference to the Service or Endpoints as controller. Mirrors NewControllerRef (apimachinery,
 * pkg/apis/meta/v1/controller_ref.go).
 */
export const ownerReferenceTo = (kind: 'Service' | 'Endpoints', name: string, uid: string): OwnerReference => ({
  apiVersion: 'v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/**
 * Returns the prefix of generated names: the name and a dash, or the name alone if the name is empty or invalid. The last character of the
 * name is not checked, as in NameIsDNSSubdomain with a prefix (apimachinery, pkg/api/validation/generic.go).
 */
export function generateNameFor(name: string): string {
  const maskedName = `${name.slice(0, -1)}a`;
  return name !== '' && isDNS1123Subdomain(maskedName) ? `${name}-` : name;
}

/** Sets the trigger time annotation of a slice to write, or removes it if there is no trigger time. */
export function setTriggerTime({ metadata }: EndpointSlice, triggerTime: string | undefined): void {
  const annotations = Object.entries(omitKeys(metadata.annotations, triggerTimeAnnotation));
  if (triggerTime !== undefined) annotations.push([triggerTimeAnnotation, triggerTime]);
  if (annotations.length > 0) metadata.annotations = toSortedMap(annotations);
  else delete metadata.annotations;
}
