import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf } from 'kube-endpoints/internal';
import type { Clock, ScheduledCall } from 'kube-endpoints/port';

export interface FollowOptions {
  readonly paths: readonly string[];
  readonly clock: Clock;
  /** Milliseconds between two looks, whatever the file system tells. */
  readonly interval: number;
  /** Given the texts of all, in order, whenever one has changed, and not again for the same texts. */
  readonly onTexts: (texts: readonly string[]) => void;
  /** Told once of what cannot be read, until it can be or is wrong in another way. */
  readonly onError: (error: unknown) => void;
}

/** Looks after files that are written anew, or swapped by a link as those of a mounted ConfigMap or Secret are. */
export interface Follower {
  /** Looks now. Resolves when what there is to be told is told. */
  look(): Promise<void>;
  close(): void;
}

/** @param texts as they were read at the start */
export function followFiles(options: FollowOptions, texts: readonly string[]): Follower {
  const { paths, clock, interval, onTexts, onError } = options;
  const state = { seen: JSON.stringify(texts), closed: false, due: Number.POSITIVE_INFINITY };
  let next: ScheduledCall | undefined;
  let last: Promise<void> = Promise.resolve();
  const read = async (): Promise<void> => {
    if (state.closed) return;
    try {
      const found = await readTexts(paths);
      tellOf(JSON.stringify(found), () => onTexts(found));
    } catch (error) {
      tellOf(`error: ${messageOf(error)}`, () => onError(error));
    }
  };
  const tellOf = (seen: string, tell: () => void): void => {
    if (state.closed || seen === state.seen) return;
    state.seen = seen;
    tell();
  };
  const look = (): Promise<void> => {
    last = last.then(read);
    return last;
  };
  const plan = (milliseconds: number): void => {
    const due = clock.now() + milliseconds;
    // What changes all the time is not to put off the look at it.
    if (state.closed || due >= state.due) return;
    next?.cancel();
    state.due = due;
    next = clock.schedule(() => void lookAgain(), milliseconds);
  };
  const lookAgain = async (): Promise<void> => {
    state.due = Number.POSITIVE_INFINITY;
    await look();
    plan(interval);
  };
  const watchers = watchFolders(paths, () => plan(settling));
  plan(interval);
  return {
    look,
    close() {
      state.closed = true;
      next?.cancel();
      for (const watcher of watchers) watcher.close();
    },
  };
}

/** @throws Error that names the file which cannot be read */
export const readTexts = (paths: readonly string[]): Promise<readonly string[]> => Promise.all(paths.map((path) => readFile(path, 'utf8')));

/** Milliseconds from the first sign of a change until files are read: several of them may be written one after the other. */
const settling = 100;

interface Closable {
  close(): void;
}

/** What is swapped by a link changes in its folder. Where that cannot be watched, the looks from time to time have to do. */
function watchFolders(paths: readonly string[], changed: () => void): readonly Closable[] {
  return [...new Set(paths.map((path) => dirname(path)))].flatMap((folder) => {
    try {
      const watcher = watch(folder, { persistent: false }, changed);
      watcher.on('error', () => watcher.close());
      return [watcher];
    } catch {
      return [];
    }
  });
}
