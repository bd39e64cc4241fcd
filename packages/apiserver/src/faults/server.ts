import { awaited, type Clock, type ScheduledCall } from '../store/index.ts';
import { type Call, matcherOf } from './call.ts';
import { brokenConnection } from './errors.ts';
import type { Suffered } from './judge.ts';
import type { WatchScope } from './rule.ts';
import type { FragileStream } from './stream.ts';

/** The state of the server that faults change. */
export interface Server {
  readonly down: boolean;
  /** Number of crashes so far. Calls that began before the last crash get no answer. */
  readonly life: number;
  /** Waits. @throws BrokenConnection if the server crashes meanwhile, or the signal's reason */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Registers an open watch. Returns the function that removes it. */
  open(call: Call, watch: Breakable): () => void;
  /** Applies a fault. Returns whether it changed anything. */
  suffer(fault: Suffered): boolean;
}

export function createServer(clock: Clock, compact: () => void): Server {
  const watches = createOpenWatches();
  const waiting: Waiting = new Set();
  const life = createLife(clock);
  const suffering: { readonly [Kind in Suffered['fault']]: (fault: Extract<Suffered, { readonly fault: Kind }>) => boolean } = {
    dropWatches: ({ watches: scope, broken = false }) => watches.each(scope, (watch) => watch.cut(broken)),
    stallWatches({ watches: scope, forMilliseconds }) {
      return watches.each(scope, (watch) => watch.stall(forMilliseconds as number | undefined));
    },
    releaseWatches: () => watches.each({}, (watch) => watch.release()),
    compact() {
      compact();
      return true;
    },
    crash({ downMilliseconds }) {
      if (!life.end(downMilliseconds as number | undefined)) return false;
      watches.each({}, (watch) => watch.cut(true));
      for (const stop of [...waiting]) stop(brokenConnection());
      return true;
    },
    restart: life.begin,
  };
  return {
    get down() {
      return life.over;
    },
    get life() {
      return life.count;
    },
    pause: (milliseconds, signal) => pause(clock, milliseconds, waiting, signal),
    open: watches.add,
    suffer: (fault) => suffering[fault.fault](fault as never),
  };
}

type Breakable = Pick<FragileStream<unknown>, 'cut' | 'stall' | 'release'>;

function createOpenWatches(): {
  add(call: Call, watch: Breakable): () => void;
  /** Returns whether any watch matched. */
  each(scope: WatchScope | undefined, act: (watch: Breakable) => void): boolean;
} {
  const all = new Set<{ readonly call: Call; readonly watch: Breakable }>();
  return {
    add(call, watch) {
      const entry = { call, watch };
      all.add(entry);
      return () => void all.delete(entry);
    },
    each(scope, act) {
      const matches = matcherOf(scope ?? {});
      const hit = [...all].filter(({ call }) => matches(call));
      for (const { watch } of hit) act(watch);
      return hit.length > 0;
    },
  };
}

/** Tracks crashes and restarts. `end` and `begin` return whether they changed the state. */
function createLife(clock: Clock): {
  readonly over: boolean;
  readonly count: number;
  end(milliseconds?: number): boolean;
  begin(): boolean;
} {
  let over = false;
  let count = 0;
  let recovery: ScheduledCall | undefined;
  const begin = (): boolean => {
    const was = over;
    over = false;
    recovery?.cancel();
    recovery = undefined;
    return was;
  };
  return {
    get over() {
      return over;
    },
    get count() {
      return count;
    },
    begin,
    end(milliseconds) {
      if (over) return false;
      over = true;
      count += 1;
      if (milliseconds !== undefined) recovery = clock.schedule(begin, milliseconds);
      return true;
    },
  };
}

/** Functions that reject the pending pauses with an error. */
export type Waiting = Set<(error: unknown) => void>;

/** Waits; rejects if the signal aborts or a function in `waiting` is called. */
export function pause(clock: Clock, milliseconds: number, waiting: Waiting, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const finish = (): void => {
      call.cancel();
      waiting.delete(stop);
      signal?.removeEventListener('abort', abort);
    };
    const stop = (error: unknown): void => {
      finish();
      reject(error);
    };
    const abort = (): void => stop(signal?.reason);
    const call = awaited(clock).schedule(() => {
      finish();
      resolve();
    }, milliseconds);
    waiting.add(stop);
    signal?.addEventListener('abort', abort);
  });
}
