import type { Clock, HostClock, Timer } from './clock.ts';

/** The clock of one node. While the node is lost, everything that runs on it stands still; when it is restored, it goes on where it stopped. */
export interface NodeClock extends HostClock {
  /** Whether the node is lost. */
  readonly isLost: boolean;
  /** Runs work now, or when the node is restored. */
  whenRunning(run: () => void): void;
  /** Calls back after the node was lost or restored. */
  onChange(listener: () => void): void;
  lose(): void;
  restore(): void;
}

/** Returns the clock of a node, by its name: the same one for each call. */
export function createNodeClocks(clock: HostClock): (node: string) => NodeClock {
  const clocks = new Map<string, NodeClock>();
  return (node) => {
    const found = clocks.get(node) ?? createNodeClock(clock);
    clocks.set(node, found);
    return found;
  };
}

function createNodeClock(clock: HostClock): NodeClock {
  const waiting: { readonly cause: number | undefined; run(): void }[] = [];
  const listeners: (() => void)[] = [];
  let isLost = false;
  const whenRunning = (run: () => void): void => {
    if (isLost) waiting.push({ cause: clock.cause, run });
    else run();
  };
  const at = (time: number, run: () => void): Timer => {
    let isCancelled = false;
    const runUnlessCancelled = (): void => {
      if (!isCancelled) run();
    };
    const timer = clock.at(time, () => whenRunning(runUnlessCancelled));
    const cancel = (): void => {
      isCancelled = true;
      timer.cancel();
    };
    return { time: timer.time, cancel };
  };
  const change = (next: boolean): void => {
    isLost = next;
    for (const { cause, run } of isLost ? [] : waiting.splice(0)) clock.because(cause, run);
    for (const listener of listeners) listener();
  };
  return {
    ...controlsOf(clock),
    at,
    after: (delay, run) => at(clock.now() + clock.draw(delay), run),
    get cause() {
      return clock.cause;
    },
    get isLost() {
      return isLost;
    },
    whenRunning,
    onChange: (listener) => void listeners.push(listener),
    lose: () => change(true),
    restore: () => change(false),
  };
}

const controlsOf = ({
  now,
  draw,
  record,
  because,
  runUntil,
  nextTime,
}: HostClock): Omit<HostClock, keyof Pick<Clock, 'at' | 'after' | 'cause'>> => ({
  ...{ now, draw, record, because, runUntil, nextTime },
});
