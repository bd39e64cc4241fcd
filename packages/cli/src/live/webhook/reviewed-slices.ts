import { isLater } from '@kube-endpoints/controllers/internal';
import { objectKey } from 'kube-endpoints/internal';
import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/**
 * Remembers slices as reviews changed them, until the cache shows the write: a controller writes all slices of a Service within
 * milliseconds.
 */
export interface ReviewedSlices {
  /** @param known the cached slice; supplies the resourceVersion if the answer's slice has none */
  record(answer: ReviewedSlice, known: EndpointSliceInput | undefined): void;
  /** The stored slices of a Service, with newer reviewed versions in their place. */
  mergeInto(service: string, stored: Iterable<EndpointSliceInput>): readonly EndpointSliceInput[];
  /** Forgets the answer for a slice once a newer version, or its deletion, was observed. */
  observe(slice: EndpointSliceInput, isGone: boolean): void;
}

export interface ReviewedSlice {
  /** "namespace/name". */
  readonly service: string;
  /** The slice as it will be stored. */
  readonly slice: EndpointSliceInput;
  readonly created: boolean;
}

export function createReviewedSlices(clock: Pick<SteadyClock, 'elapsed'>): ReviewedSlices {
  const answers = new Map<string, Remembered>();
  return {
    record(answer, known) {
      const key = objectKey(answer.slice);
      answers.delete(key);
      const since = versionOf(answer.slice) || versionOf(known);
      answers.set(key, { ...answer, since, until: clock.elapsed() + maxAgeMs });
      for (const [oldest, { until }] of answers) {
        if (until > clock.elapsed() && answers.size <= maxSlices) break;
        answers.delete(oldest);
      }
    },
    mergeInto(service, stored) {
      const slices = new Map([...stored].map((slice) => [objectKey(slice), slice]));
      for (const [key, answer] of answers) {
        if (answer.service !== service || answer.until <= clock.elapsed()) continue;
        const cached = slices.get(key);
        // A slice that was updated and is no longer stored has been deleted.
        if (cached ? !isLater(versionOf(cached), answer.since) : answer.created) slices.set(key, answer.slice);
      }
      return [...slices.values()];
    },
    observe(slice, isGone) {
      const answer = answers.get(objectKey(slice));
      if (answer && (isGone || isLater(versionOf(slice), answer.since))) answers.delete(objectKey(slice));
    },
  };
}

/** Milliseconds after which a write that was not observed counts as rejected, or as a no-op. */
const maxAgeMs = 10_000;
/** Maximum number of remembered slices. */
const maxSlices = 1000;

interface Remembered extends ReviewedSlice {
  /** The resourceVersion that the write replaces; empty for a created slice. */
  readonly since: string;
  readonly until: number;
}

/** The slices of a Service from a list, and from a watch before and after that list. */
export interface SliceVersions {
  readonly listed: readonly EndpointSliceInput[];
  /** The watched slices before the list request, and now. */
  readonly before: Iterable<EndpointSliceInput>;
  readonly now: Iterable<EndpointSliceInput>;
}

/** The existing slices, each in its latest known version: a list does not undo newer updates or deletions of the watch. */
export function newestSlices({ listed, before, now }: SliceVersions): readonly EndpointSliceInput[] {
  const current = byKey(now);
  const old = byKey(before);
  const slices = byKey(listed);
  for (const [key, slice] of slices) {
    const seen = current.get(key);
    if (!seen && old.has(key)) slices.delete(key);
    else if (seen && isLater(versionOf(seen), versionOf(slice))) slices.set(key, seen);
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
