import { ApiError, hasReason, resources, type WatchEvent } from 'kube-endpoints/port';
import { expect } from 'vitest';
import type { Store, WatchParameters } from '../../src/store/index.ts';
import { isSettled, requestNext, takeNext } from '../store/support.ts';
import { formatObject, type Model, type Scope } from './store-model.ts';

const { pods } = resources;
/** Where a watch starts: at a list's version, at version "0", without a version, with initial events, or at the current version without initial events. */
export type WatchStart = 'list' | 'zero' | 'unset' | 'initial' | 'now';

/** A watching client that compares all events with the model. */
export interface WatchReader {
  /** Reads at most `maxEvents` events without advancing the clock. */
  read(maxEvents: number): Promise<void>;
  /** Closes the watch and resumes from the last seen version. */
  resume(): void;
}

export function createWatchReader(store: Store, model: Model, scope: Scope, watchStart: WatchStart): WatchReader {
  const progress: Progress = { pendingInitial: [], expectsInitialEnd: false, revision: 0 };
  const startWatch = (start: WatchStart): Watch => {
    progress.revision = store.revision;
    progress.expectsInitialEnd = start !== 'list' && start !== 'now';
    progress.pendingInitial = progress.expectsInitialEnd ? model.stateAt(progress.revision, scope) : [];
    if (start === 'list') expect(store.list(pods, scope).items.map(formatObject)).toEqual(model.stateAt(progress.revision, scope));
    return store.watch(pods, { ...scope, ...commonParameters, ...startParameters(start, progress.revision) });
  };
  // A watch that has not received all initial objects cannot resume from there.
  const resumeWatch = (): Watch =>
    progress.expectsInitialEnd
      ? startWatch('initial')
      : store.watch(pods, { ...scope, ...commonParameters, ...startParameters('list', progress.revision) });
  const expectUpToDate = (): void =>
    expect([progress.pendingInitial, progress.expectsInitialEnd, model.eventsAfter(progress.revision, scope)]).toEqual([[], false, []]);
  let watch = startWatch(watchStart);
  return {
    resume() {
      void watch.return?.();
      watch = resumeWatch();
    },
    async read(maxEvents) {
      for (let delivered = 0; delivered < maxEvents; delivered++) {
        if (!(await isSettled(requestNext(watch)))) return expectUpToDate();
        try {
          const { done, value } = await takeNext(watch);
          if (done) watch = resumeWatch();
          else checkEvent(value, progress, model, scope);
        } catch (error) {
          if (!hasReason(error, 'Expired')) throw error;
          expect(progress.revision).toBeLessThan(store.stats().compacted);
          watch = startWatch('list');
        }
      }
    },
  };
}

type Watch = AsyncIterableIterator<WatchEvent>;

interface Progress {
  /** Initial objects that must arrive before any other event. */
  pendingInitial: string[];
  /** Whether a bookmark must follow the initial objects. */
  expectsInitialEnd: boolean;
  /** The last version received. */
  revision: number;
}

const commonParameters: WatchParameters = { allowWatchBookmarks: true, timeoutSeconds: 300 };

function startParameters(start: WatchStart, revision: number): WatchParameters {
  const match = { resourceVersionMatch: 'NotOlderThan' };
  if (start === 'list') return { resourceVersion: String(revision) };
  if (start === 'zero') return { resourceVersion: '0' };
  if (start === 'unset') return {};
  return { ...match, sendInitialEvents: start === 'initial' };
}

function checkEvent({ type, object }: WatchEvent, progress: Progress, model: Model, scope: Scope): void {
  const revision = Number(object.metadata.resourceVersion);
  const text = `${type} ${formatObject(object)}`;
  if (type === 'BOOKMARK') {
    expect([progress.pendingInitial, Boolean(object.metadata.annotations)]).toEqual([[], progress.expectsInitialEnd]);
    expect(model.eventsAfter(progress.revision, scope).filter((event) => event.revision <= revision)).toEqual([]);
    progress.expectsInitialEnd = false;
  } else if (progress.expectsInitialEnd) {
    expect(text).toBe(`ADDED ${progress.pendingInitial.shift()}`);
    return;
  } else {
    expect(text).toBe(model.eventsAfter(progress.revision, scope)[0]?.text);
  }
  progress.revision = revision;
}

/** A client that lists in pages and compares them with the model at the revision of the first page. */
export function createPageReader(store: Store, model: Model, scope: Scope): { read(limit: number): void } {
  let token: string | undefined;
  let revision = 0;
  let received: string[] = [];
  return {
    read(limit) {
      try {
        const { items, metadata } = store.list(pods, { ...scope, limit, ...(token !== undefined && { continue: token }) });
        if (token === undefined) revision = store.revision;
        expect(metadata.resourceVersion).toBe(String(revision));
        received.push(...items.map(formatObject));
        const all = model.stateAt(revision, scope);
        expect(received).toEqual(all.slice(0, received.length));
        if (scope.labelSelector === undefined) expect(metadata.remainingItemCount ?? 0).toBe(all.length - received.length);
        token = metadata.continue;
        if (token === undefined) expect(received).toEqual(all);
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'Expired') throw error;
        expect(revision).toBeLessThan(store.stats().compacted);
        token = undefined;
      }
      if (token === undefined) received = [];
    },
  };
}
