import {
  type AdmissionExpression,
  type AdmissionSubject,
  convertSubject,
  createAdmissionCompilers,
  createAuthorizerValue,
  createEvaluator,
  type SubjectAuthorizer,
} from './admission-expressions.ts';
import type { CompiledExpression } from './compile.ts';

/** Compiles and evaluates the match conditions of webhooks. Caches compiled expressions. */
export interface MatchConditions {
  compile(expression: string): CompiledExpression;
  /**
   * Returns a function that evaluates conditions for a subject. The function throws an Error in upstream's words if a condition does not compile or
   * its evaluation fails.
   */
  createEvaluator(subject: AdmissionSubject, authorizer: SubjectAuthorizer): (expression: string) => boolean;
}

/** Mirrors the compiler and evaluator of match conditions (apiserver/pkg/admission/plugin/cel, 1.36). */
export function createMatchConditions(): MatchConditions {
  const cache = new Map<string, AdmissionExpression>();
  const createCompiler = createAdmissionCompilers();
  let compiler: ReturnType<typeof createCompiler> | undefined;
  const compile = (source: string): AdmissionExpression => {
    const cachedExpression = cache.get(source);
    if (cachedExpression) return cachedExpression;
    compiler ??= createCompiler({ hasParams: false, hasVariables: false });
    const expression = compiler.compile(source, ['bool']);
    if (cache.size >= maxCachedExpressions) cache.clear();
    cache.set(source, expression);
    return expression;
  };
  return {
    compile: (source) => compile(source).compiled,
    createEvaluator(subject, authorizer) {
      const authorizerValue = createAuthorizerValue(authorizer, subject.request);
      const { evaluate } = createEvaluator({ variables: new Map() }, convertSubject(subject), authorizerValue, maxConditionsCost);
      return (source) => evaluate(compile(source)) === true;
    },
  };
}

const maxCachedExpressions = 1000;

/** Cost limit of all conditions of a webhook or policy for one request. Mirrors RuntimeCELCostBudgetMatchConditions. */
export const maxConditionsCost = 2_500_000;
