import { formatTime } from '../time.ts';
import type { Condition, Deployment, DeploymentStatus } from '../types.ts';

/** Conditions of Deployments. Mirrors pkg/controller/deployment/util/deployment_util.go of 1.36. */

/** Creates a condition. Its times are exact until they are written. */
export function createCondition(type: string, status: string, reason: string, message: string, now: number): Condition {
  const time = new Date(now).toISOString();
  return { type, status, lastUpdateTime: time, lastTransitionTime: time, reason, message };
}

export const findCondition = (conditions: readonly Condition[] | undefined, type: string): Condition | undefined =>
  conditions?.find((condition) => condition.type === type);

/** Adds or replaces a condition, unless status and reason are the same. The transition time changes with the status only. */
export function setCondition(conditions: readonly Condition[] | undefined, condition: Condition): readonly Condition[] {
  const current = findCondition(conditions, condition.type);
  const isSameStatus = current?.status === condition.status;
  if (isSameStatus && current?.reason === condition.reason) return conditions ?? [];
  const { lastTransitionTime } = isSameStatus && current ? current : condition;
  return [
    ...removeCondition(conditions, condition.type),
    { ...condition, ...(lastTransitionTime !== undefined && { lastTransitionTime }) },
  ];
}

export const removeCondition = (conditions: readonly Condition[] | undefined, type: string): readonly Condition[] =>
  (conditions ?? []).filter((condition) => condition.type !== type);

/** The Deployment with one more or another condition. */
export const withCondition = (deployment: Deployment, condition: Condition): Deployment => ({
  ...deployment,
  status: { ...deployment.status, conditions: setCondition(deployment.status?.conditions, condition) },
});

const counts = ['observedGeneration', 'replicas', 'updatedReplicas', 'readyReplicas', 'availableReplicas', 'unavailableReplicas'] as const;

/** A status as Go encodes it: without counts of 0 and empty lists, and with times in whole seconds. */
export function encodeStatus(status: DeploymentStatus = {}): DeploymentStatus {
  const { terminatingReplicas, collisionCount, conditions = [] } = status;
  return {
    ...Object.fromEntries(counts.filter((count) => (status[count] ?? 0) !== 0).map((count) => [count, status[count]])),
    ...(terminatingReplicas !== undefined && { terminatingReplicas }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions.length > 0 && { conditions: conditions.map(encodeCondition) }),
  };
}

const encodeCondition = ({ lastUpdateTime, lastTransitionTime, ...condition }: Condition): Condition => ({
  ...condition,
  ...(lastUpdateTime && { lastUpdateTime: truncate(lastUpdateTime) }),
  ...(lastTransitionTime && { lastTransitionTime: truncate(lastTransitionTime) }),
});

const truncate = (time: string): string => (time.includes('.') ? formatTime(Date.parse(time)) : time);
