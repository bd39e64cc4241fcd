import type { LabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { NodeConstraints } from '../../nodes/affinity.ts';
import type { Taint, Toleration } from '../../nodes/taints.ts';
import type { OwnerKind } from '../owner-references.ts';
import type { PodSpec, PodTemplate } from '../types.ts';

/** A DaemonSet, with the defaults that the API server sets. */
export interface DaemonSet extends ApiObject {
  readonly spec: DaemonSetSpec;
  readonly status?: DaemonSetStatus;
}

export interface DaemonSetSpec {
  readonly selector: LabelSelector;
  readonly template: DaemonTemplate;
  readonly updateStrategy?: {
    readonly type?: string;
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string };
  };
  readonly minReadySeconds?: number;
  readonly revisionHistoryLimit?: number;
}

export interface DaemonTemplate extends PodTemplate {
  readonly spec: DaemonPodSpec;
}

/** The fields of a pod's spec that decide on which nodes it runs. */
export interface DaemonPodSpec extends PodSpec, NodeConstraints {
  readonly tolerations?: readonly Toleration[];
  readonly hostNetwork?: boolean;
}

export interface DaemonSetStatus {
  readonly desiredNumberScheduled?: number;
  readonly currentNumberScheduled?: number;
  readonly numberMisscheduled?: number;
  readonly numberReady?: number;
  readonly updatedNumberScheduled?: number;
  readonly numberAvailable?: number;
  readonly numberUnavailable?: number;
  readonly observedGeneration?: number;
  readonly collisionCount?: number;
}

export interface Node extends ApiObject {
  readonly spec?: { readonly taints?: readonly Taint[] };
}

export const daemonSetKind: OwnerKind = { apiVersion: 'apps/v1', kind: 'DaemonSet' };

/** The label of pods and revisions with the hash of the template. */
export const hashLabel = 'controller-revision-hash';
