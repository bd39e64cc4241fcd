import { type AdmissionExpression, createAdmissionCompilers } from './admission-expressions.ts';

/** Compiles the match conditions of webhooks. Caches compiled expressions. */
export interface MatchConditions {
  compile(source: string): AdmissionExpression;
}

/** Mirrors the compiler of match conditions (apiserver/pkg/admission/plugin/cel, 1.36). */
export function createMatchConditions(): MatchConditions {
  const cache = new Map<string, AdmissionExpression>();
  const createCompiler = createAdmissionCompilers();
  let compiler: ReturnType<typeof createCompiler> | undefined;
  return {
    compile(source) {
      const cachedExpression = cache.get(source);
      if (cachedExpression) return cachedExpression;
      compiler ??= createCompiler({ hasParams: false, hasVariables: false });
      const expression = compiler.compile(source, ['bool']);
      if (cache.size >= maxCachedExpressions) cache.clear();
      cache.set(source, expression);
      return expression;
    },
  };
}

const maxCachedExpressions = 1000;
