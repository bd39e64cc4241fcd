import type { ASTNode } from '@marcbachmann/cel-js';
import { guards } from '../guard.ts';
import { CelFailure, type CelFunction, type CelPart } from '../library.ts';
import { type CelEvaluator, entriesOf, isMap, isUint, kindOf } from './kinds.ts';
import { checkElements } from './limits.ts';

/** Mirrors ext/comprehensions.go of cel-go 0.26: comprehensions over indices and elements, or keys and values. */
export const comprehensionFunctions: CelPart = {
  functions: [
    comprehension('all', 3, 'bool', (iterations) => quantify(iterations, false)),
    comprehension('exists', 3, 'bool', (iterations) => quantify(iterations, true)),
    comprehension('existsOne', 3, 'bool', existsOne),
    comprehension('exists_one', 3, 'bool', existsOne),
    ...[3, 4].flatMap((count) => [
      comprehension('transformList', count, 'list', (iterations) =>
        iterations.flatMap(({ passes, result }) => (passes() ? [result()] : [])),
      ),
      comprehension('transformMap', count, 'map', (iterations) => collectEntries(iterations, ({ key, result }) => [[key, result()]])),
      comprehension('transformMapEntry', count, 'entry', (iterations, type) =>
        collectEntries(iterations, ({ result }) => typedEntries(result(), type.keyType)),
      ),
    ]),
  ],
};

/** One element and its evaluations. */
interface Iteration {
  readonly key: unknown;
  /** True if the filter accepts it, or without a filter. */
  passes(): boolean;
  result(): unknown;
}

/** A macro with `count` arguments: two variable names, a filter if `count` is 4, and the body. */
function comprehension(
  name: string,
  count: number,
  returns: keyof typeof resultTypes,
  run: (iterations: readonly Iteration[], type: CheckedType) => unknown,
): CelFunction {
  const macro = (call: MacroCall): Macro => {
    const [firstName, secondName] = call.args.slice(0, 2).map((arg) => nameOf(arg, 'argument must be a simple name')) as [string, string];
    if (firstName === secondName) throw new CelFailure(`duplicate variable name: ${firstName}`);
    const body = call.args[count - 1] as ASTNode;
    const filter = count === 4 ? call.args[2] : undefined;
    let scopes: readonly [Scope, Scope];
    let keyType: CheckedType;
    let type: CheckedType;
    return {
      typeCheck(checker, _, scope) {
        const [key, value] = rangeTypes(checker.check(call.receiver, scope), checker, call.receiver);
        keyType = key;
        const outerScope = scope.forkWithVariable(firstName, key);
        scopes = [outerScope, outerScope.forkWithVariable(secondName, value)];
        if (filter) checkBool(checker.check(filter, scopes[1]), checker, filter);
        type = resultTypes[returns](checker.check(body, scopes[1]), key, checker, body);
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
  return { signature: `list.${name}(${Array.from({ length: count }, () => 'ast').join(', ')}): dyn`, run: macro };
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
  return { key, passes: () => filter === undefined || asBool(evaluate(filter)), result: () => evaluate(body) };
}

/** Throws the first error, unless a later element decides the result. */
function quantify(iterations: readonly Iteration[], decisive: boolean): boolean {
  const errors: unknown[] = [];
  for (const { result } of iterations) {
    try {
      if (asBool(result()) === decisive) return decisive;
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return !decisive;
}

function existsOne(iterations: readonly Iteration[]): boolean {
  return iterations.filter(({ result }) => asBool(result())).length === 1;
}

function collectEntries(
  iterations: readonly Iteration[],
  entriesFor: (iteration: Iteration) => readonly (readonly [unknown, unknown])[],
): Map<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  for (const iteration of iterations) {
    if (!iteration.passes()) continue;
    for (const [key, value] of entriesFor(iteration)) {
      if (map.has(key)) throw new CelFailure(`insert failed: key ${key} already exists`);
      map.set(key, value);
      checkElements(map.size);
    }
  }
  return map;
}

function asBool(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new CelFailure('no such overload');
  return value;
}

function toEntries(value: unknown, keyType: CheckedType): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(value)) return value.map((each, i) => [BigInt(i), each]);
  if (typeof value === 'object' && value !== null && isMap(value)) return typedEntries(value, keyType);
  throw new CelFailure(`unsupported comprehension range type: ${isUint(value) ? 'uint' : kindOf(value)}`);
}

/** The entries of a map. The library turns the keys of map literals into texts; this function restores their types. */
function typedEntries(map: unknown, keyType: CheckedType | undefined): readonly (readonly [unknown, unknown])[] {
  return entriesOf(map as object).map(([key, value]) => [keyType ? toTypedKey(key, keyType) : key, value]);
}

function toTypedKey(key: unknown, { name }: CheckedType): unknown {
  if (typeof key !== 'string') return key;
  if (name === 'int') return BigInt(key);
  return name === 'bool' ? key === 'true' : key;
}

function rangeTypes(type: CheckedType, checker: Checker, node: ASTNode): readonly [CheckedType, CheckedType] {
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
  /** Reuses the scope with another parent, in which it is evaluated. */
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

/** The variable that an argument names; ignores guards around it. @throws CelFailure */
export function nameOf(node: ASTNode | undefined, problem: string): string {
  const inner = withoutGuards(node);
  if (inner?.op !== 'id') throw new CelFailure(problem);
  return inner.args;
}

/** The node inside of guards. */
export function withoutGuards(node: ASTNode | undefined): ASTNode | undefined {
  return node?.op === 'call' && Object.values<string>(guards).includes(node.args[0]) ? withoutGuards(node.args[1][0]) : node;
}
