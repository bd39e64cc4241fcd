import { createDeque, isDNS1123Subdomain } from 'kube-endpoints/internal/apimachinery';
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
  /** Resolves when no Event is waiting: each was written or dropped. Never rejects. */
  flush(): Promise<void>;
  /**
   * Stops recording. Tries to write each waiting Event once, without delays. Gives up after one second, or when an attempt gets no response,
   * because a shutdown must not wait for Events. Never rejects.
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

/** Maximum number of waiting Events; the value of client-go 1.36. */
const maxQueuedEvents = 1000;

/** Time for writing the waiting Events after `stop`. */
const stopTimeoutMs = 1000;

/** Mirrors EventBroadcaster with its sink (1.36, client-go/tools/record/event.go): writes one Event at a time, in order. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { port, clock, random, component, host } = options;
  const createName = createEventNamer(random);
  const waitingEvents = createDeque<CoreEvent>();
  const correlator = createCorrelator({ clock });
  const stopController = new AbortController();
  const timeoutController = new AbortController();
  const onEvent = (event: CoreEvent, outcome: EventOutcome, error?: unknown): void =>
    options.onEvent?.({ kind: 'event', event, outcome, ...(error !== undefined && { error }) });
  const write = createWriter({ port, clock, random, signal: stopController.signal, end: timeoutController.signal, onEvent });
  let running: Promise<void> | undefined;

  const writeWaiting = async (): Promise<void> => {
    // Starts after the synchronous code of the caller.
    await undefined;
    for (let event = waitingEvents.shift(); event; event = waitingEvents.shift()) {
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
      return waitingEvents.length;
    },
    record(object, type, reason, message) {
      const now = clock.now();
      const event = makeEvent({ object, type, reason, message }, { component, host }, createName(object.name ?? '', now), now);
      if (stopController.signal.aborted || waitingEvents.length >= maxQueuedEvents) return onEvent(event, 'dropped');
      waitingEvents.push(event);
      running ??= writeWaiting();
    },
    flush,
    async stop() {
      stopController.abort();
      const timer = clock.schedule(() => timeoutController.abort(new Error('the recorder was stopped')), stopTimeoutMs);
      await flush().finally(() => timer.cancel());
    },
  };
}

/** Generates an Event's name from the name of its object. `now`: milliseconds since the epoch. */
export type EventNamer = (objectName: string | undefined, now: number) => string;

/**
 * Names an Event after its object and the time in nanoseconds, in hexadecimal. The clock only has milliseconds. The nanoseconds within them
 * are random, so that Events of one millisecond, or of two recorders, do not collide. If the result is not a valid object name, uses a UUID.
 * Mirrors GenerateEventName (1.36, client-go/tools/record/util/util.go).
 */
export function createEventNamer(random: () => number): EventNamer {
  let lastMs = 0;
  let lastTime = 0n;
  return (objectName = '', now) => {
    const randomTime = BigInt(Math.floor(now)) * nanosecondsPerMs + BigInt(Math.floor(random() * Number(nanosecondsPerMs)));
    lastTime = now === lastMs && randomTime <= lastTime ? lastTime + 1n : randomTime;
    lastMs = now;
    const name = `${objectName}.${lastTime.toString(16)}`;
    return isDNS1123Subdomain(name) ? name : createUuid(random);
  };
}

const nanosecondsPerMs = 1_000_000n;

/** A UUID of version 4: all but six bits are random. */
function createUuid(random: () => number): string {
  const digit = (from: number, count: number): string => Math.floor(from + random() * count).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (placeholder) => (placeholder === 'x' ? digit(0, 16) : digit(8, 4)));
}
