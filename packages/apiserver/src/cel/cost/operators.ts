import { add, fixed, one, type Range, scale, sum, traversalFactor, union, zero } from './range.ts';
import { type Coster, isNumber, type Scope, UnknownCost, unionEntries } from './scope.ts';
import { type Node, readType } from './types.ts';

/** Estimates the cost of an operator. */
export function estimateOperator(coster: Coster, node: Node): Range {
  const { scope, cost } = coster;
  const estimate = Object.hasOwn(estimates, node.op) ? estimates[node.op] : undefined;
  if (!estimate) throw new UnknownCost(node.op);
  if (node.op === '-_' && isNumber(node.args as Node)) return zero;
  const operands = (Array.isArray(node.args) ? node.args : [node.args]) as readonly Node[];
  const operandCosts = operands.map(cost);
  if (node.op === '&&' || node.op === '||') return { min: (operandCosts[0] as Range).min, max: sum(operandCosts).max };
  const ownCost = estimate(scope, node, operands as readonly [Node, Node]);
  scope.setSize(node, scope.sizeOf(node));
  return add(ownCost, sum(operandCosts));
}

type Estimate = (scope: Scope, node: Node, operands: readonly [Node, Node]) => Range;

const nominal: Estimate = () => one;

const estimates: Readonly<Record<string, Estimate>> = {
  '&&': nominal,
  '||': nominal,
  '!_': nominal,
  '-_': nominal,
  '-': nominal,
  '*': nominal,
  '/': nominal,
  '%': nominal,
  '==': estimateEquality,
  '!=': compareSizes,
  '<': estimateOrder,
  '<=': estimateOrder,
  '>': estimateOrder,
  '>=': estimateOrder,
  '+': estimateSum,
  in: (scope, _, [, collection]) => {
    const kind = readType(collection).kind;
    if (kind === 'map') return one;
    const cost = scale(scope.sizeOrUnknown(collection), 1);
    return kind === 'list' ? cost : union(cost, one);
  },
  '[]': (scope, node, [collection]) => {
    const { kind } = readType(collection);
    if (kind !== 'list' && kind !== 'map') return one;
    scope.setSize(node, scope.entryOf(collection)?.value);
    scope.setPath(node, [...scope.pathOf(collection), kind === 'list' ? '@items' : '@values']);
    return one;
  },
};

/** Types whose values are compared in constant time. */
const comparedAtOnce: ReadonlySet<string> = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);
const maxFormatSize = 64n;

function estimateEquality(scope: Scope, node: Node, operands: readonly [Node, Node]): Range {
  const [left, right] = operands.map((each) => readType(each).kind);
  if (left === right && left !== undefined) {
    if (comparedAtOnce.has(left)) return one;
    if (left === 'kubernetes.NamedFormat') return scale({ min: 1n, max: maxFormatSize }, traversalFactor);
    if (left === 'kubernetes.URL') return scale({ min: 1n, max: scope.sizeOf(operands[1])?.max ?? 1n }, traversalFactor);
  }
  return compareSizes(scope, node, operands);
}

/** The cost to compare the smaller of two values. */
function compareSizes(scope: Scope, _: Node, operands: readonly [Node, Node]): Range {
  const [left, right] = operands.map(scope.sizeOrUnknown) as [Range, Range];
  const max = left.max < right.max ? left.max : right.max;
  return scale({ min: max > 0n ? 1n : 0n, max }, traversalFactor);
}

function estimateOrder(scope: Scope, node: Node, operands: readonly [Node, Node]): Range {
  const kinds = operands.map((each) => readType(each).kind);
  if (kinds.some((kind) => kind === 'string' || kind === 'bytes')) return compareSizes(scope, node, operands);
  return kinds.every((kind) => kind === 'dyn') ? union(compareSizes(scope, node, operands), one) : one;
}

/** Concatenation of texts and lists, or addition. */
function estimateSum(scope: Scope, node: Node, operands: readonly [Node, Node]): Range {
  const kinds = operands.map((each) => readType(each).kind);
  const kind = kinds.find((each) => each !== 'dyn') ?? 'dyn';
  if (kind !== 'string' && kind !== 'bytes' && kind !== 'list' && kind !== 'dyn') return one;
  const [left, right] = operands;
  const size = add(scope.sizeOrUnknown(left), scope.sizeOrUnknown(right));
  scope.setSize(node, size);
  scope.setEntry(node, unionEntries(scope.entryOf(left), scope.entryOf(right)));
  if (kind === 'list') return fixed(1);
  const traversal = scale(size, traversalFactor);
  return kind === 'dyn' ? union(traversal, one) : traversal;
}
