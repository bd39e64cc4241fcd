import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import { pause } from '../clock.ts';
import { type Attempt, attempt } from './attempt.ts';
import type { Correlated, Correlator } from './correlate.ts';
import type { CoreEvent } from './event.ts';
import type { EventOutcome } from './happening.ts';

export interface WriterOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  /** Ends all waiting: from then on there is one try for each Event, and none after one that had no answer. */
  readonly signal: AbortSignal;
  /** Ends the try under way, too. Not aborted before `signal` is. */
  readonly end?: AbortSignal;
  readonly tell: (event: CoreEvent, outcome: EventOutcome, error?: unknown) => void;
}

/** Writes an Event, however often it takes. Never rejects. */
export type EventWriter = (correlated: Correlated, observe: Correlator['observe']) => Promise<void>;

/** The figures of client-go 1.36 (tools/record/event.go; rest/request.go for a server that says when to come again). */
const limits = { tries: 12, delay: 10_000, busy: 10 };

/** Mirrors recordToSink (1.36, client-go/tools/record/event.go). */
export function createWriter({ port, clock, random, signal, end, tell }: WriterOptions): EventWriter {
  let hopeless = false;
  return async (correlated, observe) => {
    const { event } = correlated;
    const failures = { tries: 0, busy: 0 };
    while (!hopeless) {
      const made = await attempt(port, clock, correlated, end);
      if ('written' in made) {
        observe(made.written, correlated);
        return tell(event, made.result);
      }
      const delay = signal.aborted ? undefined : delayAfter(made, failures, random);
      if (delay === undefined) {
        hopeless = signal.aborted && made.result === 'failed';
        return tell(event, made.result === 'failed' ? 'dropped' : 'refused', made.error);
      }
      tell(event, 'retried', made.error);
      await pause(clock, delay, signal);
    }
    tell(event, 'dropped');
  };
}

type Failure = Exclude<Attempt, { readonly written: unknown }>;

/** How many milliseconds later to try again; undefined where that is no use. */
function delayAfter(failure: Failure, failures: { tries: number; busy: number }, random: () => number): number | undefined {
  if (failure.result === 'refused') return undefined;
  if (failure.result === 'busy') return ++failures.busy > limits.busy ? undefined : failure.after;
  failures.busy = 0;
  if (++failures.tries >= limits.tries) return undefined;
  // Not all clients of a server that went away come back in the same second.
  return failures.tries === 1 ? limits.delay * random() : limits.delay;
}
