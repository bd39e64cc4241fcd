import type { Scheduler } from '../scheduler.ts';

/** Controls whether a process runs, is paused or was killed, so that it handles input at once, later or never. */
export interface Lifecycle {
  readonly state: 'running' | 'paused' | 'killed';
  /** Runs the callback in the process: now, after the pause, or never. */
  run(kind: 'timer' | 'message', callback: () => void): void;
  pause(): void;
  /** @param options.messagesFirst whether the process handles the messages that arrived during the pause before the timers */
  resume(options: { readonly messagesFirst: boolean }): void;
  /** Ends the process as SIGKILL does: no callback runs any more, and pending promises never settle. */
  kill(): void;
}

export function createLifecycle(scheduler: Scheduler): Lifecycle {
  let state: Lifecycle['state'] = 'running';
  const waitingInputs: { readonly kind: 'timer' | 'message'; readonly callback: () => void }[] = [];
  const releaseNext = (): void => {
    if (state !== 'running') return;
    waitingInputs.shift()?.callback();
    if (waitingInputs.length > 0) scheduler.schedule(releaseNext, 0);
  };
  return {
    get state() {
      return state;
    },
    run(kind, callback) {
      if (state === 'killed') return;
      // Input that arrived during the pause is handled first.
      if (state === 'paused' || waitingInputs.length > 0) waitingInputs.push({ kind, callback });
      else callback();
    },
    pause() {
      if (state === 'running') state = 'paused';
    },
    resume({ messagesFirst }) {
      if (state !== 'paused') return;
      state = 'running';
      const rank = ({ kind }: { readonly kind: string }): number => Number(kind === 'message') ^ Number(messagesFirst);
      waitingInputs.sort((a, b) => rank(a) - rank(b));
      if (waitingInputs.length > 0) scheduler.schedule(releaseNext, 0);
    },
    kill() {
      state = 'killed';
      waitingInputs.length = 0;
    },
  };
}
