import type { LabelSelector } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';

/** A PodDisruptionBudget. */
export interface DisruptionBudget extends ApiObject {
  readonly spec?: {
    /** A number, or a percentage as text. */
    readonly minAvailable?: number | string;
    readonly maxUnavailable?: number | string;
    readonly selector?: LabelSelector;
  };
  readonly status?: DisruptionBudgetStatus;
}

export interface DisruptionBudgetStatus {
  readonly observedGeneration?: number;
  /** The times of evictions by the names of the pods, until the pods are being deleted. */
  readonly disruptedPods?: Readonly<Record<string, string>>;
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  readonly conditions?: readonly StatusCondition[];
}

/** `metav1.Condition` */
export interface StatusCondition {
  readonly type: string;
  readonly status: string;
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
}

export const budgetKind = 'PodDisruptionBudget';

/** The status of a budget; zero if the controller has not written one. */
export const statusOf = ({ status }: DisruptionBudget): DisruptionBudgetStatus => ({
  disruptionsAllowed: 0,
  currentHealthy: 0,
  desiredHealthy: 0,
  expectedPods: 0,
  ...status,
});
