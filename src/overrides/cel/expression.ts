import { type ASTNode, Environment, EvaluationError, type ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from '../../go/index.ts';
import { childrenOf, guarded, guards, shapeOf } from './guard.ts';
import { createPatterns, type Patterns } from './patterns.ts';
import { type Reads, readsOf } from './reads.ts';
import { type CelValues, sizeOf } from './values.ts';

/** What an expression is evaluated over, and how much work it may still be. */
export interface CelRun {
  /** Converted values by the names of variables. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly values: CelValues;
  readonly meter: CelMeter;
}

/** Shared by all expressions that are evaluated about one request. */
export interface CelMeter {
  left: number;
}

export interface CelExpression {
  readonly source: string;
  readonly reads: Reads;
  /** Whether it holds, or why that cannot be told. Never throws. */
  evaluate(run: CelRun): boolean | { readonly failure: string };
}

/** Reads expressions. Text tells why one is none. */
export interface CelReader {
  read(source: string, scope: 'object' | 'address'): CelExpression | string;
}

/** So much work is done for one request, in steps of less than a microsecond. */
export const maxCelSteps: number = 200_000;

export function createCelReader(): CelReader {
  const current: { run: CelRun | undefined } = { run: undefined };
  const patterns = createPatterns();
  const environments = new Map<string, Environment>();
  const environmentFor = (scope: 'object' | 'address'): Environment => {
    const known = environments.get(scope) ?? createEnvironment(scope, () => current.run as CelRun, patterns);
    environments.set(scope, known);
    return known;
  };
  return {
    read(source, scope) {
      try {
        return readExpression(source, environmentFor(scope), patterns, current);
      } catch (error) {
        return brief(error);
      }
    },
  };
}

function readExpression(
  source: string,
  environment: Environment,
  patterns: Patterns,
  current: { run: CelRun | undefined },
): CelExpression | string {
  const plain = environment.parse(source);
  const checked = plain.check();
  if (!checked.valid) return brief(checked.error);
  if (checked.type !== 'bool' && checked.type !== 'dyn') return `it gives ${checked.type}, not bool`;
  const wrong = wrongPatternIn(plain.ast, patterns);
  if (wrong !== undefined) return wrong;
  const program = environment.parse(guarded(source, plain.ast));
  // the same expression but for the guards, or work could go uncounted
  if (shapeOf(program.ast) !== shapeOf(plain.ast)) return 'it is of a form whose work cannot be counted';
  const recheck = program.check();
  if (!recheck.valid) return brief(recheck.error);
  return { source, reads: readsOf(plain.ast), evaluate: (run) => evaluate(program, run, current) };
}

function evaluate(program: ParseResult, run: CelRun, current: { run: CelRun | undefined }): boolean | { readonly failure: string } {
  current.run = run;
  try {
    spend(run, 1);
    const value: unknown = program(run.variables);
    return typeof value === 'boolean' ? value : { failure: 'it gave no bool' };
  } catch (error) {
    return { failure: brief(error) };
  } finally {
    current.run = undefined;
  }
}

/** An object of the API can hold anything, so that most is known when it is evaluated only. */
function createEnvironment(scope: 'object' | 'address', run: () => CelRun, patterns: Patterns): Environment {
  const environment = new Environment({
    enableOptionalTypes: true,
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 2000, maxDepth: 50, maxListElements: 500, maxMapEntries: 100, maxCallArguments: 8 },
  });
  for (const name of ['object', 'oldObject', 'service', 'pods']) environment.registerVariable(name, 'dyn');
  environment.registerVariable('operation', 'string').registerVariable('now', 'google.protobuf.Timestamp');
  if (scope === 'address') for (const name of ['address', 'pod']) environment.registerVariable(name, 'dyn');
  environment.registerFunction(`${guards.step}(ast): dyn`, guardMacro(run, sizeOf));
  environment.registerFunction(
    `${guards.weigh}(ast): dyn`,
    guardMacro(run, (value) => run().values.weigh(value)),
  );
  return registerMatching(environment, run, patterns);
}

/** Counts what comes out of its argument, which has the type that it had. */
const guardMacro =
  (run: () => CelRun, costOf: (value: unknown) => number) =>
  ({ args }: { readonly args: readonly unknown[] }): object => ({
    typeCheck: (checker: { check(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) => checker.check(args[0], scope),
    evaluate(evaluator: { run(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) {
      spend(run(), 1);
      const value = evaluator.run(args[0], scope);
      spend(run(), costOf(value));
      return value;
    },
  });

class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** `matches` of texts that are put into a type of its own, as the library's way of matching has no bounds. */
function registerMatching(environment: Environment, run: () => CelRun, patterns: Patterns): Environment {
  return environment
    .registerType('Text', Text)
    .registerFunction(`${guards.text}(dyn): Text`, (text: unknown) => {
      if (typeof text !== 'string') throw new EvaluationError('only text can match a pattern');
      return new Text(text);
    })
    .registerFunction('Text.matches(string): bool', ({ text }: Text, pattern: string) => {
      const compiled = patterns.of(pattern, (steps) => spend(run(), steps));
      if (typeof compiled === 'string') throw new EvaluationError(`the pattern cannot be used: ${compiled}`);
      spend(run(), 1 + ((text.length * compiled.size) >> 4));
      return compiled.matches(text);
    });
}

function spend({ meter }: CelRun, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new EvaluationError(`it is more work than ${maxCelSteps} steps for one object`);
}

/** Patterns that are written out are compiled before they are needed. */
function wrongPatternIn(node: ASTNode, patterns: Patterns): string | undefined {
  if (node.op === 'rcall' && node.args[0] === 'matches') {
    const [pattern] = node.args[2];
    const wrong = pattern?.op === 'value' && typeof pattern.args === 'string' ? patterns.add(pattern.args) : undefined;
    if (wrong !== undefined) return `the pattern ${JSON.stringify(pattern?.args)} cannot be used: ${wrong}`;
  }
  for (const child of childrenOf(node)) {
    const wrong = wrongPatternIn(child, patterns);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}

const brief = (error: unknown): string => {
  const summary = error !== null && typeof error === 'object' && 'summary' in error ? error.summary : undefined;
  const text = typeof summary === 'string' ? summary : messageOf(error);
  return (text.split('\n')[0] as string).slice(0, 200);
};
