import { type Clock, type ScheduledCall, toKeepAliveClock } from '../store/index.ts';
import { type Call, createCallMatcher } from './call.ts';
import { createBrokenConnection } from './errors.ts';
import type { WatchScope } from './rule.ts';
import type { ServerWideFault } from './scheduler.ts';
import type { FaultInjectingStream } from './stream.ts';

/** The part of the server's state that faults change. */
export interface ServerFaults {
  readonly down: boolean;
  /** Number of crashes so far. Calls that began before the last crash get no answer. */
  readonly crashCount: number;
  /** Waits for a time. @throws BrokenConnection if the server crashes meanwhile, or the signal's reason */
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Registers an open watch. Returns the function that removes it. */
  addWatch(call: Call, watch: OpenWatch): () => void;
  /** Applies a fault. Returns whether it changed anything. */
  apply(fault: ServerWideFault): boolean;
}

export function createServerFaults(clock: Clock, compact: () => void): ServerFaults {
  const watches = createOpenWatches();
  const pendingPauses: PendingPauses = new Set();
  const crashState = createCrashState(clock);
  const appliers: { readonly [Kind in ServerWideFault['fault']]: (fault: Extract<ServerWideFault, { readonly fault: Kind }>) => boolean } =
    {
      dropWatches: ({ watches: scope, broken = false }) => watches.applyTo(scope, (watch) => watch.cut(broken)),
      stallWatches({ watches: scope, forMilliseconds }) {
        return watches.applyTo(scope, (watch) => watch.stall(forMilliseconds as number | undefined));
      },
      releaseWatches: () => watches.applyTo({}, (watch) => watch.release()),
      compact() {
        compact();
        return true;
      },
      crash({ downMilliseconds }) {
        if (!crashState.crash(downMilliseconds as number | undefined)) return false;
        watches.applyTo({}, (watch) => watch.cut(true));
        for (const rejectPause of [...pendingPauses]) rejectPause(createBrokenConnection());
        return true;
      },
      restart: crashState.restart,
    };
  return {
    get down() {
      return crashState.down;
    },
    get crashCount() {
      return crashState.count;
    },
    pause: (milliseconds, signal) => pause(clock, milliseconds, pendingPauses, signal),
    addWatch: watches.add,
    apply: (fault) => appliers[fault.fault](fault as never),
  };
}

type OpenWatch = Pick<FaultInjectingStream<unknown>, 'cut' | 'stall' | 'release'>;

function createOpenWatches(): {
  add(call: Call, watch: OpenWatch): () => void;
  /** Returns whether any watch matched. */
  applyTo(scope: WatchScope | undefined, apply: (watch: OpenWatch) => void): boolean;
} {
  const openWatches = new Set<{ readonly call: Call; readonly watch: OpenWatch }>();
  return {
    add(call, watch) {
      const entry = { call, watch };
      openWatches.add(entry);
      return () => void openWatches.delete(entry);
    },
    applyTo(scope, apply) {
      const matches = createCallMatcher(scope ?? {});
      const matchingWatches = [...openWatches].filter(({ call }) => matches(call));
      for (const { watch } of matchingWatches) apply(watch);
      return matchingWatches.length > 0;
    },
  };
}

/** Tracks crashes and restarts. `crash` and `restart` return whether they changed the state. */
function createCrashState(clock: Clock): {
  readonly down: boolean;
  readonly count: number;
  /** @param milliseconds time until the restart; if undefined, the server stays down */
  crash(milliseconds?: number): boolean;
  restart(): boolean;
} {
  let down = false;
  let count = 0;
  let scheduledRestart: ScheduledCall | undefined;
  const restart = (): boolean => {
    const wasDown = down;
    down = false;
    scheduledRestart?.cancel();
    scheduledRestart = undefined;
    return wasDown;
  };
  return {
    get down() {
      return down;
    },
    get count() {
      return count;
    },
    restart,
    crash(milliseconds) {
      if (down) return false;
      down = true;
      count += 1;
      if (milliseconds !== undefined) scheduledRestart = clock.schedule(restart, milliseconds);
      return true;
    },
  };
}

/** Functions that reject the pending pauses with an error. */
export type PendingPauses = Set<(error: unknown) => void>;

/** Waits for a time; rejects if the signal aborts or the pause's function in `pendingPauses` is called. */
export function pause(clock: Clock, milliseconds: number, pendingPauses: PendingPauses, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason);
      return;
    }
    const cleanUp = (): void => {
      timer.cancel();
      pendingPauses.delete(rejectPause);
      signal?.removeEventListener('abort', onAbort);
    };
    const rejectPause = (error: unknown): void => {
      cleanUp();
      reject(error);
    };
    const onAbort = (): void => rejectPause(signal?.reason);
    const timer = toKeepAliveClock(clock).schedule(() => {
      cleanUp();
      resolve();
    }, milliseconds);
    pendingPauses.add(rejectPause);
    signal?.addEventListener('abort', onAbort);
  });
}
