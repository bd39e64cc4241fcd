import type { ASTNode } from '@marcbachmann/cel-js';

/** Calls inserted around parts of an expression to count its work: a step, a step that compares, and text to be matched. */
export const guards = { step: '__step', weigh: '__weigh', text: '__text' } as const;

/** Each evaluation of an argument of these macros is a step. */
const iteratingMacros: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);
const comparisonOperators: ReadonlySet<string> = new Set(['==', '!=', 'in', '<', '<=', '>', '>=']);

/** The source with guards around everything that can be expensive. */
export function addGuards(source: string, ast: ASTNode): string {
  const inserts: Insert[] = [];
  const around = (node: ASTNode, guard: string): void => {
    const { start, end } = node.range;
    inserts.push({ at: start, text: `${guard}(`, order: end - start }, { at: end, text: ')', order: start - end });
  };
  const visit = (node: ASTNode): void => {
    const parts = childrenOf(node);
    if (node.op === '+') around(node, guards.step);
    if (comparisonOperators.has(node.op) && !parts.some(({ op }) => op === 'value')) for (const part of parts) around(part, guards.weigh);
    if (node.op === 'rcall') guardCall(node.args, node, around);
    if (!isPresenceTest(node)) parts.forEach(visit);
  };
  visit(ast);
  return insertTexts(source, inserts);
}

/** The child nodes of a node. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  const found: ASTNode[] = [];
  const collect = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(collect);
    else if (typeof value === 'object' && value !== null && 'op' in value) found.push(value as ASTNode);
  };
  collect(node.args);
  return found;
}

/** A node and all its descendants, in depth-first order. */
export function* nodesIn(node: ASTNode): Generator<ASTNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesIn(child);
}

/** The structure of an expression without its guards, as text. */
export function shapeOf(part: unknown): string {
  if (Array.isArray(part)) return `[${part.map(shapeOf).join(',')}]`;
  if (typeof part !== 'object' || part === null || !('op' in part)) return `${typeof part} ${JSON.stringify(String(part))}`;
  const { op, args } = part as ASTNode;
  if (op === 'call' && guardNames.has(args[0])) return shapeOf(args[1][0]);
  return `${op}(${shapeOf(args)})`;
}

const guardNames: ReadonlySet<string> = new Set(Object.values(guards));

/** The argument of `has(a.b)` is not evaluated, so it must not be guarded. */
const isPresenceTest = (node: ASTNode): boolean => node.op === 'call' && node.args[0] === 'has';

function guardCall(
  [name, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  node: ASTNode,
  around: (node: ASTNode, guard: string) => void,
): void {
  if (iteratingMacros.has(name)) {
    for (const each of args.slice(1)) around(each, guards.step);
  } else if (!isBind(name, receiver)) {
    around(node, guards.step);
    around(receiver, name === 'matches' ? guards.text : guards.step);
    for (const each of args) around(each, guards.step);
  }
}

/** `cel.bind(name, value, expression)`: `cel` is not a value. */
const isBind = (name: string, receiver: ASTNode): boolean => name === 'bind' && receiver.op === 'id' && receiver.args === 'cel';

interface Insert {
  readonly at: number;
  readonly text: string;
  /** Order of inserts at one position: closing before opening; inner before outer when closing, outer before inner when opening. */
  readonly order: number;
}

function insertTexts(source: string, inserts: readonly Insert[]): string {
  const sorted = inserts
    .map((insert, index) => ({ ...insert, index, opens: insert.text !== ')' }))
    .sort(
      (a, b) => a.at - b.at || Number(a.opens) - Number(b.opens) || b.order - a.order || (a.opens ? a.index - b.index : b.index - a.index),
    );
  let text = '';
  let from = 0;
  for (const insert of sorted) {
    text += source.slice(from, insert.at) + insert.text;
    from = insert.at;
  }
  return text + source.slice(from);
}
