import type { Clock } from '../engine/clock.ts';

/** Runs work on request, with a minimum time between runs. */
export interface Runner {
  /** Requests a run. Requests during a run or in the time after it are merged into one. */
  request(): void;
}

export interface RunnerOptions {
  /** The minimum time from the end of a run to the start of the next, in milliseconds. */
  readonly minIntervalMs: number;
  /** Starts a run, which ends when `done` is called. */
  run(done: () => void): void;
}

/**
 * Creates a runner that is ready to run. Mirrors BoundedFrequencyRunner (1.36, pkg/proxy/runner/bounded_frequency_runner.go), which has no
 * bursts, unlike that of earlier releases. Its runs after an hour without changes, and after failures, are left out.
 */
export function createRunner(clock: Clock, { minIntervalMs, run }: RunnerOptions): Runner {
  let isReady = true;
  let isRequested = false;
  const start = (): void => {
    isReady = false;
    isRequested = false;
    run(() => clock.at(clock.now() + minIntervalMs, becomeReady));
  };
  const becomeReady = (): void => {
    isReady = true;
    if (isRequested) start();
  };
  return {
    request: () => {
      isRequested = true;
      if (isReady) start();
    },
  };
}
