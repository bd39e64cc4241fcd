import { isLater } from '@kube-endpoints/controllers/internal';
import { objectKey } from 'kube-endpoints/internal';
import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';

/** What reviews made of slices, for as long as a cache may not show it: all slices of a Service are written within milliseconds. */
export interface Answers {
  /** @param known the slice as it is known, for its version where the one that is to be written tells none */
  note(answer: Answer, known: EndpointSliceInput | undefined): void;
  /** Slices of a Service, those that were answered since in the place of what they were. */
  over(service: string, stored: Iterable<EndpointSliceInput>): readonly EndpointSliceInput[];
  /** Forgets what is older than a version that was seen. */
  seen(slice: EndpointSliceInput, isGone: boolean): void;
}

export interface Answer {
  /** "namespace/name". */
  readonly service: string;
  /** As it is to be stored. */
  readonly slice: EndpointSliceInput;
  readonly created: boolean;
}

export function createAnswers(clock: Pick<SteadyClock, 'elapsed'>): Answers {
  const answers = new Map<string, Remembered>();
  return {
    note(answer, known) {
      const key = objectKey(answer.slice);
      answers.delete(key);
      const since = versionOf(answer.slice) || versionOf(known);
      answers.set(key, { ...answer, since, until: clock.elapsed() + longest });
      for (const [oldest, { until }] of answers) {
        if (until > clock.elapsed() && answers.size <= most) break;
        answers.delete(oldest);
      }
    },
    over(service, stored) {
      const slices = new Map([...stored].map((slice) => [objectKey(slice), slice]));
      for (const [key, answer] of answers) {
        if (answer.service !== service || answer.until <= clock.elapsed()) continue;
        const there = slices.get(key);
        // one that was there, and is not any more, has been deleted
        if (there ? !isLater(versionOf(there), answer.since) : answer.created) slices.set(key, answer.slice);
      }
      return [...slices.values()];
    },
    seen(slice, isGone) {
      const answer = answers.get(objectKey(slice));
      if (answer && (isGone || isLater(versionOf(slice), answer.since))) answers.delete(objectKey(slice));
    },
  };
}

/** Milliseconds after which a write that was not seen is taken for one that was refused, or changed nothing. */
const longest = 10_000;
/** Slices. */
const most = 1000;

interface Remembered extends Answer {
  /** The version that it was written over; empty for one that was created. */
  readonly since: string;
  readonly until: number;
}

/** What is known of the slices of a Service, from a list and from a watch that went on while the list was under way. */
export interface Knowledge {
  readonly listed: readonly EndpointSliceInput[];
  /** What the watch had told before the list was asked for, and what it has told by now. */
  readonly before: Iterable<EndpointSliceInput>;
  readonly now: Iterable<EndpointSliceInput>;
}

/** The slices that there are, each in the latest version that is known: what was seen to be stored, or to go, meanwhile is not undone by a list. */
export function newestSlices({ listed, before, now }: Knowledge): readonly EndpointSliceInput[] {
  const told = byKey(now);
  const old = byKey(before);
  const slices = byKey(listed);
  for (const [key, slice] of slices) {
    const seen = told.get(key);
    if (!seen && old.has(key)) slices.delete(key);
    else if (seen && isLater(versionOf(seen), versionOf(slice))) slices.set(key, seen);
  }
  // one that was there before, and is not listed, has gone; one that was not has come meanwhile
  for (const [key, slice] of told) if (!slices.has(key) && !old.has(key)) slices.set(key, slice);
  return [...slices.values()];
}

const byKey = (slices: Iterable<EndpointSliceInput>): Map<string, EndpointSliceInput> =>
  new Map([...slices].map((slice) => [objectKey(slice), slice]));

/** Empty where it has none yet. */
export const versionOf = (slice: EndpointSliceInput | undefined): string =>
  (slice?.metadata as { readonly resourceVersion?: string } | undefined)?.resourceVersion ?? '';
