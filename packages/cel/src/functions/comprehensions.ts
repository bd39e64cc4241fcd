import type { ASTNode } from '@marcbachmann/cel-js';
import { guards } from '../guard.ts';
import { CelFailure, type CelFunction, type CelPart } from '../library.ts';
import { type CelEvaluator, entriesOf, isMap, isUint, kindOf } from './kinds.ts';
import { checkElementCount } from './limits.ts';

/** Mirrors ext/comprehensions.go of cel-go 0.26: comprehensions over indices and elements, or keys and values. */
export const comprehensionFunctions: CelPart = {
  functions: [
    createComprehension('all', 3, 'bool', (iterations) => quantify(iterations, false)),
    createComprehension('exists', 3, 'bool', (iterations) => quantify(iterations, true)),
    createComprehension('existsOne', 3, 'bool', existsOne),
    createComprehension('exists_one', 3, 'bool', existsOne),
    ...[3, 4].flatMap((argCount) => [
      createComprehension('transformList', argCount, 'list', (iterations) =>
        iterations.flatMap(({ passesFilter, evaluateBody }) => (passesFilter() ? [evaluateBody()] : [])),
      ),
      createComprehension('transformMap', argCount, 'map', (iterations) =>
        collectEntries(iterations, ({ key, evaluateBody }) => [[key, evaluateBody()]]),
      ),
      createComprehension('transformMapEntry', argCount, 'entry', (iterations, type) =>
        collectEntries(iterations, ({ evaluateBody }) => toTypedEntries(evaluateBody(), type.keyType)),
      ),
    ]),
  ],
};

/** One element, with the functions that evaluate the filter and the body for it. */
interface Iteration {
  readonly key: unknown;
  /** True if the filter accepts the element, or if there is no filter. */
  passesFilter(): boolean;
  evaluateBody(): unknown;
}

/** Creates a macro with `argCount` arguments: two variable names, a filter if `argCount` is 4, and the body. */
function createComprehension(
  name: string,
  argCount: number,
  resultKind: keyof typeof resultTypes,
  run: (iterations: readonly Iteration[], type: CheckedType) => unknown,
): CelFunction {
  const macro = (call: MacroCall): Macro => {
    const [firstName, secondName] = call.args.slice(0, 2).map((arg) => variableNameOf(arg, 'argument must be a simple name')) as [
      string,
      string,
    ];
    if (firstName === secondName) throw new CelFailure(`duplicate variable name: ${firstName}`);
    const body = call.args[argCount - 1] as ASTNode;
    const filter = argCount === 4 ? call.args[2] : undefined;
    let scopes: readonly [Scope, Scope];
    let keyType: CheckedType;
    let type: CheckedType;
    return {
      typeCheck(checker, _, scope) {
        const [key, value] = findRangeTypes(checker.check(call.receiver, scope), checker, call.receiver);
        keyType = key;
        const outerScope = scope.forkWithVariable(firstName, key);
        scopes = [outerScope, outerScope.forkWithVariable(secondName, value)];
        if (filter) checkBool(checker.check(filter, scopes[1]), checker, filter);
        type = resultTypes[resultKind](checker.check(body, scopes[1]), key, checker, body);
        return type;
      },
      evaluate(evaluator, _, scope) {
        const entries = toEntries(evaluator.run(call.receiver, scope), keyType);
        return run(
          entries.map((entry) => createIteration(entry, { evaluator, scope, scopes, filter, body })),
          type,
        );
      },
    };
  };
  return { signature: `list.${name}(${Array.from({ length: argCount }, () => 'ast').join(', ')}): dyn`, run: macro };
}

interface IterationContext {
  readonly evaluator: CelEvaluator;
  readonly scope: Scope;
  readonly scopes: readonly [Scope, Scope];
  readonly filter: ASTNode | undefined;
  readonly body: ASTNode;
}

function createIteration(
  [key, value]: readonly [unknown, unknown],
  { evaluator, scope, scopes, filter, body }: IterationContext,
): Iteration {
  const evaluate = (node: ASTNode): unknown => {
    const outerScope = scopes[0].reuse(scope).setIterValue(key, evaluator);
    return evaluator.run(node, scopes[1].reuse(outerScope).setIterValue(value, evaluator));
  };
  return { key, passesFilter: () => filter === undefined || requireBool(evaluate(filter)), evaluateBody: () => evaluate(body) };
}

