import type { ApiObject, Resource } from 'kube-endpoints/port';

/** One write: the new state of an object, or its removal if `object` is absent. */
export interface SavedWrite {
  readonly resource: Resource;
  /** The key in the table of the resource: "NAMESPACE/NAME", or "NAME" of a cluster-scoped object. */
  readonly key: string;
  readonly revision: number;
  readonly object?: ApiObject;
}

/** Saves the writes of a store outside of memory. The store itself does no I/O. */
export interface Journal {
  /**
   * Saves all writes or none, in order. The next call begins after the result has settled.
   * @param compacted the revision from which on the log of the store has writes
   * @throws if the writes cannot be saved; the message says why, and what to do
   */
  save(writes: readonly SavedWrite[], compacted: number): Promise<void>;
}

/** The content of a store. */
export interface SavedState {
  /** The revision of `objects`. */
  readonly revision: number;
  /** The revision from which on the log of the store has writes. */
  readonly compacted: number;
  /** In any order. */
  readonly objects: Iterable<SavedWrite>;
  /** The writes after `revision`, in order and without a gap. */
  readonly writes?: Iterable<SavedWrite>;
}
