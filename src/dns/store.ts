import { deepEqual, namespacedName } from '../apimachinery/index.ts';
import { type Bucket, clearDerivedData, createBucket } from './bucket.ts';
import type { EndpointsEntry, EntryAddress, PodEntry, ServiceEntry } from './entries.ts';

/** An address of a slice or Endpoints object, for reverse lookups. */
export interface EndpointOfAddress {
  readonly source: EndpointsEntry;
  readonly address: EntryAddress;
}

/** The entries of all objects, with the indexes that lookups use. */
export interface Store {
  /** Key: "shop/web". */
  getBucket(key: string): Bucket | undefined;
  listBuckets(): Iterable<Bucket>;
  /** Services by cluster IP. */
  readonly servicesByClusterIP: Pick<MultiMap<ServiceEntry>, 'get'>;
  /** Services by external address. */
  readonly servicesByExternalAddress: Pick<MultiMap<ServiceEntry>, 'get'>;
  readonly endpointsByAddress: Pick<MultiMap<EndpointOfAddress>, 'get'>;
  readonly podsByIP: Pick<MultiMap<PodEntry>, 'get'>;
  hasNamespace(name: string): boolean;
  /** The setters return whether anything changed. */
  setService(key: string, entry: ServiceEntry | undefined): boolean;
  setEndpoints(key: string, entry: EndpointsEntry | undefined): boolean;
  setPod(key: string, entry: PodEntry | undefined): boolean;
  setNamespace(name: string, exists: boolean): boolean;
}

/** The key of a Service and its endpoints; unique per Service. */
export const bucketKey = (namespace: string, service: string): string => namespacedName(namespace, service);

export function createStore(): Store {
  const buckets = new Map<string, Bucket>();
  const namespaces = new Set<string>();
  const pods = new Map<string, PodEntry>();
  const podsByIP = createMultiMap<PodEntry>();
  const services = createServiceStore(buckets);
  const endpoints = createEndpointsStore(buckets);
  return {
    getBucket: (key) => buckets.get(key),
    listBuckets: () => buckets.values(),
    servicesByClusterIP: services.servicesByIP,
    servicesByExternalAddress: services.servicesByExternalAddress,
    endpointsByAddress: endpoints.endpointsByAddress,
    podsByIP,
    hasNamespace: (name) => namespaces.has(name),
    setService: services.set,
    setEndpoints: endpoints.set,
    setPod(key, entry) {
      const oldEntry = pods.get(key);
      if (deepEqual(oldEntry, entry)) return false;
      for (const address of oldEntry?.addresses ?? []) podsByIP.remove(address, oldEntry as PodEntry);
      for (const address of entry?.addresses ?? []) podsByIP.add(address, entry as PodEntry);
      setOrDelete(pods, key, entry);
      return true;
    },
    setNamespace(name, exists) {
      if (namespaces.has(name) === exists) return false;
      if (exists) namespaces.add(name);
      else namespaces.delete(name);
      return true;
    },
  };
}

type Buckets = Map<string, Bucket>;

function createServiceStore(buckets: Buckets) {
  const servicesByIP = createMultiMap<ServiceEntry>();
  const servicesByExternalAddress = createMultiMap<ServiceEntry>();
  return {
    servicesByIP,
    servicesByExternalAddress,
    set(key: string, entry: ServiceEntry | undefined): boolean {
      const oldEntry = buckets.get(key)?.service;
      if (deepEqual(oldEntry, entry)) return false;
      for (const { text } of oldEntry?.hosts ?? []) servicesByIP.remove(text, oldEntry as ServiceEntry);
      for (const text of oldEntry?.externalAddresses ?? []) servicesByExternalAddress.remove(text, oldEntry as ServiceEntry);
      for (const { text } of entry?.hosts ?? []) servicesByIP.add(text, entry as ServiceEntry);
      for (const text of entry?.externalAddresses ?? []) servicesByExternalAddress.add(text, entry as ServiceEntry);
      const bucket = getOrCreateBucket(buckets, key);
      bucket.service = entry;
      updateBucket(buckets, key, bucket);
      return true;
    },
  };
}

function createEndpointsStore(buckets: Buckets) {
  const sources = new Map<string, { readonly entry: EndpointsEntry; readonly endpoints: readonly EndpointOfAddress[] }>();
  const endpointsByAddress = createMultiMap<EndpointOfAddress>();
  const detach = (key: string): void => {
    const existing = sources.get(key);
    if (!existing) return;
    for (const endpoint of existing.endpoints) endpointsByAddress.remove(endpoint.address.host.text, endpoint);
    const bucket = getOrCreateBucket(buckets, bucketKey(existing.entry.namespace, existing.entry.service));
    bucket.sources.delete(key);
    updateBucket(buckets, bucketKey(existing.entry.namespace, existing.entry.service), bucket);
    sources.delete(key);
  };
  const attach = (key: string, entry: EndpointsEntry): void => {
    const endpoints = entry.subsets.flatMap(({ addresses }) => addresses.map((address) => ({ source: entry, address })));
    for (const endpoint of endpoints) endpointsByAddress.add(endpoint.address.host.text, endpoint);
    const bucket = getOrCreateBucket(buckets, bucketKey(entry.namespace, entry.service));
    bucket.sources.set(key, entry);
    updateBucket(buckets, bucketKey(entry.namespace, entry.service), bucket);
    sources.set(key, { entry, endpoints });
  };
  return {
    endpointsByAddress,
    set(key: string, entry: EndpointsEntry | undefined): boolean {
      if (deepEqual(sources.get(key)?.entry, entry)) return false;
      detach(key);
      if (entry) attach(key, entry);
      return true;
    },
  };
}

/** Returns the bucket of a Service; creates the bucket if absent. */
function getOrCreateBucket(buckets: Buckets, key: string): Bucket {
  const existing = buckets.get(key);
  if (existing) return existing;
  const slash = key.indexOf('/');
  const bucket = createBucket(key.slice(0, slash), key.slice(slash + 1));
  buckets.set(key, bucket);
  return bucket;
}

/** Drops a bucket's cached data, and the bucket itself if it is empty. */
function updateBucket(buckets: Buckets, key: string, bucket: Bucket): void {
  clearDerivedData(bucket);
  if (!bucket.service && bucket.sources.size === 0) buckets.delete(key);
}

function setOrDelete<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** A map with several values per key. */
export interface MultiMap<T> {
  add(key: string, value: T): void;
  remove(key: string, value: T): void;
  /** In insertion order. */
  get(key: string): Iterable<T>;
}

export function createMultiMap<T>(): MultiMap<T> {
  // Most keys have a single value, which needs no Set.
  const values = new Map<string, T | Set<T>>();
  return {
    add(key, value) {
      const existing = values.get(key);
      if (existing === undefined) values.set(key, value);
      else if (existing instanceof Set) existing.add(value);
      else if (existing !== value) values.set(key, new Set([existing, value]));
    },
    remove(key, value) {
      const existing = values.get(key);
      if (existing === value) values.delete(key);
      else if (existing instanceof Set) {
        existing.delete(value);
        if (existing.size === 0) values.delete(key);
      }
    },
    get(key) {
      const existing = values.get(key);
      if (existing === undefined) return [];
      return existing instanceof Set ? existing : [existing];
    },
  };
}
