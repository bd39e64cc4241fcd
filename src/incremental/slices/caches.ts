import { indexNodes, type NodesByName, zoneLabel } from '../../spec/slices/desired.ts';
import { type ZoneShares, zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import { byName } from '../../spec/slices/pack.ts';
import { type Reading, type ReadSlice, readSlice } from '../../spec/slices/reading.ts';
import type { EndpointSliceInput, Node, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/** The nodes of the current sync. */
export interface NodeIndex {
  /** Replaces the nodes. No-op if it is the same array instance. */
  update(nodes: readonly Node[] | undefined): void;
  /** Incremented when the set of nodes or the zone of a node changes, because the results of pods depend on these. */
  readonly version: number;
  /** Live view of the nodes of the last `update`. */
  readonly byName: NodesByName;
  zoneShares(): ZoneShares;
}

/** Creates an index with unknown nodes. Share one across all Services. */
export function createNodeIndex(): NodeIndex {
  let nodeList: readonly Node[] | undefined;
  let nodesByName: ReadonlyMap<string, Node> | undefined;
  let zones: Zones | undefined;
  let shares: ZoneShares | undefined;
  let version = 0;
  const liveView: NodesByName = { get: (name) => nodesByName?.get(name) };
  return {
    update(nodes) {
      if (nodes === nodeList) return;
      const previousZones = zones;
      nodeList = nodes;
      nodesByName = nodes && indexNodes(nodes);
      zones = nodesByName && new Map(Array.from(nodesByName, ([name, { metadata }]) => [name, metadata?.labels?.[zoneLabel] ?? '']));
      shares = undefined;
      if (!sameZones(previousZones, zones)) version++;
    },
    get version() {
      return version;
    },
    get byName() {
      return nodesByName && liveView;
    },
    zoneShares() {
      shares ??= zoneSharesOf(nodeList ?? []);
      return shares;
    },
  };
}

/** Node name to zone. */
type Zones = ReadonlyMap<string, string>;

function sameZones(a: Zones | undefined, b: Zones | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.size !== b.size) return false;
  for (const [name, zone] of a) if (b.get(name) !== zone) return false;
  return true;
}

/** Parses the slices of a Service; each slice only once while it stays unchanged. */
export type SliceReader = (service: Service) => ReadSlice;

/** Creates the reader of one Service. Cached readings are dropped when the UID or the labels of the Service change. */
export function createSliceReader(profile: Profile): SliceReader {
  let cached: { readonly fingerprint: string; readonly read: ReadSlice } | undefined;
  return (service) => {
    const fingerprint = JSON.stringify([service.metadata?.uid, service.metadata?.labels]);
    if (cached?.fingerprint !== fingerprint) cached = { fingerprint, read: createReadSlice(service, profile) };
    return cached.read;
  };
}

function createReadSlice(service: Service, profile: Profile): ReadSlice {
  const readings = new WeakMap<EndpointSliceInput, CachedReading>();
  return (slice) => {
    const cached = readings.get(slice);
    if (cached && isUnchanged(cached, slice)) return cached.reading;
    const { metadata, endpoints, ports } = slice;
    const reading = readSlice(slice, service, profile);
    readings.set(slice, { reading, metadata, resourceVersion: metadata?.resourceVersion, endpoints, ports });
    return reading;
  };
}

/**
 * A reading with the fields it was made from. As long as callers do not modify these in place, equal references mean an unchanged slice.
 */
interface CachedReading {
  readonly reading: Reading;
  readonly metadata: unknown;
  readonly resourceVersion: unknown;
  readonly endpoints: unknown;
  readonly ports: unknown;
}

const isUnchanged = (cached: CachedReading, { metadata, endpoints, ports }: EndpointSliceInput): boolean =>
  cached.metadata === metadata &&
  cached.resourceVersion === metadata?.resourceVersion &&
  cached.endpoints === endpoints &&
  cached.ports === ports;

/** Sorts lists of slices of one Service by name, in place. Names are compared only if the list has a new one. */
export function createNameSorter(): (slices: EndpointSliceInput[]) => EndpointSliceInput[] {
  let positions = new Map<string, number>();
  const positionOf = (slice: EndpointSliceInput): number => positions.get(nameOf(slice)) as number;
  return (slices) => {
    if (slices.every((slice) => positions.has(nameOf(slice)))) return slices.sort((a, b) => positionOf(a) - positionOf(b));
    slices.sort(byName);
    positions = new Map(slices.map((slice, position) => [nameOf(slice), position]));
    return slices;
  };
}

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
