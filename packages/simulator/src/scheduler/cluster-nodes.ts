import { createNodeImages } from './images.ts';
import { createNodeInfo, createPodInfo, type MutableNodeInfo, type NodeInfo } from './node-info.ts';
import type { ImageState } from './plugin.ts';
import type { Node, Pod } from './types.ts';

/** The nodes and the pods on them, as the scheduler knows them (1.36, pkg/scheduler/backend/cache/cache.go). */
export interface ClusterNodes {
  /**
   * In the order in which the scheduler evaluates them: one of each zone after the other (node_tree.go). The order only changes when a node was
   * added or removed since the last call, not when one has moved to another zone: UpdateSnapshot.
   */
  list(): readonly NodeInfo[];
  readonly images: ReadonlyMap<string, ImageState>;
  /** Adds a node, or replaces its object. */
  setNode(node: Node): void;
  removeNode(name: string): void;
  /** Adds a pod to its node, or replaces its object. */
  setPod(pod: Pod): void;
  removePod(uid: string): void;
}

interface Entry {
  readonly info: MutableNodeInfo;
  /** Whether the node exists; otherwise, pods are bound to it already or still. */
  isPresent: boolean;
}

export function createClusterNodes(): ClusterNodes {
  const entries = new Map<string, Entry>();
  const nodeOfPod = new Map<string, string>();
  const images = createNodeImages();
  /** The names of nodes by zone. */
  const zones = new Map<string, string[]>();
  let order: readonly string[] = [];
  let listed: readonly NodeInfo[] | undefined;
  const entryOf = (name: string): Entry => {
    const entry = entries.get(name) ?? { info: createNodeInfo({ kind: 'Node', metadata: { name } } as Node), isPresent: false };
    entries.set(name, entry);
    return entry;
  };
  const deleteUnused = (name: string): void => {
    const entry = entries.get(name);
    if (entry && !entry.isPresent && entry.info.pods.size === 0) entries.delete(name);
  };
  const replaceNode = (entry: Entry, name: string, node: Node | undefined): void => {
    const previous = entry.isPresent ? entry.info.node : undefined;
    if (previous) images.remove(previous);
    moveToZone(zones, name, previous && zoneOf(previous), node && zoneOf(node));
    if (node) images.add(node);
    entry.isPresent = node !== undefined;
    listed = undefined;
  };
  return {
    images: images.byName,
    list: () => {
      if (listed) return listed;
      const names = interleave([...zones.values()]);
      if (!hasSameNames(names, order)) order = names;
      listed = order.map((name) => (entries.get(name) as Entry).info);
      return listed;
    },
    setNode(node) {
      const name = node.metadata.name ?? '';
      const entry = entryOf(name);
      replaceNode(entry, name, node);
      entry.info.setNode(node);
    },
    removeNode(name) {
      const entry = entries.get(name);
      if (entry?.isPresent) replaceNode(entry, name, undefined);
      deleteUnused(name);
    },
    ...createPodIndex(nodeOfPod, entries, entryOf, deleteUnused),
  };
}

function createPodIndex(
  nodeOfPod: Map<string, string>,
  entries: ReadonlyMap<string, Entry>,
  entryOf: (name: string) => Entry,
  deleteUnused: (name: string) => void,
): Pick<ClusterNodes, 'setPod' | 'removePod'> {
  const removePod = (uid: string): void => {
    const name = nodeOfPod.get(uid);
    if (name === undefined) return;
    nodeOfPod.delete(uid);
    entries.get(name)?.info.removePod(uid);
    deleteUnused(name);
  };
  return {
    removePod,
    setPod(pod) {
      const uid = pod.metadata.uid ?? '';
      const previous = entries.get(nodeOfPod.get(uid) ?? '')?.info.pods.get(uid);
      removePod(uid);
      const name = pod.spec?.nodeName ?? '';
      entryOf(name).info.addPod(createPodInfo(pod, previous));
      nodeOfPod.set(uid, name);
    },
  };
}

/** The zone of a node with its region: GetZoneKey (1.36, component-helpers/node/topology). */
export function zoneOf({ metadata: { labels = {} } }: Node): string {
  // The labels of the beta come first.
  const zone = labels['failure-domain.beta.kubernetes.io/zone'] ?? labels['topology.kubernetes.io/zone'] ?? '';
  const region = labels['failure-domain.beta.kubernetes.io/region'] ?? labels['topology.kubernetes.io/region'] ?? '';
  return zone === '' && region === '' ? '' : `${region}:\0:${zone}`;
}

function moveToZone(zones: Map<string, string[]>, name: string, from: string | undefined, to: string | undefined): void {
  if (from === to) return;
  const rest = from === undefined ? undefined : zones.get(from)?.filter((other) => other !== name);
  if (from !== undefined && rest) {
    if (rest.length > 0) zones.set(from, rest);
    else zones.delete(from);
  }
  if (to !== undefined) zones.set(to, [...(zones.get(to) ?? []), name]);
}

const hasSameNames = (names: readonly string[], others: readonly string[]): boolean =>
  names.length === others.length && new Set([...names, ...others]).size === names.length;

/** The first of each list, then the second of each, and so on. */
function interleave(lists: readonly (readonly string[])[]): string[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat();
}
