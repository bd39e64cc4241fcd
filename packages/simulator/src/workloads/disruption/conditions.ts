import { formatTime } from '../time.ts';
import type { DisruptionBudget, DisruptionBudgetStatus, StatusCondition } from './objects.ts';

const conditionType = 'DisruptionAllowed';

/** Sets a condition; its time changes with its status only: SetStatusCondition (1.36, apimachinery/pkg/api/meta). */
function setCondition(
  conditions: readonly StatusCondition[] = [],
  condition: Omit<StatusCondition, 'lastTransitionTime'>,
  now: number,
): StatusCondition[] {
  const existing = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = existing?.status === condition.status ? existing.lastTransitionTime : formatTime(now);
  const updated = { ...condition, lastTransitionTime };
  return existing ? conditions.map((each) => (each === existing ? updated : each)) : [...conditions, updated];
}

const printGeneration = ({ observedGeneration }: DisruptionBudgetStatus): Pick<StatusCondition, 'observedGeneration'> =>
  observedGeneration ? { observedGeneration } : {};

/** Sets whether a disruption is allowed: UpdateDisruptionAllowedCondition (1.36, component-helpers/apps/poddisruptionbudget). */
export function setAllowance(status: DisruptionBudgetStatus, now: number): DisruptionBudgetStatus {
  const [value, reason] = status.disruptionsAllowed > 0 ? ['True', 'SufficientPods'] : ['False', 'InsufficientPods'];
  const condition = { type: conditionType, status: value, reason, message: '', ...printGeneration(status) } as const;
  return { ...status, conditions: setCondition(status.conditions, condition as Omit<StatusCondition, 'lastTransitionTime'>, now) };
}

/** Forbids disruptions because a sync failed: failSafe (1.36, pkg/controller/disruption/disruption.go). */
export function setFailure(status: DisruptionBudgetStatus, message: string, now: number): DisruptionBudgetStatus {
  const condition = { type: conditionType, status: 'False', reason: 'SyncFailed', message, ...printGeneration(status) };
  return { ...status, disruptionsAllowed: 0, conditions: setCondition(status.conditions, condition, now) };
}

/** Whether the condition of a budget fits its status: ConditionsAreUpToDate (1.36, component-helpers/apps/poddisruptionbudget). */
export function isConditionUpToDate({ metadata, status }: DisruptionBudget): boolean {
  const condition = status?.conditions?.find(({ type }) => type === conditionType);
  if (!status || !condition || (status.observedGeneration ?? 0) !== (metadata.generation ?? 0)) return false;
  return status.disruptionsAllowed > 0
    ? condition.status === 'True' && condition.reason === 'SufficientPods'
    : condition.status === 'False' && condition.reason === 'InsufficientPods';
}
