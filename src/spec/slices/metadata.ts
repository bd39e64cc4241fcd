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
import { sameMap } from '../equal.ts';
import { headlessLabel, isHeadless, sortedMap, triggerTimeAnnotation, without } from '../metadata.ts';

/** The label that names the Service of a slice. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The label that names who writes a slice; nobody else may. */
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';

/** The managed-by value of the EndpointSlice controller. */
export const sliceController = 'endpointslice-controller.k8s.io';

/** The managed-by value of the mirroring controller. */
export const mirroringController = 'endpointslicemirroring-controller.k8s.io';

/** Labels that slices have whatever the Service says. */
const reserved: readonly string[] = [headlessLabel, managedByLabel, serviceNameLabel];

/**
 * The labels of a Service's slices: those of the Service but for the reserved ones, which are set as they are due.
 * Mirrors setEndpointSliceLabels (1.36, staging/src/k8s.io/endpointslice/utils.go).
 */
export function sliceLabels(service: Service): Record<string, string> {
  const entries = Object.entries(unreserved(service.metadata?.labels));
  if (isHeadless(service)) entries.push([headlessLabel, '']);
  entries.push([serviceNameLabel, service.metadata?.name ?? ''], [managedByLabel, sliceController]);
  return sortedMap(entries);
}

/** Whether a slice carries the labels of its Service; the reserved ones are not looked at. */
export const areSliceLabelsRight = (slice: EndpointSliceInput, service: Service): boolean =>
  sameMap(unreserved(slice.metadata?.labels), unreserved(service.metadata?.labels));

const unreserved = (labels: Optional<StringMap>): Record<string, string> => without(labels, ...reserved);

/** Whether a slice is one that the EndpointSlice controller keeps for this Service, and none that is foreign. */
export const isManaged = ({ metadata }: EndpointSliceInput, service: Service, controller: string): boolean =>
  (metadata?.namespace ?? '') === (service.metadata?.namespace ?? '') &&
  metadata?.labels?.[serviceNameLabel] === (service.metadata?.name ?? '') &&
  metadata?.labels?.[managedByLabel] === controller;

/** Whether a slice belongs to this very Service and to none before it of the same name. Mirrors ownedBy (utils.go). */
export const isOwnedBy = ({ metadata }: EndpointSliceInput, service: Service): boolean =>
  (metadata?.ownerReferences ?? []).some(
    ({ uid, kind, apiVersion }) => (uid ?? '') === (service.metadata?.uid ?? '') && kind === 'Service' && apiVersion === 'v1',
  );

/** A slice that is to be created, without endpoints. Mirrors newEndpointSlice (1.36, staging/src/k8s.io/endpointslice/utils.go). */
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
      ownerReferences: [ownedAs('Service', name ?? '', uid ?? '')],
    },
    addressType,
    endpoints: [],
    ports,
  };
}

/** The reference to the controlling owner. Mirrors NewControllerRef (apimachinery, pkg/apis/meta/v1/controller_ref.go). */
export const ownedAs = (kind: 'Service' | 'Endpoints', name: string, uid: string): OwnerReference => ({
  apiVersion: 'v1',
  kind,
  name,
  uid,
  controller: true,
  blockOwnerDeletion: true,
});

/**
 * The prefix of generated names: the name and a dash, or the name alone where that would be no name. The last character of
 * the name is not looked at, as in NameIsDNSSubdomain with a prefix (apimachinery, pkg/api/validation/generic.go).
 */
export function generateNameFor(name: string): string {
  const masked = `${name.slice(0, -1)}a`;
  return name !== '' && isDNS1123Subdomain(masked) ? `${name}-` : name;
}

/** Sets the trigger time of a slice that is to be written, or removes it where there is nothing new to tell. */
export function stampTriggerTime({ metadata }: EndpointSlice, triggerTime: string | undefined): void {
  const kept = Object.entries(without(metadata.annotations, triggerTimeAnnotation));
  if (triggerTime !== undefined) kept.push([triggerTimeAnnotation, triggerTime]);
  if (kept.length > 0) metadata.annotations = sortedMap(kept);
  else delete metadata.annotations;
}
