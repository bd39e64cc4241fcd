import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, WatchEvent } from 'kube-endpoints/port';
import { earliestTime } from '../clock.ts';
import { createView, findPrefixEnd } from '../list.ts';
import { firstEventAfter, toWatchEvent } from '../log.ts';
import type { LogEvent, StoredVersion, Table } from '../records.ts';
import { freshnessTimeoutMs, requireFresh } from '../resource-version.ts';
import type { StoreState } from '../state.ts';
import { lowerBound, publishedEndOf } from '../table.ts';
import type { WatchPlan } from './plan.ts';

/** A source of watch events that reads the log only on demand, so that nothing is buffered for a slow reader. */
export interface WatchSource {
  /** The next event; undefined if none is available yet; "end" after the last one. @throws ApiError */
  take(): WatchEvent | 'end' | undefined;
  /** The set whose callbacks run when a new event may be available. */
  waiters(): Set<() => void>;
  /** When an event may be due without a write, in milliseconds since the epoch. */
  dueAt(): number | undefined;
}

/** Milliseconds between the last bookmark of a watch and its deadline. Mirrors `nextBookmarkTime` (1.36, cacher/cache_watcher.go). */
const finalBookmarkLeadMs = 2000;

/**
 * Creates a source that reads the log on demand.
 *
 * A slow reader costs no memory. If the log has dropped the next event of a watch, the watch ends, as the real watch cache ends slow watchers; the
 * client resumes from the last version it received.
 */
export function createSource(state: StoreState, plan: WatchPlan): WatchSource {
  const { clock, generation } = state;
  const table = state.tableOf(plan.resource);
  const { generation: tableGeneration } = table;
  const freshnessDeadline = clock.now() + freshnessTimeoutMs;
  let position = createStartPosition(state, table, plan);
  let bookmarkAt = plan.sendsBookmarks ? nextBookmarkTime(clock.now(), state.bookmarkInterval, plan.deadline) : undefined;

  const takeBookmark = (now: number, { baseRevision }: Position): WatchEvent | undefined => {
    if (bookmarkAt === undefined || now < bookmarkAt) return undefined;
    bookmarkAt = nextBookmarkTime(now, state.bookmarkInterval, plan.deadline);
    return state.publishedRevision > baseRevision ? createBookmark(plan, state.publishedRevision) : undefined;
  };
  return {
    take() {
      if (state.generation !== generation || table.generation !== tableGeneration) return 'end';
      const now = clock.now();
      const isPastDeadline = plan.deadline !== undefined && now >= plan.deadline;
      position ??= createStartPosition(state, table, plan);
      if (!position) {
        if (isPastDeadline) return 'end';
        if (now >= freshnessDeadline) requireFresh(state, plan.requiredVersion.text, plan.requiredVersion.value);
        return undefined;
      }
      if (isPastDeadline && !isCaughtUp(position, table)) return 'end';
      return (
        takeInitialEvent(position, plan) ??
        takeLoggedEvent(position, table, plan) ??
        takeBookmark(now, position) ??
        (isPastDeadline ? 'end' : undefined)
      );
    },
    waiters: () => (position ? table.waiters : state.waiters),
    dueAt: () => earliestTime(plan.deadline, position ? bookmarkAt : freshnessDeadline),
  };
}

/** Progress of a watch. */
interface Position {
  /** Initial objects, and how many of them have been sent. */
  initialObjects: readonly ApiObject[];
  sentCount: number;
  /** The bookmark after the initial objects has not been sent yet. */
  isInitialEndPending: boolean;
  /** Number of the next event in the table's log. */
  cursor: number;
  /** Events up to this revision are skipped. */
  readonly baseRevision: number;
}

/** Returns the start of a watch; undefined if the store has not reached the required version. */
function createStartPosition(state: StoreState, table: Table, plan: WatchPlan): Position | undefined {
  if (!plan.sendsInitialEvents)
    return {
      initialObjects: [],
      sentCount: 0,
      isInitialEndPending: false,
      cursor: firstEventAfter(table, plan.afterRevision),
      baseRevision: plan.afterRevision,
    };
  if (plan.requiredVersion.value > state.publishedRevision) return undefined;
  const initialObjects = listInitialObjects(state, table, plan);
  return {
    initialObjects,
    sentCount: 0,
    isInitialEndPending: plan.sendsBookmarks,
    cursor: publishedEndOf(table),
    baseRevision: state.publishedRevision,
  };
}

function listInitialObjects(state: StoreState, table: Table, { prefix, predicate }: WatchPlan): ApiObject[] {
  const { keys, get } = createView(table, state.publishedRevision);
  const objects: ApiObject[] = [];
  const end = findPrefixEnd(keys, prefix);
  for (let index = lowerBound(keys, prefix); index < end; index++) {
    const { object } = get(keys[index] as string) as StoredVersion;
    if (predicate.matches(object)) objects.push(object);
  }
  return objects;
}

const isCaughtUp = ({ initialObjects, sentCount, isInitialEndPending, cursor }: Position, table: Table): boolean =>
  sentCount === initialObjects.length && !isInitialEndPending && cursor === publishedEndOf(table);

function takeInitialEvent(position: Position, plan: WatchPlan): WatchEvent | undefined {
  if (position.sentCount < position.initialObjects.length) {
    const object = position.initialObjects[position.sentCount] as ApiObject;
    position.sentCount += 1;
    return { type: 'ADDED', object };
  }
  if (!position.isInitialEndPending) return undefined;
  position.isInitialEndPending = false;
  return createBookmark(plan, position.baseRevision, { 'k8s.io/initial-events-end': 'true' });
}

function takeLoggedEvent(position: Position, table: Table, plan: WatchPlan): WatchEvent | 'end' | undefined {
  const { events } = table;
  if (position.cursor < events.firstIndex) return 'end';
  const end = publishedEndOf(table);
  while (position.cursor < end) {
    const event = events.at(position.cursor);
    position.cursor += 1;
    const watchEvent = event.revision > position.baseRevision ? selectEvent(event, plan) : undefined;
    if (watchEvent) return watchEvent;
  }
  return undefined;
}

/**
 * Converts an event of the log for a watch with selectors: an object that starts to match is ADDED, one that stops matching is DELETED. Mirrors `convertToWatchEvent`.
 */
function selectEvent(event: LogEvent, { prefix, predicate }: WatchPlan): WatchEvent | undefined {
  if (!event.key.startsWith(prefix)) return undefined;
  const { current, previous } = event;
  const matchesNow = current !== undefined && predicate.matches(current.object);
  const matchedBefore = previous !== undefined && predicate.matches(previous.object);
  if (matchesNow) return toWatchEvent(event, matchedBefore ? 'MODIFIED' : 'ADDED');
  return matchedBefore ? toWatchEvent(event, 'DELETED') : undefined;
}

function createBookmark({ resource }: WatchPlan, revision: number, annotations?: Readonly<Record<string, string>>): WatchEvent {
  const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
  return { type: 'BOOKMARK', object: { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata } };
}

function nextBookmarkTime(now: number, interval: number, deadline: number | undefined): number | undefined {
  const next = Math.min(now + interval, deadline === undefined ? Number.POSITIVE_INFINITY : deadline - finalBookmarkLeadMs);
  return next > now ? next : undefined;
}
