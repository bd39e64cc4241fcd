import { serviceNameLabel } from '../../spec/slices/labels.ts';
import type { EndpointSliceInput } from '../../types/index.ts';

/** What is known to have been written of the slices of each Service, and so whether a cache still lags behind it. */
export interface SliceTracker {
  /** Whether these slices are older than what was written: an older generation, one that is deleted, or one too few. */
  isStale(key: string, slices: readonly EndpointSliceInput[]): boolean;
  /** Remembers the answer to a create or update. */
  observe(slice: EndpointSliceInput): void;
  /** Remembers that a deletion was answered. */
  expectDeletion(slice: EndpointSliceInput): void;
  /** Drops a slice that the cache has seen deleted; false where it is known and nobody here deleted it. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  has(slice: EndpointSliceInput): boolean;
  forget(key: string): void;
}

/**
 * Makes a tracker. A slice without a UID cannot be told from its successor, and is not tracked.
 *
 * Mirrors EndpointSliceTracker (1.36, staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go). Its memory of
 * deletions that no cache ever reports is bounded: of one Service it holds the newest thousand.
 */
export function createSliceTracker(): SliceTracker {
  const services = new Map<string, Map<string, number>>();
  const known = (slice: EndpointSliceInput): Map<string, number> | undefined => services.get(serviceKeyOf(slice));
  const remember = (slice: EndpointSliceInput, generation: number): void => {
    const uid = slice.metadata?.uid;
    if (!uid) return;
    const key = serviceKeyOf(slice);
    const generations = services.get(key) ?? new Map<string, number>();
    services.set(key, generations);
    generations.delete(uid);
    generations.set(uid, generation);
    if (generation === deletionExpected) dropOldDeletions(generations);
  };
  return {
    isStale(key, slices) {
      const generations = services.get(key);
      return generations !== undefined && isBehind(generations, slices);
    },
    observe: (slice) => remember(slice, slice.metadata?.generation ?? 0),
    expectDeletion: (slice) => remember(slice, deletionExpected),
    handleDeletion(slice) {
      const uid = slice.metadata?.uid ?? '';
      const generation = known(slice)?.get(uid);
      known(slice)?.delete(uid);
      return generation === undefined || generation === deletionExpected;
    },
    has: (slice) => known(slice)?.has(slice.metadata?.uid ?? '') ?? false,
    forget: (key) => {
      services.delete(key);
    },
  };
}

const deletionExpected = -1;
const rememberedDeletions = 1000;

function isBehind(generations: ReadonlyMap<string, number>, slices: readonly EndpointSliceInput[]): boolean {
  let missing = 0;
  for (const written of generations.values()) if (written !== deletionExpected) missing++;
  for (const { metadata } of slices) {
    const written = generations.get(metadata?.uid ?? '');
    if (written === undefined) continue;
    if (written === deletionExpected || written > (metadata?.generation ?? 0)) return true;
    missing--;
  }
  return missing > 0;
}

function dropOldDeletions(generations: Map<string, number>): void {
  const deletions = [...generations].filter(([, generation]) => generation === deletionExpected);
  for (const [uid] of deletions.slice(0, -rememberedDeletions)) generations.delete(uid);
}

const serviceKeyOf = ({ metadata }: EndpointSliceInput): string =>
  `${metadata?.namespace ?? ''}/${metadata?.labels?.[serviceNameLabel] ?? ''}`;
