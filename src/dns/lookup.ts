import { strictIP } from '../apimachinery/index.ts';
import { type Bucket, byLabelOf, endpointsOf, hasAddresses, portsOf, wholeOf } from './bucket.ts';
import type { EntryPort, ServiceEntry } from './entries.ts';
import { foundItems, type Item } from './found.ts';
import { hostOf, lowered } from './name.ts';
import { type DnsReason, reasonOf } from './reasons.ts';
import { type Asked, asksForPort, isReason, isWild, matches, type NameRequest, parseRequest } from './request.ts';
import { isReverseName, type Settings } from './settings.ts';
import { empty, hiddenNamespace, type Lookup, missing, type World } from './world.ts';

/** Mirrors Records (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function lookUp(world: World, asked: Asked): Lookup {
  const request = parseRequest(asked);
  if (isReason(request)) return missing(request);
  if (request.tree === '') return empty(nameWithoutRecords(asked));
  if (isReverseName(asked.lower)) return missing(reasonOf('NameIsReverse', { name: asked.name }));
  const { gates } = world.settings;
  const anyNamespace = isWild(request.namespace, gates);
  const hidden = anyNamespace ? undefined : hiddenNamespace(world, request.namespace);
  if (hidden) return missing(hidden);
  if (request.tree === 'pod') return findPods(world, request);
  if (request.service === '') return empty(nameWithoutRecords(asked));
  if (anyNamespace || isWild(request.service, gates)) return findWildcards(world, asked, request);
  return findServices(world, request);
}

const nameWithoutRecords = ({ name, base, zone }: Asked): DnsReason =>
  base === '' ? reasonOf('NoRecordAtApex', { zone }) : reasonOf('NameHoldsOthers', { name });

/** Finds pods by address. Mirrors findPods (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findPods(world: World, request: NameRequest): Lookup {
  const { namespace, service: pod } = request;
  const { pods } = world.settings;
  if (pods === 'disabled') return missing(reasonOf('PodsDisabled', {}));
  if (pod === '') return empty(reasonOf('NameHoldsOthers', { name: `${namespace}.pod` }));
  const address = addressOfLabel(pod);
  return pods === 'insecure' ? anyPod(request, address) : knownPods(world, request, address);
}

function anyPod({ namespace, service: pod }: NameRequest, address: string): Lookup {
  if (strictIP(address) === undefined) return missing(reasonOf('PodNameIsNoAddress', { pod }));
  const item: Item = { host: hostOf(address), port: 0, owner: `${pod}.${namespace}.pod` };
  return { exists: true, found: foundItems([item]), reason: reasonOf('PodAddress', { pod, namespace }) };
}

/** Existing pods, by their primary IP (`pods verified`). */
function knownPods({ settings: { gates, namespaces }, store }: World, { namespace, service: pod }: NameRequest, address: string): Lookup {
  const items: Item[] = [];
  const everywhere = isWild(namespace, gates);
  for (const known of store.byPodIP.get(address)) {
    if (!matches(namespace, known.namespace, gates)) continue;
    if (everywhere && !(store.hasNamespace(known.namespace) && (!namespaces || namespaces.has(known.namespace)))) continue;
    items.push({ host: hostOf(address), port: 0, owner: `${pod}.${namespace}.pod` });
  }
  if (items.length > 0) return { exists: true, found: foundItems(items), reason: reasonOf('PodVerified', { pod, namespace }) };
  if (isWild(pod, gates) && !everywhere) return empty(reasonOf('NameHoldsOthers', { name: `${pod}.${namespace}.pod` }));
  if (strictIP(address) === undefined) return missing(reasonOf('PodNameIsNoAddress', { pod }));
  return missing(reasonOf('PodNotFound', { namespace, address }));
}

/** A label with exactly three dashes, none of them adjacent, is an IPv4 address; else dashes stand for colons. */
function addressOfLabel(label: string): string {
  const isIPv4 = label.split('-').length === 4 && !label.includes('--');
  return label.replaceAll('-', isIPv4 ? '.' : ':');
}

/**
 * All Services that match a name with wildcards; the only lookup that scans all Services.
 *
 * Mirrors findServices (CoreDNS 1.8, plugin/kubernetes/kubernetes.go).
 */
export function findWildcards(world: World, asked: Asked, request: NameRequest): Lookup {
  const { gates } = world.settings;
  const items: Item[] = [];
  const services: string[] = [];
  let anyEndpoints: boolean | undefined;
  const hasEndpoints = (): boolean => {
    anyEndpoints ??= [...world.store.buckets()].some(hasAddresses);
    return anyEndpoints;
  };
  for (const bucket of candidates(world, request)) {
    if (!bucket.service) continue;
    const { exists, found } = findInService(bucket, bucket.service, request, world.settings, hasEndpoints);
    if (!exists) continue;
    for (const item of found.items) items.push(item);
    services.push(bucket.service.key);
  }
  if (services.length > 0) {
    return {
      exists: true,
      found: foundItems(items),
      reason: reasonOf('WildcardServices', { name: asked.name, services: listOf(services) }),
    };
  }
  const reason = reasonOf('WildcardMatchesNothing', { name: asked.name });
  return isWild(request.namespace, gates) ? missing(reason) : empty(reason);
}

/** Sorted by namespace and name, so that answers do not depend on the order in which Services arrive. */
function candidates(world: World, { namespace, service }: NameRequest): readonly Bucket[] {
  const { gates } = world.settings;
  const visible = isWild(namespace, gates) ? (name: string) => hiddenNamespace(world, name) === undefined : () => true;
  return [...world.store.buckets()]
    .filter((bucket) => matches(namespace, bucket.namespace, gates) && matches(service, bucket.name, gates) && visible(bucket.namespace))
    .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
}

