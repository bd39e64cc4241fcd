import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { createPatternCache, createRegexFunctions, type PatternCache } from './functions/regex.ts';
import { renameReplacedCalls, replacementFunctions } from './functions/replacement-functions.ts';
import { addGuards, guards, nodesIn, structureOf } from './guard.ts';
import { CelFailure } from './library.ts';
import { registerParts } from './parts.ts';

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
  /** The type of the expression's value, named as in the library. */
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
  /** Charges the running evaluation. For functions that are expensive. */
  spend(steps: number): void;
}

/** Creates a compiler. A function may evaluate another program of the same compiler, which is charged to its own meter. */
export function createCelCompiler(): CelCompiler {
  const current: { work: CelWork | undefined } = { work: undefined };
  const patterns = createPatternCache();
  const getWork = (): CelWork => current.work as CelWork;
  const spendSteps = (steps: number): void => spend(getWork(), steps);
  return {
    spend: spendSteps,
    extend(environment) {
      return registerParts(registerTextMatching(registerGuards(environment, getWork), getWork, patterns), [
        replacementFunctions,
        createRegexFunctions(patterns, spendSteps),
      ]);
    },
    compile(source, environment) {
      const parsed = environment.parse(source);
      const checkResult = parsed.check();
      if (!checkResult.valid) throw checkResult.error;
      const replacedSource = renameReplacedCalls(source, parsed.ast);
      const unguardedProgram = environment.parse(replacedSource);
      const failure = findInvalidPattern(parsed.ast, patterns);
      if (failure) throw failure;
      const program = createCountedProgram(replacedSource, unguardedProgram, environment);
      return {
        ast: parsed.ast,
        type: String(checkResult.type),
        evaluate: (variables, evaluationWork) => evaluate(program, variables, evaluationWork, current),
      };
    },
  };
}

function createCountedProgram(source: string, unguardedProgram: ParseResult, environment: Environment): ParseResult {
  const program = environment.parse(addGuards(source, unguardedProgram.ast));
  // Inserting guards must not change anything else, or work could remain uncounted.
  if (structureOf(program.ast) !== structureOf(unguardedProgram.ast)) throw new CelFailure('the cost of this expression cannot be limited');
  const recheckResult = program.check();
  if (!recheckResult.valid) throw recheckResult.error;
  return program;
}

function evaluate(
  program: ParseResult,
  variables: Readonly<Record<string, unknown>>,
  evaluationWork: CelWork,
  current: { work: CelWork | undefined },
): unknown {
  const outerWork = current.work;
  current.work = evaluationWork;
  try {
    spend(evaluationWork, 1);
    const value = program(variables);
    // An `||` may have hidden the error of the exhausted meter.
    spend(evaluationWork, 0);
    return value;
  } finally {
    current.work = outerWork;
  }
}

function registerGuards(environment: Environment, getWork: () => CelWork): Environment {
  return environment.registerFunction(`${guards.step}(ast): dyn`, createGuardMacro(getWork, sizeOf)).registerFunction(
    `${guards.weigh}(ast): dyn`,
    createGuardMacro(getWork, (value) => getWork().costOf(value)),
  );
}

/** Creates a macro that returns its argument unchanged, and charges for evaluating it. */
const createGuardMacro =
  (getWork: () => CelWork, costOf: (value: unknown) => number) =>
  ({ args }: { readonly args: readonly unknown[] }): object => ({
    typeCheck: (checker: { check(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) => checker.check(args[0], scope),
    evaluate(evaluator: { run(node: unknown, scope: unknown): unknown }, _: unknown, scope: unknown) {
      spend(getWork(), 1);
      const value = evaluator.run(args[0], scope);
      spend(getWork(), costOf(value));
      return value;
    },
  });

/** A string to be matched, as a separate type. */
class Text {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Registers `matches` for texts that are wrapped in a separate type, since the library's own implementation is unbounded. */
function registerTextMatching(environment: Environment, getWork: () => CelWork, patterns: PatternCache): Environment {
  return environment
    .registerType('Text', Text)
    .registerFunction(`${guards.text}(dyn): Text`, (text: unknown) => {
      if (typeof text !== 'string') throw new CelFailure('only a string can match a pattern');
      return new Text(text);
    })
    .registerFunction('Text.matches(string): bool', ({ text }: Text, pattern: string) => {
      const compiled = patterns.get(pattern, (steps) => spend(getWork(), steps));
      if (typeof compiled === 'string') throw new CelFailure(`the pattern is invalid: ${compiled}`);
      spend(getWork(), 1 + Math.floor((text.length * compiled.size) / 16));
      return compiled.matches(text);
    });
}

function spend({ meter, exhaustedMessage }: CelWork, steps: number): void {
  meter.remaining -= steps;
  if (meter.remaining < 0) throw new CelFailure(exhaustedMessage);
}

/** Returns the steps to process a value: proportional to the length of a list, map or text. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (Array.isArray(value)) return 1 + value.length;
  return value instanceof Map ? 1 + value.size : 1;
}

/** Returns the steps to compare a value: the number of values that it contains, including itself. Long texts count several times. */
export function comparisonCostOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + comparisonCostOf(each), 1);
  if (value instanceof Map) return [...value.values()].reduce<number>((sum, each) => sum + comparisonCostOf(each), 1);
  return sizeOf(value);
}

/** Compiles the literal patterns of an expression. Returns an error for the first invalid pattern. */
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

/** Returns the first line of an error message, at most 200 characters, without the excerpt that the library appends. */
export function summarizeError(error: unknown): string {
  const summary = error !== null && typeof error === 'object' && 'summary' in error ? error.summary : undefined;
  const text = typeof summary === 'string' ? summary : messageOf(error);
  return (text.split('\n')[0] as string).slice(0, 200);
}

/** Converts JavaScript values for expressions: objects become Maps, so that no key is special; integers become bigint, CEL's int. */
export interface CelValues {
  /** Converts a value and records how many values it contains, so that comparisons can be charged. */
  convert(value: unknown): unknown;
  /** Returns the number of values in a converted value; for a value that an expression created, the steps of `sizeOf`. */
  costOf(value: unknown): number;
}

export function createCelValues(): CelValues {
  const costs = new WeakMap<object, number>();
  let valueCount = 0;
  const convert = (value: unknown, depth: number): unknown => {
    valueCount++;
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value;
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
    if (typeof value !== 'object' || value === null) return value ?? null;
    if (depth > maxDepth) return null;
    const countBefore = valueCount;
    const converted = Array.isArray(value)
      ? value.map((each) => convert(each, depth + 1))
      : convertToMap(value, (each) => convert(each, depth + 1));
    costs.set(converted, valueCount - countBefore + 1);
    return converted;
  };
  return {
    convert: (value) => convert(value, 0),
    costOf: (value) => (typeof value === 'object' && value !== null ? (costs.get(value) ?? sizeOf(value)) : sizeOf(value)),
  };
}

const maxDepth = 50;

function convertToMap(value: object, convert: (value: unknown) => unknown): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined && typeof each !== 'function') map.set(key, convert(each));
  }
  return map;
}
