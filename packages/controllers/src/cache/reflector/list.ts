import type { Reader, Selection } from 'kube-endpoints/internal';
import type { ApiObject, ObjectList, Resource, SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../../base/time.ts';
import type { Draft } from '../store.ts';
import { isInitialEnd, type OpenWatch, openWatch, readEvent, timeoutError, type WatchSource } from './open-watch.ts';

export interface ListSource {
  readonly port: Pick<Reader, 'list'>;
  readonly clock: SteadyClock;
  readonly resource: Resource;
  readonly selection: Selection;
  readonly signal: AbortSignal;
}

/**
 * Lists what there is at the moment, object by object, and tells the version that it is of. Never from a cache of the server that
 * may lag behind: what is listed is not older than what is known.
 * @param pageSize 0: all at once
 * @throws what the port throws; a timeout where a page does not come; the signal's reason
 */
export async function listAll(source: ListSource, pageSize: number, take: (object: ApiObject) => void): Promise<string> {
  const { resource } = source;
  let version: string | undefined;
  let token: string | undefined;
  do {
    const page = await listPage(source, pageSize, token);
    for (const object of page.items) take(object);
    // All pages are of one version; where they were not, what the later ones left out is told after the first one's.
    version ??= page.metadata.resourceVersion;
    const next = page.metadata.continue || undefined;
    if (next !== undefined && next === token)
      throw new Error(`the list of ${resource.plural} goes round in circles: two pages have one token`);
    token = next;
  } while (token !== undefined);
  // To watch from nowhere in particular would be to miss what happened meanwhile.
  if (!version) throw new Error(`the list of ${resource.plural} has no resourceVersion, so that there is none to watch from`);
  return version;
}

function listPage(
  { port, clock, resource, selection, signal }: ListSource,
  pageSize: number,
  token: string | undefined,
): Promise<ObjectList> {
  const milliseconds = pageSize > 0 ? longestPage : longestWhole;
  const late = (): Error => timeoutError(`the list of ${resource.plural} has not come within ${milliseconds / 1000} s`);
  return callWithin({ clock, milliseconds, signal, late }, (own) =>
    port.list(resource, {
      ...selection,
      ...(pageSize > 0 && { limit: pageSize }),
      ...(token !== undefined && { continue: token }),
      signal: own,
    }),
  );
}

/** As long as kube-apiserver gives a request by default. */
const longestPage = 60_000;
const longestWhole = 300_000;

export interface Streamed {
  readonly version: string;
  /** The same watch, which goes on with what happens from there. */
  readonly open: OpenWatch;
}

/**
 * Lists by a watch: the server tells of all objects, marks the end of them by a bookmark, and goes on with what changes.
 *
 * A server that does not know the option may take it for an ordinary watch and never say where the objects end. It is told by its
 * silence, by changes that go on without the bookmark, and in the end by the time that it takes.
 * @throws what the port throws; a timeout, the signal's reason; an error where the watch ends before, or cannot be understood
 */
export async function listByStream(source: WatchSource, selection: Selection, timeoutSeconds: number, draft: Draft): Promise<Streamed> {
  const open = openWatch(source, {
    ...selection,
    sendInitialEvents: true,
    resourceVersionMatch: 'NotOlderThan',
    allowWatchBookmarks: true,
    timeoutSeconds,
  });
  try {
    return { open, version: await readInitial(source, open, draft) };
  } catch (error) {
    await open.close();
    throw error;
  }
}

async function readInitial({ clock, resource }: WatchSource, open: OpenWatch, draft: Draft): Promise<string> {
  let changedAt = Number.POSITIVE_INFINITY;
  const until = (): number => {
    const silence = open.heardAt === open.openedAt ? longestBeginning : longestSilence;
    return Math.min(open.openedAt + longest, open.heardAt + silence, changedAt + longestSilence);
  };
  open.patience(until);
  for (;;) {
    const event = await open.next();
    if (!event) throw new Error(`the watch of ${resource.plural} ended before it had told of all of them`);
    const read = readEvent(event);
    if (!read) throw new Error(`the watch of ${resource.plural} began with an event that says nothing: ${event.type}`);
    if (isInitialEnd(read)) return read.version;
    if (read.type === 'ADDED') {
      draft.put(read.object);
      continue;
    }
    if (read.type === 'MODIFIED') draft.put(read.object);
    if (read.type === 'DELETED') draft.remove(read.object);
    if (changedAt !== Number.POSITIVE_INFINITY) continue;
    changedAt = clock.elapsed();
    open.patience(until);
  }
}

const longest = 300_000;
const longestBeginning = 30_000;
/** Between two objects, and from the first change on to the bookmark: client-go begins to wonder after as long. */
const longestSilence = 10_000;
