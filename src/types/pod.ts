import type { ObjectMeta, Optional, Timestamp } from './meta.ts';

/** `corev1.ContainerPort`, as far as a Service's target port looks at it. */
export interface ContainerPort {
  readonly name?: Optional<string>;
  readonly containerPort?: Optional<number>;
  readonly protocol?: Optional<string>;
}

/** `corev1.Container`, as far as a Service's target port looks at it. */
export interface Container {
  readonly name?: Optional<string>;
  readonly ports?: Optional<readonly ContainerPort[]>;
  /** Of an init container: "Always" makes it a sidecar. */
  readonly restartPolicy?: Optional<string>;
}

/** `corev1.PodCondition`. */
export interface PodCondition {
  readonly type?: Optional<string>;
  readonly status?: Optional<string>;
  readonly lastTransitionTime?: Optional<Timestamp>;
  readonly reason?: Optional<string>;
  readonly message?: Optional<string>;
}

/** `corev1.PodIP`. */
export interface PodIP {
  readonly ip?: Optional<string>;
}

/**
 * `corev1.Pod`, structurally: plain JSON, `V1Pod` of `@kubernetes/client-node` and `Pod` of `kubernetes-types` all fit.
 * A pod without `spec` or `status` is a pod of which nothing is known yet.
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
  }>;
  readonly status?: Optional<{
    readonly phase?: Optional<string>;
    readonly podIP?: Optional<string>;
    readonly podIPs?: Optional<readonly PodIP[]>;
    readonly conditions?: Optional<readonly PodCondition[]>;
  }>;
}
