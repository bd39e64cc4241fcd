import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Environment } from '@marcbachmann/cel-js';
import { type CelDuration, type CelUint, kindOf, nanosecondsOf } from '../src/functions/kinds.ts';
import { CelFailure } from '../src/index.ts';
import { type CelPart, createBounds, withParts } from '../src/internal.ts';

interface Answer {
  readonly id: string;
  readonly problem?: string;
  readonly value?: unknown;
}

/** The result of an expression, in the form of the golden files. */
export interface Outcome {
  readonly problem?: string;
  readonly value?: unknown;
  /** Whether the library reported the problem, in other words than Kubernetes. */
  readonly isOfLibrary?: boolean;
}

/** The expressions of an area whose results differ from Kubernetes. */
export function differences(area: string, ...parts: readonly CelPart[]): Record<string, { original: Outcome; own: Outcome }> {
  const text = gunzipSync(readFileSync(join(import.meta.dirname, 'golden', `${area}.jsonl.gz`))).toString();
  const found: Record<string, { original: Outcome; own: Outcome }> = {};
  const own = evaluator(parts);
  for (const line of text.trimEnd().split('\n')) {
    const { id, ...original } = JSON.parse(line) as Answer;
    const outcome = own(id);
    if (!isAlike(original, outcome)) found[id] = { original, own: outcome };
  }
  return found;
}

/**
 * Compile errors need not have the same text. Evaluation errors must, unless the library reports them. Kubernetes finds some
 * evaluation errors earlier, while it builds the program.
 */
function isAlike(original: Outcome, own: Outcome): boolean {
  if (original.problem?.startsWith('program: ')) return own.problem !== undefined;
  const comparableText = ({ problem, value }: Outcome): string => {
    const [when] = problem?.split(':') ?? [];
    return JSON.stringify(when === 'compile' || (when === 'evaluate' && own.isOfLibrary) ? when : (problem ?? { value }));
  };
  return comparableText(original) === comparableText(own);
}

/** Returns a function that evaluates an expression; `given` is a variable for texts that are too long for a literal. */
export function evaluator(parts: readonly CelPart[]): (expression: string, given?: string) => Outcome {
  const bounds = createBounds();
  const base = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: true });
  const environment = withParts(bounds.extend(base), parts).registerVariable('given', 'string');
  const names = new Map(parts.flatMap(({ types = [] }) => types.map(({ name, ctor }) => [ctor as unknown, name] as const)));
  const work = () => ({ meter: { left: 1e9 }, weigh: () => 1, exhausted: 'too much work' });
  return (expression, given = '') => {
    let program: ReturnType<typeof bounds.read>;
    try {
      program = bounds.read(expression, environment);
    } catch (error) {
      return { problem: `compile: ${summaryOf(error)}` };
    }
    try {
      return { value: plain(program.evaluate({ given }, work()), names) };
    } catch (error) {
      return { problem: `evaluate: ${summaryOf(error)}`, isOfLibrary: !(error instanceof CelFailure) };
    }
  };
}

const summaryOf = (error: unknown): string => (error as { summary?: string }).summary ?? (error as Error).message;

/** Formats a value as the oracle does. */
function plain(value: unknown, names: ReadonlyMap<unknown, string>): unknown {
  if (typeof value === 'bigint') return { int: `${value}` };
  if (typeof value === 'number') return { double: printed(value) };
  if (typeof value !== 'object') return value;
  if (value === null) return { null: true };
  if (Array.isArray(value)) return value.map((each) => plain(each, names));
  if ('hasValue' in value) {
    const { hasValue, value: get } = value as unknown as { hasValue(): boolean; value(): unknown };
    return { optional: hasValue.call(value) ? plain(get.call(value), names) : null };
  }
  const print = printers[kindOf(value)];
  if (print) return print(value as never);
  const name = names.get(value.constructor);
  if (name !== undefined) return { type: name };
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const map = entries.map(([key, each]) => [plain(key, names), plain(each, names)] as const);
  return { map: map.sort(([a], [b]) => Buffer.compare(Buffer.from(asMap(a)), Buffer.from(asMap(b)))) };
}

/** Formats a key of the oracle's maps as Go does. */
const asMap = (key: unknown): string =>
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
function printed(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits, exponent] = value.toExponential().split('e') as [string, string];
  if (Math.abs(value) >= 1e-4 && Math.abs(value) < 1e6) return `${value}`;
  return `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, '0')}`;
}
