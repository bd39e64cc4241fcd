import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { createPatternCache, createRegexFunctions, type PatternCache } from './functions/regex.ts';
import { renameReplacedCalls, replacementFunctions } from './functions/replacement-functions.ts';
import { addGuards, guards, nodesIn, structureOf } from './guard.ts';
import { CelFailure } from './library.ts';
import { withParts } from './parts.ts';

/** A budget of steps, each less than a microsecond; `remaining` counts down. */
export interface CelMeter {
  remaining: number;
}

/** Cost accounting for an evaluation. */
export interface CelWork {
  readonly meter: CelMeter;
  /** The steps to compare a value. */
  readonly costOf: (value: unknown) => number;
  /** The error message when the meter is exhausted. */
  readonly exhaustedMessage: string;
}

/** A compiled expression that charges a meter for each step. */
export interface CelProgram {
  readonly ast: ASTNode;
  /** The type of its value, named as in the library. */
  readonly type: string;
  /** @throws Error if evaluation fails or exceeds the meter */
  evaluate(variables: Readonly<Record<string, unknown>>, work: CelWork): unknown;
}

/** Compiles programs that stop if their meter is exhausted. */
export interface CelCompiler {
  /** Adds to an environment the functions and guards that compiled programs need. Returns the same environment. */
  extend(environment: Environment): Environment;
  /** @throws Error if the source is not a valid expression in this environment */
  compile(source: string, environment: Environment): CelProgram;
}

/** Not reentrant: evaluations of programs from the same compiler must not be nested. */
export function createCelCompiler(): CelCompiler {
  const current: { work: CelWork | undefined } = { work: undefined };
  const patterns = createPatternCache();
  const work = (): CelWork => current.work as CelWork;
  return {
    extend(environment) {
      const spendSteps = (steps: number): void => spend(work(), steps);
      return withParts(registerMatching(registerGuards(environment, work), work, patterns), [
        replacementFunctions,
        createRegexFunctions(patterns, spendSteps),
      ]);
    },
    compile(source, environment) {
      const parsed = environment.parse(source);
      const checked = parsed.check();
      if (!checked.valid) throw checked.error;
      const withReplacements = renameReplacedCalls(source, parsed.ast);
      const unguarded = environment.parse(withReplacements);
      const failure = findInvalidPattern(parsed.ast, patterns);
      if (failure) throw failure;
      const program = countedProgram(withReplacements, unguarded, environment);
      return {
        ast: parsed.ast,
        type: String(checked.type),
        evaluate: (variables, evaluationWork) => evaluate(program, variables, evaluationWork, current),
      };
    },
  };
}

function countedProgram(source: string, unguarded: ParseResult, environment: Environment): ParseResult {
  const program = environment.parse(addGuards(source, unguarded.ast));
  // Inserting guards must not change anything else, or work could remain uncounted.
  if (structureOf(program.ast) !== structureOf(unguarded.ast)) throw new CelFailure('the cost of this expression cannot be limited');
  const recheck = program.check();
  if (!recheck.valid) throw recheck.error;
  return program;
}

function evaluate(
  program: ParseResult,
  variables: Readonly<Record<string, unknown>>,
  evaluationWork: CelWork,
  current: { work: CelWork | undefined },
): unknown {
  current.work = evaluationWork;
  try {
    spend(evaluationWork, 1);
    const value = program(variables);
    // An `||` may have hidden the error of the exhausted meter.
    spend(evaluationWork, 0);
    return value;
  } finally {
    current.work = undefined;
  }
}

function registerGuards(environment: Environment, work: () => CelWork): Environment {
  return environment.registerFunction(`${guards.step}(ast): dyn`, guardMacro(work, sizeOf)).registerFunction(
    `${guards.weigh}(ast): dyn`,
    guardMacro(work, (value) => work().costOf(value)),
  );
}

