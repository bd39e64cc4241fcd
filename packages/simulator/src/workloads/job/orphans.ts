import { compareText, createRequirementsMatcher, type LabelRequirement, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import { hasReason } from 'kube-endpoints/port';
import type { Steps } from '../../controller/controller.ts';
import { catchFailure } from '../errors.ts';
import { controllerOf, findController } from '../owner-references.ts';
import type { Pod } from '../types.ts';
import { isJobFinished } from './conditions.ts';
import type { JobState } from './context.ts';
import { removeFinalizer } from './finalizers.ts';
import { isManagedExternally, type Job, jobKind } from './objects.ts';

/** Pods with a tracking finalizer that no Job counts. Mirrors syncOrphanPod (1.36, pkg/controller/job/job_controller.go). */

/** The pods to visit: one by its name, or all that a selector matches. */
type OrphanKey =
  | { readonly namespace: string; readonly name: string }
  | { readonly namespace: string; readonly requirements: readonly LabelRequirement[] };

export const orphanKey = ({ metadata: { namespace = '', name = '' } }: Pod): string =>
  JSON.stringify({ namespace, name } satisfies OrphanKey);

/** The key of all pods that a Job selects. */
export function orphansKey({ metadata: { namespace = '' }, spec }: Job): string {
  const requirements = requirementsOf(spec.selector).map(({ key, operator, values }) => ({ key, operator, values: values.toSorted() }));
  requirements.sort((a, b) => compareText(a.key, b.key));
  return JSON.stringify({ namespace, requirements } satisfies OrphanKey);
}

/** Removes the finalizers of pods. With a selector, failures are ignored. @throws ApiError */
export function* syncOrphans(state: JobState, text: string): Steps {
  const { cache } = state.context;
  const key = JSON.parse(text) as OrphanKey;
  if ('name' in key) {
    const pod = cache.get<Pod>('Pod', key.namespace, key.name);
    if (pod) yield* releaseOrphan(state, pod);
    return;
  }
  const matches = createRequirementsMatcher([...key.requirements]);
  for (const pod of cache.list<Pod>('Pod', key.namespace))
    if (matches(pod.metadata.labels ?? {})) yield* catchFailure(releaseOrphan(state, pod));
}

/** Removes the finalizer of a pod unless a Job that is not finished controls it: handleSingleOrphanPod. */
function* releaseOrphan({ context, consistency }: JobState, pod: Pod): Steps {
  const controller = controllerOf(pod);
  if (controller && (controller.kind !== jobKind.kind || controller.apiVersion !== jobKind.apiVersion)) return;
  const job = findController<Job>(context.cache, pod, jobKind.kind);
  if (job && (isManagedExternally(job) || !isJobFinished(job))) return;
  try {
    yield* removeFinalizer(consistency, pod);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}
