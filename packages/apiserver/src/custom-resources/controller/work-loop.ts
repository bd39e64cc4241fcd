import { type Clock, createAlarm } from '../../store/index.ts';

interface WorkLoopOptions {
  /** Does one round of work. @returns whether another round is needed */
  runRound(): Promise<boolean>;
  readonly clock: Clock;
  readonly onError?: (error: unknown) => void;
}

/** Runs rounds of work on demand, never two at the same time. */
export interface WorkLoop {
  /** Requests a round, which starts after the caller's synchronous code. */
  trigger(): void;
  /** Requests a round and resolves when no work is left. @throws the error of a failed round */
  settle(): Promise<void>;
  close(): void;
}

/** Milliseconds until a failed round is retried. */
const retryDelayMs = 1000;
/** Maximum number of consecutive rounds. Only two controllers that keep overwriting each other reach it. */
const maxRounds = 1_000;

export function createWorkLoop({ runRound, clock, onError }: WorkLoopOptions): WorkLoop {
  let isRequested = false;
  let isClosed = false;
  let currentRun: Promise<void> | undefined;
  const runRequestedRounds = async (): Promise<void> => {
    try {
      for (let i = 0; isRequested && !isClosed && i < maxRounds; i += 1) {
        isRequested = false;
        if (await runRound()) isRequested = true;
      }
    } finally {
      // Reset in the same synchronous step as the last check of isRequested, so that no request is lost.
      currentRun = undefined;
    }
  };
  const requestRound = (): Promise<void> => {
    isRequested = true;
    currentRun ??= Promise.resolve().then(runRequestedRounds);
    return currentRun;
  };
  const alarm = createAlarm(clock, () => trigger());
  const trigger = (): void => {
    if (isClosed) return;
    requestRound().then(
      () => alarm.cancel(),
      (error: unknown) => {
        onError?.(error);
        if (!isClosed) alarm.set(clock.now() + retryDelayMs);
      },
    );
  };
  return {
    trigger,
    settle: requestRound,
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}
