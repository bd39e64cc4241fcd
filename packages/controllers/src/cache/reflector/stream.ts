import type { Selection } from 'kube-endpoints/port';
import type { Draft } from '../store.ts';
import { type OpenWatch, openWatch, type WatchSource } from './open-watch.ts';
import { isInitialEnd, readEvent } from './read-event.ts';

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
