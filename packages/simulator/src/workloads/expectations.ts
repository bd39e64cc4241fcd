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
  const counts = createExpectationCounts(now);
  // Kept when creations are expected next, as in the original.
  const deletedPods = new Map<string, Set<string>>();
  return {
    expectCreations: (key, creations) => counts.expect(key, { creations, deletions: 0 }),
    expectDeletions(key, podKeys) {
      deletedPods.set(key, new Set(podKeys));
      counts.expect(key, { creations: 0, deletions: new Set(podKeys).size });
    },
    observeCreation: (key) => counts.observeCreation(key),
    observeDeletion(key, podKey) {
      if (deletedPods.get(key)?.delete(podKey)) counts.observeDeletion(key);
    },
    areSatisfied: (key) => counts.areSatisfied(key),
    delete(key) {
      counts.delete(key);
      deletedPods.delete(key);
    },
  };
}

/** Expectations that count deletions without knowing the Pods. Mirrors ControllerExpectations (1.36, pkg/controller/controller_utils.go). */
export interface ExpectationCounts extends Omit<Expectations, 'expectCreations' | 'expectDeletions' | 'observeDeletion'> {
  /** Replaces the expectations of a key. */
  expect(key: string, counts: { readonly creations: number; readonly deletions: number }): void;
  observeDeletion(key: string): void;
}

/** @param now the current time in milliseconds since the epoch */
export function createExpectationCounts(now: () => number): ExpectationCounts {
  const counts = new Map<string, { creations: number; deletions: number; time: number }>();
  return {
    expect: (key, { creations, deletions }) => void counts.set(key, { creations, deletions, time: now() }),
    observeCreation(key) {
      const count = counts.get(key);
      if (count) count.creations -= 1;
    },
    observeDeletion(key) {
      const count = counts.get(key);
      if (count) count.deletions -= 1;
    },
    areSatisfied(key) {
      const count = counts.get(key);
      return !count || (count.creations <= 0 && count.deletions <= 0) || now() - count.time > timeoutMs;
    },
    delete: (key) => void counts.delete(key),
  };
}

const timeoutMs = 5 * 60_000;
