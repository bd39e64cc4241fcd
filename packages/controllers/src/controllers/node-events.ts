import { zoneLabel } from 'kube-endpoints/internal';
import type { Node } from 'kube-endpoints/types';
import type { CacheEvent } from '../cache/cache.ts';

/** What a change of a node is to slices. */
export interface NodeChange {
  /** How CPU is shared out over the zones may be another: hints by topology may no longer fit. */
  readonly shares: boolean;
  /** The endpoints of the pods on the node come out differently: it came after them, is gone, or is in another zone. */
  readonly endpoints: boolean;
}

/**
 * Weighs what became of a node.
 *
 * Mirrors addNode, updateNode and deleteNode (1.36, pkg/controller/endpointslice/endpointslice_controller.go) where hints are concerned.
 * That the endpoints of its pods change too, Kubernetes' controller leaves to the next sync of their Services.
 */
export function weighNodeEvent({ type, object, old }: CacheEvent<Node>): NodeChange {
  if (type !== 'updated') return { shares: true, endpoints: true };
  const moved = zoneOf(old) !== zoneOf(object);
  return { shares: moved || isReady(old) !== isReady(object), endpoints: moved };
}

const zoneOf = ({ metadata }: Node): string => metadata?.labels?.[zoneLabel] ?? '';

const isReady = ({ status }: Node): boolean => status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
