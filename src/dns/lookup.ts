import { strictIP } from '../apimachinery/index.ts';
import { type AnswerItem, createItemSet } from './answer-items.ts';
import { type Bucket, getEndpoints, getEndpointsByLabel, getPortItems, getServiceAnswer, hasAddresses } from './bucket.ts';
import type { EntryPort, ServiceEntry } from './entries.ts';
import { parseHost, toLowerAscii } from './name.ts';
import { createReason, type DnsReason } from './reasons.ts';
import { isReason, isWildcard, matchesName, matchesPortAndProtocol, type NameRequest, parseRequest, type QueryName } from './request.ts';
import { isReverseName, type Settings } from './settings.ts';
import { createNodata, createNxdomain, explainHiddenNamespace, type LookupResult, type ZoneData } from './zone-data.ts';

/** Mirrors Records (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function lookUpName(zoneData: ZoneData, query: QueryName): LookupResult {
  const request = parseRequest(query);
  if (isReason(request)) return createNxdomain(request);
  if (request.tree === '') return createNodata(explainNameWithoutRecords(query));
  if (isReverseName(query.lower)) return createNxdomain(createReason('NameIsReverse', { name: query.name }));
  const { gates } = zoneData.settings;
  const isAnyNamespace = isWildcard(request.namespace, gates);
  const hiddenReason = isAnyNamespace ? undefined : explainHiddenNamespace(zoneData, request.namespace);
  if (hiddenReason) return createNxdomain(hiddenReason);
  if (request.tree === 'pod') return findPods(zoneData, request);
  if (request.service === '') return createNodata(explainNameWithoutRecords(query));
  if (isAnyNamespace || isWildcard(request.service, gates)) return findWildcardServices(zoneData, query, request);
  return findService(zoneData, request);
}

const explainNameWithoutRecords = ({ name, base, zone }: QueryName): DnsReason =>
  base === '' ? createReason('NoRecordAtApex', { zone }) : createReason('NameHasNoRecords', { name });

/** Finds pods by address. Mirrors findPods (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findPods(zoneData: ZoneData, request: NameRequest): LookupResult {
  const { namespace, service: pod } = request;
  const { pods } = zoneData.settings;
  if (pods === 'disabled') return createNxdomain(createReason('PodsDisabled', {}));
  if (pod === '') return createNodata(createReason('NameHasNoRecords', { name: `${namespace}.pod` }));
  const address = parseAddressLabel(pod);
  return pods === 'insecure' ? answerAnyPod(request, address) : findVerifiedPods(zoneData, request, address);
}

function answerAnyPod({ namespace, service: pod }: NameRequest, address: string): LookupResult {
  if (strictIP(address) === undefined) return createNxdomain(createReason('PodNameInvalid', { pod }));
  const item: AnswerItem = { host: parseHost(address), port: 0, owner: `${pod}.${namespace}.pod` };
  return { exists: true, itemSet: createItemSet([item]), reason: createReason('PodAddress', { pod, namespace }) };
}

/** Finds existing pods by their IPs (option `pods verified`). */
function findVerifiedPods(
  { settings: { gates, namespaces }, store }: ZoneData,
  { namespace, service: pod }: NameRequest,
  address: string,
): LookupResult {
  const items: AnswerItem[] = [];
  const isAnyNamespace = isWildcard(namespace, gates);
  for (const existingPod of store.podsByIP.get(address)) {
    if (!matchesName(namespace, existingPod.namespace, gates)) continue;
    if (isAnyNamespace && !(store.hasNamespace(existingPod.namespace) && (!namespaces || namespaces.has(existingPod.namespace)))) continue;
    items.push({ host: parseHost(address), port: 0, owner: `${pod}.${namespace}.pod` });
  }
  if (items.length > 0) return { exists: true, itemSet: createItemSet(items), reason: createReason('PodVerified', { pod, namespace }) };
  if (isWildcard(pod, gates) && !isAnyNamespace) return createNodata(createReason('NameHasNoRecords', { name: `${pod}.${namespace}.pod` }));
  if (strictIP(address) === undefined) return createNxdomain(createReason('PodNameInvalid', { pod }));
  return createNxdomain(createReason('PodNotFound', { namespace, address }));
}

