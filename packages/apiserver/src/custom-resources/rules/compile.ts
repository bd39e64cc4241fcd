import { type CelBounds, type CelProgram, nodesIn } from '@kube-endpoints/cel';
import type { Environment } from '../../cel/environment.ts';
import { mayBe, type ReadExpression, readExpression } from '../../cel/read.ts';
import type { ValidationRule } from '../schema/schema.ts';

/** A rule that can be evaluated, or why it cannot. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program?: CelProgram;
  readonly message?: CelProgram;
  readonly usesOld: boolean;
  /** In the words of the original, as far as they are known. */
  readonly problem?: string;
  readonly messageProblem?: string;
  /** What a rule needs that is not built here, so that nothing can be said of it. */
  readonly missing?: string;
}

/** The environments of a value's rules: where what was there before is always there, and where it may be missing. */
export interface RuleEnvironments {
  readonly plain: Environment;
  readonly optional: Environment;
}

/** Mirrors compileRule (apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go, 1.36), but for the estimates of costs. */
export function compileRule(rule: ValidationRule, environments: RuleEnvironments, bounds: CelBounds): CompiledRule {
  const source = rule.rule ?? '';
  if (source.trim() === '') return { rule, usesOld: false };
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const compiled = read(source, 'bool', environment, bounds);
  if (compiled.missing !== undefined) return { rule, usesOld: false, missing: compiled.missing };
  if (compiled.problem !== undefined) return { rule, usesOld: false, problem: compiled.problem };
  const found = { rule, program: compiled.program, usesOld: reads(compiled.program.ast, 'oldSelf') };
  if (!rule.messageExpression) return found;
  const message = read(rule.messageExpression, 'string', environment, bounds);
  if (message.missing !== undefined) return { ...found, missing: message.missing };
  return message.problem !== undefined
    ? { ...found, messageProblem: `messageExpression ${message.problem}` }
    : { ...found, message: message.program };
}

/** An expression that is to give such a value. */
function read(source: string, type: 'bool' | 'string', environment: Environment, bounds: CelBounds): ReadExpression {
  const found = readExpression(source, environment, bounds);
  if (!found.program || mayBe(found.program, type)) return found;
  return { problem: type === 'bool' ? 'cel expression must evaluate to a bool' : 'must evaluate to a string' };
}

const reads = (ast: CelProgram['ast'], name: string): boolean => [...nodesIn(ast)].some(({ op, args }) => op === 'id' && args === name);
