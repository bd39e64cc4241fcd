import { createDeque, isDNS1123Subdomain } from 'kube-endpoints/internal';
import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';
import { createCorrelator } from './correlate.ts';
import { type CoreEvent, type EventOutcome, type EventType, makeEvent, type RecorderEvent } from './event.ts';
import { createWriter } from './write.ts';

/** Writes Events about objects asynchronously: `record` neither waits nor throws if a write fails. */
export interface EventRecorder {
  /** Number of Events that wait to be written, without the one being written. */
  readonly waiting: number;
  record(object: ObjectReference, type: EventType, reason: string, message: string): void;
  /** Resolves when no Event waits: each was written or given up. Never rejects. */
  flush(): Promise<void>;
  /**
   * Records nothing more. Tries each waiting Event once, without delays, until an attempt is not answered, and for at most one second: a
   * shutdown must not wait for Events. Never rejects.
   */
  stop(): Promise<void>;
}

export interface EventRecorderOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  /** Random number from 0 to less than 1. */
  readonly random: () => number;
  /** The component that writes the Events, such as "endpoint-controller". */
  readonly component: string;
  readonly host?: string | undefined;
  readonly onEvent?: ((event: RecorderEvent) => void) | undefined;
}

/** Maximum number of waiting Events, as maxQueuedEvents (1.36). */
const capacity = 1000;

/** Milliseconds for writing the waiting Events after `stop`. */
const grace = 1000;

/** Mirrors EventBroadcaster with its sink (1.36, client-go/tools/record/event.go): writes one Event at a time, in order. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { port, clock, random, component, host } = options;
  const name = createEventNames(random);
  const waiting = createDeque<CoreEvent>();
  const correlator = createCorrelator({ clock });
  const stopped = new AbortController();
  const ended = new AbortController();
  const onEvent = (event: CoreEvent, outcome: EventOutcome, error?: unknown): void =>
    options.onEvent?.({ kind: 'event', event, outcome, ...(error !== undefined && { error }) });
  const write = createWriter({ port, clock, random, signal: stopped.signal, end: ended.signal, onEvent });
  let running: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    // Starts after the sync's own synchronous code.
    await undefined;
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      const correlated = correlator.correlate(event);
      if (!correlated) onEvent(event, 'filtered');
      else await write(correlated, correlator.observe);
    }
    running = undefined;
  };
  const flush = async (): Promise<void> => {
    while (running) await running;
  };
  return {
    get waiting() {
      return waiting.length;
    },
    record(object, type, reason, message) {
      const now = clock.now();
      const event = makeEvent({ object, type, reason, message }, { component, host }, name(object.name ?? '', now), now);
      if (stopped.signal.aborted || waiting.length >= capacity) return onEvent(event, 'dropped');
      waiting.push(event);
      running ??= work();
    },
    flush,
    async stop() {
      stopped.abort();
      const timer = clock.schedule(() => ended.abort(new Error('the recorder was stopped')), grace);
      await flush().finally(() => timer.cancel());
    },
  };
}

/** Generates an Event's name from the name of its object. `now`: milliseconds since the epoch. */
export type NameEvent = (objectName: string | undefined, now: number) => string;

/**
 * Names an Event after its object and the time in nanoseconds, in hexadecimal. The clock has milliseconds, so the last six decimal digits
 * are random: Events of one millisecond, or of two recorders, do not collide. If the result is no valid object name, the name is a UUID.
 * Mirrors GenerateEventName (1.36, client-go/tools/record/util/util.go).
 */
export function createEventNames(random: () => number): NameEvent {
  let moment = 0;
  let last = 0n;
  return (objectName = '', now) => {
    const drawn = BigInt(Math.floor(now)) * nanoseconds + BigInt(Math.floor(random() * Number(nanoseconds)));
    last = now === moment && drawn <= last ? last + 1n : drawn;
    moment = now;
    const name = `${objectName}.${last.toString(16)}`;
    return isDNS1123Subdomain(name) ? name : uuid(random);
  };
}

/** Nanoseconds per millisecond. */
const nanoseconds = 1_000_000n;

/** A UUID of version 4: all but six bits are random. */
function uuid(random: () => number): string {
  const digit = (from: number, count: number): string => Math.floor(from + random() * count).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (placeholder) => (placeholder === 'x' ? digit(0, 16) : digit(8, 4)));
}
