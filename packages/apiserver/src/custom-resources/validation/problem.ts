import { quote } from 'kube-endpoints/internal/apimachinery';
import { type Causes, type FieldCause, printJson } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { printNumber } from '../json-path/parse.ts';

/** A problem of a value, as kube-openapi reports it. */
export interface ValidationProblem {
  /** "free" is reported at the path of the whole value, without a value. */
  readonly code: 'enum' | 'free' | 'invalid' | 'required' | 'tooLong' | 'tooMany' | 'type';
  /** Path of the field, relative to the checked value; empty for the value itself. */
  readonly path: string;
  readonly message: string;
  /** The value for the message of the cause. */
  readonly value?: unknown;
  readonly allowed?: readonly unknown[];
  readonly limit?: number;
}

/**
 * Converts problems to causes of a Status. Mirrors kubeOpenAPIResultToFieldErrors (apiextensions-apiserver/pkg/apiserver/validation, 1.36).
 */
export function toCauses(problems: readonly ValidationProblem[], basePath = ''): FieldCause[] {
  return problems.map((problem) => {
    const field = problem.code === 'free' ? basePath || '<nil>' : joinFieldPath(basePath, problem.path);
    return { field, ...printers[problem.code](problem) };
  });
}

const joinFieldPath = (basePath: string, name: string): string => {
  const relativePath = name.replace(/^\./, '');
  if (relativePath === '') return basePath || '<nil>';
  return basePath === '' ? relativePath : `${basePath}.${relativePath}`;
};

type Printer = (problem: ValidationProblem) => Omit<FieldCause, 'field'>;

const printers: Readonly<Record<ValidationProblem['code'], Printer>> = {
  required: () => ({ reason: 'FieldValueRequired', message: 'Required value' }),
  enum: ({ value, allowed = [] }) => {
    const supportedTexts = allowed.map((each) => quote(typeof each === 'string' ? each : printJson(each)));
    const hint = supportedTexts.length > 0 ? `: supported values: ${supportedTexts.join(', ')}` : '';
    return { reason: 'FieldValueNotSupported', message: `Unsupported value: ${printValue(value)}${hint}` };
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
  if (typeof value === 'bigint') return String(value);
  return typeof value === 'number' ? printNumber(value) : printJson(sortKeys(value));
}

/** Go prints maps sorted by key. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isFields(value)) return value;
  const keys = Object.keys(value).sort();
  return Object.fromEntries(keys.map((key) => [key, sortKeys(value[key])]));
}

/** Adds a cause with a value, whose keys are printed in alphabetical order, as Go does. */
export function addInvalidValue(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printValue(value)}: ${detail}` }]);
}

/** Adds a cause with a Go struct, whose fields are printed in the order of `value`. */
export function addInvalidStruct(causes: Causes, field: string, value: unknown, detail: string): void {
  causes.add([{ reason: 'FieldValueInvalid', field, message: `Invalid value: ${printJson(value)}: ${detail}` }]);
}

/**
 * The result of checking a value. `matches` counts passed checks, because the alternative with the most matches is reported if all
 * alternatives fail.
 */
export interface Result {
  readonly problems: ValidationProblem[];
  matches: number;
  /** All messages, for fast lookup; set once there are many problems. */
  messages?: Set<string>;
}

export const createResult = (): Result => ({ problems: [], matches: 0 });

/** Adds a problem unless one with the same message exists. */
export function report(result: Result, problem: ValidationProblem): void {
  const { problems } = result;
  if (problems.length >= minProblemsForLookup) {
    result.messages ??= new Set(problems.map(({ message }) => message));
    if (result.messages.has(problem.message)) return;
    result.messages.add(problem.message);
  } else if (problems.some(({ message }) => message === problem.message)) return;
  problems.push(problem);
}

const minProblemsForLookup = 16;

export function merge(result: Result, other: Result): void {
  for (const problem of other.problems) report(result, problem);
  result.matches += other.matches;
}
