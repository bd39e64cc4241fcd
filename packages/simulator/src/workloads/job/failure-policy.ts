import type { Pod } from '../types.ts';
import {
  type EndedContainerStatus,
  type ExitCodes,
  type Job,
  onlyReplacesEndedPods,
  type PodFailureAction,
  type PodFailureRule,
} from './objects.ts';

/** What a policy makes of a failed pod. */
export interface FailureVerdict {
  /** The action of the first rule that matches. */
  readonly action?: PodFailureAction;
  /** Why the Job fails, for the action FailJob. */
  readonly message?: string;
}

/**
 * Whether a pod counts as failed. A deleted pod does, unless pods are replaced only after they have ended: isPodFailed (1.36,
 * pkg/controller/job/job_controller.go).
 */
export function isPodFailed({ metadata, status }: Pod, job: Job): boolean {
  if (status?.phase === 'Failed') return true;
  return !onlyReplacesEndedPods(job) && metadata.deletionTimestamp !== undefined && status?.phase !== 'Succeeded';
}

/** Applies the rules of a Job to a failed pod: matchPodFailurePolicy (1.36, pkg/controller/job/pod_failure_policy.go). */
export function judgeFailure({ spec }: Job, pod: Pod): FailureVerdict {
  for (const [index, rule] of (spec.podFailurePolicy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    return action === 'FailJob' ? { action, message: `${cause} matching FailJob rule at index ${index}` } : { action };
  }
  return {};
}

/** Whether a failure counts for the limits of failures. */
export const isCounted = (job: Job, pod: Pod): boolean => judgeFailure(job, pod).action !== 'Ignore';

/** The message of the first failed pod that makes the Job fail: getFailJobMessage. */
export const failJobMessage = (job: Job, pods: readonly Pod[]): string | undefined =>
  pods
    .filter((pod) => isPodFailed(pod, job))
    .map((pod) => judgeFailure(job, pod).message)
    .find((message) => message !== undefined);

/** What a rule matches in a pod; undefined if it does not match. */
function causeOf({ onExitCodes, onPodConditions }: PodFailureRule, { metadata: { namespace, name }, status }: Pod): string | undefined {
  if (onExitCodes) {
    const statuses = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])] as EndedContainerStatus[];
    const found = statuses.find((container) => matchesExitCode(container, onExitCodes));
    return found && `Container ${found.name} for pod ${namespace}/${name} failed with exit code ${found.state?.terminated?.exitCode}`;
  }
  const condition = (status?.conditions ?? []).find((each) =>
    onPodConditions?.some((pattern) => each.type === pattern.type && each.status === pattern.status),
  );
  return condition && `Pod ${namespace}/${name} has condition ${condition.type}`;
}

function matchesExitCode({ name, state }: EndedContainerStatus, { containerName, operator, values }: ExitCodes): boolean {
  const exitCode = state?.terminated?.exitCode ?? 0;
  if (exitCode === 0 || (containerName !== undefined && containerName !== name)) return false;
  return (operator === 'In' && values.includes(exitCode)) || (operator === 'NotIn' && !values.includes(exitCode));
}
