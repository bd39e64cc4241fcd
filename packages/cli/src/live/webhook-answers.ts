import { isLater } from '@kube-endpoints/controllers/internal';
import type { SteadyClock } from 'kube-endpoints/port';
import type { EndpointSliceInput } from 'kube-endpoints/types';
import { keyOf, versionOf } from './newest-slices.ts';

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
      const key = keyOf(answer.slice);
      answers.delete(key);
      const since = versionOf(answer.slice) || versionOf(known);
      answers.set(key, { ...answer, since, until: clock.elapsed() + longest });
      for (const [oldest, { until }] of answers) {
        if (until > clock.elapsed() && answers.size <= most) break;
        answers.delete(oldest);
      }
    },
    over(service, stored) {
      const slices = new Map([...stored].map((slice) => [keyOf(slice), slice]));
      for (const [key, answer] of answers) {
        if (answer.service !== service || answer.until <= clock.elapsed()) continue;
        const there = slices.get(key);
        // one that was there, and is not any more, has been deleted
        if (there ? !isLater(versionOf(there), answer.since) : answer.created) slices.set(key, answer.slice);
      }
      return [...slices.values()];
    },
    seen(slice, isGone) {
      const answer = answers.get(keyOf(slice));
      if (answer && (isGone || isLater(versionOf(slice), answer.since))) answers.delete(keyOf(slice));
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
