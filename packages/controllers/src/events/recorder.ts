import { createDeque, isDNS1123Subdomain } from 'kube-endpoints/internal';
import type { ClientPort, SteadyClock } from 'kube-endpoints/port';
import type { ObjectReference } from 'kube-endpoints/types';
import { createCorrelator } from './correlate.ts';
import { type CoreEvent, type EventOutcome, type EventType, makeEvent, type RecorderEvent } from './event.ts';
import { createWriter } from './write.ts';

/** Writes Events about objects, in its own time: whoever records is neither kept waiting nor told of failures. */
export interface EventRecorder {
  /** How many Events wait to be written, the one that is being written aside. */
  readonly waiting: number;
  record(object: ObjectReference, type: EventType, reason: string, message: string): void;
  /** Resolves when nothing waits any more: all is written or given up. Never rejects. */
  flush(): Promise<void>;
  /**
   * Records nothing more; what waits is still tried, once and without waiting, as long as there are answers, and for a second at most:
   * nobody's end is to wait for Events. Never rejects.
   */
  stop(): Promise<void>;
}

export interface EventRecorderOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Who tells it, such as "endpoint-controller". */
  readonly component: string;
  readonly host?: string | undefined;
  readonly tell?: ((happening: RecorderEvent) => void) | undefined;
}

/** How many Events may wait: as maxQueuedEvents (1.36). */
const capacity = 1000;

/** Milliseconds that what waits is given at the end. */
const grace = 1000;

/** Mirrors EventBroadcaster with its sink (1.36, client-go/tools/record/event.go): one Event at a time, in order. */
export function createEventRecorder(options: EventRecorderOptions): EventRecorder {
  const { port, clock, random, component, host } = options;
  const name = createEventNames(random);
  const waiting = createDeque<CoreEvent>();
  const correlator = createCorrelator({ clock });
  const stopped = new AbortController();
  const ended = new AbortController();
  const tell = (event: CoreEvent, outcome: EventOutcome, error?: unknown): void =>
    options.tell?.({ kind: 'event', event, outcome, ...(error !== undefined && { error }) });
  const write = createWriter({ port, clock, random, signal: stopped.signal, end: ended.signal, tell });
  let running: Promise<void> | undefined;

  const work = async (): Promise<void> => {
    // Not within the sync that records.
    await undefined;
    for (let event = waiting.shift(); event; event = waiting.shift()) {
      const correlated = correlator.correlate(event);
      if (!correlated) tell(event, 'filtered');
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
      if (stopped.signal.aborted || waiting.length >= capacity) return tell(event, 'dropped');
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

/** Names Events after their objects. */
export type NameEvent = (objectName: string | undefined, now: number) => string;

/**
 * An Event's name is its object's and the time in nanoseconds, in hexadecimal digits. A clock of milliseconds leaves the last six decimal
 * digits to chance, so that neither two Events of a millisecond nor those of two recorders get in each other's way. What would be no name
 * of an object becomes a UUID. Mirrors GenerateEventName (1.36, client-go/tools/record/util/util.go).
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

/** Of a millisecond. */
const nanoseconds = 1_000_000n;

/** A UUID of the fourth version, in which all but six bits are chance. */
function uuid(random: () => number): string {
  const digit = (from: number, count: number): string => Math.floor(from + random() * count).toString(16);
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => (place === 'x' ? digit(0, 16) : digit(8, 4)));
}
