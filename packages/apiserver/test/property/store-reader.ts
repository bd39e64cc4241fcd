import { ApiError, hasReason, resources, type WatchEvent } from 'kube-endpoints/port';
import { expect } from 'vitest';
import type { Store, WatchParameters } from '../../src/store/index.ts';
import { ask, isSettled, take } from '../store/support.ts';
import { describe, type Model, type Scope } from './store-model.ts';

const { pods } = resources;
export type Beginning = 'list' | 'zero' | 'unset' | 'initial' | 'now';

/** A watching client that compares all events with the model. */
export interface WatchReader {
  /** Reads at most `most` events without advancing the clock. */
  read(most: number): Promise<void>;
  /** Closes the watch and resumes from the last seen version. */
  resume(): void;
}

export function createWatchReader(store: Store, model: Model, scope: Scope, beginning: Beginning): WatchReader {
  const progress: Progress = { owed: [], endOwed: false, seen: 0 };
  const begin = (how: Beginning): Watch => {
    progress.seen = store.revision;
    progress.endOwed = how !== 'list' && how !== 'now';
    progress.owed = progress.endOwed ? model.at(progress.seen, scope) : [];
    if (how === 'list') expect(store.list(pods, scope).items.map(describe)).toEqual(model.at(progress.seen, scope));
    return store.watch(pods, { ...scope, ...common, ...startOf(how, progress.seen) });
  };
  // A watch that has not received all initial objects cannot resume from there.
  const goOn = (): Watch =>
    progress.endOwed ? begin('initial') : store.watch(pods, { ...scope, ...common, ...startOf('list', progress.seen) });
  const isUpToDate = (): void => expect([progress.owed, progress.endOwed, model.since(progress.seen, scope)]).toEqual([[], false, []]);
  let watch = begin(beginning);
  return {
    resume() {
      void watch.return?.();
      watch = goOn();
    },
    async read(most) {
      for (let delivered = 0; delivered < most; delivered++) {
        if (!(await isSettled(ask(watch)))) return isUpToDate();
        try {
          const { done, value } = await take(watch);
          if (done) watch = goOn();
          else hear(value, progress, model, scope);
        } catch (error) {
          if (!hasReason(error, 'Expired')) throw error;
          expect(progress.seen).toBeLessThan(store.stats().compacted);
          watch = begin('list');
        }
      }
    },
  };
}

type Watch = AsyncIterableIterator<WatchEvent>;

interface Progress {
  /** Initial objects that must arrive before any other event. */
  owed: string[];
  /** Whether a bookmark must follow them. */
  endOwed: boolean;
  /** The last version received. */
  seen: number;
}

const common: WatchParameters = { allowWatchBookmarks: true, timeoutSeconds: 300 };

function startOf(how: Beginning, revision: number): WatchParameters {
  const match = { resourceVersionMatch: 'NotOlderThan' };
  if (how === 'list') return { resourceVersion: String(revision) };
  if (how === 'zero') return { resourceVersion: '0' };
  if (how === 'unset') return {};
  return { ...match, sendInitialEvents: how === 'initial' };
}

function hear({ type, object }: WatchEvent, progress: Progress, model: Model, scope: Scope): void {
  const revision = Number(object.metadata.resourceVersion);
  const text = `${type} ${describe(object)}`;
  if (type === 'BOOKMARK') {
    expect([progress.owed, Boolean(object.metadata.annotations)]).toEqual([[], progress.endOwed]);
    expect(model.since(progress.seen, scope).filter((said) => said.revision <= revision)).toEqual([]);
    progress.endOwed = false;
  } else if (progress.endOwed) {
    expect(text).toBe(`ADDED ${progress.owed.shift()}`);
    return;
  } else {
    expect(text).toBe(model.since(progress.seen, scope)[0]?.text);
  }
  progress.seen = revision;
}

/** A client that lists in pages and compares them with the model at the revision of the first page. */
export function createPageReader(store: Store, model: Model, scope: Scope): { read(limit: number): void } {
  let token: string | undefined;
  let revision = 0;
  let got: string[] = [];
  return {
    read(limit) {
      try {
        const { items, metadata } = store.list(pods, { ...scope, limit, ...(token !== undefined && { continue: token }) });
        if (token === undefined) revision = store.revision;
        expect(metadata.resourceVersion).toBe(String(revision));
        got.push(...items.map(describe));
        const all = model.at(revision, scope);
        expect(got).toEqual(all.slice(0, got.length));
        if (scope.labelSelector === undefined) expect(metadata.remainingItemCount ?? 0).toBe(all.length - got.length);
        token = metadata.continue;
        if (token === undefined) expect(got).toEqual(all);
      } catch (error) {
        if (!(error instanceof ApiError) || error.reason !== 'Expired') throw error;
        expect(revision).toBeLessThan(store.stats().compacted);
        token = undefined;
      }
      if (token === undefined) got = [];
    },
  };
}
