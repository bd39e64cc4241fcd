import type { LabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject, ApiObjectMeta } from 'kube-endpoints/port';
import type { OwnerKind } from '../owner-references.ts';
import type { Condition, ContainerStatus, PodTemplate } from '../types.ts';

/** A Job, with the defaults that the API server sets. */
export interface Job extends ApiObject {
  readonly spec: JobSpec;
  readonly status?: JobStatus;
}

export interface JobSpec {
  readonly parallelism: number;
  readonly completions?: number;
  readonly completionMode?: string;
  readonly backoffLimit: number;
  readonly backoffLimitPerIndex?: number;
  readonly maxFailedIndexes?: number;
  readonly activeDeadlineSeconds?: number;
  readonly suspend?: boolean;
  readonly managedBy?: string;
  readonly podReplacementPolicy?: string;
  readonly podFailurePolicy?: PodFailurePolicy;
  readonly successPolicy?: SuccessPolicy;
  readonly manualSelector?: boolean;
  readonly selector: LabelSelector;
  readonly template: PodTemplate;
}

export interface PodFailurePolicy {
  readonly rules: readonly PodFailureRule[];
}

export interface PodFailureRule {
  readonly action: PodFailureAction;
  readonly onExitCodes?: ExitCodes;
  readonly onPodConditions?: readonly { readonly type: string; readonly status: string }[];
}

export type PodFailureAction = 'FailJob' | 'FailIndex' | 'Ignore' | 'Count';

export interface ExitCodes {
  readonly containerName?: string;
  readonly operator: string;
  readonly values: readonly number[];
}

export interface SuccessPolicy {
  readonly rules: readonly { readonly succeededIndexes?: string; readonly succeededCount?: number }[];
}

export interface JobStatus {
  readonly conditions?: readonly JobCondition[];
  readonly startTime?: string;
  readonly completionTime?: string;
  readonly active?: number;
  readonly ready?: number;
  readonly terminating?: number;
  readonly succeeded?: number;
  readonly failed?: number;
  readonly completedIndexes?: string;
  readonly failedIndexes?: string;
  readonly uncountedTerminatedPods?: UncountedPods;
}

export interface JobCondition extends Condition {
  readonly lastProbeTime?: string;
}

/** The UIDs of pods that have ended, and that the counters of the status do not yet include. */
export interface UncountedPods {
  readonly succeeded?: readonly string[];
  readonly failed?: readonly string[];
}

/** A status of a container, with what a Job reads of its state. */
export interface EndedContainerStatus extends ContainerStatus {
  readonly state?: { readonly terminated?: { readonly exitCode?: number; readonly finishedAt?: string } };
}

export const jobKind: OwnerKind = { apiVersion: 'batch/v1', kind: 'Job' };

/** The finalizer of pods that the status does not yet count. */
export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';

/** The labels that the API server generates for the pods of a Job, with its UID and its name. The selector has the first one. */
export const uidLabels: readonly string[] = ['batch.kubernetes.io/controller-uid', 'controller-uid'];
export const nameLabels: readonly string[] = ['batch.kubernetes.io/job-name', 'job-name'];

/** The annotation and the label of a pod with its completion index. */
export const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
export const failureCountAnnotation = 'batch.kubernetes.io/job-index-failure-count';
export const ignoredFailureCountAnnotation = 'batch.kubernetes.io/job-index-ignored-failure-count';

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';

export const isSuspended = ({ spec }: Job): boolean => spec.suspend === true;

/** Whether another controller manages the Job: managedByExternalController. */
export const isManagedExternally = ({ spec: { managedBy } }: Job): boolean =>
  managedBy !== undefined && managedBy !== 'kubernetes.io/job-controller';

/** Whether pods are replaced only after they have ended: onlyReplaceFailedPods. */
export const onlyReplacesEndedPods = ({ spec }: Job): boolean =>
  spec.podReplacementPolicy === 'Failed' || spec.podFailurePolicy !== undefined;

/** A Job without the selector and labels that the API server generated for its UID, so that it generates them again. */
export function withoutUidLabels(job: Job): Job {
  const { selector, template, ...spec } = job.spec ?? ({} as Partial<JobSpec>);
  if (!template || spec.manualSelector === true) return job;
  const isGenerated = uidLabels.some((label) => selector?.matchLabels?.[label] !== undefined);
  return {
    ...job,
    metadata: omitUidLabels(job.metadata),
    spec: {
      ...spec,
      ...(selector && !isGenerated && { selector }),
      template: { ...template, ...(template.metadata && { metadata: omitUidLabels(template.metadata) }) },
    } as JobSpec,
  };
}

const omitUidLabels = ({ labels, ...metadata }: ApiObjectMeta): ApiObjectMeta => ({
  ...metadata,
  ...(labels && { labels: Object.fromEntries(Object.entries(labels).filter(([label]) => !uidLabels.includes(label))) }),
});

/**
 * A Job of a user with the fields of the stored one that the API server generated, unless the user sets them: `kubectl apply` does not remove what it
 * has not set.
 */
export function withGeneratedFields(job: Job, { spec: { selector, completions, template: stored } }: Job): Job {
  const spec: Partial<JobSpec> = job.spec ?? {};
  if (!spec.template) return job;
  const { metadata } = spec.template;
  const generated = Object.entries(stored.metadata?.labels ?? {}).filter(([label]) => [...uidLabels, ...nameLabels].includes(label));
  const labels = { ...Object.fromEntries(generated), ...metadata?.labels };
  const template = { ...spec.template, metadata: { ...metadata, labels } };
  return { ...job, spec: { selector, ...(completions !== undefined && { completions }), ...spec, template } as JobSpec };
}