/** A macro that returns its argument's value and type unchanged, and charges for it. */
const guardMacro =
  (work: () => CelWork, costOf: (value: unknown) => number) =>
  ({ args }: { readonly args: readonly unknown[] }): object => ({
    typeCheck: (checker: { check(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) => checker.check(args[0], scope),
    evaluate(evaluator: { run(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) {
      spend(work(), 1);
      const value = evaluator.run(args[0], scope);
      spend(work(), costOf(value));
      return value;
    },
  });

class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Replaces `matches` for text wrapped in a separate type, since the library's own implementation is unbounded. */
function registerMatching(environment: Environment, work: () => CelWork, patterns: PatternCache): Environment {
  return environment
    .registerType('Text', Text)
    .registerFunction(`${guards.text}(dyn): Text`, (text: unknown) => {
      if (typeof text !== 'string') throw new CelFailure('only a string can match a pattern');
      return new Text(text);
    })
    .registerFunction('Text.matches(string): bool', ({ text }: Text, pattern: string) => {
      const compiled = patterns.get(pattern, (steps) => spend(work(), steps));
      if (typeof compiled === 'string') throw new CelFailure(`the pattern is invalid: ${compiled}`);
      spend(work(), 1 + Math.floor((text.length * compiled.size) / 16));
      return compiled.matches(text);
    });
}

function spend({ meter, exhaustedMessage }: CelWork, steps: number): void {
  meter.remaining -= steps;
  if (meter.remaining < 0) throw new CelFailure(exhaustedMessage);
}

/** The steps to process a value: proportional to the length of a list, map or text. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (Array.isArray(value)) return 1 + value.length;
  return value instanceof Map ? 1 + value.size : 1;
}

/** The steps to compare a value: the number of values in it, including itself. */
export function comparisonCostOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + comparisonCostOf(each), 1);
  if (value instanceof Map) return [...value.values()].reduce<number>((sum, each) => sum + comparisonCostOf(each), 1);
  return sizeOf(value);
}

/** Compiles literal patterns at compile time, and reports invalid ones. */
function findInvalidPattern(ast: ASTNode, patterns: PatternCache): CelFailure | undefined {
  for (const node of nodesIn(ast)) {
    const [pattern] = node.op === 'rcall' && patternFunctions.has(node.args[0]) ? node.args[2] : [];
    const problem = pattern?.op === 'value' && typeof pattern.args === 'string' ? patterns.add(pattern.args) : undefined;
    if (problem !== undefined)
      return new CelFailure(`the pattern ${JSON.stringify(pattern?.args)} is invalid: ${problem}`, pattern?.range.start);
  }
  return undefined;
}

const patternFunctions: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** The first line of an error message, without the excerpt that the library appends. At most 200 characters. */
export function summarizeError(error: unknown): string {
  const summary = error !== null && typeof error === 'object' && 'summary' in error ? error.summary : undefined;
  const text = typeof summary === 'string' ? summary : messageOf(error);
  return (text.split('\n')[0] as string).slice(0, 200);
}

/** Converts JavaScript values for expressions: objects become Maps, so that no key is special; integers become bigint, CEL's int. */
export interface CelValues {
  /** Converts a value and records its number of values, so that comparisons can be charged. */
  convert(value: unknown): unknown;
  /** The number of values in a converted value; for a value made by an expression, its size. */
  costOf(value: unknown): number;
}

export function createCelValues(): CelValues {
  const weights = new WeakMap<object, number>();
  let count = 0;
  const convert = (value: unknown, depth: number): unknown => {
    count++;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth > maxDepth) return null;
    const before = count;
    const converted = Array.isArray(value)
      ? value.map((each) => convert(each, depth + 1))
      : toMap(value, (each) => convert(each, depth + 1));
    weights.set(converted, count - before + 1);
    return converted;
  };
  return {
    convert: (value) => convert(value, 0),
    costOf: (value) => (typeof value === 'object' && value !== null ? (weights.get(value) ?? sizeOf(value)) : sizeOf(value)),
  };
}

const maxDepth = 50;

function toMap(value: object, convert: (value: unknown) => unknown): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined && typeof each !== 'function') map.set(key, convert(each));
  }
  return map;
}
