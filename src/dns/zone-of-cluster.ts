import { answerIn } from './answerer.ts';
import type { DnsConfig } from './config.ts';
import { podEntry, serviceEntry, sliceEntry } from './entries.ts';
import { readName } from './fields.ts';
import { absolute } from './host.ts';
import { lowered } from './name.ts';
import type { DnsObjects } from './objects.ts';
import { readConfig } from './settings.ts';
import { createStore } from './store.ts';
import { transferOf } from './transfer.ts';
import type { ClusterZone, ZoneObjects } from './zone.ts';

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
