import type { Cluster } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';

/** A write that the simulated API server stored. */
export interface TrueWrite {
  readonly change: 'create' | 'update' | 'delete';
  readonly actor: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly object: ApiObject;
  readonly previous?: ApiObject;
}

const kinds: readonly string[] = ['Service', 'Pod', 'Endpoints', 'EndpointSlice', 'Node', 'Deployment', 'ReplicaSet'];

/** The writes of the kinds that a history has. */
export const trueWrites = ({ timeline }: Cluster): TrueWrite[] =>
  timeline.flatMap((entry) => {
    if (entry.type !== 'create' && entry.type !== 'update' && entry.type !== 'delete') return [];
    const { type: change, actor, at, object } = entry;
    if (!kinds.includes(object.kind as string)) return [];
    return [{ change, actor, at, object, ...(entry.previous && { previous: entry.previous }) }];
  });

export const keyOf = ({ kind, metadata }: ApiObject): string => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`;
