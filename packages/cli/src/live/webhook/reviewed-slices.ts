import { isLater } from '@kube-endpoints/controllers/internal';
import { objectKey } from 'kube-endpoints/internal/apimachinery';
import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/**
 * Stores slices as reviews changed them, until the cache shows the write. A controller writes all slices of a Service within milliseconds,
 * before the cache shows the first one.
 */
export interface ReviewedSlices {
  /** @param cachedSlice the cached slice; supplies the resourceVersion if the reviewed slice has none */
  record(review: ReviewedSlice, cachedSlice: EndpointSliceInput | undefined): void;
  /** The stored slices of a Service, with newer reviewed versions in their place. */
  mergeInto(service: string, stored: Iterable<EndpointSliceInput>): readonly EndpointSliceInput[];
  /** Forgets the review of a slice once a newer version, or its deletion, was observed. */
  observe(slice: EndpointSliceInput, isDeleted: boolean): void;
}

export interface ReviewedSlice {
  /** "namespace/name". */
  readonly service: string;
  /** The slice as it will be stored. */
  readonly slice: EndpointSliceInput;
  /** True if the review is of a create. */
  readonly created: boolean;
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
    mergeInto(service, stored) {
      const slices = new Map([...stored].map((slice) => [objectKey(slice), slice]));
      for (const [key, review] of reviews) {
        if (review.service !== service || review.expiresAtMs <= clock.elapsed()) continue;
        const cached = slices.get(key);
        // A slice that was updated and is no longer stored has been deleted.
        if (cached ? !isLater(versionOf(cached), review.replacedVersion) : review.created) slices.set(key, review.slice);
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
  readonly listed: readonly EndpointSliceInput[];
  /** The watched slices before the list request, and after it. */
  readonly watchedBefore: Iterable<EndpointSliceInput>;
  readonly watchedNow: Iterable<EndpointSliceInput>;
}

/** The existing slices, each in its latest known version: a list does not undo newer updates or deletions of the watch. */
export function newestSlices({ listed, watchedBefore, watchedNow }: SliceVersions): readonly EndpointSliceInput[] {
  const current = byKey(watchedNow);
  const old = byKey(watchedBefore);
  const slices = byKey(listed);
  for (const [key, slice] of slices) {
    const watched = current.get(key);
    if (!watched && old.has(key)) slices.delete(key);
    else if (watched && isLater(versionOf(watched), versionOf(slice))) slices.set(key, watched);
  }
  // A slice watched before and not listed has been deleted; one not watched before was created meanwhile.
  for (const [key, slice] of current) if (!slices.has(key) && !old.has(key)) slices.set(key, slice);
  return [...slices.values()];
}

const byKey = (slices: Iterable<EndpointSliceInput>): Map<string, EndpointSliceInput> =>
  new Map([...slices].map((slice) => [objectKey(slice), slice]));

/** The resourceVersion; empty if the slice has none yet. */
export const versionOf = (slice: EndpointSliceInput | undefined): string =>
  (slice?.metadata as { readonly resourceVersion?: string } | undefined)?.resourceVersion ?? '';
