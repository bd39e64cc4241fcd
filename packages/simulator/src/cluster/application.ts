import type { Application, StartApplication } from '../engine/application.ts';
import type { Clock, Timer } from '../engine/clock.ts';
import type { ListenerState } from '../engine/timeline.ts';

/**
 * Starts processes that listen after a delay of "applicationStart". At SIGTERM they stop listening after "listenerClosing", and exit after
 * "applicationExit". Probes succeed while they listen; a liveness probe succeeds before, too.
 */
export const createDefaultApplications =
  (clock: Clock): StartApplication =>
  ({ image: _, ...container }, { isRunning, onExit }) => {
    const actor = `${container.pod} ${container.container}`;
    let state: ListenerState = 'closed';
    let timer: Timer | undefined;
    let isTerminated = false;
    const setState = (next: ListenerState): void => {
      if (state !== next) clock.record({ type: 'listener', state: next, ...container });
      state = next;
    };
    if (isRunning) setState('open');
    else timer = clock.after({ name: 'applicationStart', actor }, () => setState('open'));
    return {
      terminate() {
        if (isTerminated) return;
        isTerminated = true;
        timer?.cancel();
        timer = clock.after({ name: 'listenerClosing', actor }, () => {
          setState('closed');
          timer = clock.after({ name: 'applicationExit', actor }, () => onExit(0));
        });
      },
      kill() {
        timer?.cancel();
        setState('closed');
      },
      answers: (probe) => state === 'open' || (probe === 'liveness' && !isTerminated),
    } satisfies Application;
  };
