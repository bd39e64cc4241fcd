import type { EntryPort, ServiceEntry, SliceEntry } from './entries.ts';
import { type Found, foundItems, type Item } from './found.ts';
import { lowered } from './name.ts';
import type { DnsReason } from './reasons.ts';

/** One port of an endpoint, as an answer item. */
export interface EndpointItem extends Item, Pick<EntryPort, 'name' | 'protocol'> {
  /** In its original letter case. */
  readonly label: string;
}

/** A Service and its slices; either may be missing. Derived data is cached until one of them changes. */
export interface Bucket {
  readonly name: string;
  readonly namespace: string;
  service: ServiceEntry | undefined;
  readonly slices: Map<string, SliceEntry>;
  /** The answer for the Service's own name. */
  whole: Whole | undefined;
  kept: Kept;
}

interface Whole {
  readonly found: Found;
  readonly reason: DnsReason;
}

interface Kept {
  /** Sorted by name. */
  slices?: readonly SliceEntry[];
  endpoints?: readonly EndpointItem[];
  byLabel?: ReadonlyMap<string, Found>;
  /** By requested port and protocol; only successful lookups. */
  ports?: Map<string, Found>;
}

export const newBucket = (namespace: string, name: string): Bucket => ({
  name,
  namespace,
  service: undefined,
  slices: new Map(),
  whole: undefined,
  kept: {},
});

/** Drops the cached data after the Service or a slice has changed. */
export function forget(bucket: Bucket): void {
  bucket.whole = undefined;
  bucket.kept = {};
}

/** The slices sorted by name, so that answers do not depend on their order of arrival. */
export function slicesOf(bucket: Bucket): readonly SliceEntry[] {
  bucket.kept.slices ??= [...bucket.slices.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
  return bucket.kept.slices;
}

export function hasAddresses(bucket: Bucket): boolean {
  for (const { addresses } of bucket.slices.values()) if (addresses.length > 0) return true;
  return false;
}

export function endpointsOf(bucket: Bucket): readonly EndpointItem[] {
  bucket.kept.endpoints ??= slicesOf(bucket).flatMap((slice) => itemsOfSlice(bucket, slice));
  return bucket.kept.endpoints;
}

/** The answer for a Service's name: endpoints if it is headless, else its cluster IPs. */
export function wholeOf(bucket: Bucket, service: ServiceEntry): Whole {
  bucket.whole ??= service.headless ? allEndpoints(bucket, service) : allAddresses(service);
  return bucket.whole;
}

/** Endpoints by label in lower case. */
export function byLabelOf(bucket: Bucket): ReadonlyMap<string, Found> {
  if (bucket.kept.byLabel) return bucket.kept.byLabel;
  const groups = new Map<string, EndpointItem[]>();
  for (const item of endpointsOf(bucket)) {
    const label = lowered(item.label);
    const group = groups.get(label);
    if (group) group.push(item);
    else groups.set(label, [item]);
  }
  const found = new Map([...groups].map(([label, items]) => [label, foundItems(items)] as const));
  bucket.kept.byLabel = found;
  return found;
}

/**
 * The items of a port; undefined if the Service has no such port.
 *
 * @param key cache key of the requested port and protocol
 * @param asks whether the request matches a port
 */
export function portsOf(
  bucket: Bucket,
  service: ServiceEntry,
  key: string,
  asks: (port: Pick<EntryPort, 'name' | 'protocol'>) => boolean,
): Found | undefined {
  const kept = bucket.kept.ports?.get(key);
  if (kept) return kept;
  const items: readonly Item[] = service.headless ? endpointsOf(bucket).filter(asks) : clusterItems(service, service.ports.filter(asks));
  if (items.length === 0) return undefined;
  const found = foundItems(items);
  bucket.kept.ports ??= new Map();
  bucket.kept.ports.set(key, found);
  return found;
}

function allAddresses(service: ServiceEntry): Whole {
  const addresses = service.hosts.map(({ text }) => text || 'none').join(' and ');
  const reason: DnsReason = { code: 'ServiceAddress', values: { service: service.key, addresses } };
  return { found: foundItems(clusterItems(service, service.ports)), reason };
}

function allEndpoints(bucket: Bucket, { key }: ServiceEntry): Whole {
  const count = slicesOf(bucket).reduce((sum, { addresses }) => sum + addresses.length, 0);
  const reason: DnsReason = { code: 'HeadlessEndpoints', values: { service: key, count: String(count) } };
  return { found: foundItems(endpointsOf(bucket)), reason };
}

const clusterItems = ({ name, namespace, hosts }: ServiceEntry, ports: readonly EntryPort[]): Item[] =>
  ports.flatMap(({ port }) => hosts.map((host) => ({ host, port, owner: `${name}.${namespace}.svc` })));

function itemsOfSlice({ name, namespace }: Bucket, { addresses, ports }: SliceEntry): EndpointItem[] {
  const service = `${name}.${namespace}.svc`;
  return addresses.flatMap(({ host, label }) => {
    const owner = `${label}.${service}`;
    return ports.map(({ name: port, protocol, port: number }) => ({ host, port: number, owner, label, name: port, protocol }));
  });
}
