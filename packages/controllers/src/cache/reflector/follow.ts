import type { Selection } from 'kube-endpoints/port';
import type { Store } from '../store.ts';
import { type OpenWatch, openWatch, type WatchSource } from './open-watch.ts';
import { readEvent } from './read-event.ts';
import type { Outcome, Watching } from './stage.ts';

export interface FollowOptions {
  readonly selection: Selection;
  /** After how many seconds the server is to end the watch. */
  readonly timeoutSeconds: number;
  readonly store: Pick<Store<unknown>, 'put' | 'remove'>;
  /** Told the version of each event that was taken in. */
  seen(version: string): void;
}

/** Takes in what a watch tells, from a version on, until it ends in whatever way. Does not throw. */
export async function follow(source: WatchSource, stage: Watching, options: FollowOptions): Promise<Outcome> {
  const { clock, resource, signal } = source;
  const { selection, timeoutSeconds, store, seen } = options;
  let version = stage.from;
  let open: OpenWatch | undefined;
  try {
    open = stage.open ?? openWatch(source, { ...selection, resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds });
    const watch = open;
    const { openedAt, lasts } = watch;
    watch.patience(() => Math.max(openedAt + lasts, watch.heardAt) + margin);
    for (;;) {
      const event = await watch.next();
      // Where the event and the signal came at once, nothing is told any more.
      if (signal.aborted) return { kind: 'failed', error: signal.reason, version };
      if (!event) return { kind: 'ended', version, moved: version !== stage.from, milliseconds: clock.elapsed() - openedAt };
      const read = readEvent(event);
      if (!read) return { kind: 'failed', error: new Error(`an event of ${resource.plural} says nothing: ${event.type}`), lost: true };
      if (read.type === 'DELETED') store.remove(read.object);
      else if (read.type !== 'BOOKMARK') store.put(read.object);
      version = read.version;
      seen(version);
    }
  } catch (error) {
    return { kind: 'failed', error, version };
  } finally {
    await open?.close();
  }
}

/** How much longer than it was to last a watch may be silent. */
const margin = 30_000;
