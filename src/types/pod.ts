import type { ObjectMeta, Optional, Timestamp } from './meta.ts';

/** `corev1.ContainerPort`, as far as a Service's target port uses it. */
export interface ContainerPort {
  readonly name?: Optional<string>;
  readonly containerPort?: Optional<number>;
  readonly protocol?: Optional<string>;
}

/** `corev1.Probe`: its timing and thresholds, and the action if known. */
export interface Probe {
  readonly initialDelaySeconds?: Optional<number>;
  readonly periodSeconds?: Optional<number>;
  readonly successThreshold?: Optional<number>;
  readonly failureThreshold?: Optional<number>;
  readonly httpGet?: Optional<{ readonly path?: Optional<string>; readonly port?: Optional<number | string> }>;
  readonly tcpSocket?: Optional<{ readonly port?: Optional<number | string> }>;
  readonly exec?: Optional<{ readonly command?: Optional<readonly string[]> }>;
  readonly grpc?: Optional<{ readonly port?: Optional<number>; readonly service?: Optional<string> }>;
}

/** `corev1.ContainerRestartRule`. */
export interface ContainerRestartRule {
  /** "Restart" or "RestartAllContainers". */
  readonly action?: Optional<string>;
  readonly exitCodes?: Optional<{
    /** "In" or "NotIn". */
    readonly operator?: Optional<string>;
    readonly values?: Optional<readonly number[]>;
  }>;
}

/** `corev1.Container`, as far as target ports, the pod phase and readiness use it. */
export interface Container {
  readonly name?: Optional<string>;
  readonly ports?: Optional<readonly ContainerPort[]>;
  /** On an init container, "Always" makes it a sidecar. */
  readonly restartPolicy?: Optional<string>;
  readonly restartPolicyRules?: Optional<readonly ContainerRestartRule[]>;
  readonly startupProbe?: Optional<Probe>;
  readonly readinessProbe?: Optional<Probe>;
  readonly livenessProbe?: Optional<Probe>;
}

/** `corev1.PodCondition`. */
export interface PodCondition {
  readonly type?: Optional<string>;
  readonly status?: Optional<string>;
  readonly observedGeneration?: Optional<number>;
  readonly lastProbeTime?: Optional<Timestamp>;
  readonly lastTransitionTime?: Optional<Timestamp>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
}

/** `corev1.PodReadinessGate`. */
export interface PodReadinessGate {
  readonly conditionType?: Optional<string>;
}

/** `corev1.PodIP`, and `corev1.HostIP`, which has the same fields. */
export interface PodIP {
  readonly ip?: Optional<string>;
}

/** `corev1.PodStatus`, as far as endpoints and readiness use it. */
export interface PodStatus {
  readonly observedGeneration?: Optional<number>;
  readonly phase?: Optional<string>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly startTime?: Optional<Timestamp>;
  readonly hostIP?: Optional<string>;
  readonly hostIPs?: Optional<readonly PodIP[]>;
  readonly podIP?: Optional<string>;
  readonly podIPs?: Optional<readonly PodIP[]>;
  readonly conditions?: Optional<readonly PodCondition[]>;
  readonly containerStatuses?: Optional<readonly ContainerStatus[]>;
  readonly initContainerStatuses?: Optional<readonly ContainerStatus[]>;
}

/**
 * `corev1.Pod`, structurally: plain JSON, `V1Pod` of `@kubernetes/client-node` and `Pod` of `kubernetes-types` all fit.
 * An absent `spec` or `status` is unknown.
 */
export interface Pod {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{
    readonly containers?: Optional<readonly Container[]>;
    readonly initContainers?: Optional<readonly Container[]>;
    readonly restartPolicy?: Optional<string>;
    readonly nodeName?: Optional<string>;
    readonly hostname?: Optional<string>;
    readonly subdomain?: Optional<string>;
    readonly hostNetwork?: Optional<boolean>;
    readonly readinessGates?: Optional<readonly PodReadinessGate[]>;
  }>;
  readonly status?: Optional<PodStatus>;
}

/** `corev1.ContainerStateTerminated`. */
export interface ContainerStateTerminated {
  readonly exitCode?: Optional<number>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
  readonly startedAt?: Optional<Timestamp>;
  readonly finishedAt?: Optional<Timestamp>;
}

/** `corev1.ContainerState`: at most one of the three is set; all are absent if the state is unknown. */
export interface ContainerState {
  readonly waiting?: Optional<{ readonly reason?: Optional<string>; readonly message?: Optional<string> }>;
  readonly running?: Optional<{ readonly startedAt?: Optional<Timestamp> }>;
  readonly terminated?: Optional<ContainerStateTerminated>;
}

/** `corev1.ContainerStatus`, as far as the pod phase and readiness use it. */
export interface ContainerStatus {
  readonly name?: Optional<string>;
  readonly state?: Optional<ContainerState>;
  readonly lastState?: Optional<ContainerState>;
  readonly ready?: Optional<boolean>;
  readonly started?: Optional<boolean>;
  readonly restartCount?: Optional<number>;
  readonly containerID?: Optional<string>;
}
