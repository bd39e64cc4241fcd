import { formatTime } from '../time.ts';
import type { Job, JobCondition, JobStatus } from './objects.ts';

/** Conditions of a Job. Mirrors pkg/controller/job/job_controller.go of 1.36. */

export interface ConditionText {
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

/** @param now milliseconds since the epoch */
export const createCondition = ({ type, reason, message }: ConditionText, now: number, status = 'True'): JobCondition => ({
  type,
  status,
  lastProbeTime: formatTime(now),
  lastTransitionTime: formatTime(now),
  ...(reason !== '' && { reason }),
  ...(message !== '' && { message }),
});

export const findCondition = ({ conditions }: JobStatus, type: string): JobCondition | undefined =>
  conditions?.find((condition) => condition.type === type);

export const hasTrueCondition = (status: JobStatus, type: string): boolean => findCondition(status, type)?.status === 'True';

/** Whether a Job is complete or has failed: IsJobFinished (1.36, pkg/controller/job/util/utils.go). */
export const isJobFinished = ({ status }: Job): boolean =>
  status?.conditions?.some(({ type, status: value }) => value === 'True' && (type === 'Complete' || type === 'Failed')) ?? false;

/**
 * The conditions with one of them set; the same list if it is set already. A condition that is absent is not set to False:
 * ensureJobConditionStatus.
 */
export function setCondition(conditions: readonly JobCondition[], wanted: JobCondition): readonly JobCondition[] {
  const index = conditions.findIndex(({ type }) => type === wanted.type);
  const current = conditions[index];
  if (!current) return wanted.status === 'False' ? conditions : [...conditions, wanted];
  const isSame = (['status', 'reason', 'message'] as const).every((field) => (current[field] ?? '') === (wanted[field] ?? ''));
  return isSame ? conditions : conditions.with(index, wanted);
}

const failure = (reason: string, message: string): ConditionText => ({ type: 'FailureTarget', reason, message });

/** Why a Job fails. The condition is FailureTarget until its pods have ended. */
export const failures: Readonly<Record<'backoffLimit' | 'deadline' | 'maxFailedIndexes' | 'failedIndexes', ConditionText>> = {
  backoffLimit: failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit'),
  deadline: failure('DeadlineExceeded', 'Job was active longer than specified deadline'),
  maxFailedIndexes: failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes'),
  failedIndexes: failure('FailedIndexes', 'Job has failed indexes'),
};

/** The condition is SuccessCriteriaMet until its pods have ended. */
export const completion: ConditionText = {
  type: 'SuccessCriteriaMet',
  reason: 'CompletionsReached',
  message: 'Reached expected number of succeeded pods',
};

export const suspension: ConditionText = { type: 'Suspended', reason: 'JobSuspended', message: 'Job suspended' };
export const resumption: ConditionText = { type: 'Suspended', reason: 'JobResumed', message: 'Job resumed' };
