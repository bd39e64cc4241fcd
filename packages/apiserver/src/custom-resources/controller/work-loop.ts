import { type Clock, createAlarm } from '../../store/index.ts';

interface WorkLoopOptions {
  /** Does one round of work. @returns whether another round is needed */
  round(): Promise<boolean>;
  readonly clock: Clock;
  readonly failed?: (error: unknown) => void;
}

/** Runs rounds of work on demand, never two at the same time. */
export interface WorkLoop {
  /** Requests a round, which starts after the caller's synchronous code. */
  trigger(): void;
  /** Resolves when no work is left. @throws the error of a failed round */
  settle(): Promise<void>;
  close(): void;
}

/** Milliseconds until a failed round is retried. */
const retryDelayMs = 1000;
/** Stops after this many rounds in a row, which happen only if two controllers keep overwriting each other. */
const maxRounds = 1_000;

export function createWorkLoop({ round, clock, failed }: WorkLoopOptions): WorkLoop {
  let isRequested = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    try {
      for (let i = 0; isRequested && !isClosed && i < maxRounds; i += 1) {
        isRequested = false;
        if (await round()) isRequested = true;
      }
    } finally {
      // Reset in the same synchronous step as the last check of isWanted, so that no request is lost.
      running = undefined;
    }
  };
  const begin = (): Promise<void> => {
    isRequested = true;
    running ??= Promise.resolve().then(work);
    return running;
  };
  const alarm = createAlarm(clock, () => trigger());
  const trigger = (): void => {
    if (isClosed) return;
    begin().then(
      () => alarm.cancel(),
      (error: unknown) => {
        failed?.(error);
        if (!isClosed) alarm.set(clock.now() + retryDelayMs);
      },
    );
  };
  return {
    trigger,
    settle: begin,
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}
