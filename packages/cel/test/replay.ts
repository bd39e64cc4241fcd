import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Environment } from '@marcbachmann/cel-js';
import { type CelDuration, type CelUint, kindOf, nanosecondsOf } from '../src/functions/kinds.ts';
import { CelFailure } from '../src/index.ts';
import { type CelPart, createCelCompiler, registerParts } from '../src/internal.ts';

interface Answer {
  readonly id: string;
  readonly problem?: string;
  readonly value?: unknown;
}

/** The result of an expression, in the form of the golden files. */
export interface Outcome {
  readonly problem?: string;
  readonly value?: unknown;
  /** True if the library reported the problem; its messages differ from Kubernetes'. */
  readonly isLibraryError?: boolean;
}

/** Returns the expressions of an area whose results differ from Kubernetes'. */
export function findDifferences(area: string, ...parts: readonly CelPart[]): Record<string, { expected: Outcome; actual: Outcome }> {
  const text = gunzipSync(readFileSync(join(import.meta.dirname, 'golden', `${area}.jsonl.gz`))).toString();
  const results: Record<string, { expected: Outcome; actual: Outcome }> = {};
  const evaluate = createEvaluator(parts);
  for (const line of text.trimEnd().split('\n')) {
    const { id, ...expected } = JSON.parse(line) as Answer;
    const outcome = evaluate(id);
    if (!isAlike(expected, outcome)) results[id] = { expected, actual: outcome };
  }
  return results;
}

/**
 * True if the results agree. Compile errors need not have the same text. Evaluation errors must, unless the library reports them. Kubernetes
 * finds some evaluation errors earlier, while it builds the program.
 */
function isAlike(expected: Outcome, actual: Outcome): boolean {
  if (expected.problem?.startsWith('program: ')) return actual.problem !== undefined;
  const comparableText = ({ problem, value }: Outcome): string => {
    const [phase] = problem?.split(':') ?? [];
    return JSON.stringify(phase === 'compile' || (phase === 'evaluate' && actual.isLibraryError) ? phase : (problem ?? { value }));
  };
  return comparableText(expected) === comparableText(actual);
}

/** Returns a function that evaluates an expression; `given` is a variable for texts that are too long for a literal. */
export function createEvaluator(parts: readonly CelPart[]): (expression: string, given?: string) => Outcome {
  const compiler = createCelCompiler();
  const base = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true });
  const environment = registerParts(compiler.extend(base), parts).registerVariable('given', 'string');
  const names = new Map(parts.flatMap(({ types = [] }) => types.map(({ name, ctor }) => [ctor as unknown, name] as const)));
  const createWork = () => ({ meter: { remaining: 1e9 }, costOf: () => 1, exhaustedMessage: 'too much work' });
  return (expression, given = '') => {
    let program: ReturnType<typeof compiler.compile>;
    try {
      program = compiler.compile(expression, environment);
    } catch (error) {
      return { problem: `compile: ${summaryOf(error)}` };
    }
    try {
      return { value: toOracleForm(program.evaluate({ given }, createWork()), names) };
    } catch (error) {
      return { problem: `evaluate: ${summaryOf(error)}`, isLibraryError: !(error instanceof CelFailure) };
    }
  };
}

const summaryOf = (error: unknown): string => (error as { summary?: string }).summary ?? (error as Error).message;

/** Formats a value as the oracle does. */
function toOracleForm(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof value === 'bigint') return { int: `${value}` };
  if (typeof value === 'number') return { double: printDouble(value) };
  if (typeof value !== 'object') return value;
  if (value === null) return { null: true };
  if (Array.isArray(value)) return value.map((each) => toOracleForm(each, names));
  if ('hasValue' in value) {
    const { hasValue, value: get } = value as unknown as { hasValue(): boolean; value(): unknown };
    return { optional: hasValue.call(value) ? toOracleForm(get.call(value), names) : null };
  }
  const print = printers[kindOf(value)];
  if (print) return print(value as never);
  const name = names.get(value.constructor);
  if (name !== undefined) return { type: name };
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const map = entries.map(([key, each]) => [toOracleForm(key, names), toOracleForm(each, names)] as const);
  return { map: map.sort(([a], [b]) => Buffer.compare(Buffer.from(printKey(a)), Buffer.from(printKey(b)))) };
}

/** Formats a key of the oracle's maps as Go does. */
const printKey = (key: unknown): string =>
  typeof key === 'object' && key !== null
    ? `map[${Object.entries(key)
        .map((entry) => entry.join(':'))
        .join()}]`
    : String(key);

const printers: Readonly<Record<string, (value: never) => unknown>> = {
  uint: ({ value }: CelUint) => ({ uint: `${value}` }),
  bytes: (value: Uint8Array) => ({ bytes: Buffer.from(value).toString('base64') }),
  type: () => ({ type: 'type' }),
  'google.protobuf.Timestamp': (value: Date) => ({ timestamp: `${value.getTime()}` }),
  'google.protobuf.Duration': (value: CelDuration) => ({ duration: `${nanosecondsOf(value)}` }),
};

/** Formats a number as Go does. */
function printDouble(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  if (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6) return `${value}`;
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
