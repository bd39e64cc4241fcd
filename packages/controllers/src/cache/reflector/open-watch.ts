import type { Watcher } from 'kube-endpoints/internal';
import {
  ApiError,
  type ApiObject,
  type Resource,
  type ScheduledCall,
  type Status,
  type SteadyClock,
  type WatchEvent,
  type WatchOptions,
} from 'kube-endpoints/port';
import { pause } from '../../base/time.ts';

/** A watch with timeouts: none of its promises stays pending forever. */
export interface OpenWatch {
  /** Time by `clock.elapsed()`. */
  readonly openedAt: number;
  /** Time of the last event by `clock.elapsed()`. */
  readonly lastEventAt: number;
  /** Milliseconds after which the server is expected to end the watch. */
  readonly durationMs: number;
  /** The next event; undefined if the watch ends. @throws errors of the port, a TimeoutError, the signal's reason */
  next(): Promise<WatchEvent | undefined>;
  /** Sets the time, by `clock.elapsed()`, until which the watch may be silent. Calls `deadline` now, and again at each such time. */
  setDeadline(deadline: () => number): void;
  /** Ends the watch. Waits until the port has closed it, for at most 5 seconds. */
  close(): Promise<void>;
}

export interface WatchSource {
  readonly port: Watcher;
  readonly clock: SteadyClock;
  readonly resource: Resource;
  readonly signal: AbortSignal;
}

/** Opens a watch. @throws errors of the port */
export function openWatch(source: WatchSource, options: WatchOptions & { readonly timeoutSeconds: number }): OpenWatch {
  const { port, clock, resource, signal } = source;
  const connection = createConnection(source);
  const iterator = connection.begin((watchSignal) => port.watch(resource, { ...options, signal: watchSignal })[Symbol.asyncIterator]());
  const openedAt = clock.elapsed();
  let lastEventAt = openedAt;
  let ended = false;
  return {
    openedAt,
    durationMs: options.timeoutSeconds * 1000,
    get lastEventAt() {
      return lastEventAt;
    },
    setDeadline: connection.setDeadline,
    async next() {
      if (signal.aborted) throw signal.reason;
      const { done, value } = await connection.read(iterator);
      lastEventAt = clock.elapsed();
      ended = done === true;
      return ended ? undefined : value;
    },
    async close() {
      connection.detach();
      if (ended) return;
      ended = true;
      connection.abort();
      await closeIterator(iterator, clock);
    },
  };
}

type EventIterator = AsyncIterator<WatchEvent>;

/** The connection of a watch: ended by the signal, by a timeout, or by `close`. */
function createConnection({ clock, resource, signal }: WatchSource) {
  const controller = new AbortController();
  let failure: { readonly error: unknown } | undefined;
  let rejectNext: ((error: unknown) => void) | undefined;
  const fail = (error: unknown): void => {
    failure ??= { error };
    rejectNext?.(error);
    controller.abort(error);
  };
  const watchdog = createWatchdog(clock, () => fail(toTimeoutError(`the watch of ${resource.plural} has been silent for too long`)));
  const onAbort = (): void => fail(signal.reason);
  const detach = (): void => {
    watchdog.detach();
    signal.removeEventListener('abort', onAbort);
  };
  signal.addEventListener('abort', onAbort, { once: true });
  return {
    setDeadline: watchdog.setDeadline,
    begin(open: (signal: AbortSignal) => EventIterator): EventIterator {
      try {
        return open(controller.signal);
      } catch (error) {
        detach();
        throw error;
      }
    },
    // Not Promise.race with a long-lived promise: that would keep every race in memory for as long as the watch is open.
    read: (iterator: EventIterator): Promise<IteratorResult<WatchEvent>> =>
      new Promise((resolve, reject) => {
        rejectNext = reject;
        if (failure) reject(failure.error);
        else iterator.next().then(resolve, reject);
      }),
    abort: (): void => controller.abort(failure?.error),
    detach,
  };
}

async function closeIterator(iterator: EventIterator, clock: SteadyClock): Promise<void> {
  const closedController = new AbortController();
  const onClosed = (): void => closedController.abort();
  try {
    Promise.resolve(iterator.return?.()).then(onClosed, onClosed);
  } catch {
    return;
  }
  await pause(clock, closeTimeoutMs, closedController.signal);
}

