import {
  ApiError,
  type ApiObject,
  type ClientPort,
  type ListOptions,
  type ObjectList,
  type Resource,
  resources,
  type SteadyClock,
  type WatchEvent,
  type WatchOptions,
} from 'kube-endpoints/port';
import type { CacheEvent, Informer } from '../../src/cache/index.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';

export const pods: Resource = resources.pods;

/** A manual clock whose time of day can be set independently. */
export interface TestClock extends SteadyClock {
  /** Advances time and runs everything that becomes due. */
  pass(milliseconds: number): Promise<void>;
  /** Sets the time of day. */
  set(now: number): void;
  /** The number of scheduled calls. */
  readonly scheduled: number;
}

export function createTestClock(): TestClock {
  const calls = new Set<{ readonly dueAt: number; readonly callback: () => void }>();
  let elapsed = 0;
  let offset = Date.UTC(2026, 0, 1);
  const findNextCall = (until: number) => [...calls].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  return {
    now: () => offset + elapsed,
    elapsed: () => elapsed,
    schedule(callback, milliseconds) {
      const call = { dueAt: elapsed + Math.max(milliseconds, 0), callback };
      calls.add(call);
      return { cancel: () => void calls.delete(call) };
    },
    async pass(milliseconds) {
      const until = elapsed + milliseconds;
      await flushPromises();
      for (let call = findNextCall(until); call; call = findNextCall(until)) {
        calls.delete(call);
        elapsed = Math.max(elapsed, call.dueAt);
        call.callback();
        await flushPromises();
      }
      elapsed = until;
    },
    set(now) {
      offset = now - elapsed;
    },
    get scheduled() {
      return calls.size;
    },
  };
}

/** Runs everything that can run without advancing time. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const fixedRandom = (): number => 0.5;

export function pod(name: string, version: number | undefined, extra: Partial<ApiObject['metadata']> & { phase?: string } = {}): ApiObject {
  const { phase = 'Running', ...metadata } = extra;
  const resourceVersion = version === undefined ? {} : { resourceVersion: String(version) };
  return { metadata: { name, namespace: 'shop', uid: `uid-${name}`, ...resourceVersion, ...metadata }, status: { phase } };
}

export const event = (type: WatchEvent['type'], object: ApiObject): WatchEvent => ({ type, object });

export const bookmark = (version: number, annotations?: Record<string, string>): WatchEvent => ({
  type: 'BOOKMARK',
  object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: String(version), ...(annotations && { annotations }) } },
});

export const initialEndBookmark = (version: number): WatchEvent => bookmark(version, { 'k8s.io/initial-events-end': 'true' });

export const apiError = (code: number, reason: string, details?: ApiError['status']['details'], message: string = reason): ApiError =>
  new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, ...(details && { details }) });

export const createExpiredError = (): ApiError => apiError(410, 'Expired');
export const createStreamRejection = (): ApiError => apiError(422, 'Invalid');
export const createConnectionReset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });

export const createList = (version: number | undefined, items: readonly ApiObject[], token?: string): ObjectList => ({
  items,
  metadata: { resourceVersion: version === undefined ? '' : String(version), ...(token && { continue: token }) },
});

/** A watch controlled by the test. */
export interface FakeWatch {
  readonly options: WatchOptions;
  send(...events: readonly WatchEvent[]): Promise<void>;
  end(): Promise<void>;
  fail(error: unknown): Promise<void>;
  /** Whether the watch was closed. */
  readonly isClosed: boolean;
}

export interface FakePort extends Pick<ClientPort, 'list' | 'watch'> {
  readonly lists: ListOptions[];
  readonly watches: FakeWatch[];
  /** The latest watch. */
  readonly latestWatch: FakeWatch;
  /** The number of open watches. */
  readonly openWatchCount: number;
}

type Answer = ObjectList | Error | Promise<ObjectList>;

export interface FakePortOptions {
  /** Answers to consecutive lists; the last answer repeats. */
  readonly lists?: readonly (Answer | ((options: ListOptions) => Answer))[];
  /** Called when a watch is opened, with its 0-based index. */
  readonly onWatch?: (watch: FakeWatch, number: number) => void;
  /** Whether streaming lists (WatchList) are supported. */
  readonly supportsStreams?: boolean;
  /** Whether closing a watch never resolves. */
  readonly ignoresClose?: boolean;
}

