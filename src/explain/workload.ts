import type { ObjectMeta, Optional, Pod, StringMap } from '../types/index.ts';

/** The template of a workload's pods. */
export interface PodTemplate {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<NonNullable<Pod['spec']> & { readonly nodeSelector?: Optional<StringMap> }>;
}

/** A Deployment, ReplicaSet, StatefulSet, DaemonSet, ReplicationController, Job or CronJob, as far as a diagnosis uses it. */
export interface Workload {
  readonly kind?: Optional<string>;
  readonly metadata?: Optional<
    ObjectMeta & { readonly ownerReferences?: Optional<readonly { readonly kind?: Optional<string>; readonly name?: Optional<string> }[]> }
  >;
  readonly spec?: Optional<{
    readonly replicas?: Optional<number>;
    readonly parallelism?: Optional<number>;
    readonly suspend?: Optional<boolean>;
    readonly serviceName?: Optional<string>;
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

export const isOwned = ({ metadata }: Workload): boolean => (metadata?.ownerReferences ?? []).length > 0;

export const isOwnedBy = ({ metadata }: Workload, owner: Workload): boolean =>
  (metadata?.ownerReferences ?? []).some(({ kind, name }) => kind === owner.kind && name === owner.metadata?.name);

/** A field that says that a workload should have no pods. */
export interface ZeroField {
  readonly field: string;
  readonly path: string;
  readonly value: string;
}

/** Why a workload should have no pods. Undefined if it should have pods. */
export function findZeroField({ kind, spec, status }: Workload): ZeroField | undefined {
  const field = (name: string, value: number | boolean): ZeroField => ({ field: name, path: `spec.${name}`, value: String(value) });
  if (kind === 'DaemonSet')
    return status?.desiredNumberScheduled === 0
      ? { field: 'desiredNumberScheduled', path: 'status.desiredNumberScheduled', value: '0' }
      : undefined;
  if (spec?.suspend === true) return field('suspend', true);
  if (spec?.parallelism === 0) return field('parallelism', 0);
  return spec?.replicas === 0 ? field('replicas', 0) : undefined;
}

/** The index of the condition that says why a workload creates no pods; -1 if none does. */
export function findFailureIndex({ status }: Workload): number {
  const conditions = status?.conditions ?? [];
  const indexes = failures.map((failure) =>
    conditions.findIndex(({ type, status: value }) => type === failure.type && value === failure.status),
  );
  return indexes.find((index) => index >= 0) ?? -1;
}

/** The conditions of a failure, most specific first. A Job that has ended creates no more pods. */
const failures = [
  { type: 'ReplicaFailure', status: 'True' },
  { type: 'Failed', status: 'True' },
  { type: 'Complete', status: 'True' },
  { type: 'Progressing', status: 'False' },
  { type: 'Available', status: 'False' },
];
