import { compareByName, counted, matcherOf, type Named, nameOf, namespaceOf, objectKey, serviceNameLabel } from 'kube-endpoints/internal';
import type { EndpointSliceInput, EndpointsInput, Node, Pod, Service } from 'kube-endpoints/types';
import type { Inventory, ServiceEvent } from './collection.ts';

/** The part of the input that a command line is about. */
export interface Scope {
  /** Those asked for, by namespace and name. */
  readonly services: readonly Service[];
  /** All pods of a namespace. */
  podsOf(namespace: string): readonly Pod[];
  /** The pods of a Service's namespace that carry its labels; none where it has no selector. */
  selectedBy(service: Service): readonly Pod[];
  /** The Endpoints of that name, where the input has them. */
  endpointsOf(service: Service): EndpointsInput | undefined;
  /** Endpoints in the namespaces asked for that bear the names asked for, by namespace and name. */
  readonly endpoints: readonly EndpointsInput[];
  /** The EndpointSlices that name a Service by their label, whoever writes them, by name. */
  slicesOf(key: string): readonly EndpointSliceInput[];
  /** Whether the input holds any slices. */
  readonly hasSlices: boolean;
  /** EndpointSlices that name one of the Services asked for; where all are, those that name none as well. */
  readonly slices: readonly EndpointSliceInput[];
  /** "namespace/name" of what slices name as their Service, in the namespaces asked for and with the names asked for, in order. */
  readonly sliced: readonly string[];
  /** Every node there is; undefined where that is not known. */
  readonly nodes: readonly Node[] | undefined;
  /** The Events about a Service of this namespace and name, also about one that had them before it. */
  eventsOf(service: Service): readonly ServiceEvent[];
  /** What was asked for by name and is not there. */
  readonly missing: readonly string[];
  readonly hints: readonly string[];
}

export interface ScopeOptions {
  /** Undefined for all. */
  readonly namespace: string | undefined;
  /** Names of Services; none for all. */
  readonly names: readonly string[];
  /** Whether Endpoints or slices alone answer to a name, too. */
  readonly endpointsAlone: boolean;
}

/** Chooses Services by namespace and name, and says what could not be found. */
export function createScope(inventory: Inventory, { namespace, names, endpointsAlone }: ScopeOptions): Scope {
  const wanted = new Set(names);
  const isWanted = (object: Named): boolean =>
    (namespace === undefined || namespaceOf(object) === namespace) && (wanted.size === 0 || wanted.has(nameOf(object)));
  const services = inventory.services.filter(isWanted).sort(compareByName);
  const pods = Map.groupBy(inventory.pods, namespaceOf);
  const endpoints = new Map(inventory.endpoints.map((object) => [objectKey(object), object]));
  const wantedEndpoints = inventory.endpoints.filter(isWanted).sort(compareByName);
  const slices = Map.groupBy([...inventory.slices].sort(compareByName), (slice) => objectKey(serviceOf(slice)));
  const wantedSlices = inventory.slices.filter((slice) => isWanted(serviceOf(slice))).sort(compareByName);
  const sliced = wantedSlices.map(serviceOf).filter((one) => nameOf(one) !== '');
  const events = Map.groupBy(inventory.events, ({ involvedObject }) => objectKey({ metadata: involvedObject }));
  const there = new Set([...services, ...(endpointsAlone ? [...wantedEndpoints, ...sliced] : [])].map(nameOf));
  const where = namespace === undefined ? 'any namespace' : `namespace ${JSON.stringify(namespace)}`;
  return {
    services,
    podsOf: (name) => pods.get(name) ?? [],
    selectedBy(service) {
      const matches = matcherOf(service.spec?.selector);
      return (pods.get(namespaceOf(service)) ?? []).filter(({ metadata }) => matches(metadata?.labels));
    },
    endpointsOf: (service) => endpoints.get(objectKey(service)),
    endpoints: wantedEndpoints,
    slicesOf: (key) => slices.get(key) ?? [],
    hasSlices: inventory.slices.length > 0,
    slices: wantedSlices,
    sliced: [...new Set(sliced.sort(compareByName).map(objectKey))],
    nodes: inventory.nodes,
    eventsOf: (service) => events.get(objectKey(service)) ?? [],
    missing: [...wanted]
      .filter((name) => !there.has(name))
      .map((name) => `services ${JSON.stringify(name)} not found in ${where}${elsewhere(inventory, name)}`),
    hints: services.length === 0 && wanted.size === 0 ? [`No Services found in ${where}.${otherNamespaces(inventory)}`] : [],
  };
}

/** The Service that a slice names, as far as it names one. */
const serviceOf = ({ metadata }: EndpointSliceInput): Named => ({
  metadata: { namespace: metadata?.namespace, name: metadata?.labels?.[serviceNameLabel] },
});

function elsewhere({ services }: Inventory, name: string): string {
  const namespaces = services.filter((service) => nameOf(service) === name).map(namespaceOf);
  return namespaces.length > 0 ? `; there is one in ${enumerate(namespaces)}` : '';
}

function otherNamespaces({ services }: Inventory): string {
  const namespaces = [...new Set(services.map(namespaceOf))].sort();
  return namespaces.length > 0 ? ` The input has Services in ${enumerate(namespaces)}: give -n NAMESPACE, or -A for all.` : '';
}

const longestList = 8;

const enumerate = (names: readonly string[]): string =>
  names.length > longestList
    ? `${names.slice(0, longestList).join(', ')} and ${counted(names.length - longestList, 'other')}`
    : names.join(', ');
