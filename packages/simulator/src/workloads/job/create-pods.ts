import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import { catchFailure } from '../errors.ts';
import { createControllerReference } from '../owner-references.ts';
import { createPod, createPodFromTemplate, isNamespaceTerminating } from '../pod-control.ts';
import { slowStartBatches } from '../slow-start.ts';
import type { Pod, PodSpec, PodTemplate } from '../types.ts';
import type { Failure, JobSync } from './context.ts';
import { isCounted } from './failure-policy.ts';
import { failureCountOf, ignoredFailureCountOf } from './indexes.ts';
import {
  failureCountAnnotation,
  ignoredFailureCountAnnotation,
  indexAnnotation,
  isIndexed,
  type Job,
  jobKind,
  trackingFinalizer,
} from './objects.ts';

/**
 * Creates pods in growing batches, for completion indexes if there are any. Returns how many exist afterwards, and the first failure. Mirrors
 * the end of manageJob (1.36, pkg/controller/job/job_controller.go).
 */
export function* createPods(
  sync: JobSync,
  count: number,
  indexes: readonly number[],
): Steps<{ readonly created: number; readonly error?: Failure }> {
  const { expectations, consistency, key, job } = sync;
  expectations.expect(key, { creations: count, deletions: 0 });
  const template = createTemplate(job);
  const reference = createControllerReference(job, jobKind);
  function* create(index: number | undefined): Steps {
    const ofIndex = index === undefined ? template : createTemplateOfIndex(sync, template, index);
    const pod = createPodFromTemplate(ofIndex, job, reference);
    const created = yield* createPod(index === undefined ? pod : nameAfterIndex(pod, job, index), job);
    consistency.recordWrite(metaNamespaceKey(job.metadata), job.metadata.uid ?? '', 'Pod', created.metadata.resourceVersion ?? '');
  }
  const { successes, error } = yield* slowStartBatches(count, function* (position) {
    const failure = yield* catchFailure(create(indexes[position]));
    return isNamespaceTerminating(failure) ? undefined : failure;
  });
  // The cache will not show the pods that were not created.
  for (let i = successes; i < count; i++) expectations.observeCreation(key);
  return { created: successes, ...(error && { error }) };
}

function createTemplate(job: Job): PodTemplate {
  const { metadata = {}, spec } = job.spec.template;
  const { finalizers = [] } = metadata;
  return {
    metadata: { ...metadata, finalizers: finalizers.includes(trackingFinalizer) ? finalizers : [...finalizers, trackingFinalizer] },
    spec: isIndexed(job) ? addIndexVariables(spec) : spec,
  };
}

interface Container {
  readonly env?: readonly { readonly name: string }[];
}

/** Adds the environment variable of the completion index to all containers without one of its name. */
function addIndexVariables(spec: PodSpec): PodSpec {
  const variable = { name: 'JOB_COMPLETION_INDEX', valueFrom: { fieldRef: { fieldPath: `metadata.labels['${indexAnnotation}']` } } };
  const add = (container: Container): Container =>
    container.env?.some(({ name }) => name === variable.name) ? container : { ...container, env: [...(container.env ?? []), variable] };
  const { initContainers, containers = [] } = spec as { initContainers?: readonly Container[]; containers?: readonly Container[] };
  return { ...spec, ...(initContainers && { initContainers: initContainers.map(add) }), containers: containers.map(add) } as PodSpec;
}

function createTemplateOfIndex({ job, delayedPods }: JobSync, { metadata = {}, spec }: PodTemplate, index: number): PodTemplate {
  const text = String(index);
  const counts = job.spec.backoffLimitPerIndex === undefined ? {} : createFailureCounts(job, delayedPods.get(index));
  return {
    metadata: {
      ...metadata,
      annotations: { ...metadata.annotations, [indexAnnotation]: text, ...counts },
      labels: { ...metadata.labels, [indexAnnotation]: text },
    },
    spec: { ...spec, hostname: `${job.metadata.name}-${index}` },
  };
}

/** The annotations with the failures of an index, of which the replaced pod is the last one: addIndexFailureCountAnnotation. */
function createFailureCounts(job: Job, replaced: Pod | undefined): Record<string, string> {
  const counts = replaced && isCounted(job, replaced);
  const failures = replaced ? failureCountOf(replaced) + Number(counts) : 0;
  const ignored = replaced ? ignoredFailureCountOf(replaced) + Number(!counts) : 0;
  return { [failureCountAnnotation]: String(failures), ...(ignored > 0 && { [ignoredFailureCountAnnotation]: String(ignored) }) };
}

function nameAfterIndex(pod: Pod, { metadata: { name = '' } }: Job, index: number): Pod {
  const suffix = `-${index}-`;
  const prefix = `${name}${suffix}`;
  const generateName = prefix.length > maxNamePrefix ? `${prefix.slice(0, maxNamePrefix - suffix.length)}${suffix}` : prefix;
  return { ...pod, metadata: { ...pod.metadata, generateName } };
}

/** The API server adds five characters to names of up to 63. */
const maxNamePrefix = 58;
