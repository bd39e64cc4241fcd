import type { Deque } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, Resource, WatchEvent } from 'kube-endpoints/port';

export interface StoredVersion {
  /** Frozen at every depth. */
  readonly object: ApiObject;
  readonly revision: number;
  /** Approximate bytes of memory. */
  readonly size: number;
}

/** The objects of a resource, its recent events and its waiting watches. */
export interface Table {
  readonly resource: Resource;
  readonly versions: Map<string, StoredVersion>;
  readonly events: Deque<LogEvent>;
  /** Called after each commit that touched the table. */
  readonly waiters: Set<() => void>;
  /** Incremented to end the watches of this table. */
  generation: number;
  /** Number of the newest events that are not published yet. */
  pendingCount: number;
  /** All keys in list order. A returned array is never changed. */
  sortedKeys(): readonly string[];
  put(key: string, version: StoredVersion): void;
  remove(key: string): void;
}

export type WriteEventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** One write. */
export interface LogEvent {
  readonly table: Table;
  readonly key: string;
  readonly revision: number;
  /** Approximate upper bound of the bytes that only the log keeps alive for this event. */
  readonly bytes: number;
  readonly current: StoredVersion | undefined;
  readonly previous: StoredVersion | undefined;
  /** Watch events, created at first use and shared by all watches. */
  readonly watchEvents: Partial<Record<WriteEventType, WatchEvent>>;
}