export function createFakePort({
  lists: answers = [],
  onWatch,
  supportsStreams = false,
  ignoresClose = false,
}: FakePortOptions = {}): FakePort {
  const lists: ListOptions[] = [];
  const watches: FakeWatch[] = [];
  return {
    lists,
    watches,
    get latestWatch() {
      return watches.at(-1) as FakeWatch;
    },
    get openWatchCount() {
      return watches.filter(({ isClosed }) => !isClosed).length;
    },
    async list(_: Resource, options = {}) {
      const answer = answers[Math.min(lists.length, answers.length - 1)];
      lists.push(options);
      const resolved = typeof answer === 'function' ? answer(options) : answer;
      if (resolved instanceof Error) throw resolved;
      if (!resolved) throw new Error('no list was expected');
      return resolved;
    },
    watch(_, options = {}) {
      if (options.sendInitialEvents && !supportsStreams) return createFailingIterator(createStreamRejection());
      const { watch, iterator } = createFakeWatch(options, ignoresClose);
      watches.push(watch);
      onWatch?.(watch, watches.length - 1);
      return iterator;
    },
  };
}

const createFailingIterator = (error: Error): AsyncIterableIterator<WatchEvent> => {
  const iterator: AsyncIterableIterator<WatchEvent> = { next: () => Promise.reject(error), [Symbol.asyncIterator]: () => iterator };
  return iterator;
};

type Item = { readonly event: WatchEvent } | { readonly error: unknown } | 'end';

function createFakeWatch(options: WatchOptions, ignoresClose: boolean): { watch: FakeWatch; iterator: AsyncIterableIterator<WatchEvent> } {
  const items: Item[] = [];
  let pendingCall: { resolve(result: IteratorResult<WatchEvent>): void; reject(error: unknown): void } | undefined;
  let isClosed = false;
  const deliverItem = (): void => {
    if (!pendingCall || items.length === 0) return;
    const { resolve, reject } = pendingCall;
    const item = items[0] as Item;
    pendingCall = undefined;
    if (item !== 'end') items.shift();
    else isClosed = true;
    if (item === 'end') resolve({ done: true, value: undefined });
    else if ('event' in item) resolve({ done: false, value: item.event });
    else reject(item.error);
  };
  const add = async (...extra: readonly Item[]): Promise<void> => {
    items.push(...extra);
    deliverItem();
    await flushPromises();
  };
  const iterator: AsyncIterableIterator<WatchEvent> = {
    next: () =>
      new Promise((resolve, reject) => {
        pendingCall = { resolve, reject };
        deliverItem();
      }),
    return() {
      isClosed = true;
      return ignoresClose ? new Promise(() => undefined) : Promise.resolve({ done: true, value: undefined });
    },
    [Symbol.asyncIterator]: () => iterator,
  };
  const watch: FakeWatch = {
    options,
    send: (...events) => add(...events.map((each) => ({ event: each }))),
    end: () => add('end'),
    fail: (error) => add({ error }),
    get isClosed() {
      return isClosed;
    },
  };
  return { watch, iterator };
}

/** Formats a change, for example "added a" or "deleted a (missed)". */
export function formatChange<T>(change: CacheEvent<T>, key: string): string {
  const name = key.split('/').at(-1);
  if (change.type === 'deleted') return `deleted ${name}${change.missed ? ' (missed)' : ''}`;
  return change.type === 'added' && change.initial ? `initial ${name}` : `${change.type} ${name}`;
}

/** Records the events of an informer; `take` returns and clears them. */
export function recordChanges<T>(informer: Informer<T>): { take(): string[] } {
  let log: string[] = [];
  informer.listen((change, key) => log.push(formatChange(change, key)));
  return {
    take() {
      const changes = log;
      log = [];
      return changes;
    },
  };
}

/** Formats an informer event, for example "waiting 1200 read ECONNRESET". */
export function formatEvent(event: RuntimeEvent): string {
  if (event.kind !== 'informer') return event.kind;
  const { state, delay, error } = event;
  return [state, delay, (error as Error | undefined)?.message].filter((part) => part !== undefined).join(' ');
}