/** Returns `decisiveValue` if the body has this value for any element. Otherwise throws the first error, or returns the opposite value. */
function quantify(iterations: readonly Iteration[], decisiveValue: boolean): boolean {
  const errors: unknown[] = [];
  for (const { evaluateBody } of iterations) {
    try {
      if (requireBool(evaluateBody()) === decisiveValue) return decisiveValue;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return !decisiveValue;
}

function existsOne(iterations: readonly Iteration[]): boolean {
  return iterations.filter(({ evaluateBody }) => requireBool(evaluateBody())).length === 1;
}

function collectEntries(
  iterations: readonly Iteration[],
  entriesFor: (iteration: Iteration) => readonly (readonly [unknown, unknown])[],
): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const iteration of iterations) {
    if (!iteration.passesFilter()) continue;
    for (const [key, value] of entriesFor(iteration)) {
      if (map.has(key)) throw new CelFailure(`insert failed: key ${key} already exists`);
      map.set(key, value);
      checkElementCount(map.size);
    }
  }
  return map;
}

function requireBool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new CelFailure('no such overload');
  return value;
}

function toEntries(value: unknown, keyType: CheckedType): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return value.map((each, i) => [BigInt(i), each]);
  if (typeof value === 'object' && value !== null && isMap(value)) return toTypedEntries(value, keyType);
  throw new CelFailure(`unsupported comprehension range type: ${isUint(value) ? 'uint' : kindOf(value)}`);
}

/** Returns the entries of a map. The library turns the keys of map literals into texts; this function restores the types of the keys. */
function toTypedEntries(map: unknown, keyType: CheckedType | undefined): readonly (readonly [unknown, unknown])[] {
  return entriesOf(map as object).map(([key, value]) => [keyType ? toTypedKey(key, keyType) : key, value]);
}

function toTypedKey(key: unknown, { name }: CheckedType): unknown {
  if (typeof key !== 'string') return key;
  if (name === 'int') return BigInt(key);
  return name === 'bool' ? key === 'true' : key;
}

function findRangeTypes(type: CheckedType, checker: Checker, node: ASTNode): readonly [CheckedType, CheckedType] {
  const dyn = checker.getType('dyn');
  if (type.kind === 'list') return [checker.getType('int'), type.valueType ?? dyn];
  if (type.kind === 'map') return [type.keyType ?? dyn, type.valueType ?? dyn];
  if (type.kind === 'dyn') return [dyn, dyn];
  const problem = `expression of type '${type.name}' cannot be range of a comprehension (must be list, map, or dynamic)`;
  throw checker.createError('invalid_comprehension_range', problem, node);
}

function checkBool(type: CheckedType, checker: Checker, node: ASTNode): CheckedType {
  if (type.kind === 'dyn' || type.name === 'bool') return type;
  throw checker.createError('invalid_condition_type', `expected type 'bool' but found '${type.name}'`, node);
}

const resultTypes = {
  bool(type: CheckedType, _: CheckedType, checker: Checker, node: ASTNode): CheckedType {
    checkBool(type, checker, node);
    return checker.getType('bool');
  },
  list: (type: CheckedType, _: CheckedType, checker: Checker): CheckedType => checker.getType(`list<${type.name}>`),
  map: (type: CheckedType, key: CheckedType, checker: Checker): CheckedType => checker.getType(`map<${key.name}, ${type.name}>`),
  entry(type: CheckedType, _: CheckedType, checker: Checker, node: ASTNode): CheckedType {
    if (type.kind === 'map' || type.kind === 'dyn') return type;
    throw checker.createError('invalid_entry', `expected a map but found '${type.name}'`, node);
  },
};

export interface CheckedType {
  readonly kind: string;
  readonly name: string;
  readonly type: string;
  readonly keyType?: CheckedType;
  readonly valueType?: CheckedType;
  matches(other: CheckedType): boolean;
}

export interface Checker {
  readonly opts: object;
  check(node: ASTNode, scope: Scope): CheckedType;
  getType(name: string): CheckedType;
  createError(code: string, message: string, node: ASTNode): Error;
}

export interface Scope {
  forkWithVariable(name: string, type: CheckedType): Scope;
  /** Reuses this scope for an evaluation in a different parent. */
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, evaluator: CelEvaluator): Scope;
}

export interface MacroCall {
  readonly ast: ASTNode;
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
}

export interface Macro {
  typeCheck(checker: Checker, macro: unknown, scope: Scope): CheckedType;
  evaluate(evaluator: CelEvaluator, macro: unknown, scope: Scope): unknown;
}

/** Returns the variable name in an argument, ignoring guards around the name. @throws CelFailure if the argument is not a name */
export function variableNameOf(node: ASTNode | undefined, problem: string): string {
  const inner = removeGuards(node);
  if (inner?.op !== 'id') throw new CelFailure(problem);
  return inner.args;
}

/** Returns the node inside of all guards around it. */
export function removeGuards(node: ASTNode | undefined): ASTNode | undefined {
  return node?.op === 'call' && Object.values<string>(guards).includes(node.args[0]) ? removeGuards(node.args[1][0]) : node;
}
