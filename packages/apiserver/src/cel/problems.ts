import type { CelProgram } from '@kube-endpoints/cel/internal';
import type { Environment } from './environment.ts';

/** The fields of an error of the CEL library or of this module. */
export interface CelErrorFields {
  readonly code?: unknown;
  readonly summary?: unknown;
  readonly range?: { readonly start?: number };
  readonly node?: unknown;
  readonly at?: number;
}

export const readError = (error: unknown): CelErrorFields => (typeof error === 'object' && error !== null ? error : {});

/**
 * The feature of Kubernetes (apiserver/pkg/cel/environment/base.go, 1.36) that an expression uses and this server lacks. Call it only if
 * compilation failed.
 */
export const missingIn = (source: string): string | undefined => missing.find(({ pattern }) => pattern.test(source))?.name;

const missing: readonly { readonly name: string; readonly pattern: RegExp }[] = [
  { name: 'authorizer', pattern: /\bauthorizer\b/ },
  { name: 'sortBy', pattern: /\.\s*sortBy\s*\(/ },
  { name: 'jsonpatch', pattern: /\bjsonpatch\s*\./ },
  { name: 'optional elements of lists', pattern: /[[,]\s*\?(?!\.)/ },
  { name: 'optional entries of maps', pattern: /[{,]\s*\?(?!\.)/ },
];

/** The message of an evaluation error, in cel-go's words if cel-go has the same error. */
export function evaluationProblem(error: unknown): string | undefined {
  const { code, summary } = readError(error);
  if (code === 'no_such_overload' || code === 'no_matching_overload') return 'no such overload';
  return typeof summary === 'string' ? toCelGoMessage(String(code), summary) : undefined;
}

/** The message in cel-go's words if cel-go has the same error, otherwise the library's. */
function toCelGoMessage(code: string, summary: string): string {
  const found = wordings[code];
  return found ? summary.replace(found.pattern, found.words) : summary;
}

const wordings: Readonly<Record<string, { readonly pattern: RegExp; readonly words: string }>> = {
  no_such_key: { pattern: /^No such key: (.*)$/, words: 'no such key: $1' },
  unknown_variable: { pattern: /^Unknown variable: (.*)$/, words: "undeclared reference to '$1' (in container '')" },
  index_out_of_bounds: { pattern: /^.*index (-?\d+) .*$/, words: 'index out of bounds: $1' },
  modulo_by_zero: { pattern: /^.*$/, words: 'modulus by zero' },
  numeric_overflow: { pattern: /^.*$/, words: 'integer overflow' },
};

type Node = CelProgram['ast'];

/** The message of a compilation error with its position, as cel-go prints it; in cel-go's words if cel-go has the same error. */
export function compilationProblem(error: unknown, source: string, environment: Environment): string | undefined {
  const { code, summary, range, node, at } = readError(error);
  if (typeof summary !== 'string') return undefined;
  const start = range?.start ?? at ?? 0;
  const found = findings[String(code)]?.({ source, summary, start, node: node as Node, environment });
  return formatProblem(source, found?.start ?? start, found?.words ?? toCelGoMessage(String(code), summary));
}

/** Formats a message with its position and source line, as cel-go does. */
export function formatProblem(source: string, start: number, words: string): string {
  const lines = source.slice(0, start).split('\n');
  const column = [...(lines.at(-1) as string)].length;
  const line = source.split('\n')[lines.length - 1] ?? '';
  return `ERROR: <input>:${lines.length}:${column + 1}: ${words}\n | ${line}\n | ${'.'.repeat(column)}^`;
}

interface Problem {
  readonly source: string;
  readonly summary: string;
  readonly start: number;
  readonly node: Node | undefined;
  readonly environment: Environment;
}

interface Finding {
  readonly start: number;
  readonly words: string;
}

/** By error code of the library: cel-go's position and message for the same error. */
const findings: Readonly<Record<string, (problem: Problem) => Finding | undefined>> = {
  no_such_key: ({ summary, start }) => ({ start: start - 1, words: `undefined field '${summary.replace(/^No such key: /, '')}'` }),
  cannot_index_type: ({ summary, start }) => ({
    start: start - 1,
    words: `type ${typesIn(summary.replace(/^Cannot index type /, ''))} does not support field selection`,
  }),
  heterogeneous_list_element: elementFinding,
  heterogeneous_map_key: elementFinding,
  heterogeneous_map_value: elementFinding,
  no_such_overload: operatorFinding,
  incompatible_ternary_branches({ source, summary, node }) {
    if (node?.op !== '?:') return undefined;
    const types = [...summary.matchAll(/'([^']+)'/g)].map(([, type = '']) => type);
    return {
      start: source.indexOf('?', node.args[0].range.end),
      words: `found no matching overload for '_?_:_' applied to '(bool, ${typesIn(types.join(', '))})'`,
    };
  },
  no_matching_overload: callFinding,
};

function elementFinding({ summary, start }: Problem): Finding {
  return { start, words: typesIn(summary.replace(/^.*?(?=expected)/, '')) };
}

function operatorFinding({ source, summary, node }: Problem): Finding | undefined {
  const [, left = '', operator = '', right = ''] = /^no such overload: (.+) (\S+) (.+)$/.exec(summary) ?? [];
  const [first] = Array.isArray(node?.args) ? (node.args as readonly Node[]) : [];
  if (operator === '' || !first) return undefined;
  const name = operator === 'in' ? '@in' : `_${operator}_`;
  return {
    start: source.indexOf(operator, first.range.end),
    words: `found no matching overload for '${name}' applied to '(${typesIn(`${left}, ${right}`)})'`,
  };
}

function callFinding({ source, summary, node, environment }: Problem): Finding | undefined {
  if (node?.op !== 'call' && node?.op !== 'rcall') return undefined;
  const [name] = node.args;
  const from = node.op === 'call' ? node.range.start : node.args[1].range.end;
  const start = source.indexOf('(', source.indexOf(name, from));
  const isKnown = environment.getDefinitions().functions.some((each) => each.name === name);
  if (!isKnown) return { start, words: `undeclared reference to '${name}' (in container '')` };
  const [, receiver, given = ''] = /for '(?:(.*)\.)?\w+\((.*)\)'/.exec(summary) ?? [];
  const applied = `${receiver === undefined ? '' : `${typesIn(receiver)}.`}(${typesIn(given)})`;
  return { start, words: `found no matching overload for '${name}' applied to '${applied}'` };
}

/** Converts the library's type names to cel-go's. */
const typesIn = (text: string): string => text.replaceAll('<', '(').replaceAll('>', ')');
