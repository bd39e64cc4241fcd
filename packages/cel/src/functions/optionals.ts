import { CelFailure, type CelFunction, type CelPart } from '../library.ts';
import { type CheckedType, type Checker, type Macro, type MacroCall, type Scope, variableNameOf } from './comprehensions.ts';
import { type CelEvaluator, type CelOptional, classOf, entriesOf, isDuration, isMap, isOptional, kindOf, nanosecondsOf } from './kinds.ts';
import { numberOf } from './order.ts';

/** Mirrors the functions of optional types in cel/library.go of cel-go 0.26 at version 2 that the library lacks. */
export const optionalFunctions: CelPart = {
  functions: [
    {
      signature: 'OptionalNamespace.ofNonZeroValue(A): optional<A>',
      run(this: CelEvaluator, _: object, value: unknown) {
        const Optional = classOf<OptionalClass>(this, 'optional');
        return isZeroValue(value) ? Optional.none() : Optional.of(value);
      },
    },
    { signature: 'OptionalNamespace.unwrap(list<optional<A>>): list<A>', run: (_: object, list: readonly unknown[]) => unwrap(list) },
    { signature: 'list<optional<A>>.unwrapOpt(): list<A>', run: unwrap },
    ...(
      [
        ['first', 0],
        ['last', -1],
      ] as const
    ).map(([name, index]) => ({
      signature: `list<A>.${name}(): optional<A>`,
      run(this: CelEvaluator, list: readonly unknown[]) {
        return classOf<OptionalClass>(this, 'optional').of(list.at(index));
      },
    })),
    createMappingMacro(
      'optMap',
      (type, checker) => checker.getType(`optional<${type.name}>`),
      (result, { of }) => of(result),
    ),
    createMappingMacro(
      'optFlatMap',
      (type, checker, call) => requireOptionalType(type, checker, call),
      (result) => result,
    ),
  ],
};

interface OptionalClass {
  of(value: unknown): CelOptional;
  none(): CelOptional;
}

/** Creates a macro that evaluates an expression over the value of an optional. Its result is an empty optional if there is no value. */
function createMappingMacro(
  name: string,
  typeOf: (type: CheckedType, checker: Checker, call: MacroCall) => CheckedType,
  toResult: (result: unknown, optional: OptionalClass) => unknown,
): CelFunction {
  const run = (call: MacroCall): Macro => {
    const [variableNode, body] = call.args as [MacroCall['ast'], MacroCall['ast']];
    const variable = variableNameOf(variableNode, `${name}() variable name must be a simple identifier`);
    let bodyScope: Scope;
    return {
      typeCheck(checker, _, scope) {
        const receiver = requireOptionalType(checker.check(call.receiver, scope), checker, call);
        bodyScope = scope.forkWithVariable(variable, receiver.valueType ?? checker.getType('dyn'));
        return typeOf(checker.check(body, bodyScope), checker, call);
      },
      evaluate(evaluator, _, scope) {
        const optional = evaluator.run(call.receiver, scope);
        if (!isOptional(optional)) throw new CelFailure('no such overload');
        if (!optional.hasValue()) return optional;
        const result = evaluator.run(body, bodyScope.reuse(scope).setIterValue(optional.value(), evaluator));
        return toResult(result, classOf<OptionalClass>(evaluator, 'optional'));
      },
    };
  };
  return { signature: `optional.${name}(ast, ast): optional<dyn>`, run };
}

function requireOptionalType(type: CheckedType, checker: Checker, { ast }: MacroCall): CheckedType {
  if (type.kind === 'optional') return type;
  if (type.kind === 'dyn') return checker.getType('optional');
  throw checker.createError('optional_expected', `expected an optional value but found '${type.name}'`, ast);
}

/** True for the zero value of a type, such as 0, an empty list or the zero time of Go. */
function isZeroValue(value: unknown): boolean {
  if (value === null || value === false || value === '') return true;
  if (['int', 'uint', 'double'].includes(kindOf(value))) return Number(numberOf(value)) === 0;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof Date) return value.getTime() === zeroTime;
  if (isDuration(value)) return nanosecondsOf(value) === 0n;
  return typeof value === 'object' && isMap(value) && entriesOf(value).length === 0;
}

/** The zero value of Go's time, the start of the year 1, in milliseconds since the epoch. */
const zeroTime = -62_135_596_800_000;

function unwrap(list: readonly unknown[]): readonly unknown[] {
  return list.flatMap((each) => {
    if (!isOptional(each)) throw new CelFailure('value is not optional');
    return each.hasValue() ? [each.value()] : [];
  });
}
