import {
  type AdmissionCompiler,
  type AdmissionExpression,
  BudgetExceeded,
  createEvaluator,
  EvaluationFailure,
  type SubjectValues,
} from '../cel/admission-expressions.ts';
import type { AuthorizerValue } from '../cel/authorizer.ts';
import { formatProblems } from '../registry/index.ts';

/** The match conditions of a webhook or policy. */
export interface Conditions {
  readonly conditions: readonly AdmissionExpression[];
  readonly compiler: Pick<AdmissionCompiler, 'variables'>;
  /** Whether failurePolicy is Ignore. */
  readonly ignoresFailure: boolean;
}

/**
 * Whether all match conditions are true. A false condition overrides the errors of others, but not an exceeded cost limit, which is
 * reported alone.
 *
 * Mirrors Matcher.Match (apiserver/pkg/admission/plugin/webhook/matchconditions, 1.36).
 * @throws EvaluationFailure if a condition has no value, or BudgetExceeded; neither if failurePolicy is Ignore
 */
export function meetsConditions(
  { conditions, compiler, ignoresFailure }: Conditions,
  values: SubjectValues,
  authorizer: AuthorizerValue,
): boolean {
  if (conditions.length === 0) return true;
  const evaluator = createEvaluator(compiler, values, authorizer, maxConditionsCost);
  try {
    const results = conditions.map(evaluator.evaluate);
    if (results.some((result) => 'value' in result && result.value === false)) return false;
    const problems = results.flatMap(({ problem }) => problem ?? []);
    if (problems.length === 0) return true;
    throw new EvaluationFailure(formatProblems(problems));
  } catch (error) {
    if (ignoresFailure && (error instanceof EvaluationFailure || error instanceof BudgetExceeded)) return false;
    throw error;
  }
}

/** Cost limit of all conditions of a webhook or policy for one request. Mirrors RuntimeCELCostBudgetMatchConditions. */
const maxConditionsCost = 2_500_000;
