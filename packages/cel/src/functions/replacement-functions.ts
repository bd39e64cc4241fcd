import type { ASTNode } from '@marcbachmann/cel-js';
import { nodesIn } from '../guard.ts';
import { CelFailure, type CelPart } from '../library.ts';
import { conversions } from './conversions.ts';
import { checkTextLength } from './limits.ts';
import { replacedFunctionNames, replacementName } from './replacements.ts';
import { parseNanoseconds, parseTime, timeFromSeconds } from './times.ts';

/**
 * Replacements for functions of the library that differ from cel-go or are too slow: its `duration` takes time cubic in the text. The
 * library accepts each signature only once, so the replacements have different names, and `renameReplacedCalls` makes the source call them.
 */
export const replacementFunctions: CelPart = {
  functions: [
    ...conversions,
    {
      signature: `string.${replacementName('lowerAscii')}(): string`,
      run: (text: string) => text.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
    },
    {
      signature: `string.${replacementName('upperAscii')}(): string`,
      run: (text: string) => text.replace(/[a-z]+/g, (part) => part.toUpperCase()),
    },
    { signature: `string.${replacementName('trim')}(): string`, run: trim },
    { signature: `list<string>.${replacementName('join')}(): string`, run: join },
  ],
};

/** Renames the calls of replaced functions in the source. @throws CelFailure if a literal timestamp or duration is invalid */
export function renameReplacedCalls(source: string, ast: ASTNode): string {
  const positions: number[] = [];
  for (const node of nodesIn(ast)) {
    checkLiteral(node);
    if (node.op === 'call' && node.args[1].length === 1 && replacedFunctionNames.has(node.args[0])) positions.push(node.range.start);
    if (node.op === 'rcall' && node.args[2].length === 0 && replacedMethodNames.has(node.args[0]))
      positions.push(findNamePosition(source, node));
  }
  let text = '';
  let from = 0;
  for (const position of positions.sort((a, b) => a - b)) {
    text += source.slice(from, position) + replacementPrefix;
    from = position;
  }
  return text + source.slice(from);
}

/** Validates a literal timestamp or duration at compile time. @throws CelFailure */
function checkLiteral(node: ASTNode): void {
  const check = node.op === 'call' && Object.hasOwn(literalChecks, node.args[0]) ? literalChecks[node.args[0]] : undefined;
  const [literal] = node.op === 'call' ? node.args[1] : [];
  if (!check || literal?.op !== 'value' || !['string', 'bigint'].includes(typeof literal.args)) return;
  try {
    check(literal.args as string & bigint);
  } catch {
    throw new CelFailure(`invalid ${node.op === 'call' ? node.args[0] : ''} argument`, literal.range.start);
  }
}

const literalChecks: Readonly<Record<string, (literal: string & bigint) => unknown>> = {
  timestamp: (literal) => (typeof literal === 'bigint' ? timeFromSeconds(literal) : parseTime(literal)),
  duration: parseNanoseconds,
};

const replacedMethodNames: ReadonlySet<string> = new Set(['lowerAscii', 'upperAscii', 'trim', 'join']);
const replacementPrefix = replacementName('');

/** Finds the position of a method name. Only dots, closing parentheses, spaces and comments separate the name from its receiver. */
function findNamePosition(source: string, { args: [name, receiver] }: Extract<ASTNode, { op: 'rcall' }>): number {
  const separators = /(?:[\s).]|\/\/[^\n]*)*/y;
  separators.lastIndex = receiver.range.end;
  separators.test(source);
  if (!source.startsWith(name, separators.lastIndex)) throw new CelFailure(`the call of ${name} cannot be located in the expression`);
  return separators.lastIndex;
}

/** Trims Unicode spaces as Go does. Unlike JavaScript, Go does not count the byte order mark as a space. */
function trim(text: string): string {
  let [from, to] = [0, text.length];
  while (from < to && spacePattern.test(text[from] as string)) from += 1;
  while (to > from && spacePattern.test(text[to - 1] as string)) to -= 1;
  return text.slice(from, to);
}

const spacePattern = /[\t-\r \u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/;

function join(list: readonly unknown[]): string {
  checkTextLength(list.reduce<number>((length, each) => length + (typeof each === 'string' ? each.length : 0), 0));
  const invalid = list.find((each) => typeof each !== 'string');
  if (invalid !== undefined) throw new CelFailure(`join: invalid input: ${invalid}`);
  return list.join('');
}
