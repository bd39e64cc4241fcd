import type { Reader } from 'kube-endpoints/internal';
import type { Selection } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ObjectList } from 'kube-endpoints/port';
import { callWithin } from '../../base/time.ts';
import type { Draft } from '../store.ts';
import { isInitialEventsEnd, type OpenWatch, openWatch, parseEvent, toTimeoutError, type WatchSource } from './open-watch.ts';

export interface ListSource extends Omit<WatchSource, 'port'> {
  readonly port: Pick<Reader, 'list'>;
  readonly selection: Selection;
}

/**
 * Lists all objects and returns the resourceVersion of the list. Requests the newest version, not one from a server cache that may lag, so
 * the result is never older than the store.
 * @param pageSize 0 to list everything in one request
 * @throws errors of the port, a TimeoutError if a page takes too long, the signal's reason
 */
export async function listAll(source: ListSource, pageSize: number, onObject: (object: ApiObject) => void): Promise<string> {
  const { resource } = source;
  let version: string | undefined;
  let token: string | undefined;
  do {
    const page = await listPage(source, pageSize, token);
    for (const object of page.items) onObject(object);
    // All pages have one version. If they do not, the watch from the first page's version reports what later pages omit.
    version ??= page.metadata.resourceVersion;
    const nextToken = page.metadata.continue || undefined;
    if (nextToken !== undefined && nextToken === token)
      throw new Error(`the list of ${resource.plural} does not end: two pages have the same continue token`);
    token = nextToken;
  } while (token !== undefined);
  // Without a version to watch from, changes since the list would be missed.
  if (!version) throw new Error(`the list of ${resource.plural} has no resourceVersion to watch from`);
  return version;
}

function listPage(
  { port, clock, resource, selection, signal }: ListSource,
  pageSize: number,
  token: string | undefined,
): Promise<ObjectList> {
  const milliseconds = pageSize > 0 ? pageTimeoutMs : wholeListTimeoutMs;
  const createTimeoutError = (): Error => toTimeoutError(`the list of ${resource.plural} did not arrive within ${milliseconds / 1000} s`);
  return callWithin({ clock, milliseconds, signal, createTimeoutError }, (pageSignal) =>
    port.list(resource, {
      ...selection,
      ...(pageSize > 0 && { limit: pageSize }),
      ...(token !== undefined && { continue: token }),
      signal: pageSignal,
    }),
  );
}

/** kube-apiserver's default request timeout. */
const pageTimeoutMs = 60_000;
const wholeListTimeoutMs = 300_000;

export interface StreamedList {
  readonly version: string;
  /** Continues with the changes after that version. */
  readonly watch: OpenWatch;
}

/**
 * Lists by a watch: the server sends all objects, marks their end by a bookmark, and continues with changes.
 *
 * A server that does not know sendInitialEvents may start an ordinary watch and never send the bookmark. This is detected if the watch is
 * silent, if changes continue without the bookmark, or when the total time is over.
 * @throws errors of the port, a TimeoutError, the signal's reason, an Error if the watch ends early or sends an invalid event
 */
export async function listByStream(source: WatchSource, selection: Selection, timeoutSeconds: number, draft: Draft): Promise<StreamedList> {
  const watch = openWatch(source, {
    ...selection,
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
    timeoutSeconds,
  });
  try {
    return { watch, version: await readInitialObjects(source, watch, draft) };
  } catch (error) {
    await watch.close();
    throw error;
  }
}

async function readInitialObjects({ clock, resource }: WatchSource, watch: OpenWatch, draft: Draft): Promise<string> {
  let firstChangeAt = Number.POSITIVE_INFINITY;
  const getDeadline = (): number => {
    const silenceLimitMs = watch.lastEventAt === watch.openedAt ? firstEventTimeoutMs : silenceTimeoutMs;
    return Math.min(watch.openedAt + streamTimeoutMs, watch.lastEventAt + silenceLimitMs, firstChangeAt + silenceTimeoutMs);
  };
  watch.setDeadline(getDeadline);
  for (;;) {
    const event = await watch.next();
    if (!event) throw new Error(`the watch of ${resource.plural} ended before all initial objects had arrived`);
    const parsed = parseEvent(event);
    if (!parsed) throw new Error(`the watch of ${resource.plural} began with an invalid event of type ${event.type}`);
    if (isInitialEventsEnd(parsed)) return parsed.version;
    if (parsed.type === 'ADDED') {
      draft.put(parsed.object);
      continue;
    }
    if (parsed.type === 'MODIFIED') draft.put(parsed.object);
    if (parsed.type === 'DELETED') draft.remove(parsed.object);
    if (firstChangeAt !== Number.POSITIVE_INFINITY) continue;
    firstChangeAt = clock.elapsed();
    watch.setDeadline(getDeadline);
  }
}

const streamTimeoutMs = 300_000;
const firstEventTimeoutMs = 30_000;
/** Limit between two objects, and from the first change to the bookmark; client-go warns after the same time. */
const silenceTimeoutMs = 10_000;
