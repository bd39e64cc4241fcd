import type { LabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ApiObjectMeta } from 'kube-endpoints/port';

/** The fields of API objects that the workload controllers read; all others pass through unchanged. */
export interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime?: string;
  readonly lastUpdateTime?: string;
}

export interface Pod extends ApiObject {
  readonly spec?: PodSpec;
  readonly status?: PodStatus;
}

export interface PodSpec {
  readonly nodeName?: string;
  readonly initContainers?: readonly { readonly name: string; readonly restartPolicy?: string }[];
  readonly [field: string]: unknown;
}

export interface PodStatus {
  readonly phase?: string;
  readonly conditions?: readonly Condition[];
  readonly containerStatuses?: readonly ContainerStatus[];
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly [field: string]: unknown;
}

export interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly [field: string]: unknown;
}

export interface PodTemplate {
  readonly metadata?: ApiObjectMeta;
  readonly spec: PodSpec;
}

export interface ReplicaSet extends ApiObject {
  readonly spec: ReplicaSetSpec;
  readonly status?: ReplicaSetStatus;
}

export interface ReplicaSetSpec {
  readonly replicas: number;
  readonly minReadySeconds?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
}

export interface ReplicaSetStatus {
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly observedGeneration?: number;
  readonly conditions?: readonly Condition[];
}

export interface Deployment extends ApiObject {
  readonly spec: DeploymentSpec;
  readonly status?: DeploymentStatus;
}

export interface DeploymentSpec {
  readonly replicas: number;
  readonly minReadySeconds?: number;
  readonly paused?: boolean;
  readonly progressDeadlineSeconds?: number;
  readonly revisionHistoryLimit?: number;
  readonly selector: LabelSelector;
  readonly strategy: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
  };
  readonly template: PodTemplate;
}

export interface DeploymentStatus {
  readonly observedGeneration?: number;
  readonly replicas?: number;
  readonly updatedReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly unavailableReplicas?: number;
  readonly terminatingReplicas?: number;
  readonly collisionCount?: number;
  readonly conditions?: readonly Condition[];
}
