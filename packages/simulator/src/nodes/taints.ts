/** Taints of nodes and tolerations of pods: component-helpers/scheduling/corev1 and ToleratesTaint (api/core/v1/toleration.go) of 1.36. */

export interface Taint {
  readonly key: string;
  readonly value?: string;
  /** "NoSchedule", "PreferNoSchedule" or "NoExecute". */
  readonly effect: string;
  readonly timeAdded?: string;
}

export interface Toleration {
  /** All keys by default. */
  readonly key?: string;
  /** "Equal" by default. "Lt" and "Gt" match nothing without the feature gate TaintTolerationComparisonOperators, which is off by default. */
  readonly operator?: string;
  readonly value?: string;
  /** All effects by default. */
  readonly effect?: string;
  readonly tolerationSeconds?: number;
}

export function toleratesTaint({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (!operator || operator === 'Equal') return (value ?? '') === (taint.value ?? '');
  return operator === 'Exists';
}

/** The first of the taints that pass the filter and that no toleration matches: FindMatchingUntoleratedTaint. */
export const findUntoleratedTaint = (
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  filter: (taint: Taint) => boolean = () => true,
): Taint | undefined => taints.find((taint) => filter(taint) && !tolerations.some((toleration) => toleratesTaint(toleration, taint)));
