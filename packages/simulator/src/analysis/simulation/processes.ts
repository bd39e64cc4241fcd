import type { Application, ApplicationHost, StartApplication } from '../../engine/application.ts';
import type { Clock } from '../../engine/clock.ts';
import type { ProbeKind } from '../../engine/timeline.ts';
import { type ApplicationSettings, createApplications } from '../../network/application.ts';

export type Container = Parameters<StartApplication>[0];

/** Selects containers. */
export type Matches = (container: Container) => boolean;

/** A disturbance of processes while it is in force: their start fails, or one of their probes does. */
export interface ProcessFault {
  readonly matches: Matches;
  readonly fails: 'start' | ProbeKind;
}

/** The processes of a cluster. */
export interface Processes {
  /** Starts the processes of a node, whose clock it is. */
  startOn(clock: Clock): StartApplication;
  /** Ends the running processes of containers with exit code 1. */
  crash(matches: Matches): void;
  add(fault: ProcessFault): void;
  remove(fault: ProcessFault): void;
  /** When the last of the processes that have started exits by itself, in milliseconds since the epoch. */
  pendingUntil(): number;
}

export function createProcesses(settingsOf: (container: Container) => ApplicationSettings): Processes {
  const faults = new Set<ProcessFault>();
  const running = new Map<Container, () => void>();
  let pendingUntil = 0;
  const hasFault = (container: Container, fails: ProcessFault['fails']): boolean =>
    [...faults].some((fault) => fault.fails === fails && fault.matches(container));
  const start = (clock: Clock, startRegular: StartApplication, container: Container, host: ApplicationHost): Application => {
    const onExit = (exitCode: number): void => {
      running.delete(container);
      host.onExit(exitCode);
    };
    const application = startRegular(container, { ...host, onExit });
    const crash = (): void => {
      application.kill();
      onExit(1);
    };
    running.set(container, crash);
    const { exitAfterSeconds } = settingsOf(container);
    if (host.role === 'task' && exitAfterSeconds !== undefined)
      pendingUntil = Math.max(pendingUntil, clock.now() + exitAfterSeconds * 1000);
    if (hasFault(container, 'start')) clock.at(clock.now(), crash);
    return {
      terminate: application.terminate,
      kill() {
        running.delete(container);
        application.kill();
      },
      answers: (probe) => !hasFault(container, probe) && application.answers(probe),
    };
  };
  return {
    add: (fault) => void faults.add(fault),
    remove: (fault) => void faults.delete(fault),
    pendingUntil: () => pendingUntil,
    crash(matches) {
      for (const [container, crash] of [...running]) if (matches(container)) crash();
    },
    startOn(clock) {
      const startRegular = createApplications(clock, settingsOf);
      return (container, host) => start(clock, startRegular, container, host);
    },
  };
}
