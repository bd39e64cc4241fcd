import { deepEqual, namespacedName } from '../apimachinery/index.ts';
import { type Bucket, clearDerivedData, createBucket } from './bucket.ts';
import type { EntryAddress, PodEntry, ServiceEntry, SliceEntry } from './entries.ts';

/** An address of a slice, for reverse lookups. */
export interface EndpointOfAddress {
  readonly slice: SliceEntry;
  readonly address: EntryAddress;
}

/** The entries of all objects, with the indexes that lookups use. */
export interface Store {
  /** Key: "shop/web". */
  bucket(key: string): Bucket | undefined;
  buckets(): Iterable<Bucket>;
  /** Services by cluster IP. */
  readonly byClusterIP: Pick<MultiMap<ServiceEntry>, 'get'>;
  /** Services by external address. */
  readonly byExternal: Pick<MultiMap<ServiceEntry>, 'get'>;
  readonly byEndpoint: Pick<MultiMap<EndpointOfAddress>, 'get'>;
  readonly byPodIP: Pick<MultiMap<PodEntry>, 'get'>;
  hasNamespace(name: string): boolean;
  /** The setters return whether anything changed. */
  setService(key: string, entry: ServiceEntry | undefined): boolean;
  setSlice(key: string, entry: SliceEntry | undefined): boolean;
  setPod(key: string, entry: PodEntry | undefined): boolean;
  setNamespace(name: string, exists: boolean): boolean;
}

/** The key of a Service and its slices; unique per Service. */
export const bucketKey = (namespace: string, service: string): string => namespacedName(namespace, service);

export function createStore(): Store {
  const buckets = new Map<string, Bucket>();
  const namespaces = new Set<string>();
  const pods = new Map<string, PodEntry>();
  const byPodIP = createMultiMap<PodEntry>();
  const services = createServiceStore(buckets);
  const slices = createSliceStore(buckets);
  return {
    bucket: (key) => buckets.get(key),
    buckets: () => buckets.values(),
    byClusterIP: services.byClusterIP,
    byExternal: services.byExternal,
    byEndpoint: slices.byAddress,
    byPodIP,
    hasNamespace: (name) => namespaces.has(name),
    setService: services.set,
    setSlice: slices.set,
    setPod(key, entry) {
      const previous = pods.get(key);
      if (deepEqual(previous, entry)) return false;
      if (previous) byPodIP.remove(previous.address, previous);
      if (entry) byPodIP.add(entry.address, entry);
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
  const byClusterIP = createMultiMap<ServiceEntry>();
  const byExternal = createMultiMap<ServiceEntry>();
  return {
    byClusterIP,
    byExternal,
    set(key: string, entry: ServiceEntry | undefined): boolean {
      const previous = buckets.get(key)?.service;
      if (deepEqual(previous, entry)) return false;
      for (const { text } of previous?.hosts ?? []) byClusterIP.remove(text, previous as ServiceEntry);
      for (const text of previous?.externalAddresses ?? []) byExternal.remove(text, previous as ServiceEntry);
      for (const { text } of entry?.hosts ?? []) byClusterIP.add(text, entry as ServiceEntry);
      for (const text of entry?.externalAddresses ?? []) byExternal.add(text, entry as ServiceEntry);
      const bucket = bucketFor(buckets, key);
      bucket.service = entry;
      updateBucket(buckets, key, bucket);
      return true;
    },
  };
}

function createSliceStore(buckets: Buckets) {
  const slices = new Map<string, { readonly entry: SliceEntry; readonly endpoints: readonly EndpointOfAddress[] }>();
  const byAddress = createMultiMap<EndpointOfAddress>();
  const detach = (key: string): void => {
    const existing = slices.get(key);
    if (!existing) return;
    for (const endpoint of existing.endpoints) byAddress.remove(endpoint.address.host.text, endpoint);
    const bucket = bucketFor(buckets, bucketKey(existing.entry.namespace, existing.entry.service));
    bucket.slices.delete(key);
    updateBucket(buckets, bucketKey(existing.entry.namespace, existing.entry.service), bucket);
    slices.delete(key);
  };
  const attach = (key: string, entry: SliceEntry): void => {
    const endpoints = entry.addresses.map((address) => ({ slice: entry, address }));
    for (const endpoint of endpoints) byAddress.add(endpoint.address.host.text, endpoint);
    const bucket = bucketFor(buckets, bucketKey(entry.namespace, entry.service));
    bucket.slices.set(key, entry);
    updateBucket(buckets, bucketKey(entry.namespace, entry.service), bucket);
    slices.set(key, { entry, endpoints });
  };
  return {
    byAddress,
    set(key: string, entry: SliceEntry | undefined): boolean {
      if (deepEqual(slices.get(key)?.entry, entry)) return false;
      detach(key);
      if (entry) attach(key, entry);
      return true;
    },
  };
}

/** The bucket of a Service; created if absent. */
function bucketFor(buckets: Buckets, key: string): Bucket {
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
  if (!bucket.service && bucket.slices.size === 0) buckets.delete(key);
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
