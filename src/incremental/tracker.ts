import { serviceNameLabel } from '../spec/slices/metadata.ts';
import { deletionExpected, type WrittenSlices } from '../spec/slices/reading.ts';
import type { EndpointSliceInput } from '../types/index.ts';

/** Tracks the written generations of the slices of each Service. */
export interface SliceTracker {
  /** The tracked generations of a Service's slices. */
  writtenSlices(key: string): WrittenSlices | undefined;
  /** Records the response to a create or update. */
  observe(slice: EndpointSliceInput): void;
  /** Records that a deletion was confirmed. */
  expectDeletion(slice: EndpointSliceInput): void;
  /** Drops a slice that the cache has seen deleted. Returns false if it was tracked and not deleted by this controller. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  has(slice: EndpointSliceInput): boolean;
  /** Whether the tracked generation is that of this slice. */
  hasGeneration(slice: EndpointSliceInput): boolean;
  forget(key: string): void;
}

/**
 * Creates a tracker. A slice without a UID cannot be distinguished from its successor, and is not tracked.
 *
 * Mirrors EndpointSliceTracker (1.36, staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go). Tracks at most the newest
 * thousand deletions per Service, because a cache may never report them.
 */
export function createSliceTracker(): SliceTracker {
  const generationsByService = new Map<string, Map<string, number>>();
  const generationsFor = (slice: EndpointSliceInput): Map<string, number> | undefined => generationsByService.get(serviceKeyOf(slice));
  const setGeneration = (slice: EndpointSliceInput, generation: number): void => {
    const uid = slice.metadata?.uid;
    if (!uid) return;
    const key = serviceKeyOf(slice);
    const generations = generationsByService.get(key) ?? new Map<string, number>();
    generationsByService.set(key, generations);
    generations.delete(uid);
    generations.set(uid, generation);
    if (generation === deletionExpected) dropOldDeletions(generations);
  };
  return {
    writtenSlices: (key) => generationsByService.get(key),
    observe: (slice) => setGeneration(slice, slice.metadata?.generation ?? 0),
    expectDeletion: (slice) => setGeneration(slice, deletionExpected),
    handleDeletion(slice) {
      const uid = slice.metadata?.uid ?? '';
      const generations = generationsFor(slice);
      const generation = generations?.get(uid);
      generations?.delete(uid);
      if (generations?.size === 0) generationsByService.delete(serviceKeyOf(slice));
      return generation === undefined || generation === deletionExpected;
    },
    has: (slice) => generationsFor(slice)?.has(slice.metadata?.uid ?? '') ?? false,
    hasGeneration: (slice) => generationsFor(slice)?.get(slice.metadata?.uid ?? '') === (slice.metadata?.generation ?? 0),
    forget: (key) => {
      generationsByService.delete(key);
    },
  };
}

const maxTrackedDeletions = 1000;

function dropOldDeletions(generations: Map<string, number>): void {
  const deletions = [...generations].filter(([, generation]) => generation === deletionExpected);
  for (const [uid] of deletions.slice(0, -maxTrackedDeletions)) generations.delete(uid);
}

const serviceKeyOf = ({ metadata }: EndpointSliceInput): string =>
  `${metadata?.namespace ?? ''}/${metadata?.labels?.[serviceNameLabel] ?? ''}`;
