import { indexNodes, type NodesByName, topologyOf, zoneLabel } from '../../spec/slices/desired.ts';
import { type ZoneShares, zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import { compareByName } from '../../spec/slices/pack.ts';
import { type ParsedSlice, parseSlice, type SliceParser } from '../../spec/slices/reading.ts';
import type { EndpointSliceInput, Node, Service } from '../../types/index.ts';
import { type Profile, profileFor } from '../../versions/index.ts';

/** The nodes of the current sync. */
export interface NodeIndex {
  /** Replaces the nodes. No effect if the array is the same instance as before. */
  update(nodes: readonly Node[] | undefined): void;
  /** Incremented when the set of nodes or the zone of a node changes, because the results of pods depend on these. */
  readonly version: number;
  /** Live view of the nodes of the last `update`. */
  readonly byName: NodesByName;
  zoneShares(): ZoneShares;
}

/** Creates an index with unknown nodes. Share one across all Services. */
export function createNodeIndex(profile: Profile = profileFor()): NodeIndex {
  let nodeList: readonly Node[] | undefined;
  let nodesByName: ReadonlyMap<string, Node> | undefined;
  let zonesByNode: Zones | undefined;
  let shares: ZoneShares | undefined;
  let version = 0;
  const liveView: NodesByName = { get: (name) => nodesByName?.get(name) };
  return {
    update(nodes) {
      if (nodes === nodeList) return;
      const previousZones = zonesByNode;
      nodeList = nodes;
      nodesByName = nodes && indexNodes(nodes);
      zonesByNode = nodesByName && new Map(Array.from(nodesByName, ([name, node]) => [name, zoneOf(node, profile)]));
      shares = undefined;
      if (!areSameZones(previousZones, zonesByNode)) version++;
    },
    get version() {
      return version;
    },
    get byName() {
      return nodesByName && liveView;
    },
    zoneShares() {
      shares ??= zoneSharesOf(nodeList ?? [], profile);
      return shares;
    },
  };
}

/** The zone of a node; before v1, also its region. */
const zoneOf = (node: Node, { slicesAreV1 }: Profile): string =>
  slicesAreV1 ? (node.metadata?.labels?.[zoneLabel] ?? '') : JSON.stringify(topologyOf('', node));

/** Node name to zone. */
type Zones = ReadonlyMap<string, string>;

function areSameZones(a: Zones | undefined, b: Zones | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.size !== b.size) return false;
  for (const [name, zone] of a) if (b.get(name) !== zone) return false;
  return true;
}

/** Returns the function that parses the slices of a Service, each slice only once while it stays unchanged. */
export type SliceReader = (service: Service) => SliceParser;

/** Creates the reader of one Service. Cached readings are dropped when the UID or the labels of the Service change. */
export function createSliceReader(profile: Profile): SliceReader {
  let cached: { readonly fingerprint: string; readonly read: SliceParser } | undefined;
  return (service) => {
    const fingerprint = JSON.stringify([service.metadata?.uid, service.metadata?.labels]);
    if (cached?.fingerprint !== fingerprint) cached = { fingerprint, read: createCachingReader(service, profile) };
    return cached.read;
  };
}

function createCachingReader(service: Service, profile: Profile): SliceParser {
  const readings = new WeakMap<EndpointSliceInput, CachedReading>();
  return (slice) => {
    const cached = readings.get(slice);
    if (cached && isUnchanged(cached, slice)) return cached.reading;
    const { metadata, endpoints, ports } = slice;
    const reading = parseSlice(slice, service, profile);
    readings.set(slice, { reading, metadata, resourceVersion: metadata?.resourceVersion, endpoints, ports });
    return reading;
  };
}

/**
 * A reading with the fields it was made from. As long as callers do not modify these in place, equal references mean an unchanged slice.
 */
interface CachedReading {
  readonly reading: ParsedSlice;
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

/** Sorts lists of slices of one Service by name, in place. Names are compared only if the list contains a new name. */
export function createNameSorter(): (slices: EndpointSliceInput[]) => EndpointSliceInput[] {
  let positions = new Map<string, number>();
  const positionOf = (slice: EndpointSliceInput): number => positions.get(nameOf(slice)) as number;
  return (slices) => {
    if (slices.every((slice) => positions.has(nameOf(slice)))) return slices.sort((a, b) => positionOf(a) - positionOf(b));
    slices.sort(compareByName);
    positions = new Map(slices.map((slice, position) => [nameOf(slice), position]));
    return slices;
  };
}

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
