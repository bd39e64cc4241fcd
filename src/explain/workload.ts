import type { ObjectMeta, Optional, Pod, StringMap } from '../types/index.ts';

/** The template of a workload's pods. */
export interface PodTemplate {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Pod['spec'];
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController, Job or CronJob, as far as a diagnosis uses it. */
export interface Workload {
  readonly kind?: Optional<string>;
  readonly metadata?: Optional<ObjectMeta & { readonly ownerReferences?: Optional<readonly { readonly kind?: Optional<string> }[]> }>;
  readonly spec?: Optional<{
    readonly replicas?: Optional<number>;
    readonly suspend?: Optional<boolean>;
    readonly template?: Optional<PodTemplate>;
    readonly jobTemplate?: Optional<{ readonly spec?: Optional<{ readonly template?: Optional<PodTemplate> }> }>;
  }>;
  readonly status?: Optional<{
    readonly desiredNumberScheduled?: Optional<number>;
    readonly conditions?: Optional<
      readonly {
        readonly type?: Optional<string>;
        readonly status?: Optional<string>;
        readonly reason?: Optional<string>;
        readonly message?: Optional<string>;
      }[]
    >;
  }>;
}

/** The template of the pods that a workload creates, for a CronJob through its Jobs. */
export const templateOf = ({ spec }: Workload): PodTemplate | undefined => spec?.template ?? spec?.jobTemplate?.spec?.template ?? undefined;

export const templateLabelsOf = (workload: Workload): StringMap => templateOf(workload)?.metadata?.labels ?? {};

/** "Deployment web" */
export const describeWorkload = ({ kind, metadata }: Workload): string => `${kind ?? 'workload'} ${metadata?.name ?? ''}`;

/** Why a workload should have no pods: the field that is zero. Undefined if it should have pods. */
export function findZeroField({ kind, spec, status }: Workload): { readonly field: string; readonly path: string } | undefined {
  if (kind === 'DaemonSet')
    return status?.desiredNumberScheduled === 0 ? { field: 'desiredNumberScheduled', path: 'status.desiredNumberScheduled' } : undefined;
  return spec?.replicas === 0 ? { field: 'replicas', path: 'spec.replicas' } : undefined;
}

/** The index of the condition that says why a workload creates no pods; -1 if none does. */
export function findFailureIndex({ status }: Workload): number {
  const conditions = status?.conditions ?? [];
  const indexes = failures.map((failure) =>
    conditions.findIndex(({ type, status: value }) => type === failure.type && value === failure.status),
  );
  return indexes.find((index) => index >= 0) ?? -1;
}

/** The conditions of a failure, most specific first. */
const failures = [
  { type: 'ReplicaFailure', status: 'True' },
  { type: 'Progressing', status: 'False' },
  { type: 'Available', status: 'False' },
];
