import { quote } from 'kube-endpoints/internal';
import { type Causes, type FieldCause, printJson } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { printNumber } from '../json-path/parse.ts';

/** A problem of a value, as kube-openapi reports it. */
export interface Problem {
  readonly code: 'enum' | 'free' | 'invalid' | 'required' | 'tooLong' | 'tooMany' | 'type';
  /** Path of the field, relative to the checked value; empty for the value itself. */
  readonly name: string;
  readonly message: string;
  /** The value to show. */
  readonly value?: unknown;
  readonly allowed?: readonly unknown[];
  readonly limit?: number;
}

/**
 * Converts problems to causes of a Status. Mirrors kubeOpenAPIResultToFieldErrors (apiextensions-apiserver/pkg/apiserver/validation, 1.36).
 */
export function causesOf(problems: readonly Problem[], at = ''): FieldCause[] {
  return problems.map((problem) => {
    const field = problem.code === 'free' ? at || '<nil>' : fieldOf(at, problem.name);
    return { field, ...printers[problem.code](problem) };
  });
}

const fieldOf = (at: string, name: string): string => {
  const own = name.replace(/^\./, '');
  if (own === '') return at || '<nil>';
  return at === '' ? own : `${at}.${own}`;
};

type Printer = (problem: Problem) => Omit<FieldCause, 'field'>;

const printers: Readonly<Record<Problem['code'], Printer>> = {
  required: () => ({ reason: 'FieldValueRequired', message: 'Required value' }),
  enum: ({ value, allowed = [] }) => {
    const supported = allowed.map((each) => quote(typeof each === 'string' ? each : printJson(each)));
    const listed = supported.length > 0 ? `: supported values: ${supported.join(', ')}` : '';
    return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${printValue(value)}${listed}` };
  },
  tooLong: ({ limit = 0 }) => ({
    reason: 'FieldValueTooLong',
    message: `Too long: may not be more than ${limit} ${limit === 1 ? 'byte' : 'bytes'}`,
  }),
  tooMany: ({ value, limit = 0 }) => ({
    reason: 'FieldValueTooMany',
    message: `Too many: ${printValue(value)}: must have at most ${limit} ${limit === 1 ? 'item' : 'items'}`,
  }),
  type: ({ value, message }) => ({ reason: 'FieldValueTypeInvalid', message: `Invalid value: ${printValue(value ?? '')}: ${message}` }),
  invalid: ({ value, message }) => ({ reason: 'FieldValueInvalid', message: `Invalid value: ${printValue(value ?? '')}: ${message}` }),
  free: ({ message }) => ({ reason: 'FieldValueInvalid', message: `Invalid value: "": ${message}` }),
};

/** Formats a value like `field.Error`. */
export function printValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  return typeof value === 'number' ? printNumber(value) : printJson(sorted(value));
}

/** Go prints maps sorted by key. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isFields(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sorted(value[key])]));
}

/** Adds a cause with a value whose keys Go sorts. */
export function invalidValue(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printValue(value)}: ${detail}` }]);
}

/** Adds a cause with a struct, whose fields Go prints in the given order. */
export function invalidStruct(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printJson(value)}: ${detail}` }]);
}

/** The result of checking a value. If all alternatives fail, the one with the most matches is reported. */
export interface Result {
  readonly problems: Problem[];
  matches: number;
  /** The messages, for fast lookup once there are many problems. */
  messages?: Set<string>;
}

export const newResult = (): Result => ({ problems: [], matches: 0 });

/** Adds a problem unless one with the same message exists. */
export function report(result: Result, problem: Problem): void {
  const { problems } = result;
  if (problems.length >= many) {
    result.messages ??= new Set(problems.map(({ message }) => message));
    if (result.messages.has(problem.message)) return;
    result.messages.add(problem.message);
  } else if (problems.some(({ message }) => message === problem.message)) return;
  problems.push(problem);
}

const many = 16;

export function merge(result: Result, other: Result): void {
  for (const problem of other.problems) report(result, problem);
  result.matches += other.matches;
}
