import type { ScheduledCall, SteadyClock } from 'kube-endpoints/port';
import type { Backlog } from './backlog.ts';

/** Work that is done when it is due: one round at a time, and another one afterwards where it is due again meanwhile. */
export interface Rounds {
  /** After so many milliseconds; nothing where it is due already. */
  due(delay: number): void;
  readonly idle: boolean;
  readonly backlog: Backlog;
  /** Begins no round any more; resolves when the one under way has ended. */
  stop(): Promise<void>;
}

export interface RoundsOptions {
  readonly clock: SteadyClock;
  /** Told when a round becomes due that was not. */
  readonly onDue: () => void;
  /** @param waited milliseconds since it was due */
  readonly work: (waited: number) => Promise<void>;
  /** Is told what a round throws. */
  readonly defect: (error: unknown) => void;
}

export function createRounds({ clock, onDue, work, defect }: RoundsOptions): Rounds {
  let since: number | undefined;
  let call: ScheduledCall | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;
  const round = async (): Promise<void> => {
    const waited = clock.elapsed() - (since ?? 0);
    since = undefined;
    await work(waited).catch(defect);
    running = undefined;
    if (since !== undefined && !call) begin();
  };
  const begin = (): void => {
    call = undefined;
    if (!stopped && !running) running = round();
  };
  return {
    due(delay) {
      if (since !== undefined || stopped) return;
      since = clock.elapsed();
      onDue();
      call = clock.schedule(begin, delay);
    },
    get idle() {
      return since === undefined && !running;
    },
    get backlog() {
      return { waiting: since === undefined ? 0 : 1, processing: running ? 1 : 0, delayed: 0 };
    },
    async stop() {
      stopped = true;
      call?.cancel();
      await running;
    },
  };
}
