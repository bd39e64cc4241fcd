import { ApiError, type ApiObject, type ClientPort, resources, type SteadyClock } from 'kube-endpoints/port';
import { callWithin, type Deadline, pause } from '../base/time.ts';
import type { CorrelatedEvent, Correlator } from './correlate.ts';
import type { CoreEvent, EventOutcome } from './event.ts';

export interface WriterOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly random: () => number;
  /** If aborted, delays end, and each Event gets only one attempt. After an attempt without a response, all further Events are dropped. */
  readonly signal: AbortSignal;
  /** Also cancels the attempt under way. Must not be aborted before `signal`. */
  readonly end?: AbortSignal;
  readonly onEvent: (event: CoreEvent, outcome: EventOutcome, error?: unknown) => void;
}

/** Writes an Event, with retries. Never rejects. */
export type EventWriter = (correlated: CorrelatedEvent, observe: Correlator['observe']) => Promise<void>;

/** The constants of client-go 1.36 (tools/record/event.go; rest/request.go for a server that sends Retry-After). */
const limits = { maxTries: 12, retryDelayMs: 10_000, maxRetryAfters: 10 };

/** Mirrors recordToSink (1.36, client-go/tools/record/event.go). */
export function createWriter({ port, clock, random, signal, end, onEvent }: WriterOptions): EventWriter {
  let gaveUp = false;
  return async (correlated, observe) => {
    const { event } = correlated;
    const failures = { tries: 0, busy: 0 };
    while (!gaveUp) {
      const result = await attempt(port, clock, correlated, end);
      if ('written' in result) {
        observe(result.written, correlated);
        return onEvent(event, result.result);
      }
      const delay = signal.aborted ? undefined : computeDelay(result, failures, random);
      if (delay === undefined) {
        gaveUp = signal.aborted && result.result === 'failed';
        return onEvent(event, result.result === 'failed' ? 'dropped' : 'refused', result.error);
      }
      onEvent(event, 'retried', result.error);
      await pause(clock, delay, signal);
    }
    onEvent(event, 'dropped');
  };
}

type Failure = Exclude<Attempt, { readonly written: unknown }>;

/** Milliseconds until the next attempt; undefined if no attempt must follow. */
function computeDelay(failure: Failure, failures: { tries: number; busy: number }, random: () => number): number | undefined {
  if (failure.result === 'refused') return undefined;
  if (failure.result === 'busy') return ++failures.busy > limits.maxRetryAfters ? undefined : failure.retryAfterMs;
  failures.busy = 0;
  if (++failures.tries >= limits.maxTries) return undefined;
  // A random first delay, so that the clients of a server that was down do not all retry at the same time.
  return failures.tries === 1 ? limits.retryDelayMs * random() : limits.retryDelayMs;
}

/** Result of one attempt to write an Event. */
export type Attempt =
  | { readonly result: 'created' | 'patched'; readonly written: ApiObject }
  /** The server rejected it. */
  | { readonly result: 'refused'; readonly error: ApiError }
  /** The server sent Retry-After. */
  | { readonly result: 'busy'; readonly error: ApiError; readonly retryAfterMs: number }
  /** The server did not respond. */
  | { readonly result: 'failed'; readonly error: unknown };

/** Timeout of an attempt in milliseconds. */
const timeoutMs = 30_000;

/**
 * Patches an Event that was written before; creates it if it is new, or was deleted.
 *
 * Mirrors recordEvent (1.36, client-go/tools/record/event.go), and its client's handling of Retry-After (rest/with_retry.go).
 * @param signal cancels the attempt; its result is then `failed`
 */
export async function attempt(
  port: ClientPort,
  clock: SteadyClock,
  { event, patch }: CorrelatedEvent,
  signal?: AbortSignal,
): Promise<Attempt> {
  const deadline: Deadline = {
    clock,
    milliseconds: timeoutMs,
    signal,
    createTimeoutError: () => new Error(`no answer within ${timeoutMs / 1000} s`),
  };
  try {
    if (patch !== undefined) {
      const written = await callWithin(deadline, (signal) =>
        port.patch(resources.events, event.metadata, patch, { signal, type: 'strategic' }),
      ).catch(ignoreNotFound);
      if (written) return { result: 'patched', written };
    }
    return { result: 'created', written: await callWithin(deadline, (signal) => port.create(resources.events, event, { signal })) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { result: 'failed', error };
    const retryAfterMs = readRetryAfterMs(error);
    return retryAfterMs === undefined ? { result: 'refused', error } : { result: 'busy', error, retryAfterMs };
  }
}

function ignoreNotFound(error: unknown): undefined {
  if (!(error instanceof ApiError && error.code === 404)) throw error;
}

function readRetryAfterMs({ code, status }: ApiError): number | undefined {
  const seconds = status.details?.retryAfterSeconds;
  return (code === 429 || code >= 500) && seconds !== undefined ? seconds * 1000 : undefined;
}
