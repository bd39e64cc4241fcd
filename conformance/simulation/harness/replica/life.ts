import type { Scheduler } from '../scheduler.ts';

/** Whether a process runs, is paused or was killed, so that input is handled now, later or never. */
export interface Life {
  readonly state: 'running' | 'paused' | 'gone';
  /** Runs act in the process: now, after the pause, or never. */
  enter(how: 'timer' | 'message', act: () => void): void;
  pause(): void;
  /** @param messagesFirst whether messages are handled before timers that fell due */
  resume(messagesFirst: boolean): void;
  /** Nothing runs in the process any more, and its pending promises never settle, as after SIGKILL. */
  kill(): void;
}

export function createLife(scheduler: Scheduler): Life {
  let state: Life['state'] = 'running';
  const waiting: { readonly how: 'timer' | 'message'; readonly act: () => void }[] = [];
  const releaseNext = (): void => {
    if (state !== 'running') return;
    waiting.shift()?.act();
    if (waiting.length > 0) scheduler.schedule(releaseNext, 0);
  };
  return {
    get state() {
      return state;
    },
    enter(how, act) {
      if (state === 'gone') return;
      // input that arrived during the pause is handled first
      if (state === 'paused' || waiting.length > 0) waiting.push({ how, act });
      else act();
    },
    pause() {
      if (state === 'running') state = 'paused';
    },
    resume(messagesFirst) {
      if (state !== 'paused') return;
      state = 'running';
      const rank = ({ how }: { readonly how: string }): number => Number(how === 'message') ^ Number(messagesFirst);
      waiting.sort((a, b) => rank(a) - rank(b));
      if (waiting.length > 0) scheduler.schedule(releaseNext, 0);
    },
    kill() {
      state = 'gone';
      waiting.length = 0;
    },
  };
}
