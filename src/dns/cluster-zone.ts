import type { EndpointSliceInput, EndpointsInput, Pod } from '../types/index.ts';
import type { DnsAnswer, DnsQuestion, DnsRecord } from './answer.ts';
import { answerQuery } from './answerer.ts';
import { createEndpointsEntry, createPodEntry, createServiceEntry, createSliceEntry, readObjectName } from './entries.ts';
import { toFqdn, toLowerAscii } from './name.ts';
import type { DnsNamespace, DnsObjects, DnsService } from './objects.ts';
import { type DnsConfig, parseConfig, type Settings } from './settings.ts';
import { createStore } from './store.ts';
import { transferZone } from './transfer.ts';

export interface ZoneOptions {
  /** The initial objects. */
  readonly objects?: DnsObjects;
  /** Milliseconds since the epoch, for the serial. If absent, the serial is always 0. */
  readonly now?: () => number;
}

/**
 * Creates a zone that follows the objects of a cluster.
 * @throws RangeError if an option is out of range; TypeError if an object has no name or a field has the wrong type
 */
export const createClusterZone = (config: DnsConfig = {}, options: ZoneOptions = {}): ClusterZone =>
  createZoneForSettings(parseConfig(config), options);

/** `createClusterZone` for given settings. */
export function createZoneForSettings(settings: Settings, { objects = {}, now }: ZoneOptions = {}): ClusterZone {
  const store = createStore();
  const zoneData = { settings, store };
  let revision = 0;
  let serial = serialAt(now);
  const onChange = (changed: boolean): void => {
    if (!changed) return;
    revision++;
    serial = Math.max(serial, serialAt(now));
  };
  const zone: ClusterZone = {
    services: createSetters((object) => [keyOf('Service', object), createServiceEntry(object, settings)], store.setService, onChange),
    endpointSlices:
      settings.noEndpoints || settings.readsEndpoints
        ? ignoredObjects
        : createSetters((object) => [keyOf('EndpointSlice', object), createSliceEntry(object, settings)], store.setEndpoints, onChange),
    endpoints:
      settings.noEndpoints || !settings.readsEndpoints
        ? ignoredObjects
        : createSetters((object) => [keyOf('Endpoints', object), createEndpointsEntry(object, settings)], store.setEndpoints, onChange),
    pods:
      settings.pods === 'verified'
        ? createSetters((object) => [keyOf('Pod', object), createPodEntry(object, settings)], store.setPod, onChange)
        : ignoredObjects,
    namespaces: {
      set: (object) => onChange(store.setNamespace(readObjectName('Namespace', object, false).name, true)),
      delete: (name) => onChange(store.setNamespace(name, false)),
    },
    zones: settings.origins,
    readsEndpoints: settings.readsEndpoints,
    get serial() {
      return serial;
    },
    get revision() {
      return revision;
    },
    answer: (question) => answerQuery(zoneData, question, serial),
    transfer: (name) => {
      const origin = toLowerAscii(toFqdn(name));
      if (settings.origins.includes(origin)) return transferZone(zoneData, origin, serial);
      throw new RangeError(`${JSON.stringify(name)} is not a zone of this cluster: give one of ${settings.origins.join(', ')}`);
    },
  };
  addObjects(zone, objects);
  return zone;
}

const keyOf = (kind: string, object: unknown): string => readObjectName(kind, object).key;

/** Setters for one kind of object. */
function createSetters<T, Entry>(
  read: (object: T) => readonly [key: string, entry: Entry | undefined],
  set: (key: string, entry: Entry | undefined) => boolean,
  onChange: (changed: boolean) => void,
): ZoneObjects<T> {
  return { set: (object) => onChange(set(...read(object))), delete: (key) => onChange(set(key, undefined)) };
}

/** For kinds that the configuration ignores. */
const ignoredObjects: ZoneObjects<unknown> = { set: () => {}, delete: () => {} };

function addObjects(zone: ClusterZone, objects: DnsObjects): void {
  const { services = [], endpointSlices = [], endpoints = [], pods = [], namespaces = [] } = objects;
  for (const namespace of namespaces) zone.namespaces.set(namespace);
  for (const service of services) zone.services.set(service);
  for (const slice of endpointSlices) zone.endpointSlices.set(slice);
  if (zone.readsEndpoints) for (const object of endpoints) zone.endpoints.set(object);
  for (const pod of pods) zone.pods.set(pod);
}

/** Unix seconds as an unsigned 32-bit serial number. */
const serialAt = (now: (() => number) | undefined): number => (now ? Math.floor(now() / 1000) >>> 0 : 0);

/** Answers one question about the given objects. For several questions use `createClusterZone`. */
export const answerQuestion = (question: DnsQuestion, objects: DnsObjects, config: DnsConfig = {}): DnsAnswer =>
  createClusterZone(config, { objects }).answer(question);

/** The objects of one kind in a zone, by namespace and name. */
export interface ZoneObjects<T> {
  /** Adds the object or replaces the one with its name. */
  set(object: T): void;
  /** @param key "shop/web"; the name alone for a namespace. An unknown key is ignored. */
  delete(key: string): void;
}

/**
 * The records of a cluster. Neither queries nor changes scan the cluster: a query reads only its own records, and a change
 * only the changed object.
 */
export interface ClusterZone {
  readonly services: ZoneObjects<DnsService>;
  /** Ignored if `readsEndpoints` is true. */
  readonly endpointSlices: ZoneObjects<EndpointSliceInput>;
  /** Ignored if `readsEndpoints` is false. */
  readonly endpoints: ZoneObjects<EndpointsInput>;
  readonly pods: ZoneObjects<Pod>;
  readonly namespaces: ZoneObjects<DnsNamespace>;
  /** Whether the configured release of CoreDNS reads Endpoints instead of EndpointSlices. */
  readonly readsEndpoints: boolean;
  /** Absolute, in lower case. */
  readonly zones: readonly string[];
  /** Serial of the SOA: seconds since 1970 of the last change that affects records. Never decreases; always 0 without a clock. */
  readonly serial: number;
  /** Grows by one with each such change. A cached answer stays valid while the revision is unchanged. */
  readonly revision: number;
  answer(question: DnsQuestion): DnsAnswer;
  /** All records of one of `zones`, as in a zone transfer: the SOA first and last. @throws RangeError if `zone` is not one of them */
  transfer(zone: string): Iterable<DnsRecord>;
}