/** Returns the address for a label: exactly three dashes, none of them adjacent, stand for dots; else dashes stand for colons. */
function parseAddressLabel(label: string): string {
  const isIPv4 = label.split('-').length === 4 && !label.includes('--');
  return label.replaceAll('-', isIPv4 ? '.' : ':');
}

/**
 * Finds all Services that match a name with wildcards. No other lookup scans all Services.
 *
 * Mirrors findServices (CoreDNS 1.8, plugin/kubernetes/kubernetes.go).
 */
export function findWildcardServices(zoneData: ZoneData, query: QueryName, request: NameRequest): LookupResult {
  const { gates } = zoneData.settings;
  const items: AnswerItem[] = [];
  const services: string[] = [];
  let anyEndpoints: boolean | undefined;
  const hasEndpoints = (): boolean => {
    anyEndpoints ??= [...zoneData.store.listBuckets()].some(hasAddresses);
    return anyEndpoints;
  };
  for (const bucket of findMatchingBuckets(zoneData, request)) {
    if (!bucket.service) continue;
    const { exists, itemSet } = findInService(bucket, bucket.service, request, zoneData.settings, hasEndpoints);
    if (!exists) continue;
    for (const item of itemSet.items) items.push(item);
    services.push(bucket.service.key);
  }
  if (services.length > 0) {
    return {
      exists: true,
      itemSet: createItemSet(items),
      reason: createReason('WildcardServices', { name: query.name, services: formatList(services) }),
    };
  }
  const reason = createReason('WildcardMatchesNothing', { name: query.name });
  return isWildcard(request.namespace, gates) ? createNxdomain(reason) : createNodata(reason);
}

/** Finds the Services that match, sorted by namespace and name, so that answers do not depend on the order in which Services arrive. */
function findMatchingBuckets(zoneData: ZoneData, { namespace, service }: NameRequest): readonly Bucket[] {
  const { gates } = zoneData.settings;
  const isVisibleNamespace = isWildcard(namespace, gates)
    ? (name: string) => explainHiddenNamespace(zoneData, name) === undefined
    : () => true;
  return [...zoneData.store.listBuckets()]
    .filter(
      (bucket) =>
        matchesName(namespace, bucket.namespace, gates) && matchesName(service, bucket.name, gates) && isVisibleNamespace(bucket.namespace),
    )
    .sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1));
}

/** Finds a Service by name. Mirrors findServices (CoreDNS 1.14, plugin/kubernetes/kubernetes.go). */
export function findService({ settings, store }: ZoneData, request: NameRequest): LookupResult {
  const { namespace, service: name } = request;
  const bucket = store.getBucket(request.key);
  if (!bucket?.service) return createNxdomain(createReason('ServiceNotFound', { service: name, namespace }));
  return findInService(bucket, bucket.service, request, settings, () => hasAddresses(bucket));
}

/**
 * Finds the records of a Service for a request.
 *
 * @param hasEndpoints whether the Service has endpoints; for a name with wildcards, whether any Service has endpoints
 */
export function findInService(
  bucket: Bucket,
  service: ServiceEntry,
  request: NameRequest,
  settings: Settings,
  hasEndpoints: () => boolean,
): LookupResult {
  const isExternalName = service.externalName !== undefined;
  if (settings.ignoreEmptyService && !isExternalName && !service.isHeadless && !hasEndpoints()) {
    return createNxdomain(createReason('ServiceIsEmpty', { service: service.key }));
  }
  const usesEndpoints = request.endpoint !== '' || service.isHeadless;
  if (isExternalName && (settings.gates.externalNamesFirst || !usesEndpoints)) return findExternalName(service, request, settings);
  return request.endpoint === ''
    ? findPorts(bucket, service, request, settings)
    : findEndpoint(bucket, service, request.endpoint, settings);
}

function findExternalName(service: ServiceEntry, { endpoint, ports }: NameRequest, { gates }: Settings): LookupResult {
  const host = service.externalName as NonNullable<ServiceEntry['externalName']>;
  const values = { service: service.key, target: host.data };
  const hasPortLabels = ports && (ports.port !== '' || ports.protocol !== '');
  if ((endpoint !== '' && gates.noEndpointsBelowExternalNames) || (hasPortLabels && gates.noPortsBelowExternalNames)) {
    return createNxdomain(createReason('ExternalNameHasNoLabels', values));
  }
  if (host.type !== 'CNAME') return createNxdomain(createReason('ExternalNameIsAddress', values));
  const item: AnswerItem = { host, port: 0, owner: `${service.name}.${service.namespace}.svc` };
  return { exists: true, itemSet: createItemSet([item]), reason: createReason('ExternalName', values) };
}

