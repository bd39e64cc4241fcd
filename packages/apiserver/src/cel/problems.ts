import type { CelProgram } from '@kube-endpoints/cel/internal';
import type { Environment } from './environment.ts';

/** The fields that an error of the CEL library may have. */
export interface CelErrorFields {
  readonly code?: unknown;
  readonly summary?: unknown;
  readonly range?: { readonly start?: number };
  readonly node?: unknown;
  readonly at?: number;
}

export const toErrorFields = (error: unknown): CelErrorFields => (typeof error === 'object' && error !== null ? error : {});

/**
 * Finds a feature of Kubernetes (apiserver/pkg/cel/environment/base.go, 1.36) that an expression uses and this server lacks; undefined if
 * there is none. Call only if compilation failed.
 */
export const findUnsupportedFeature = (source: string): string | undefined =>
  unsupportedFeatures.find(({ pattern }) => pattern.test(source))?.name;

const unsupportedFeatures: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'sortBy', pattern: /\.\s*sortBy\s*\(/ },
  { name: 'optional elements of lists', pattern: /[[,]\s*\?(?!\.)/ },
  { name: 'optional entries of maps', pattern: /[{,]\s*\?(?!\.)/ },
];

/**
 * Returns the message of an evaluation error, in cel-go's words if cel-go has the same error. Undefined for errors that are not the
 * library's.
 */
export function describeEvaluationError(error: unknown): string | undefined {
  const { code, summary } = toErrorFields(error);
  if (typeof summary !== 'string') return undefined;
  if (missingOverloadCodes.has(code)) return describeMissingOverload(summary);
  return toCelGoMessage(String(code), summary);
}

const missingOverloadCodes: ReadonlySet<unknown> = new Set([
  'no_such_overload',
  'no_matching_overload',
  'invalid_logical_operand',
  'invalid_condition_type',
]);

/** cel-go names the operator or function only if the first operand has a type without it, and without methods. */
function describeMissingOverload(summary: string): string {
  const [, left = '', operator = ''] = /^no such overload: (?:dyn<)?(\w+).* ([-+*/%]|[<>]=?) \S.*$/.exec(summary) ?? [];
  const [, negated = ''] = /^no such overload: -(?:dyn<)?(\w+)/.exec(summary) ?? [];
  const [, sized = ''] = /for '(?:size\()?(\w+)(?:\.size\(|\))/.exec(summary) ?? [];
  if (typesWithout[operator]?.includes(left)) return `no such overload: _${operator}_`;
  if (typesWithoutNegation.includes(negated)) return 'no such overload: -_';
  return typesWithoutSize.includes(sized) ? 'no such overload: size' : 'no such overload';
}

const notNumbers: readonly string[] = ['bool', 'bytes', 'list', 'map', 'null'];
const notOrdered: readonly string[] = ['list', 'map', 'null'];
const typesWithoutNegation: readonly string[] = ['bytes', 'list', 'map', 'null', 'uint'];
const typesWithoutSize: readonly string[] = ['bool', 'double', 'int', 'null', 'uint'];

/** By operator: the types whose values cannot be its first operand. */
const typesWithout: Readonly<Record<string, readonly string[]>> = {
  '+': ['bool', 'map', 'null'],
  '-': notNumbers,
  '*': notNumbers,
  '/': notNumbers,
  '%': [...notNumbers, 'double'],
  '<': notOrdered,
  '<=': notOrdered,
  '>': notOrdered,
  '>=': notOrdered,
};

/** Returns cel-go's message if cel-go has the same error, otherwise the library's message. */
function toCelGoMessage(code: string, summary: string): string {
  const wording = celGoMessages[code];
  return wording ? summary.replace(wording.pattern, wording.message) : summary;
}

const celGoMessages: Readonly<Record<string, { readonly pattern: RegExp; readonly message: string }>> = {
  no_such_key: { pattern: /^No such key: (.*)$/, message: 'no such key: $1' },
  unknown_variable: { pattern: /^Unknown variable: (.*)$/, message: "undeclared reference to '$1' (in container '')" },
  index_out_of_bounds: { pattern: /^.*index (-?\d+) .*$/, message: 'index out of bounds: $1' },
  modulo_by_zero: { pattern: /^.*$/, message: 'modulus by zero' },
  numeric_overflow: { pattern: /^.*$/, message: 'integer overflow' },
};

type Node = CelProgram['ast'];

/**
 * Formats a compilation error with its position, as cel-go does; in cel-go's words if cel-go has the same error. Undefined for errors that
 * are not the library's.
 */
export function describeCompilationError(
  error: unknown,
  source: string,
  environment: Environment,
  format: FormatProblem,
): string | undefined {
  const { code, summary, range, node, at } = toErrorFields(error);
  if (typeof summary !== 'string') return undefined;
  const start = range?.start ?? at ?? 0;
  const translation = translations[String(code)]?.({ source, summary, start, node: node as Node, environment });
  const message = isSyntaxError(error) ? `Syntax error: ${summary}` : toCelGoMessage(String(code), summary);
  return format(translation?.start ?? start, translation?.message ?? message);
}

/** Whether the parser refused the source, other than for its size or the arguments of a macro. */
function isSyntaxError(error: unknown): boolean {
  const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
  return name === 'ParseError' && code !== 'invalid_macro_argument' && code !== 'limit_exceeded';
}

export type FormatProblem = (start: number, message: string) => string;

/** Formats a message with its position and source line, as cel-go does. */
export function formatProblem(source: string, start: number, message: string): string {
  const lines = source.slice(0, start).split('\n');
  const column = [...(lines.at(-1) as string)].length;
  const line = source.split('\n')[lines.length - 1] ?? '';
  return `ERROR: <input>:${lines.length}:${column + 1}: ${message}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

interface CompilationError {
  readonly source: string;
  readonly summary: string;
  readonly start: number;
  readonly node: Node | undefined;
  readonly environment: Environment;
}

/** An error of cel-go and its offset in the source. */
export interface CelGoError {
  readonly start: number;
  readonly message: string;
}

/** By error code of the library: returns cel-go's position and message for the same error. */
const translations: Readonly<Record<string, (problem: CompilationError) => CelGoError | undefined>> = {
  no_such_key: ({ summary, start }) => ({ start: start - 1, message: `undefined field '${summary.replace(/^No such key: /, '')}'` }),
  cannot_index_type: ({ summary, start }) => ({
    start: start - 1,
    message: `type ${toCelGoTypes(summary.replace(/^Cannot index type /, ''))} does not support field selection`,
  }),
  heterogeneous_list_element: translateElementError,
  heterogeneous_map_key: translateElementError,
  heterogeneous_map_value: translateElementError,
  no_such_overload: translateOperatorError,
  incompatible_ternary_branches({ source, summary, node }) {
    if (node?.op !== '?:') return undefined;
    const types = [...summary.matchAll(/'([^']+)'/g)].map(([, type = '']) => type);
    return {
      start: source.indexOf('?', node.args[0].range.end),
      message: `found no matching overload for '_?_:_' applied to '(${typeOf(node.args[0])}, ${toCelGoTypes(types.join(', '))})'`,
    };
  },
  no_matching_overload: translateCallError,
};

function translateElementError({ summary, start }: CompilationError): CelGoError {
  return { start, message: toCelGoTypes(summary.replace(/^.*?(?=expected)/, '')) };
}

function translateOperatorError({ source, summary, node }: CompilationError): CelGoError | undefined {
  const [, left = '', operator = '', right = ''] = /^no such overload: (.+) (\S+) (.+)$/.exec(summary) ?? [];
  const [firstOperand] = Array.isArray(node?.args) ? (node.args as readonly Node[]) : [];
  if (operator === '' || !firstOperand) return undefined;
  const name = operator === 'in' ? '@in' : `_${operator}_`;
  return {
    start: source.indexOf(operator, firstOperand.range.end),
    message: `found no matching overload for '${name}' applied to '(${toCelGoTypes(`${left}, ${right}`)})'`,
  };
}

function translateCallError({ source, summary, node, environment }: CompilationError): CelGoError | undefined {
  if (node?.op !== 'call' && node?.op !== 'rcall') return undefined;
  const [name] = node.args;
  const searchStart = node.op === 'call' ? node.range.start : node.args[1].range.end;
  const start = source.indexOf('(', source.indexOf(name, searchStart));
  const isDeclared = environment.getDefinitions().functions.some((each) => each.name === name);
  if (!isDeclared) return { start, message: `undeclared reference to '${name}' (in container '')` };
  const [, receiver, argumentTypes = ''] = /for '(?:(.*)\.)?\w+\((.*)\)'/.exec(summary) ?? [];
  const signature = `${receiver === undefined ? '' : `${toCelGoTypes(receiver)}.`}(${toCelGoTypes(argumentTypes)})`;
  return { start, message: `found no matching overload for '${name}' applied to '${signature}'` };
}

/** Converts the library's type names to those in cel-go's messages. */
const toCelGoTypes = (text: string): string =>
  toCelGoTypeName(text).replaceAll('google.protobuf.Timestamp', 'timestamp').replaceAll('google.protobuf.Duration', 'duration');

/** Converts a type name of the library to cel-go's. */
export const toCelGoTypeName = (text: string): string =>
  text.replaceAll('optional<', 'optional_type<').replaceAll('<', '(').replaceAll('>', ')');

/** The name of a node's type. The library stores inferred types at the nodes. */
export const typeOf = (node: Node): string => String((node as { readonly checkedType?: unknown }).checkedType);
