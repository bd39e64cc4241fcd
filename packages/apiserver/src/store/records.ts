import type { Deque } from 'kube-endpoints/internal';
import type { ApiObject, Resource, WatchEvent } from 'kube-endpoints/port';

/** One version of one object. */
export interface StoredVersion {
  /** Frozen all the way down. */
  readonly object: ApiObject;
  readonly revision: number;
  /** Bytes of memory, roughly. */
  readonly size: number;
}

/** The objects of a resource, what happened to them lately, and who waits to hear of it. */
export interface Table {
  readonly resource: Resource;
  readonly versions: Map<string, StoredVersion>;
  readonly events: Deque<LogEvent>;
  /** Called after each commit that touched the table. */
  readonly waiting: Set<() => void>;
  /** Goes up when its watches are to end. */
  generation: number;
  /** All keys in the order of lists. The array is not changed afterwards. */
  sortedKeys(): readonly string[];
  put(key: string, version: StoredVersion): void;
  remove(key: string): void;
}

export type Shown = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write: what was there, and what is. */
export interface LogEvent {
  readonly table: Table;
  readonly key: string;
  readonly revision: number;
  /** Bytes of memory that the log alone holds on to because of it, roughly and at most. */
  readonly bytes: number;
  readonly current: StoredVersion | undefined;
  readonly previous: StoredVersion | undefined;
  /** The event as watches show it: made when first asked for, the same for all who ask. */
  readonly shown: Partial<Record<Shown, WatchEvent>>;
}
