import { type AnswerItem, createItemSet, type ItemSet } from './answer-items.ts';
import type { EndpointsEntry, EntryPort, EntrySubset, ServiceEntry } from './entries.ts';
import { toLowerAscii } from './name.ts';
import type { DnsReason } from './reasons.ts';

/** One port of an endpoint, as an answer item. */
export interface EndpointItem extends AnswerItem, Pick<EntryPort, 'name' | 'protocol'> {
  /** In its original letter case. */
  readonly label: string;
}

/** A Service and its slices or Endpoints; either may be missing. Derived data is cached until one of them changes. */
export interface Bucket {
  readonly name: string;
  readonly namespace: string;
  service: ServiceEntry | undefined;
  /** The slices, or the Endpoints object. */
  readonly sources: Map<string, EndpointsEntry>;
  /** The answer for the Service's own name. */
  serviceAnswer: ServiceAnswer | undefined;
  derived: DerivedData;
}

interface ServiceAnswer {
  readonly itemSet: ItemSet;
  readonly reason: DnsReason;
}

interface DerivedData {
  /** Those of all sources, sorted by the names of the sources. */
  subsets?: readonly EntrySubset[];
  endpoints?: readonly EndpointItem[];
  endpointsByLabel?: ReadonlyMap<string, ItemSet>;
  /** By requested port and protocol; only successful lookups. */
  ports?: Map<string, ItemSet>;
}

export const createBucket = (namespace: string, name: string): Bucket => ({
  name,
  namespace,
  service: undefined,
  sources: new Map(),
  serviceAnswer: undefined,
  derived: {},
});

/** Drops the cached data after the Service or a source has changed. */
export function clearDerivedData(bucket: Bucket): void {
  bucket.serviceAnswer = undefined;
  bucket.derived = {};
}

/** The subsets of all sources, sorted by the names of the sources, so that answers do not depend on the order of arrival. */
export function getSubsets(bucket: Bucket): readonly EntrySubset[] {
  bucket.derived.subsets ??= [...bucket.sources.values()].sort((a, b) => (a.key < b.key ? -1 : 1)).flatMap(({ subsets }) => subsets);
  return bucket.derived.subsets;
}

export function hasAddresses(bucket: Bucket): boolean {
  for (const { subsets } of bucket.sources.values()) if (subsets.some(({ addresses }) => addresses.length > 0)) return true;
  return false;
}

export function getEndpoints(bucket: Bucket): readonly EndpointItem[] {
  bucket.derived.endpoints ??= getSubsets(bucket).flatMap((subset) => createSubsetItems(bucket, subset));
  return bucket.derived.endpoints;
}

/** The answer for a Service's name: endpoints if it is headless, else its cluster IPs. */
export function getServiceAnswer(bucket: Bucket, service: ServiceEntry): ServiceAnswer {
  bucket.serviceAnswer ??= service.isHeadless ? answerEndpoints(bucket, service) : answerClusterIPs(service);
  return bucket.serviceAnswer;
}

/** Endpoints by label in lower case. */
export function getEndpointsByLabel(bucket: Bucket): ReadonlyMap<string, ItemSet> {
  if (bucket.derived.endpointsByLabel) return bucket.derived.endpointsByLabel;
  const groups = new Map<string, EndpointItem[]>();
  for (const item of getEndpoints(bucket)) {
    const label = toLowerAscii(item.label);
    const group = groups.get(label);
    if (group) group.push(item);
    else groups.set(label, [item]);
  }
  const itemSetsByLabel = new Map([...groups].map(([label, items]) => [label, createItemSet(items)] as const));
  bucket.derived.endpointsByLabel = itemSetsByLabel;
  return itemSetsByLabel;
}

/**
 * The items of a port; undefined if the Service has no such port.
 *
 * @param key cache key of the requested port and protocol
 * @param isRequested whether the request matches a port
 */
export function getPortItems(
  bucket: Bucket,
  service: ServiceEntry,
  key: string,
  isRequested: (port: Pick<EntryPort, 'name' | 'protocol'>) => boolean,
): ItemSet | undefined {
  const cached = bucket.derived.ports?.get(key);
  if (cached) return cached;
  const items: readonly AnswerItem[] = service.isHeadless
    ? getEndpoints(bucket).filter(isRequested)
    : createClusterItems(service, service.ports.filter(isRequested));
  if (items.length === 0) return undefined;
  const itemSet = createItemSet(items);
  bucket.derived.ports ??= new Map();
  bucket.derived.ports.set(key, itemSet);
  return itemSet;
}

function answerClusterIPs(service: ServiceEntry): ServiceAnswer {
  const addresses = service.hosts.map(({ text }) => text || 'none').join(' and ');
  const reason: DnsReason = { code: 'ServiceAddress', values: { service: service.key, addresses } };
  return { itemSet: createItemSet(createClusterItems(service, service.ports)), reason };
}

function answerEndpoints(bucket: Bucket, { key }: ServiceEntry): ServiceAnswer {
  const count = getSubsets(bucket).reduce((sum, { addresses }) => sum + addresses.length, 0);
  const reason: DnsReason = { code: 'HeadlessEndpoints', values: { service: key, count: String(count) } };
  return { itemSet: createItemSet(getEndpoints(bucket)), reason };
}

const createClusterItems = ({ name, namespace, hosts }: ServiceEntry, ports: readonly EntryPort[]): AnswerItem[] =>
  ports.flatMap(({ port }) => hosts.map((host) => ({ host, port, owner: `${name}.${namespace}.svc` })));

function createSubsetItems({ name, namespace }: Bucket, { addresses, ports }: EntrySubset): EndpointItem[] {
  const service = `${name}.${namespace}.svc`;
  return addresses.flatMap(({ host, label }) => {
    const owner = `${label}.${service}`;
    return ports.map(({ name: port, protocol, port: number }) => ({ host, port: number, owner, label, name: port, protocol }));
  });
}