const closeTimeoutMs = 5000;

/**
 * Calls `onTimeout` at a deadline that moves. Checks the deadline only when the timer fires: cheaper than moving the timer at every event.
 */
function createWatchdog(clock: SteadyClock, onTimeout: () => void): { setDeadline(newDeadline: () => number): void; detach(): void } {
  let getDeadline = (): number => Number.POSITIVE_INFINITY;
  let timer: ScheduledCall | undefined;
  const check = (): void => {
    timer?.cancel();
    const remainingMs = getDeadline() - clock.elapsed();
    if (remainingMs <= 0) onTimeout();
    else timer = clock.schedule(check, remainingMs);
  };
  return {
    setDeadline(newDeadline) {
      getDeadline = newDeadline;
      check();
    },
    detach: () => timer?.cancel(),
  };
}

/** A watch event that has been validated. */
export interface ParsedEvent {
  readonly type: WatchEvent['type'];
  readonly object: ApiObject;
  readonly version: string;
}

/**
 * Validates a watch event. Returns undefined if the event has no version, no name or an unknown type: its change is lost, so list again.
 * @throws ApiError for an ERROR event, or Error if that has no Status; most ports throw these themselves
 */
export function parseEvent(event: WatchEvent): ParsedEvent | undefined {
  const { type, object } = event as { readonly type: string; readonly object?: Partial<ApiObject> };
  if (type === 'ERROR') throw toError(object);
  const version = object?.metadata?.resourceVersion;
  const isComplete = type === 'BOOKMARK' || (changeTypes.includes(type) && !!object?.metadata?.name);
  return version && isComplete ? { type: event.type, object: event.object, version } : undefined;
}

/** Whether an event marks the end of the objects that a watch began with. */
export const isInitialEventsEnd = ({ type, object }: ParsedEvent): boolean =>
  type === 'BOOKMARK' && object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true';

const changeTypes: readonly string[] = ['ADDED', 'MODIFIED', 'DELETED'];

function toError(object: unknown): Error {
  const status = object as Partial<Status> | undefined;
  return typeof status?.code === 'number' ? new ApiError(status as Status) : new Error(`the watch failed: ${JSON.stringify(object)}`);
}

/**
 * Whether a version is too old to resume from, or a page's snapshot has expired. Kubernetes 1.17 sends the reason Gone; some later releases
 * send Expired.
 */
export const isExpired = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');

/**
 * Whether a watch cannot resume, so that everything must be listed again: the version is too old, or unknown to the server (as after a
 * restore), or invalid.
 *
 * Mirrors isExpiredError and isTooLargeResourceVersionError (client-go 1.36, tools/cache/reflector.go).
 */
export const needsList = (error: unknown): boolean =>
  isExpired(error) || (error instanceof ApiError && (isTooLarge(error) || error.code === 400 || error.code === 422));

/**
 * Whether a server refuses to send a list through a watch: the feature WatchList is disabled, or the server rejects sendInitialEvents as
 * invalid.
 */
export const refusesWatchList = (error: unknown): boolean => error instanceof ApiError && [400, 405, 406, 422].includes(error.code);

/** Milliseconds that a server asks to wait before a retry; at most 5 minutes, so that a single answer cannot stop a cache for good. */
export function retryAfterOf(error: unknown): number {
  const seconds = error instanceof ApiError ? (error.status.details?.retryAfterSeconds ?? 0) : 0;
  return Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), maxRetryAfterMs) : 0;
}

const maxRetryAfterMs = 300_000;

/** Creates an error with the name TimeoutError. */
export function toTimeoutError(message: string): Error {
  const error = new Error(message);
  error.name = 'TimeoutError';
  return error;
}

export const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError';

const isTooLarge = ({ status }: ApiError): boolean =>
  status.details?.causes?.some(({ reason, message }) => reason === 'ResourceVersionTooLarge' || message === tooLargeMessage) === true ||
  (status.code === 504 && status.message?.includes(tooLargeMessage) === true);

const tooLargeMessage = 'Too large resource version';
