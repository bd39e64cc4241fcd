import type { ContainerRef, ProbeKind } from './timeline.ts';

/** The process of a container, as the container runtime and the prober see it. It records its own listener facts. */
export interface Application {
  /** Delivers the stop signal, SIGTERM by default. */
  terminate(): void;
  /** Delivers SIGKILL. The process ends at once, and `onExit` is not called. */
  kill(): void;
  /** Whether a probe succeeds now. */
  answers(probe: ProbeKind): boolean;
}

export interface ApplicationHost {
  /** Whether the process was running before, and listens. Default: it starts now. */
  readonly isRunning?: boolean;
  /** `init`: the other containers of the pod wait for its end. `task`: the pod ends with it, as of a Job. Default: the kubelet restarts it. */
  readonly role?: 'init' | 'task' | undefined;
  /** The process ended by itself. Must not be called before `StartApplication` returns. */
  onExit(exitCode: number): void;
}

/** Starts the process of a container. `image` is the image of its spec. */
export type StartApplication = (container: ContainerRef & { readonly image: string }, host: ApplicationHost) => Application;
