import { indexNodes, type NodesByName, zoneLabel } from '../../spec/slices/desired.ts';
import { type ZoneShares, zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import { byName } from '../../spec/slices/pack.ts';
import { type Reading, type ReadSlice, readSlice } from '../../spec/slices/reading.ts';
import type { EndpointSliceInput, Node, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';

/** The nodes of the sync under way. */
export interface NodeIndex {
  /** Takes in the nodes as they are now. The same array again costs nothing. */
  update(nodes: readonly Node[] | undefined): void;
  /** Changes whenever what the outcome of pods depends on does: which nodes there are, and in which zones. */
  readonly version: number;
  /** Always those that were taken in last. */
  readonly byName: NodesByName;
  zoneShares(): ZoneShares;
}

/** Makes an index of no nodes, about which nothing is known. One serves all Services. */
export function createNodeIndex(): NodeIndex {
  let list: readonly Node[] | undefined;
  let nodesByName: ReadonlyMap<string, Node> | undefined;
  let zones: Zones | undefined;
  let shares: ZoneShares | undefined;
  let version = 0;
  const live: NodesByName = { get: (name) => nodesByName?.get(name) };
  return {
    update(nodes) {
      if (nodes === list) return;
      const before = zones;
      list = nodes;
      nodesByName = nodes && indexNodes(nodes);
      zones = nodesByName && new Map(Array.from(nodesByName, ([name, { metadata }]) => [name, metadata?.labels?.[zoneLabel] ?? '']));
      shares = undefined;
      if (!sameZones(before, zones)) version++;
    },
    get version() {
      return version;
    },
    get byName() {
      return nodesByName && live;
    },
    zoneShares() {
      shares ??= zoneSharesOf(list ?? []);
      return shares;
    },
  };
}

/** By the names of nodes. */
type Zones = ReadonlyMap<string, string>;

function sameZones(a: Zones | undefined, b: Zones | undefined): boolean {
  if (!a || !b) return a === b;
  if (a.size !== b.size) return false;
  for (const [name, zone] of a) if (b.get(name) !== zone) return false;
  return true;
}

/** Reads the slices of a Service, each once for as long as it stays as it is. */
export type SliceReader = (service: Service) => ReadSlice;

/** Makes the reader of one Service. Readings last as long as the UID and the labels of the Service. */
export function createSliceReader(profile: Profile): SliceReader {
  let known: { readonly fingerprint: string; readonly read: ReadSlice } | undefined;
  return (service) => {
    const fingerprint = JSON.stringify([service.metadata?.uid, service.metadata?.labels]);
    if (known?.fingerprint !== fingerprint) known = { fingerprint, read: createReadSlice(service, profile) };
    return known.read;
  };
}

function createReadSlice(service: Service, profile: Profile): ReadSlice {
  const readings = new WeakMap<EndpointSliceInput, CachedReading>();
  return (slice) => {
    const known = readings.get(slice);
    if (known && isUnchanged(known, slice)) return known.reading;
    const { metadata, endpoints, ports } = slice;
    const reading = readSlice(slice, service, profile);
    readings.set(slice, { reading, metadata, resourceVersion: metadata?.resourceVersion, endpoints, ports });
    return reading;
  };
}

/** A reading with the parts that were read. If nobody changes them in place, the same parts mean an unchanged slice. */
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

/** Sorts lists of slices of one Service by name, in place. Names are compared only if there is a new one among them. */
export function createNameOrder(): (slices: EndpointSliceInput[]) => EndpointSliceInput[] {
  let places = new Map<string, number>();
  const placeOf = (slice: EndpointSliceInput): number => places.get(nameOf(slice)) as number;
  return (slices) => {
    if (slices.every((slice) => places.has(nameOf(slice)))) return slices.sort((a, b) => placeOf(a) - placeOf(b));
    slices.sort(byName);
    places = new Map(slices.map((slice, place) => [nameOf(slice), place]));
    return slices;
  };
}

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
