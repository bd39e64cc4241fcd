import { isLongerThan } from '../apimachinery/index.ts';
import type {
  EndpointAddressInput,
  EndpointInput,
  EndpointPortInput,
  EndpointSliceInput,
  EndpointSubsetInput,
  EndpointsInput,
  Pod,
  ServicePort,
  SlicePortInput,
} from '../types/index.ts';
import { type Host, parseHost } from './name.ts';
import type { DnsService } from './objects.ts';
import type { Settings } from './settings.ts';

/**
 * A port that a query can match. Name and protocol keep their letter case, because only the exact text "any" is a wildcard. The number -1
 * means that no ports are declared, or that a slice's port has no number.
 */
export interface EntryPort {
  readonly name: string;
  readonly protocol: string;
  readonly port: number;
}

/** The fields of a Service from which its records are created. */
export interface ServiceEntry extends ObjectName {
  readonly externalName: Host | undefined;
  readonly isHeadless: boolean;
  /** The parsed cluster IPs. */
  readonly hosts: readonly Host[];
  readonly ports: readonly EntryPort[];
  /** External IPs and load balancer addresses, as written. */
  readonly externalAddresses: readonly string[];
}

/** The fields of an EndpointSlice or Endpoints object from which its records are created. */
export interface EndpointsEntry extends ObjectName {
  /** The Service of the endpoints: for a slice, that of the label kubernetes.io/service-name, or "" if absent. */
  readonly service: string;
  /** A slice has one. */
  readonly subsets: readonly EntrySubset[];
}

/** Addresses that all have the same ports. */
export interface EntrySubset {
  readonly addresses: readonly EntryAddress[];
  readonly ports: readonly EntryPort[];
}

export interface EntryAddress {
  readonly host: Host;
  /** The endpoint's label below its Service; empty if it has no name. */
  readonly label: string;
  readonly hasHostname: boolean;
}

/** A pod that can be found with `pods verified`. */
export interface PodEntry extends ObjectName {
  /** Without duplicates. */
  readonly addresses: readonly string[];
}

/** Mirrors ToService (CoreDNS 1.14, plugin/kubernetes/object/service.go). */
export function createServiceEntry(service: DnsService, settings: Settings): ServiceEntry {
  const name = readObjectName('Service', service);
  const fields = createFieldReader('Service', name.key);
  const spec = service.spec ?? {};
  const listedIPs = settings.gates.allClusterIPs ? fields.texts(spec.clusterIPs, 'spec.clusterIPs') : [];
  const clusterIPs = listedIPs.length > 0 ? listedIPs : [fields.text(spec.clusterIP, 'spec.clusterIP')];
  const ports = fields.list<ServicePort>(spec.ports, 'spec.ports').map((port, i) => ({
    name: fields.text(port.name, `spec.ports[${i}].name`),
    protocol: fields.text(port.protocol, `spec.ports[${i}].protocol`) || 'TCP',
    port: fields.number(port.port, `spec.ports[${i}].port`) ?? 0,
  }));
  const ingress = fields.list<{ ip?: string; hostname?: string }>(service.status?.loadBalancer?.ingress, 'status.loadBalancer.ingress');
  return {
    ...name,
    externalName: spec.type === 'ExternalName' ? parseHost(fields.text(spec.externalName, 'spec.externalName')) : undefined,
    isHeadless: clusterIPs[0] === 'None',
    hosts: clusterIPs.map(parseHost),
    ports: ports.length > 0 ? ports : noPorts,
    externalAddresses: [
      ...fields.texts(spec.externalIPs, 'spec.externalIPs'),
      ...ingress.map(({ ip, hostname }) =>
        fields.text(ip || (settings.gates.balancerNamesReversed ? hostname : ''), 'status.loadBalancer.ingress'),
      ),
    ],
  };
}

