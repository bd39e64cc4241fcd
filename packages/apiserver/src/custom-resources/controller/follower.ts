import { type Clock, createAlarm } from '../../store/index.ts';

interface FollowerOptions {
  /** Does one round of work. @returns whether another round is needed */
  round(): Promise<boolean>;
  readonly clock: Clock;
  readonly failed?: (error: unknown) => void;
}

/** Runs rounds of work on demand, never two at the same time. */
export interface Follower {
  /** Requests a round, which starts after the caller's synchronous code. */
  kick(): void;
  /** Resolves when no work is left. @throws the error of a failed round */
  settle(): Promise<void>;
  close(): void;
}

/** Milliseconds until a failed round is retried. */
const patience = 1000;
/** Stops after this many rounds in a row, which happen only if two controllers keep overwriting each other. */
const mostRounds = 1_000;

export function createFollower({ round, clock, failed }: FollowerOptions): Follower {
  let isWanted = false;
  let isClosed = false;
  let running: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    try {
      for (let i = 0; isWanted && !isClosed && i < mostRounds; i += 1) {
        isWanted = false;
        if (await round()) isWanted = true;
      }
    } finally {
      // Reset in the same synchronous step as the last check of isWanted, so that no request is lost.
      running = undefined;
    }
  };
  const begin = (): Promise<void> => {
    isWanted = true;
    running ??= Promise.resolve().then(work);
    return running;
  };
  const alarm = createAlarm(clock, () => kick());
  const kick = (): void => {
    if (isClosed) return;
    begin().then(
      () => alarm.cancel(),
      (error: unknown) => {
        failed?.(error);
        if (!isClosed) alarm.set(clock.now() + patience);
      },
    );
  };
  return {
    kick,
    settle: begin,
    close() {
      isClosed = true;
      alarm.cancel();
    },
  };
}
