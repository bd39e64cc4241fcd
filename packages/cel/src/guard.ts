import type { ASTNode } from '@marcbachmann/cel-js';

/** Names of calls inserted around nodes to count work: one step, a step that compares values, and a text to match. */
export const guards = { step: '__step', weigh: '__weigh', text: '__text' } as const;

/** Macros that evaluate their arguments once per element. Each evaluation counts as a step. */
const iteratingMacros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const comparisonOperators: ReadonlySet<string> = new Set(['==', '!=', 'in', '<', '<=', '>', '>=']);

/** Inserts guards into the source around all nodes that can be expensive. */
export function addGuards(source: string, ast: ASTNode): string {
  const insertions: Insertion[] = [];
  const spanOf = createSpans(source);
  const insertGuard = (node: ASTNode, guard: string): void => {
    const { start, end } = spanOf(node);
    insertions.push({ position: start, text: `${guard}(`, order: end - start }, { position: end, text: ')', order: start - end });
  };
  const visit = (node: ASTNode): void => {
    const children = childrenOf(node);
    if (node.op === '+') insertGuard(node, guards.step);
    if (comparisonOperators.has(node.op) && !children.some(({ op }) => op === 'value'))
      for (const child of children) insertGuard(child, guards.weigh);
    if (node.op === 'rcall') guardCall(node.args, node, insertGuard);
    if (!isPresenceTest(node)) children.forEach(visit);
  };
  visit(ast);
  return insertTexts(source, insertions);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns a function for the text of a node. The library's ranges omit parentheses around the first and the last operand: that of
 * `(a) + (b)` is "a) + (b".
 */
function createSpans(source: string): (node: ASTNode) => Span {
  const partners = matchParentheses(source);
  const spans = new Map<ASTNode, Span>();
  const spanOf = (node: ASTNode): Span => {
    const known = spans.get(node);
    if (known) return known;
    let { start, end } = node.range;
    for (const child of childrenOf(node)) {
      if (child.range.start !== node.range.start && child.range.end !== node.range.end) continue;
      const span = withParentheses(source, spanOf(child), partners);
      start = Math.min(start, span.start);
      end = Math.max(end, span.end);
    }
    const span = { start, end };
    spans.set(node, span);
    return span;
  };
  return spanOf;
}

/** Extends a text by the parentheses directly around it. */
function withParentheses(source: string, span: Span, partners: ReadonlyMap<number, number>): Span {
  let { start, end } = span;
  for (;;) {
    let [before, after] = [start - 1, end];
    while (isSpace(source[before])) before--;
    while (isSpace(source[after])) after++;
    if (partners.get(before) !== after) return { start, end };
    [start, end] = [before, after + 1];
  }
}

const isSpace = (char: string | undefined): boolean => char !== undefined && /\s/.test(char);

/** Returns the position of the closing parenthesis for that of each opening one. */
function matchParentheses(source: string): ReadonlyMap<number, number> {
  const partners = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: token, index } of source.matchAll(parenthesisOrText)) {
    if (token === '(') open.push(index);
    else if (token === ')') partners.set(open.pop() ?? -1, index);
  }
  return partners;
}

/** Texts and comments may contain parentheses, which do not count. */
const parenthesisOrText =
  /[()]|(?<![rR])(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|[rR](?:"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"]*"|'[^']*')|\/\/.*/g;

export function childrenOf(node: ASTNode): readonly ASTNode[] {
  const children: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && 'op' in value) children.push(value as ASTNode);
  };
  collect(node.args);
  return children;
}

/** A node and all its descendants, in depth-first order. */
export function* nodesIn(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

/** Formats the structure of an expression as text, ignoring guards. */
export function structureOf(part: unknown): string {
  if (Array.isArray(part)) return `[${part.map(structureOf).join(',')}]`;
  if (typeof part !== 'object' || part === null || !('op' in part)) return `${typeof part} ${JSON.stringify(String(part))}`;
  const { op, args } = part as ASTNode;
  if (op === 'call' && guardNames.has(args[0])) return structureOf(args[1][0]);
  return `${op}(${structureOf(args)})`;
}

const guardNames: ReadonlySet<string> = new Set(Object.values(guards));

/** The argument of `has(a.b)` is not evaluated, so it must not be guarded. */
const isPresenceTest = (node: ASTNode): boolean => node.op === 'call' && node.args[0] === 'has';

function guardCall(
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  node: ASTNode,
  insertGuard: (node: ASTNode, guard: string) => void,
): void {
  if (iteratingMacros.has(name)) {
    for (const each of args.slice(1)) insertGuard(each, guards.step);
  } else if (!isBind(name, receiver)) {
    insertGuard(node, guards.step);
    insertGuard(receiver, name === 'matches' ? guards.text : guards.step);
    for (const each of args) insertGuard(each, guards.step);
  }
}

/** `cel.bind(name, value, expression)`: `cel` is not a value. */
const isBind = (name: string, receiver: ASTNode): boolean => name === 'bind' && receiver.op === 'id' && receiver.args === 'cel';

interface Insertion {
  readonly position: number;
  readonly text: string;
  /**
   * At one position, closing insertions come first, from inner to outer; then opening insertions, from outer to inner. Larger values come
   * first.
   */
  readonly order: number;
}

function insertTexts(source: string, insertions: readonly Insertion[]): string {
  const sortedInsertions = insertions
    .map((insertion, index) => ({ ...insertion, index, opens: insertion.text !== ')' }))
    .sort(
      (a, b) =>
        a.position - b.position ||
        Number(a.opens) - Number(b.opens) ||
        b.order - a.order ||
        (a.opens ? a.index - b.index : b.index - a.index),
    );
  let text = '';
  let from = 0;
  for (const insertion of sortedInsertions) {
    text += source.slice(from, insertion.position) + insertion.text;
    from = insertion.position;
  }
  return text + source.slice(from);
}
