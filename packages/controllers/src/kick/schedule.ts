import type { SteadyClock } from 'kube-endpoints/port';
import { createDelays } from '../queue/delays.ts';
import { createDesk } from '../queue/desk.ts';
import { createTurns } from '../queue/turns.ts';

/** Which Service is to be written when: one time of each, the earliest. */
export interface Schedule {
  readonly size: number;
  /** Has a key come at that time, milliseconds since the epoch. False where there are too many, and it was not taken in. */
  add(key: string, due: number): boolean;
  /** Has a key come once more after so many milliseconds, still for that time. */
  again(key: string, due: number, milliseconds: number): void;
  /** The next key whose time has come, and that time; undefined once all is over. */
  take(): Promise<{ readonly key: string; readonly due: number } | undefined>;
  /** The work on a key has ended. */
  done(key: string): void;
  /** Forgets all, and takes in nothing any more. */
  end(): void;
}

/** @param slack milliseconds that a key comes after its time */
export function createSchedule(clock: SteadyClock, slack: number, limit: number): Schedule {
  const dues = new Map<string, number>();
  const turns = createTurns();
  const desk = createDesk(() => turns.next()?.key);
  let ended = false;
  const left = (due: number): number => Math.max(due + slack - clock.now(), 0);
  const delays = createDelays(clock, (key) => {
    // The time of day may have been set meanwhile.
    const wait = left(dues.get(key) ?? 0);
    if (wait > 0) delays.add(key, wait, false);
    else if (turns.add(key, clock.elapsed())) desk.call();
  });
  const size = (): number => dues.size + turns.processing;
  return {
    get size() {
      return size();
    },
    add(key, due) {
      const before = dues.get(key);
      if (ended || (before !== undefined && before <= due)) return true;
      if (before === undefined && size() >= limit) return false;
      dues.set(key, due);
      delays.add(key, left(due), false);
      return true;
    },
    again(key, due, milliseconds) {
      if (ended) return;
      dues.set(key, Math.min(due, dues.get(key) ?? due));
      delays.add(key, milliseconds, true);
    },
    async take() {
      for (let key = await desk.take(); key !== undefined; key = await desk.take()) {
        const due = dues.get(key);
        if (due !== undefined && dues.delete(key)) return { key, due };
        turns.done(key);
      }
      return undefined;
    },
    done(key) {
      if (turns.done(key)) desk.call();
    },
    end() {
      ended = true;
      delays.clear();
      dues.clear();
      desk.close();
    },
  };
}
