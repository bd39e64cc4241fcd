import type { LabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Pod, PodTemplate } from '../types.ts';

/** A StatefulSet, with the defaults that the API server sets. */
export interface StatefulSet extends ApiObject {
  readonly spec: StatefulSetSpec;
  readonly status?: StatefulSetStatus;
}

export interface StatefulSetSpec {
  readonly replicas?: number;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
  readonly volumeClaimTemplates?: readonly PersistentVolumeClaim[];
  readonly serviceName?: string;
  readonly podManagementPolicy?: string;
  readonly updateStrategy?: { readonly type?: string; readonly rollingUpdate?: { readonly partition?: number } };
  readonly revisionHistoryLimit?: number;
  readonly minReadySeconds?: number;
  readonly persistentVolumeClaimRetentionPolicy?: RetentionPolicy;
  readonly ordinals?: { readonly start?: number };
}

export interface RetentionPolicy {
  readonly whenDeleted?: string;
  readonly whenScaled?: string;
}

export interface StatefulSetStatus {
  readonly observedGeneration?: number;
  readonly replicas: number;
  readonly readyReplicas?: number;
  readonly currentReplicas?: number;
  readonly updatedReplicas?: number;
  readonly currentRevision?: string;
  readonly updateRevision?: string;
  readonly collisionCount?: number;
  readonly availableReplicas: number;
}

/** A volume of a pod. */
export interface Volume {
  readonly name: string;
  readonly persistentVolumeClaim?: { readonly claimName: string; readonly readOnly?: boolean };
  readonly [source: string]: unknown;
}

/** A PersistentVolumeClaim or a template of one. */
export type PersistentVolumeClaim = ApiObject;

export const statefulSetKind = { apiVersion: 'apps/v1', kind: 'StatefulSet' };
export const podKind = { apiVersion: 'v1', kind: 'Pod' };

export const volumesOf = ({ spec }: Pod): readonly Volume[] => (spec?.['volumes'] ?? []) as readonly Volume[];

export const replicasOf = ({ spec }: StatefulSet): number => spec.replicas ?? 1;
