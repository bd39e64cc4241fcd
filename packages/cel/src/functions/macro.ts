import type { ASTNode } from '@marcbachmann/cel-js';
import { guards } from '../guard.ts';
import { CelFailure } from '../library.ts';
import type { CelEvaluator } from './kinds.ts';

/** A type as the library's checker has it. */
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

/** Where names are looked up. */
export interface Scope {
  forkWithVariable(name: string, type: CheckedType): Scope;
  /** The scope, below the one that holds where it is evaluated. */
  reuse(parent: Scope): Scope;
  setIterValue(value: unknown, evaluator: CelEvaluator): Scope;
}

export interface MacroCall {
  readonly ast: ASTNode;
  readonly receiver: ASTNode;
  readonly args: readonly ASTNode[];
}

/** What a macro answers with. */
export interface Macro {
  typeCheck(checker: Checker, macro: unknown, scope: Scope): CheckedType;
  evaluate(evaluator: CelEvaluator, macro: unknown, scope: Scope): unknown;
}

/** A variable that an argument names; guards may be around it. @throws CelFailure */
export function nameOf(node: ASTNode | undefined, problem: string): string {
  const inner = unguarded(node);
  if (inner?.op !== 'id') throw new CelFailure(problem);
  return inner.args;
}

/** What a guard is around. */
export function unguarded(node: ASTNode | undefined): ASTNode | undefined {
  return node?.op === 'call' && Object.values<string>(guards).includes(node.args[0]) ? unguarded(node.args[1][0]) : node;
}
