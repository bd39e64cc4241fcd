import { zoneLabel } from 'kube-endpoints/internal';
import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Node, Pod } from 'kube-endpoints/types';
import type { Cache, CacheEvent } from '../cache/cache.ts';

/** The nodes, and the Services that need a sync because of a node. */
export interface NodeWatch {
  take(event: CacheEvent<Node>): void;
  /** All nodes; the same array until a node changes. */
  nodes(): readonly Node[];
  /** False while node changes wait to be processed. */
  readonly idle: boolean;
  stop(): void;
}

export interface NodeWatchOptions {
  readonly clock: SteadyClock;
  /** Milliseconds for which changes of nodes are collected, so that one pass over all pods handles them. */
  readonly delay: number;
  readonly cache: Cache<Node>;
  readonly pods: () => Iterable<Pod>;
  readonly servicesFor: (pod: Pod) => string[];
  /** The Services whose hints no longer fit. */
  readonly overloaded: (nodes: readonly Node[]) => string[];
  readonly enqueue: (key: string) => void;
  /** Nodes in addition to those of the cache. */
  readonly extraNodes: readonly Node[];
}

/** Mirrors checkNodeTopologyDistribution (1.36, pkg/controller/endpointslice/endpointslice_controller.go); also syncs changed endpoints. */
export function createNodeWatch(options: NodeWatchOptions): NodeWatch {
  const { clock, cache, delay, enqueue, overloaded, extraNodes } = options;
  let list: readonly Node[] | undefined;
  let call: ScheduledCall | undefined;
  let shares = false;
  const moved = new Set<string>();
  const nodes = (): readonly Node[] => {
    list ??= [...cache.values(), ...extraNodes];
    return list;
  };
  const enqueueDue = (): void => {
    call = undefined;
    const due = new Set(shares ? overloaded(nodes()) : []);
    if (moved.size > 0) for (const key of servicesOn(moved, options)) due.add(key);
    shares = false;
    moved.clear();
    for (const key of due) enqueue(key);
  };
  return {
    take(event) {
      list = undefined;
      const change = classifyNodeEvent(event);
      shares ||= change.shares;
      if (change.endpoints) moved.add(event.object.metadata?.name ?? '');
      if (shares || change.endpoints) call ??= clock.schedule(enqueueDue, delay);
    },
    nodes,
    get idle() {
      return call === undefined;
    },
    stop() {
      call?.cancel();
      call = undefined;
    },
  };
}

function servicesOn(nodes: ReadonlySet<string>, { pods, servicesFor }: NodeWatchOptions): Set<string> {
  const keys = new Set<string>();
  for (const pod of pods()) {
    if (pod.spec?.nodeName && nodes.has(pod.spec.nodeName)) for (const key of servicesFor(pod)) keys.add(key);
  }
  return keys;
}

/** How a node event affects slices. */
export interface NodeChange {
  /** The CPU shares of the zones may have changed: topology hints may no longer fit. */
  readonly shares: boolean;
  /** Endpoints of pods on the node may change: the node was added, was deleted, or has another zone. */
  readonly endpoints: boolean;
}

/**
 * Classifies a node event.
 *
 * Mirrors addNode, updateNode and deleteNode (1.36, pkg/controller/endpointslice/endpointslice_controller.go) as far as they concern hints.
 * Kubernetes' controller leaves the change of the pods' endpoints to the next sync of their Services.
 */
export function classifyNodeEvent({ type, object, old }: CacheEvent<Node>): NodeChange {
  if (type !== 'updated') return { shares: true, endpoints: true };
  const moved = zoneOf(old) !== zoneOf(object);
  return { shares: moved || isReady(old) !== isReady(object), endpoints: moved };
}

const zoneOf = ({ metadata }: Node): string => metadata?.labels?.[zoneLabel] ?? '';

const isReady = ({ status }: Node): boolean => status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
