import { type Clock, createAlarm } from '../../store/index.ts';

interface FollowerOptions {
  /** One round of work. @returns whether there may be more */
  round(): Promise<boolean>;
  readonly clock: Clock;
  readonly failed?: (error: unknown) => void;
}

/** Does rounds of work when somebody says that there is some, one after the other. */
export interface Follower {
  /** There is something to do. It is begun once the caller is done. */
  kick(): void;
  /** Resolves when nothing is left to do. @throws what keeps it from being done */
  settle(): Promise<void>;
  close(): void;
}

/** Milliseconds after which what failed is tried again. */
const patience = 1000;
/** More rounds than this in a row, and two controllers write against each other. */
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
      // In the same breath as the last look at what is wanted: a call in between would be lost.
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
