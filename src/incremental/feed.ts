import type { Pod } from '../types/index.ts';

/**
 * The pods that one Service selects, kept by a host that knows what changed: the rest is then not gone through again. Handed to a
 * reconciler in place of a list of pods; whatever the outcome, the changes count as taken in afterwards.
 */
export interface PodFeed {
  /** Every pod that the Service selects now, the changed ones included. Read where little or nothing is remembered of the Service. */
  all(): Iterable<Pod>;
  /** What changed since the feed was last handed in, by the pods' names: as they are now, undefined for those no longer selected. */
  readonly changes: ReadonlyMap<string, Pod | undefined>;
}
