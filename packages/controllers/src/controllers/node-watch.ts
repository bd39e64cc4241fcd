import { zoneLabel } from 'kube-endpoints/internal';
import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Node, Pod } from 'kube-endpoints/types';
import type { Cache, CacheEvent } from '../cache/cache.ts';

/** Tracks the nodes, and enqueues the Services that need a sync because of a changed node. */
export interface NodeWatch {
  handle(event: CacheEvent<Node>): void;
  /** Returns all nodes; the same array until a node changes. */
  getNodes(): readonly Node[];
  /** False while node changes wait to be processed. */
  readonly idle: boolean;
  stop(): void;
}

export interface NodeWatchOptions {
  readonly clock: SteadyClock;
  /** Milliseconds for which changes of nodes are collected, so that one pass over all pods handles them. */
  readonly delayMs: number;
  readonly cache: Cache<Node>;
  readonly pods: () => Iterable<Pod>;
  readonly servicesFor: (pod: Pod) => string[];
  /** Returns the Services whose topology hints no longer fit these nodes. */
  readonly overloadedServices: (nodes: readonly Node[]) => string[];
  readonly enqueue: (key: string) => void;
  /** Nodes in addition to those of the cache. */
  readonly extraNodes: readonly Node[];
}

/**
 * Mirrors checkNodeTopologyDistribution (Kubernetes 1.36, pkg/controller/endpointslice/endpointslice_controller.go), and also syncs the
 * Services of pods on a changed node.
 */
export function createNodeWatch(options: NodeWatchOptions): NodeWatch {
  const { clock, cache, delayMs, enqueue, overloadedServices, extraNodes } = options;
  let nodeList: readonly Node[] | undefined;
  let scheduledCall: ScheduledCall | undefined;
  let cpuSharesChanged = false;
  const changedNodes = new Set<string>();
  const getNodes = (): readonly Node[] => {
    nodeList ??= [...cache.values(), ...extraNodes];
    return nodeList;
  };
  const enqueueAffectedServices = (): void => {
    scheduledCall = undefined;
    const keysToSync = new Set(cpuSharesChanged ? overloadedServices(getNodes()) : []);
    if (changedNodes.size > 0) for (const key of findServicesOnNodes(changedNodes, options)) keysToSync.add(key);
    cpuSharesChanged = false;
    changedNodes.clear();
    for (const key of keysToSync) enqueue(key);
  };
  return {
    handle(event) {
      nodeList = undefined;
      const change = classifyNodeEvent(event);
      cpuSharesChanged ||= change.affectsCpuShares;
      if (change.affectsEndpoints) changedNodes.add(event.object.metadata?.name ?? '');
      if (cpuSharesChanged || change.affectsEndpoints) scheduledCall ??= clock.schedule(enqueueAffectedServices, delayMs);
    },
    getNodes,
    get idle() {
      return scheduledCall === undefined;
    },
    stop() {
      scheduledCall?.cancel();
      scheduledCall = undefined;
    },
  };
}

function findServicesOnNodes(nodes: ReadonlySet<string>, { pods, servicesFor }: NodeWatchOptions): Set<string> {
  const keys = new Set<string>();
  for (const pod of pods()) {
    if (pod.spec?.nodeName && nodes.has(pod.spec.nodeName)) for (const key of servicesFor(pod)) keys.add(key);
  }
  return keys;
}

/** How a node event affects slices. */
export interface NodeChange {
  /** The CPU shares of the zones may have changed, so topology hints may no longer fit. */
  readonly affectsCpuShares: boolean;
  /** Endpoints of pods on the node may change, because the node was added, was deleted, or has another zone. */
  readonly affectsEndpoints: boolean;
}

/**
 * Classifies a node event.
 *
 * Mirrors addNode, updateNode and deleteNode (Kubernetes 1.36, pkg/controller/endpointslice/endpointslice_controller.go) as far as they
 * concern hints. Kubernetes' controller leaves the change of the pods' endpoints to the next sync of their Services.
 */
export function classifyNodeEvent({ type, object, old }: CacheEvent<Node>): NodeChange {
  if (type !== 'updated') return { affectsCpuShares: true, affectsEndpoints: true };
  const zoneChanged = zoneOf(old) !== zoneOf(object);
  return { affectsCpuShares: zoneChanged || isReady(old) !== isReady(object), affectsEndpoints: zoneChanged };
}

const zoneOf = ({ metadata }: Node): string => metadata?.labels?.[zoneLabel] ?? '';

const isReady = ({ status }: Node): boolean => status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
