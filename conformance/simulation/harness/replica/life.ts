import type { Scheduler } from '../scheduler.ts';

/** Whether a process runs, stands still, or is gone; and so whether what reaches it is done now, later or never. */
export interface Life {
  readonly state: 'running' | 'paused' | 'gone';
  /** Does something in the process: at once, when it runs again, or not at all. */
  enter(how: 'timer' | 'message', act: () => void): void;
  pause(): void;
  /** @param messagesFirst what came from outside is done before the timers that fell due */
  resume(messagesFirst: boolean): void;
  /** Nothing is done in it any more. Whoever waits for an answer waits for ever, as in a process that was killed. */
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
      // what came while it stood still comes first
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
