import type { ASTNode } from '@marcbachmann/cel-js';
import { CelFailure, type CelFunction, type CelPart } from '../library.ts';
import type { CheckedType, Macro, MacroCall } from './comprehensions.ts';
import { createValueSet } from './keys.ts';
import type { CelEvaluator } from './kinds.ts';

/**
 * Mirrors ext/sets.go of cel-go 0.26, in linear instead of quadratic time. These functions are macros, because cel-js
 * would require the first elements of both lists to have the same type.
 */
export const setFunctions: CelPart = {
  namespaces: ['sets'],
  functions: [
    createSetFunction('contains', hasAll),
    createSetFunction('equivalent', (a, b, evaluator) => hasAll(a, b, evaluator) && hasAll(b, a, evaluator)),
    createSetFunction('intersects', (a, b, evaluator) => b.some(createMembershipTest(a, evaluator))),
  ],
};

type List = readonly unknown[];

function createSetFunction(name: string, run: (a: List, b: List, evaluator: CelEvaluator) => boolean): CelFunction {
  const macro = ({ ast, receiver, args }: MacroCall): Macro => ({
    typeCheck(checker, _, scope) {
      const [namespace, a, b] = [receiver, ...args].map((each) => checker.check(each, scope)) as [CheckedType, CheckedType, CheckedType];
      if (namespace.name === 'sets' && [a, b].every(isList) && b.matches(a)) return checker.getType('bool');
      const problem = `found no matching overload for '${namespace.name}.${name}(${a.name}, ${b.name})'`;
      throw checker.createError('no_matching_overload', problem, ast);
    },
    evaluate(evaluator, _, scope) {
      const [a, b] = args.map((each: ASTNode) => evaluator.run(each, scope));
      if (!Array.isArray(a) || !Array.isArray(b)) throw new CelFailure('no such overload');
      return run(a, b, evaluator);
    },
  });
  return { signature: `sets.${name}(ast, ast): bool`, run: macro };
}

const isList = ({ kind }: CheckedType): boolean => kind === 'list' || kind === 'dyn';

function hasAll(list: List, subset: List, evaluator: CelEvaluator): boolean {
  return subset.every(createMembershipTest(list, evaluator));
}

function createMembershipTest(list: List, evaluator: CelEvaluator): (value: unknown) => boolean {
  const valueSet = createValueSet(evaluator);
  for (const each of list) valueSet.add(each);
  return (value) => valueSet.has(value);
}
