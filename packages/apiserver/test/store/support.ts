import { ApiError, type ApiObject, type Resource, resources, type Status, type WatchEvent } from 'kube-endpoints/port';
import type { Clock, Journal, SavedWrite, SelectableFields } from '../../src/store/index.ts';

export const pods: Resource = resources.pods;
export const nodes: Resource = resources.nodes;

/** A clock that moves only by advance(). */
export interface ManualClock extends Clock {
  advance(milliseconds: number): void;
  /** The number of scheduled calls. */
  readonly scheduled: number;
}

export function createClock(start: number = 1_000_000): ManualClock {
  const calls = new Set<{ readonly dueAt: number; readonly callback: () => void }>();
  let time = start;
  const findDueCall = (until: number): { readonly dueAt: number; readonly callback: () => void } | undefined =>
    [...calls].filter(({ dueAt }) => dueAt <= until).sort((a, b) => a.dueAt - b.dueAt)[0];
  return {
    now: () => time,
    schedule(callback, milliseconds) {
      const call = { dueAt: time + milliseconds, callback };
      calls.add(call);
      return { cancel: () => void calls.delete(call) };
    },
    advance(milliseconds) {
      const until = time + milliseconds;
      for (let call = findDueCall(until); call; call = findDueCall(until)) {
        calls.delete(call);
        time = Math.max(time, call.dueAt);
        call.callback();
      }
      time = until;
    },
    get scheduled() {
      return calls.size;
    },
  };
}

export const pod = (name: string, labels?: Readonly<Record<string, string>>, namespace: string = 'default'): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace, ...(labels && { labels }) },
});

/** The selectable pod fields that the tests use. */
export const podFields: SelectableFields = {
  fields: {
    'spec.nodeName': ({ spec }) => (spec as { readonly nodeName?: string } | undefined)?.nodeName ?? '',
    'status.phase': ({ status }) => (status as { readonly phase?: string } | undefined)?.phase ?? '',
  },
  aliases: { 'spec.host': 'spec.nodeName' },
};

/** The Status of the ApiError that `call` throws. */
export function statusOf(call: () => unknown): Status {
  try {
    call();
  } catch (error) {
    if (error instanceof ApiError) return error.status;
    throw error;
  }
  throw new Error('the call did not fail');
}

/** The Status of the ApiError that the promise rejects with. */
export async function statusOfRejection(promise: Promise<unknown>): Promise<Status> {
  return promise.then(
    () => {
      throw new Error('the call did not fail');
    },
    (error: unknown) => {
      if (error instanceof ApiError) return error.status;
      throw error;
    },
  );
}

/** Resolves after all work that does not wait for a timer. */
export const flushPromises = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Whether a promise is settled now. */
export async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const markSettled = (): void => {
    settled = true;
  };
  promise.then(markSettled, markSettled);
  await flushPromises();
  return settled;
}

/** For example "ADDED a@3": type, name and resourceVersion. */
export const formatEvent = ({ type, object }: WatchEvent): string =>
  `${type} ${object.metadata.name ?? '-'}@${object.metadata.resourceVersion}`;

type Next = Promise<IteratorResult<WatchEvent>>;
const pendingResults = new WeakMap<object, Next>();

/** Requests the next event. Every caller gets the same promise until takeNext() consumes the event. */
export function requestNext(iterator: AsyncIterableIterator<WatchEvent>): Next {
  const pending = pendingResults.get(iterator) ?? iterator.next();
  pendingResults.set(iterator, pending);
  return pending;
}

/** Consumes the next event, including one that requestNext() already requested. */
export async function takeNext(iterator: AsyncIterableIterator<WatchEvent>): Next {
  const pending = requestNext(iterator);
  pendingResults.delete(iterator);
  return pending;
}

/** Consumes the events that are available without time passing, at most `maxEvents`. */
export async function drain(iterator: AsyncIterableIterator<WatchEvent>, maxEvents: number = Number.POSITIVE_INFINITY): Promise<string[]> {
  const events: string[] = [];
  while (events.length < maxEvents) {
    if (!(await isSettled(requestNext(iterator)))) return events;
    const { done, value } = await takeNext(iterator);
    if (done) return [...events, 'end'];
    events.push(formatEvent(value));
  }
  return events;
}

/** A call of a manual journal. */
export interface Save {
  /** For example "default/a@2", or "-default/a@3" for a removal. */
  readonly writes: readonly string[];
  readonly compacted: number;
  succeed(): Promise<void>;
  fail(error?: Error): Promise<void>;
}

export interface ManualJournal extends Journal {
  /** The calls that the test must complete. */
  readonly saves: Save[];
  /** True saves everything at once. */
  isAutomatic: boolean;
  /** Waits for a call that the test has not completed. */
  waitForSave(): Promise<Save>;
}

/** A journal whose calls are completed by the test. */
export function createManualJournal(): ManualJournal {
  const format = ({ key, revision, object }: SavedWrite): string => `${object ? '' : '-'}${key}@${revision}`;
  let pendingCount = 0;
  const journal: ManualJournal = {
    saves: [],
    isAutomatic: false,
    async waitForSave() {
      while (pendingCount === 0) await flushPromises();
      return journal.saves.at(-1) as Save;
    },
    save(writes, compacted) {
      if (journal.isAutomatic) return Promise.resolve();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      pendingCount += 1;
      journal.saves.push({
        writes: writes.map(format),
        compacted,
        async succeed() {
          pendingCount -= 1;
          resolve();
          await flushPromises();
        },
        async fail(error = new Error('no space')) {
          pendingCount -= 1;
          reject(error);
          await flushPromises();
        },
      });
      return promise;
    },
  };
  return journal;
}
