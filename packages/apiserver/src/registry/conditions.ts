export interface Condition {
  readonly type?: unknown;
  readonly status?: unknown;
  readonly lastTransitionTime?: unknown;
}

/**
 * Adds or replaces the condition of a type. If its status does not change, it keeps its lastTransitionTime, or has none as before.
 * Mirrors SetStatusCondition (apimachinery/pkg/api/meta/conditions.go) and UpdatePodCondition (pkg/api/v1/pod/util.go) of 1.36.
 */
export function setCondition<C extends Condition>(conditions: readonly C[], condition: C): readonly C[] {
  const existing = conditions.find(({ type }) => type === condition.type);
  if (!existing) return [...conditions, condition];
  const { lastTransitionTime } = existing.status === condition.status ? existing : condition;
  const { lastTransitionTime: _, ...rest } = condition;
  const updated = (lastTransitionTime ? { ...condition, lastTransitionTime } : rest) as C;
  return conditions.map((each) => (each === existing ? updated : each));
}
