/**
 * The creations and deletions of Pods that a controller has caused and not yet seen: it does not create or delete more until it has, or until
 * five minutes have passed. Mirrors UIDTrackingControllerExpectations (1.36, pkg/controller/controller_utils.go).
 */
export interface Expectations {
  /** Replaces the expectations of a key. */
  expectCreations(key: string, count: number): void;
  /** Replaces the expectations of a key by deletions of Pods ("namespace/name"). */
  expectDeletions(key: string, podKeys: readonly string[]): void;
  observeCreation(key: string): void;
  /** Counts a deletion once, even if a Pod is first marked as deleted and then removed. */
  observeDeletion(key: string, podKey: string): void;
  areSatisfied(key: string): boolean;
  delete(key: string): void;
}

/** @param now the current time in milliseconds since the epoch */
export function createExpectations(now: () => number): Expectations {
  const counts = new Map<string, { creations: number; deletions: number; time: number }>();
  // Kept when creations are expected next, as in the original.
  const deletedPods = new Map<string, Set<string>>();
  return {
    expectCreations: (key, creations) => void counts.set(key, { creations, deletions: 0, time: now() }),
    expectDeletions(key, podKeys) {
      deletedPods.set(key, new Set(podKeys));
      counts.set(key, { creations: 0, deletions: new Set(podKeys).size, time: now() });
    },
    observeCreation(key) {
      const count = counts.get(key);
      if (count) count.creations -= 1;
    },
    observeDeletion(key, podKey) {
      const count = counts.get(key);
      if (deletedPods.get(key)?.delete(podKey) && count) count.deletions -= 1;
    },
    areSatisfied(key) {
      const count = counts.get(key);
      return !count || (count.creations <= 0 && count.deletions <= 0) || now() - count.time > timeoutMs;
    },
    delete(key) {
      counts.delete(key);
      deletedPods.delete(key);
    },
  };
}

const timeoutMs = 5 * 60_000;
