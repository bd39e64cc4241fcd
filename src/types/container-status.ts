import type { Optional, Timestamp } from './meta.ts';

/** `corev1.ContainerStateTerminated`. */
export interface ContainerStateTerminated {
  readonly exitCode?: Optional<number>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly startedAt?: Optional<Timestamp>;
  readonly finishedAt?: Optional<Timestamp>;
}

/** `corev1.ContainerState`: one of the three, or none where nothing is known. */
export interface ContainerState {
  readonly waiting?: Optional<{ readonly reason?: Optional<string>; readonly message?: Optional<string> }>;
  readonly running?: Optional<{ readonly startedAt?: Optional<Timestamp> }>;
  readonly terminated?: Optional<ContainerStateTerminated>;
}

/** `corev1.ContainerStatus`, as far as the pod's phase and its readiness look at it. */
export interface ContainerStatus {
  readonly name?: Optional<string>;
  readonly state?: Optional<ContainerState>;
  readonly lastState?: Optional<ContainerState>;
  readonly ready?: Optional<boolean>;
  readonly started?: Optional<boolean>;
  readonly restartCount?: Optional<number>;
  readonly containerID?: Optional<string>;
}