/** Finds the records of a whole Service, or of one of its ports. */
function findPorts(bucket: Bucket, service: ServiceEntry, request: NameRequest, settings: Settings): LookupResult {
  const { itemSet, reason } = getServiceAnswer(bucket, service);
  if (itemSet.items.length === 0) return createNxdomain(explainNoEndpoints(service, settings));
  const { ports } = request;
  if (!ports) return { exists: true, itemSet, reason };
  const portItems = getPortItems(bucket, service, `${ports.port}.${ports.protocol}`, ({ name, protocol }) =>
    matchesPortAndProtocol(ports, name, protocol, settings.gates),
  );
  if (portItems) return { exists: true, itemSet: portItems, reason: explainPort(service, request) };
  return createNxdomain(explainMissingPort(service, request, service.isHeadless ? getEndpoints(bucket) : service.ports));
}

function findEndpoint(bucket: Bucket, service: ServiceEntry, endpoint: string, settings: Settings): LookupResult {
  const endpointsByLabel = getEndpointsByLabel(bucket);
  const reason = (): DnsReason => createReason('EndpointName', { endpoint, service: service.key });
  const itemSet = involvesWildcard(endpointsByLabel, endpoint, settings)
    ? createItemSet(getEndpoints(bucket).filter(({ label }) => matchesName(endpoint, label, settings.gates)))
    : endpointsByLabel.get(endpoint);
  if (itemSet && itemSet.items.length > 0) return { exists: true, itemSet, reason: reason() };
  if (endpointsByLabel.size === 0) return createNxdomain(explainNoEndpoints(service, settings));
  return createNxdomain(explainMissingEndpoint(service, endpoint, endpointsByLabel.keys()));
}

/** Whether a wildcard is involved: in the query, or as the name of an endpoint. */
const involvesWildcard = (endpointsByLabel: ReadonlyMap<string, unknown>, endpoint: string, { gates }: Settings): boolean =>
  isWildcard(endpoint, gates) || (!gates.wildcardsRemoved && (endpointsByLabel.has('any') || endpointsByLabel.has('*')));

const explainNoEndpoints = ({ key, isHeadless }: ServiceEntry, settings: Settings): DnsReason => {
  if (settings.noEndpoints) return createReason('EndpointsNotServed', { service: key });
  return createReason(isHeadless ? 'NoReadyEndpoints' : 'ServiceHasNoEndpoints', { service: key });
};

/** Creates the reason for a port that was found. */
export const explainPort = ({ key }: ServiceEntry, { ports }: NameRequest): DnsReason =>
  createReason('ServicePort', { service: key, port: ports?.port || 'any', protocol: ports?.protocol || 'any' });

/** Creates the reason for a requested port that the Service does not have. */
export function explainMissingPort(
  { key }: ServiceEntry,
  { ports }: NameRequest,
  existingPorts: Iterable<Pick<EntryPort, 'name' | 'protocol'>>,
): DnsReason {
  const names: string[] = [];
  for (const { name, protocol } of existingPorts) {
    const text = protocol === '' ? 'none' : toLowerAscii(`_${name || 'unnamed'}._${protocol}`);
    if (!names.includes(text)) names.push(text);
    if (names.length > maxListedNames) break;
  }
  return createReason('PortNotFound', { service: key, port: ports?.port ?? '', protocol: ports?.protocol ?? '', ports: formatList(names) });
}

/** Creates the reason for a requested endpoint that the Service does not have. */
export function explainMissingEndpoint({ key }: ServiceEntry, endpoint: string, existingNames: Iterable<string>): DnsReason {
  const names: string[] = [];
  for (const name of existingNames) if (names.push(name) > maxListedNames) break;
  return createReason('EndpointNotFound', { service: key, endpoint, endpoints: formatList(names) });
}

/** Maximum number of names in a message. */
const maxListedNames = 5;

export const formatList = (names: readonly string[]): string =>
  names.length > maxListedNames ? `${names.slice(0, maxListedNames).join(', ')} and others` : names.join(', ');
