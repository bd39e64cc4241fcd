import type { ASTNode, Environment, ParseResult } from '@marcbachmann/cel-js';
import { messageOf } from 'kube-endpoints/internal';
import { ownFunctions, withOwnCalls } from './functions/own-calls.ts';
import { createPatterns, type Patterns, regexFunctionsWith } from './functions/regex.ts';
import { guarded, guards, nodesIn, shapeOf } from './guard.ts';
import { CelFailure } from './library.ts';
import { withParts } from './parts.ts';

/** How much work may still be done, in steps of less than a microsecond. */
export interface CelMeter {
  left: number;
}

/** What expressions are evaluated under. */
export interface CelWork {
  readonly meter: CelMeter;
  /** What comparing a value costs. */
  readonly weigh: (value: unknown) => number;
  /** Said where the meter runs out. */
  readonly exhausted: string;
}

/** An expression whose work is counted. */
export interface CelProgram {
  readonly ast: ASTNode;
  /** The type of its value, by the library's names. */
  readonly type: string;
  /** @throws Error where there is no value */
  evaluate(variables: Readonly<Record<string, unknown>>, work: CelWork): unknown;
}

/** Makes programs that cannot take longer than their meter has steps for. */
export interface CelBounds {
  /** The environment that was given, with what the programs of it need. */
  extend(environment: Environment): Environment;
  /** @throws Error where the source is no expression of such an environment */
  read(source: string, environment: Environment): CelProgram;
}

/** Is for one thread of control: programs of one object are never evaluated within one another. */
export function createBounds(): CelBounds {
  const current: { work: CelWork | undefined } = { work: undefined };
  const patterns = createPatterns();
  const work = (): CelWork => current.work as CelWork;
  return {
    extend(environment) {
      const spendSteps = (steps: number): void => spend(work(), steps);
      return withParts(registerMatching(registerGuards(environment, work), work, patterns), [
        ownFunctions,
        regexFunctionsWith(patterns, spendSteps),
      ]);
    },
    read(source, environment) {
      const given = environment.parse(source);
      const checked = given.check();
      if (!checked.valid) throw checked.error;
      const own = withOwnCalls(source, given.ast);
      const plain = environment.parse(own);
      const wrong = wrongPatternIn(given.ast, patterns);
      if (wrong) throw wrong;
      const program = countedProgram(own, plain, environment);
      return { ast: given.ast, type: String(checked.type), evaluate: (variables, under) => evaluate(program, variables, under, current) };
    },
  };
}

function countedProgram(source: string, plain: ParseResult, environment: Environment): ParseResult {
  const program = environment.parse(guarded(source, plain.ast));
  // the same expression but for the guards, or work could go uncounted
  if (shapeOf(program.ast) !== shapeOf(plain.ast)) throw new CelFailure('it is of a form whose work cannot be counted');
  const recheck = program.check();
  if (!recheck.valid) throw recheck.error;
  return program;
}

function evaluate(
  program: ParseResult,
  variables: Readonly<Record<string, unknown>>,
  under: CelWork,
  current: { work: CelWork | undefined },
): unknown {
  current.work = under;
  try {
    spend(under, 1);
    const value = program(variables);
    // an `||` may have hidden that nothing was left
    spend(under, 0);
    return value;
  } finally {
    current.work = undefined;
  }
}

function registerGuards(environment: Environment, work: () => CelWork): Environment {
  return environment.registerFunction(`${guards.step}(ast): dyn`, guardMacro(work, sizeOf)).registerFunction(
    `${guards.weigh}(ast): dyn`,
    guardMacro(work, (value) => work().weigh(value)),
  );
}

/** Counts what comes out of its argument, which has the type that it had. */
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

/** `matches` of texts that are put into a type of its own, as the library's way of matching has no bounds. */
function registerMatching(environment: Environment, work: () => CelWork, patterns: Patterns): Environment {
  return environment
    .registerType('Text', Text)
    .registerFunction(`${guards.text}(dyn): Text`, (text: unknown) => {
      if (typeof text !== 'string') throw new CelFailure('only text can match a pattern');
      return new Text(text);
    })
    .registerFunction('Text.matches(string): bool', ({ text }: Text, pattern: string) => {
      const compiled = patterns.of(pattern, (steps) => spend(work(), steps));
      if (typeof compiled === 'string') throw new CelFailure(`the pattern cannot be used: ${compiled}`);
      spend(work(), 1 + Math.floor((text.length * compiled.size) / 16));
      return compiled.matches(text);
    });
}

function spend({ meter, exhausted }: CelWork, steps: number): void {
  meter.left -= steps;
  if (meter.left < 0) throw new CelFailure(exhausted);
}

/** What a step over a value costs, be it a list that is walked through or a text. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return 1 + (value.length >> 6);
  if (Array.isArray(value)) return 1 + value.length;
  return value instanceof Map ? 1 + value.size : 1;
}

/** How many values are in a value, itself included: what it costs to compare it. */
export function weighValue(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + weighValue(each), 1);
  if (value instanceof Map) return [...value.values()].reduce<number>((sum, each) => sum + weighValue(each), 1);
  return sizeOf(value);
}

/** Patterns that are written out are compiled before they are needed. */
function wrongPatternIn(ast: ASTNode, patterns: Patterns): CelFailure | undefined {
  for (const node of nodesIn(ast)) {
    const [pattern] = node.op === 'rcall' && matching.has(node.args[0]) ? node.args[2] : [];
    const wrong = pattern?.op === 'value' && typeof pattern.args === 'string' ? patterns.add(pattern.args) : undefined;
    if (wrong !== undefined)
      return new CelFailure(`the pattern ${JSON.stringify(pattern?.args)} cannot be used: ${wrong}`, pattern?.range.start);
  }
  return undefined;
}

const matching: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

/** The first line of what an error says, without the picture of the expression that the library puts below it. */
export function briefly(error: unknown): string {
  const summary = error !== null && typeof error === 'object' && 'summary' in error ? error.summary : undefined;
  const text = typeof summary === 'string' ? summary : messageOf(error);
  return (text.split('\n')[0] as string).slice(0, 200);
}

/** A value as expressions see it: objects are Maps, so that no key has a meaning of its own; whole numbers are CEL's int. */
export interface CelValues {
  /** The value, and what is in it counted, so that comparing it can be charged. */
  convert(value: unknown): unknown;
  /** How many values are in what was converted here; what the expression made itself is counted by its elements. */
  weigh(value: unknown): number;
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
      : mapOf(value, (each) => convert(each, depth + 1));
    weights.set(converted, count - before + 1);
    return converted;
  };
  return {
    convert: (value) => convert(value, 0),
    weigh: (value) => (typeof value === 'object' && value !== null ? (weights.get(value) ?? sizeOf(value)) : sizeOf(value)),
  };
}

const maxDepth = 50;

function mapOf(value: object, convert: (value: unknown) => unknown): Map<string, unknown> {
  const map = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const each = (value as Record<string, unknown>)[key];
    if (each !== undefined && typeof each !== 'function') map.set(key, convert(each));
  }
  return map;
}