/** Mirrors EndpointSliceToEndpoints (CoreDNS 1.14, plugin/kubernetes/object/endpoint.go). */
export function createSliceEntry(slice: EndpointSliceInput, settings: Settings): EndpointsEntry {
  const name = readObjectName('EndpointSlice', slice);
  const fields = createFieldReader('EndpointSlice', name.key);
  const labels = slice.metadata?.labels;
  const ports = fields.list<SlicePortInput>(slice.ports, 'ports').map((port, i) => ({
    name: fields.text(port.name, `ports[${i}].name`),
    protocol: fields.text(port.protocol, `ports[${i}].protocol`) || 'TCP',
    port: fields.number(port.port, `ports[${i}].port`) ?? -1,
  }));
  const addresses: EntryAddress[] = [];
  for (const [i, endpoint] of fields.list<EndpointInput>(slice.endpoints, 'endpoints').entries()) {
    if (endpoint.conditions?.ready === false && settings.gates.unreadyEndpointsSkipped) continue;
    const hostname = fields.text(endpoint.hostname, `endpoints[${i}].hostname`);
    for (const address of fields.texts(endpoint.addresses, `endpoints[${i}].addresses`)) {
      addresses.push(createAddress(address, hostname, podNameLabel(endpoint, settings, settings.gates.longPodNamesIgnored), settings));
    }
  }
  const service = labels && Object.hasOwn(labels, serviceLabel) ? fields.text(labels[serviceLabel], 'metadata.labels') : '';
  return { ...name, service, subsets: [{ addresses, ports: ports.length > 0 ? ports : noPorts }] };
}

/** Mirrors ToEndpoints (CoreDNS 1.6 to 1.10, plugin/kubernetes/object/endpoint.go): the ready addresses of each subset. */
export function createEndpointsEntry(endpoints: EndpointsInput, settings: Settings): EndpointsEntry {
  const name = readObjectName('Endpoints', endpoints);
  const fields = createFieldReader('Endpoints', name.key);
  const subsets = fields.list<EndpointSubsetInput>(endpoints.subsets, 'subsets').map((subset, i): EntrySubset => {
    const path = `subsets[${i}]`;
    const ports = fields.list<EndpointPortInput>(subset.ports, `${path}.ports`).map((port, at) => ({
      name: fields.text(port.name, `${path}.ports[${at}].name`),
      protocol: fields.text(port.protocol, `${path}.ports[${at}].protocol`) || 'TCP',
      port: fields.number(port.port, `${path}.ports[${at}].port`) ?? 0,
    }));
    const addresses = fields.list<EndpointAddressInput>(subset.addresses, `${path}.addresses`).map((address, at) => {
      const hostname = fields.text(address.hostname, `${path}.addresses[${at}].hostname`);
      // No release checks the length of pod names here.
      const podName = podNameLabel(address, settings, false);
      return createAddress(fields.text(address.ip, `${path}.addresses[${at}].ip`), hostname, podName, settings);
    });
    return { addresses, ports: ports.length > 0 ? ports : noPorts };
  });
  return { ...name, service: name.name, subsets };
}

function createAddress(address: string, hostname: string, podName: string, settings: Settings): EntryAddress {
  return { host: parseHost(address), label: hostname || podName || addressLabel(address, settings), hasHostname: hostname !== '' };
}

/**
 * Returns undefined for a pod that has no records because it is terminating, or its phase is Succeeded, Failed or Unknown. Mirrors ToPod
 * and podListFunc (CoreDNS 1.15, plugin/kubernetes/object/pod.go and controller.go).
 */
export function createPodEntry(pod: Pod, { gates }: Settings): PodEntry | undefined {
  const name = readObjectName('Pod', pod);
  const phase = pod.status?.phase;
  if (isSet(pod.metadata?.deletionTimestamp) || phase === 'Succeeded' || phase === 'Failed' || phase === 'Unknown') return undefined;
  const fields = createFieldReader('Pod', name.key);
  const podIP = fields.text(pod.status?.podIP, 'status.podIP');
  const podIPs = fields.list<{ ip?: unknown }>(pod.status?.podIPs, 'status.podIPs');
  if (!gates.allPodIPs) return { ...name, addresses: [podIP] };
  return { ...name, addresses: [...new Set(podIPs.map(({ ip }, i) => fields.text(ip, `status.podIPs[${i}].ip`)))] };
}

