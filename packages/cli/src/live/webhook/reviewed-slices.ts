import { isLater } from '@kube-endpoints/controllers/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/**
 * Keeps the slices of admission reviews as they will be stored, until the cache shows the write. A controller writes all slices of a
 * Service within milliseconds,
 * before the cache shows the first one.
 */
export interface ReviewedSlices {
  /** @param cachedSlice the cached slice; supplies the resourceVersion if the reviewed slice has none */
  record(review: ReviewedSlice, cachedSlice: EndpointSliceInput | undefined): void;
  /** Returns the stored slices of a Service. Replaces slices by newer reviewed versions, and adds slices whose create was reviewed. */
  mergeInto(service: string, storedSlices: Iterable<EndpointSliceInput>): readonly EndpointSliceInput[];
  /** Forgets the review of a slice once a newer version, or its deletion, was observed. */
  observe(slice: EndpointSliceInput, isDeleted: boolean): void;
}

export interface ReviewedSlice {
  /** "namespace/name". */
  readonly service: string;
  /** The slice as it will be stored. */
  readonly slice: EndpointSliceInput;
  /** True if the reviewed write is a create. */
  readonly isCreate: boolean;
}

export function createReviewedSlices(clock: Pick<SteadyClock, 'elapsed'>): ReviewedSlices {
  const reviews = new Map<string, RecordedReview>();
  return {
    record(review, cachedSlice) {
      const key = objectKey(review.slice);
      reviews.delete(key);
      const replacedVersion = versionOf(review.slice) || versionOf(cachedSlice);
      reviews.set(key, { ...review, replacedVersion, expiresAtMs: clock.elapsed() + maxAgeMs });
      for (const [oldest, { expiresAtMs }] of reviews) {
        if (expiresAtMs > clock.elapsed() && reviews.size <= maxSlices) break;
        reviews.delete(oldest);
      }
    },
    mergeInto(service, storedSlices) {
      const slices = new Map([...storedSlices].map((slice) => [objectKey(slice), slice]));
      for (const [key, review] of reviews) {
        if (review.service !== service || review.expiresAtMs <= clock.elapsed()) continue;
        const storedSlice = slices.get(key);
        // A slice that was updated and is no longer stored has been deleted.
        if (storedSlice ? !isLater(versionOf(storedSlice), review.replacedVersion) : review.isCreate) slices.set(key, review.slice);
      }
      return [...slices.values()];
    },
    observe(slice, isDeleted) {
      const review = reviews.get(objectKey(slice));
      if (review && (isDeleted || isLater(versionOf(slice), review.replacedVersion))) reviews.delete(objectKey(slice));
    },
  };
}

/** Milliseconds after which a write that was not observed counts as rejected, or as a no-op. */
const maxAgeMs = 10_000;
/** Maximum number of remembered slices. */
const maxSlices = 1000;

interface RecordedReview extends ReviewedSlice {
  /** The resourceVersion that the write replaces; empty for a created slice. */
  readonly replacedVersion: string;
  readonly expiresAtMs: number;
}

/** The slices of a Service from a list, and from a watch before and after that list. */
export interface SliceVersions {
  readonly listedSlices: readonly EndpointSliceInput[];
  /** The watched slices before the list request, and after it. */
  readonly slicesWatchedBefore: Iterable<EndpointSliceInput>;
  readonly slicesWatchedNow: Iterable<EndpointSliceInput>;
}

/** Selects the latest known version of each existing slice: a list does not undo newer updates or deletions of the watch. */
export function selectNewestSlices({ listedSlices, slicesWatchedBefore, slicesWatchedNow }: SliceVersions): readonly EndpointSliceInput[] {
  const watchedNow = mapByKey(slicesWatchedNow);
  const watchedBefore = mapByKey(slicesWatchedBefore);
  const slices = mapByKey(listedSlices);
  for (const [key, slice] of slices) {
    const watched = watchedNow.get(key);
    if (!watched && watchedBefore.has(key)) slices.delete(key);
    else if (watched && isLater(versionOf(watched), versionOf(slice))) slices.set(key, watched);
  }
  // A slice that was watched before and is not listed has been deleted; a slice that was not watched before was created meanwhile.
  for (const [key, slice] of watchedNow) if (!slices.has(key) && !watchedBefore.has(key)) slices.set(key, slice);
  return [...slices.values()];
}

const mapByKey = (slices: Iterable<EndpointSliceInput>): Map<string, EndpointSliceInput> =>
  new Map([...slices].map((slice) => [objectKey(slice), slice]));

/** The resourceVersion; empty if the slice has none yet. */
export const versionOf = (slice: EndpointSliceInput | undefined): string =>
  (slice?.metadata as { readonly resourceVersion?: string } | undefined)?.resourceVersion ?? '';
