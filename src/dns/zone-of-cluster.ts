import type { EndpointSliceInput, Pod } from '../types/index.ts';
import type { DnsAnswer, DnsQuestion, DnsRecord } from './answer.ts';
import { answerIn } from './answerer.ts';
import { podEntry, readName, serviceEntry, sliceEntry } from './entries.ts';
import { absolute, lowered } from './name.ts';
import type { DnsNamespace, DnsObjects, DnsService } from './objects.ts';
import { type DnsConfig, readConfig } from './settings.ts';
import { createStore } from './store.ts';
import { transferOf } from './transfer.ts';

export interface ZoneOptions {
  /** What the zone holds at first. */
  readonly objects?: DnsObjects;
  /** Milliseconds since 1970, for the serial. Without it the serial is always 0. */
  readonly now?: () => number;
}

/**
 * A zone that is kept in step with the objects of a cluster.
 * @throws RangeError where an option of the configuration is out of range; TypeError where an object has no name or a field of the wrong type
 */
export function createClusterZone(config: DnsConfig = {}, { objects = {}, now }: ZoneOptions = {}): ClusterZone {
  const settings = readConfig(config);
  const store = createStore();
  const world = { settings, store };
  let revision = 0;
  let serial = secondsOf(now);
  const note = (changed: boolean): void => {
    if (!changed) return;
    revision++;
    serial = Math.max(serial, secondsOf(now));
  };
  const zone: ClusterZone = {
    services: kind((object) => [readName('Service', object).key, serviceEntry(object, settings)], store.setService, note),
    endpointSlices: settings.noEndpoints
      ? unheeded
      : kind((object) => [readName('EndpointSlice', object).key, sliceEntry(object, settings)], store.setSlice, note),
    pods: settings.pods === 'verified' ? kind((object) => [readName('Pod', object).key, podEntry(object)], store.setPod, note) : unheeded,
    namespaces: {
      set: (object) => note(store.setNamespace(readName('Namespace', object, false).name, true)),
      delete: (name) => note(store.setNamespace(name, false)),
    },
    zones: settings.origins,
    get serial() {
      return serial;
    },
    get revision() {
      return revision;
    },
    answer: (question) => answerIn(world, question, serial),
    transfer: (name) => {
      const origin = lowered(absolute(name));
      if (settings.origins.includes(origin)) return transferOf(world, origin, serial);
      throw new RangeError(`${JSON.stringify(name)} is not one of the zones ${settings.origins.join(', ')}: give one of them`);
    },
  };
  fill(zone, objects);
  return zone;
}

/** Objects of a kind, read into what records are made of. */
function kind<T, Entry>(
  read: (object: T) => readonly [key: string, entry: Entry | undefined],
  set: (key: string, entry: Entry | undefined) => boolean,
  note: (changed: boolean) => void,
): ZoneObjects<T> {
  return { set: (object) => note(set(...read(object))), delete: (key) => note(set(key, undefined)) };
}

/** Objects of a kind that the configuration does not look at. */
const unheeded: ZoneObjects<unknown> = { set: () => {}, delete: () => {} };

function fill(zone: ClusterZone, { services = [], endpointSlices = [], pods = [], namespaces = [] }: DnsObjects): void {
  for (const namespace of namespaces) zone.namespaces.set(namespace);
  for (const service of services) zone.services.set(service);
  for (const slice of endpointSlices) zone.endpointSlices.set(slice);
  for (const pod of pods) zone.pods.set(pod);
}

/** As a serial number: 32 bits without a sign. */
const secondsOf = (now: (() => number) | undefined): number => (now ? Math.floor(now() / 1000) >>> 0 : 0);

/** One question over objects at hand. Where there are several, make a zone with `createClusterZone`, and ask it. */
export const answerQuestion = (question: DnsQuestion, objects: DnsObjects, config: DnsConfig = {}): DnsAnswer =>
  createClusterZone(config, { objects }).answer(question);

/** Objects of one kind that a zone knows, by namespace and name. */
export interface ZoneObjects<T> {
  /** Adds an object, or puts it in the place of the one of its name. */
  set(object: T): void;
  /** @param key "shop/web"; the name alone for a namespace. Nothing happens where there is none. */
  delete(key: string): void;
}

/**
 * The records of a cluster, kept in step with its objects: what is asked costs the records it holds, what changes costs the object.
 */
export interface ClusterZone {
  readonly services: ZoneObjects<DnsService>;
  readonly endpointSlices: ZoneObjects<EndpointSliceInput>;
  readonly pods: ZoneObjects<Pod>;
  readonly namespaces: ZoneObjects<DnsNamespace>;
  /** Origins, absolute, in lower case. */
  readonly zones: readonly string[];
  /**
   * Of the SOA: seconds since 1970 at the last change of an object that records are made of, as the zone's clock has it; it never goes
   * back. 0 always without a clock.
   */
  readonly serial: number;
  /** Grows by one with each such change: what was answered before may be kept as long as it stays. */
  readonly revision: number;
  answer(question: DnsQuestion): DnsAnswer;
  /** All records of one of `zones`, as a transfer sends them: the SOA first and last. */
  transfer(zone: string): Iterable<DnsRecord>;
}