/** Go's zero time counts as unset. */
const isSet = (time: unknown): boolean => !!time && time !== '0001-01-01T00:00:00Z';

const serviceLabel = 'kubernetes.io/service-name';

const noPorts: readonly EntryPort[] = [{ name: '', protocol: '', port: -1 }];

/** The endpoint's pod name; empty if it is too long for a DNS label and `ignoreLong` is set. */
function podNameLabel({ targetRef }: EndpointInput | EndpointAddressInput, { endpointPodNames }: Settings, ignoreLong: boolean): string {
  const name = targetRef?.name;
  if (!endpointPodNames || typeof name !== 'string') return '';
  return ignoreLong && isLongerThan(name, 63) ? '' : name;
}

/** Mirrors endpointHostname (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
function addressLabel(address: string, { gates }: Settings): string {
  if (address.includes('.')) return address.replaceAll('.', '-');
  if (!address.includes(':')) return '';
  const label = address.replaceAll(':', '-');
  return gates.ipv6LabelsEndInZero && label.endsWith('-') ? `${label}0` : label;
}

/** Reads fields of untrusted objects. @throws TypeError that names the field if a value has the wrong type */
export interface FieldReader {
  /** Empty if the field is absent. */
  text(value: unknown, path: string): string;
  /** Empty if the field is absent; a null item reads as {}. */
  list<T extends object>(value: unknown, path: string): readonly T[];
  texts(value: unknown, path: string): readonly string[];
  number(value: unknown, path: string): number | undefined;
}

export interface ObjectName {
  readonly name: string;
  /** Empty for a cluster-scoped object. */
  readonly namespace: string;
  /** "shop/web", or the name alone for a cluster-scoped object. */
  readonly key: string;
}

/** @throws TypeError if the name, or the namespace of a namespaced object, is missing or not a string */
export function readObjectName(kind: string, object: unknown, isNamespaced = true): ObjectName {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  if (typeof name !== 'string' || name === '')
    throw new TypeError(`${kind}: metadata.name is ${printValue(name)}: give a non-empty string`);
  if (!isNamespaced) return { name, namespace: '', key: name };
  if (typeof namespace === 'string' && namespace !== '') return { name, namespace, key: `${namespace}/${name}` };
  throw new TypeError(`${kind} ${name}: metadata.namespace is ${printValue(namespace)}: give a non-empty string`);
}

export function createFieldReader(kind: string, key: string): FieldReader {
  const refuse = (value: unknown, path: string, expected: string): never => {
    throw new TypeError(`${kind} ${key}: ${path} is ${printValue(value)}: give ${expected}`);
  };
  const list = (value: unknown, path: string): readonly unknown[] => {
    if (value === undefined || value === null) return [];
    return Array.isArray(value) ? value : refuse(value, path, 'a list');
  };
  const text = (value: unknown, path: string): string => {
    if (value === undefined || value === null) return '';
    return typeof value === 'string' ? value : refuse(value, path, 'a string');
  };
  return {
    text,
    list: <T extends object>(value: unknown, path: string) =>
      list(value, path).map((item, i) => {
        if (item === undefined || item === null) return {} as T;
        return isObject(item) ? (item as T) : refuse(item, `${path}[${i}]`, 'an object');
      }),
    texts: (value, path) => list(value, path).map((item, i) => text(item, `${path}[${i}]`)),
    number: (value, path) => {
      if (value === undefined || value === null) return undefined;
      return typeof value === 'number' && Number.isInteger(value) ? value : refuse(value, path, 'a whole number');
    },
  };
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const printValue = (value: unknown): string => (value === undefined ? 'missing' : (JSON.stringify(value)?.slice(0, 60) ?? typeof value));
