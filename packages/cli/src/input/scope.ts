import { createLabelMatcher, formatCount, serviceNameLabel } from 'kube-endpoints/internal';
import { compareByName, type Named, nameOf, namespaceOf, objectKey } from 'kube-endpoints/internal/apimachinery';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import type { Inventory, ServiceEvent } from './collection.ts';

/** The part of the input that a command line selects. */
export interface Scope {
  /** The selected Services, sorted by namespace and name. */
  readonly services: readonly Service[];
  /** All pods of a namespace. */
  podsOf(namespace: string): readonly Pod[];
  /** The pods in the Service's namespace that the Service's selector matches; empty if the Service has no selector. */
  podsSelectedBy(service: Service): readonly Pod[];
  /** The Endpoints with the Service's name, if the input has them. */
  endpointsOf(service: Service): EndpointsInput | undefined;
  /** Endpoints in the selected namespaces with the selected names, sorted by namespace and name. */
  readonly endpoints: readonly EndpointsInput[];
  /**
   * Returns the EndpointSlices that are labelled with the name of a Service, from all managing controllers, sorted by name.
   * @param key "namespace/name" of the Service
   */
  slicesOf(key: string): readonly EndpointSliceInput[];
  /** True if neither a namespace nor names nor labels limit the selected Services. */
  readonly includesAll: boolean;
  /** True if the input holds any slices. */
  readonly hasSlices: boolean;
  /** EndpointSlices of the selected Services. If no names are given, also slices without a Service label. */
  readonly slices: readonly EndpointSliceInput[];
  /** "namespace/name" of the Services that the selected slices are labelled with, sorted. These Services need not exist. */
  readonly serviceKeysOfSlices: readonly string[];
  /** All nodes; undefined if unknown. */
  readonly nodes: readonly Node[] | undefined;
  /** The Events about a Service of this namespace and name, including a deleted one with the same name. */
  eventsOf(service: Service): readonly ServiceEvent[];
  /** Error messages for named Services that do not exist. */
  readonly notFoundMessages: readonly string[];
  readonly hints: readonly string[];
}

/** A label selector, as given and as a function. */
export interface LabelSelector {
  readonly text: string;
  matches(labels: Readonly<Record<string, string>>): boolean;
}

export interface ScopeOptions {
  /** Undefined for all namespaces. */
  readonly namespace: string | undefined;
  /** Names of Services; empty for all. */
  readonly names: readonly string[];
  /** Selects Services by their labels; then Endpoints and slices are those of the selected Services. */
  readonly selector?: LabelSelector | undefined;
  /** True if names also match Endpoints and slices that have no Service. */
  readonly includesOrphans: boolean;
}

/** Selects Services by namespace and name, and reports names that are not found. */
export function createScope(inventory: Inventory, { namespace, names, selector, includesOrphans }: ScopeOptions): Scope {
  const selectedNames = new Set(names);
  const isNamed = (object: Named): boolean =>
    (namespace === undefined || namespaceOf(object) === namespace) && (selectedNames.size === 0 || selectedNames.has(nameOf(object)));
  const services = inventory.services
    .filter((service) => isNamed(service) && (!selector || selector.matches(service.metadata?.labels ?? {})))
    .sort(compareByName);
  const selectedKeys = selector && new Set(services.map(objectKey));
  const isSelected = (object: Named): boolean => (selectedKeys ? selectedKeys.has(objectKey(object)) : isNamed(object));
  const pods = Map.groupBy(inventory.pods, namespaceOf);
  const endpoints = new Map(inventory.endpoints.map((object) => [objectKey(object), object]));
  const selectedEndpoints = inventory.endpoints.filter(isSelected).sort(compareByName);
  const slices = Map.groupBy([...inventory.slices].sort(compareByName), (slice) => objectKey(serviceOf(slice)));
  const selectedSlices = inventory.slices.filter((slice) => isSelected(serviceOf(slice))).sort(compareByName);
  const servicesOfSlices = selectedSlices.map(serviceOf).filter((service) => nameOf(service) !== '');
  const events = groupServiceEvents(inventory);
  const existingNames = new Set([...services, ...(includesOrphans ? [...selectedEndpoints, ...servicesOfSlices] : [])].map(nameOf));
  const namespaceText = namespace === undefined ? 'any namespace' : `namespace ${JSON.stringify(namespace)}`;
  return {
    services,
    podsOf: (name) => pods.get(name) ?? [],
    podsSelectedBy(service) {
      const matches = createLabelMatcher(service.spec?.selector);
      return (pods.get(namespaceOf(service)) ?? []).filter(({ metadata }) => matches(metadata?.labels));
    },
    endpointsOf: (service) => endpoints.get(objectKey(service)),
    endpoints: selectedEndpoints,
    slicesOf: (key) => slices.get(key) ?? [],
    includesAll: namespace === undefined && selectedNames.size === 0 && !selector,
    hasSlices: inventory.slices.length > 0,
    slices: selectedSlices,
    serviceKeysOfSlices: [...new Set(servicesOfSlices.sort(compareByName).map(objectKey))],
    nodes: inventory.nodes,
    eventsOf: (service) => events.get(objectKey(service)) ?? [],
    notFoundMessages: [...selectedNames]
      .filter((name) => !existingNames.has(name))
      .map((name) => `services ${JSON.stringify(name)} not found in ${namespaceText}${formatOtherLocations(inventory, name)}`),
    hints: services.length === 0 && selectedNames.size === 0 ? [createEmptyHint(inventory, namespaceText, selector)] : [],
  };
}

/** Groups the Events about Services by the key of the Service. */
const groupServiceEvents = ({ events }: Inventory): ReadonlyMap<string, readonly ServiceEvent[]> =>
  Map.groupBy(
    events.filter(({ involvedObject }) => involvedObject.kind === 'Service'),
    ({ involvedObject }) => objectKey({ metadata: involvedObject }),
  );

/** Returns namespace and name of the Service that a slice is labelled with. The name is undefined if the slice lacks the label. */
const serviceOf = ({ metadata }: EndpointSliceInput): Named => ({
  metadata: { namespace: metadata?.namespace, name: metadata?.labels?.[serviceNameLabel] },
});

const createEmptyHint = (inventory: Inventory, namespaceText: string, selector: LabelSelector | undefined): string =>
  selector
    ? `No Services with ${selector.text} found in ${namespaceText}.`
    : `No Services found in ${namespaceText}.${formatOtherNamespacesHint(inventory)}`;

function formatOtherLocations({ services }: Inventory, name: string): string {
  const namespaces = services.filter((service) => nameOf(service) === name).map(namespaceOf);
  return namespaces.length > 0 ? `; there is one in ${enumerate(namespaces)}` : '';
}

function formatOtherNamespacesHint({ services }: Inventory): string {
  const namespaces = [...new Set(services.map(namespaceOf))].sort();
  return namespaces.length > 0 ? ` The input has Services in ${enumerate(namespaces)}: give -n NAMESPACE, or -A for all.` : '';
}

const maxListedNames = 8;

const enumerate = (names: readonly string[]): string =>
  names.length > maxListedNames
    ? `${names.slice(0, maxListedNames).join(', ')} and ${formatCount(names.length - maxListedNames, 'other')}`
    : names.join(', ');
