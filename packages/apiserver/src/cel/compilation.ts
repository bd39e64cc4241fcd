import type { CelProgram } from '@kube-endpoints/cel';
import type { Environment } from './environment.ts';
import { reworded, told } from './problems.ts';

type Node = CelProgram['ast'];

/** An error where an expression is read: as cel-go words it, where it has the same error, and with a look at the place as it prints it. */
export function compilationProblem(error: unknown, source: string, environment: Environment): string | undefined {
  const { code, summary, range, node, at } = told(error);
  if (typeof summary !== 'string') return undefined;
  const start = range?.start ?? at ?? 0;
  const found = findings[String(code)]?.({ source, summary, start, node: node as Node, environment });
  return shown(source, found?.start ?? start, found?.words ?? reworded(String(code), summary));
}

/** Words about a place of a source. */
export function shown(source: string, start: number, words: string): string {
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

/** By the library's codes: where cel-go sees an error, and how it calls it. */
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

/** The library's names of types as cel-go has them. */
const typesIn = (text: string): string => text.replaceAll('<', '(').replaceAll('>', ')');
