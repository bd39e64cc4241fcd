import type { Application, ApplicationHost, StartApplication } from '../engine/application.ts';
import type { Clock, Timer } from '../engine/clock.ts';
import type { DelayRange } from '../engine/delays.ts';
import type { ListenerState } from '../engine/timeline.ts';

/** How a process behaves. */
export interface ApplicationSettings {
  /**
   * What it does at the stop signal: `finish` refuses new connections, ends its requests and exits; `close` refuses new connections and
   * cuts those it has; `ignore` goes on until it is killed.
   */
  readonly onTerminate: 'finish' | 'close' | 'ignore';
  /** Seconds after the stop signal during which it still accepts connections. */
  readonly drainSeconds: number;
  /** Whether the readiness probe succeeds during `drainSeconds`. */
  readonly isReadyWhileDraining: boolean;
  /** From the start until it accepts connections. Default: the delay "applicationStart". */
  readonly start?: DelayRange;
  /** From the end of listening until it exits, the time of the longest open request included. Default: the delay "applicationExit". */
  readonly exit?: DelayRange;
  /** Seconds after its start when it exits with code 0, if its pod ends with it, like that of a Job. Default: it does not exit by itself. */
  readonly exitAfterSeconds?: number;
}

/** A server that shuts down gracefully at once, such as Go's `http.Server.Shutdown` in a signal handler. */
export const applicationDefaults: ApplicationSettings = { onTerminate: 'finish', drainSeconds: 0, isReadyWhileDraining: true };

type Container = Parameters<StartApplication>[0];

/**
 * Creates the processes of containers. Their listeners open after the delay "applicationStart"; probes succeed as long as it is open. An init
 * container exits with code 0 instead of listening. A task that is stopped exits with code 143, because its work is not done; others with 0.
 */
export const createApplications =
  (clock: Clock, settingsOf: (container: Container) => ApplicationSettings = () => applicationDefaults): StartApplication =>
  (container, host) =>
    startApplication(clock, container, settingsOf(container), host);

function startApplication(
  clock: Clock,
  { image: _, ...ref }: Container,
  settings: ApplicationSettings,
  host: ApplicationHost,
): Application {
  const actor = `application/${ref.pod}/${ref.container}`;
  let state: ListenerState = 'closed';
  let isTerminating = false;
  const setState = (next: ListenerState): void => {
    if (next === state) return;
    state = next;
    clock.record({ type: 'listener', state, ...ref });
  };
  const { schedule, cancel } = createTimers();
  const exit = (code: number): void => {
    cancel();
    setState('closed');
    host.onExit(code);
  };
  const exitStopped = (): void => exit(host.role === 'task' ? 143 : 0);
  const stopListening = (): void => {
    if (state === 'open') setState(settings.onTerminate === 'close' ? 'closed' : 'draining');
    schedule(clock.after({ name: 'applicationExit', actor, ...(settings.exit && { range: settings.exit }) }, exitStopped));
  };
  if (host.isRunning && host.role !== 'init') setState('open');
  else
    schedule(
      clock.after({ name: 'applicationStart', actor, ...(settings.start && { range: settings.start }) }, () =>
        host.role === 'init' ? exit(0) : setState('open'),
      ),
    );
  if (host.role === 'task' && settings.exitAfterSeconds !== undefined)
    schedule(clock.at(clock.now() + settings.exitAfterSeconds * 1000, () => exit(0)));
  return {
    terminate: () => {
      if (isTerminating || settings.onTerminate === 'ignore') return;
      isTerminating = true;
      if (state === 'closed') cancel();
      schedule(
        clock.at(clock.now() + settings.drainSeconds * 1000, () =>
          schedule(clock.after({ name: 'listenerClosing', actor }, stopListening)),
        ),
      );
    },
    kill: () => {
      cancel();
      setState('closed');
    },
    answers: (probe) => state === 'open' && (probe !== 'readiness' || !isTerminating || settings.isReadyWhileDraining),
  };
}

/** Timers that are cancelled together. */
function createTimers(): { schedule(timer: Timer): void; cancel(): void } {
  const timers = new Set<Timer>();
  return {
    schedule: (timer) => void timers.add(timer),
    cancel() {
      for (const timer of timers) timer.cancel();
      timers.clear();
    },
  };
}
