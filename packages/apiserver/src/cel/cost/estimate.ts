import type { CelProgram } from '@kube-endpoints/cel/internal';
import { estimateCall } from './functions.ts';
import { estimateMacro } from './macros.ts';
import { estimateOperator } from './operators.ts';
import { add, fixed, listCost, mapCost, one, type Range, sum, union, zero } from './range.ts';
import { type Coster, createScope, type Path, type Scope, UnknownCost, unionEntries } from './scope.ts';
import { type Node, readType } from './types.ts';

/** Returns the size of values at a path that begins with a variable; undefined if unknown. */
export type SizeOfPath = (path: Path) => Range | undefined;

/**
 * Estimates the cost of an expression; undefined if it has a part whose cost is not known.
 *
 * Mirrors Cost (checker/cost.go of cel-go 0.26), with the options of the API server: presence tests cost nothing.
 * @param ast a checked expression
 */
export function estimateCost(ast: CelProgram['ast'], sizeOfPath: SizeOfPath): Range | undefined {
  const coster = createCoster(createScope(sizeOfPath));
  try {
    return coster.cost(ast as Node);
  } catch (error) {
    if (error instanceof UnknownCost) return undefined;
    throw error;
  }
}

function createCoster(scope: Scope): Coster {
  const coster: Coster = {
    scope,
    cost(node) {
      const estimate = estimatesByOperation[node.op] ?? estimateOperator;
      return estimate(coster, node);
    },
    call(node, name, target, args) {
      const operandCosts = [...(target ? [target] : []), ...args].map((each) => coster.cost(each));
      const { cost, size } = estimateCall(name, target && scope.operandOf(target), args.map(scope.operandOf));
      scope.setSize(node, size ?? scope.sizeOf(node));
      return add(cost, sum(operandCosts));
    },
  };
  return coster;
}

type Estimate = (coster: Coster, node: Node) => Range;

const estimatesByOperation: Readonly<Record<string, Estimate>> = {
  value: () => zero,
  id({ scope }, node) {
    const name = String(node.args);
    scope.setPath(node, scope.findVariable(name)?.path ?? [name]);
    return one;
  },
  '.'({ scope, cost }, node) {
    const [operand, name] = node.args as readonly [Node, string];
    const operandCost = cost(operand);
    scope.setPath(node, [...scope.pathOf(operand), name]);
    return ['map', 'struct', 'param'].includes(readType(operand).kind) ? add(operandCost, one) : operandCost;
  },
  '.?': ({ cost }, node) => add(cost((node.args as readonly [Node])[0]), one),
  '[?]': ({ cost }, node) => add(sum((node.args as readonly Node[]).map(cost)), one),
  list(coster, node) {
    const elements = node.args as readonly Node[];
    const costs = elements.map(coster.cost);
    coster.scope.setEntry(node, { kind: 'list', key: fixed(1), value: unionOfSizes(coster.scope, elements) });
    return add(sum(costs), listCost);
  },
  map(coster, node) {
    const entries = node.args as readonly (readonly [Node, Node])[];
    const costs = entries.flat().map(coster.cost);
    const [key, value] = [entries.map(([each]) => each), entries.map(([, each]) => each)].map((nodes) => unionOfSizes(coster.scope, nodes));
    coster.scope.setEntry(node, { kind: 'map', key: key as Range, value: value as Range });
    return add(sum(costs), mapCost);
  },
  '?:'({ scope, cost }, node) {
    const [condition, whenTrue, whenFalse] = node.args as readonly [Node, Node, Node];
    const conditionCost = cost(condition);
    const costs = [cost(whenTrue), cost(whenFalse)] as const;
    scope.setEntry(node, unionEntries(scope.entryOf(whenTrue), scope.entryOf(whenFalse)));
    scope.setSize(node, union(scope.sizeOrUnknown(whenTrue), scope.sizeOrUnknown(whenFalse)));
    return add(conditionCost, union(...costs));
  },
  call(coster, node) {
    const [name, args] = node.args as readonly [string, readonly Node[]];
    if (name === 'has') return coster.cost(((args[0] as Node).args as readonly [Node])[0]);
    if (name !== 'dyn') return coster.call(node, name, undefined, args);
    const [operand] = args as readonly [Node];
    const cost = coster.cost(operand);
    coster.scope.setSize(node, coster.scope.sizeOf(operand));
    coster.scope.setEntry(node, coster.scope.entryOf(operand));
    return add(cost, one);
  },
  rcall(coster, node) {
    const [name, receiver, args] = node.args as readonly [string, Node, readonly Node[]];
    const macroCost = estimateMacro(coster, node);
    if (macroCost) return macroCost;
    const namespace = receiver.op === 'id' ? String(receiver.args) : '';
    if (namespaces.has(namespace) && !coster.scope.findVariable(namespace))
      return coster.call(node, `${namespace}.${name}`, undefined, args);
    return coster.call(node, name, receiver, args);
  },
};

/** Prefixes of functions, which are not values. */
const namespaces: ReadonlySet<string> = new Set(['format', 'ip', 'jsonpatch', 'lists', 'math', 'optional', 'sets', 'strings']);

const unionOfSizes = (scope: Scope, nodes: readonly Node[]): Range =>
  nodes.length === 0 ? zero : nodes.map(scope.sizeOrUnknown).reduce(union);