/** Finds a Service by name. Mirrors findServices (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findServices({ settings, store }: World, request: NameRequest): Lookup {
  const { namespace, service: name } = request;
  const bucket = store.bucket(request.key);
  if (!bucket?.service) return missing(reasonOf('ServiceNotFound', { service: name, namespace }));
  return findInService(bucket, bucket.service, request, settings, () => hasAddresses(bucket));
}

/** @param hasEndpoints whether the Service has endpoints; for a name with wildcards, whether any Service has */
export function findInService(
  bucket: Bucket,
  service: ServiceEntry,
  request: NameRequest,
  settings: Settings,
  hasEndpoints: () => boolean,
): Lookup {
  const external = service.externalName !== undefined;
  if (settings.ignoreEmptyService && !external && !service.headless && !hasEndpoints()) {
    return missing(reasonOf('ServiceIsEmpty', { service: service.key }));
  }
  const asEndpoints = request.endpoint !== '' || service.headless;
  if (external && (settings.gates.externalNamesFirst || !asEndpoints)) return findExternalName(service, request, settings);
  return request.endpoint === ''
    ? findPorts(bucket, service, request, settings)
    : findEndpoint(bucket, service, request.endpoint, settings);
}

function findExternalName(service: ServiceEntry, { endpoint, ports }: NameRequest, { gates }: Settings): Lookup {
  const host = service.externalName as NonNullable<ServiceEntry['externalName']>;
  const values = { service: service.key, target: host.data };
  const asked = ports && (ports.port !== '' || ports.protocol !== '');
  if ((endpoint !== '' && gates.nothingBelowExternalNames) || (asked && gates.noPortsOfExternalNames)) {
    return missing(reasonOf('ExternalNameHasNoLabels', values));
  }
  if (host.type !== 'CNAME') return missing(reasonOf('ExternalNameIsAddress', values));
  const item: Item = { host, port: 0, owner: `${service.name}.${service.namespace}.svc` };
  return { exists: true, found: foundItems([item]), reason: reasonOf('ExternalName', values) };
}

/** The whole Service, or one of its ports. */
function findPorts(bucket: Bucket, service: ServiceEntry, request: NameRequest, settings: Settings): Lookup {
  const { found, reason } = wholeOf(bucket, service);
  if (found.items.length === 0) return missing(noEndpoints(service, settings));
  const { ports } = request;
  if (!ports) return { exists: true, found, reason };
  const there = portsOf(bucket, service, `${ports.port}.${ports.protocol}`, ({ name, protocol }) =>
    asksForPort(ports, name, protocol, settings.gates),
  );
  if (there) return { exists: true, found: there, reason: portReason(service, request) };
  return missing(portMissing(service, request, service.headless ? endpointsOf(bucket) : service.ports));
}

function findEndpoint(bucket: Bucket, service: ServiceEntry, endpoint: string, settings: Settings): Lookup {
  const byLabel = byLabelOf(bucket);
  const reason = (): DnsReason => reasonOf('EndpointName', { endpoint, service: service.key });
  const found = anyMatches(byLabel, endpoint, settings)
    ? foundItems(endpointsOf(bucket).filter(({ label }) => matches(endpoint, label, settings.gates)))
    : byLabel.get(endpoint);
  if (found && found.items.length > 0) return { exists: true, found, reason: reason() };
  if (byLabel.size === 0) return missing(noEndpoints(service, settings));
  return missing(endpointMissing(service, endpoint, byLabel.keys()));
}

/** Whether a wildcard is involved: in the query, or as the name of an endpoint. */
const anyMatches = (byLabel: ReadonlyMap<string, unknown>, endpoint: string, { gates }: Settings): boolean =>
  isWild(endpoint, gates) || (!gates.wildcardsGone && (byLabel.has('any') || byLabel.has('*')));

const noEndpoints = ({ key, headless }: ServiceEntry, settings: Settings): DnsReason => {
  if (settings.noEndpoints) return reasonOf('EndpointsNotServed', { service: key });
  return reasonOf(headless ? 'NoReadyEndpoints' : 'NoEndpointsToName', { service: key });
};

/** The reason when a port of a Service was found. */
export const portReason = ({ key }: ServiceEntry, { ports }: NameRequest): DnsReason =>
  reasonOf('ServicePort', { service: key, port: ports?.port || 'any', protocol: ports?.protocol || 'any' });

/** The reason when a Service lacks the port; `there` are the ports it has. */
export function portMissing(
  { key }: ServiceEntry,
  { ports }: NameRequest,
  there: Iterable<Pick<EntryPort, 'name' | 'protocol'>>,
): DnsReason {
  const names: string[] = [];
  for (const { name, protocol } of there) {
    const text = protocol === '' ? 'none' : lowered(`_${name || 'unnamed'}._${protocol}`);
    if (!names.includes(text)) names.push(text);
    if (names.length > listed) break;
  }
  return reasonOf('PortNotFound', { service: key, port: ports?.port ?? '', protocol: ports?.protocol ?? '', ports: listOf(names) });
}

/** The reason when a Service lacks the endpoint; `there` are the endpoint names it has. */
export function endpointMissing({ key }: ServiceEntry, endpoint: string, there: Iterable<string>): DnsReason {
  const names: string[] = [];
  for (const name of there) if (names.push(name) > listed) break;
  return reasonOf('EndpointNotFound', { service: key, endpoint, endpoints: listOf(names) });
}

/** Maximum number of names in a message. */
const listed = 5;

export const listOf = (names: readonly string[]): string =>
  names.length > listed ? `${names.slice(0, listed).join(', ')} and others` : names.join(', ');
