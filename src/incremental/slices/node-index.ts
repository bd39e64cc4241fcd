import { type NodesByName, zoneLabel } from '../../spec/slices/desired.ts';
import { type ZoneShares, zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import type { Node } from '../../types/index.ts';

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
  let byName: ReadonlyMap<string, Node> | undefined;
  let zones: Zones | undefined;
  let shares: ZoneShares | undefined;
  let version = 0;
  const live: NodesByName = { get: (name) => byName?.get(name) };
  return {
    update(nodes) {
      if (nodes === list) return;
      const before = zones;
      list = nodes;
      byName = nodes && new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));
      zones = byName && new Map(Array.from(byName, ([name, { metadata }]) => [name, metadata?.labels?.[zoneLabel] ?? '']));
      shares = undefined;
      if (!sameZones(before, zones)) version++;
    },
    get version() {
      return version;
    },
    get byName() {
      return byName && live;
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
