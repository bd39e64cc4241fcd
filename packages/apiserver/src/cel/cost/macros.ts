import { add, fixed, listCost, multiply, one, type Range, sum, union, zero } from './range.ts';
import { type Coster, type LocalVariable, type Scope, UnknownCost } from './scope.ts';
import { type Node, readType } from './types.ts';

/** Estimates the cost of a call that is a macro; undefined if it is not. */
export function estimateMacro(coster: Coster, node: Node): Range | undefined {
  const [name, receiver, args] = node.args as readonly [string, Node, readonly Node[]];
  const variables = args.slice(0, args[1]?.op === 'id' && isTwoVariable(name, args.length) ? 2 : 1);
  if (!Object.hasOwn(macros, name) || args.length < 2 || !variables.every(({ op }) => op === 'id')) return undefined;
  const macro = macros[name];
  if (!macro) throw new UnknownCost(name);
  return macro(coster, { node, receiver, names: variables.map((each) => String(each.args)), args: args.slice(variables.length) });
}

/** Whether a macro with this number of arguments has two variables. */
const isTwoVariable = (name: string, count: number): boolean =>
  name.startsWith('transform') || (['all', 'exists', 'exists_one', 'existsOne'].includes(name) && count === 3);

interface MacroCall {
  readonly node: Node;
  readonly receiver: Node;
  readonly names: readonly string[];
  readonly args: readonly Node[];
}

type Macro = (coster: Coster, call: MacroCall) => Range;

/** The macros of cel-go that the library has; undefined if their cost is not known. */
const macros: Readonly<Record<string, Macro | undefined>> = {
  all: createQuantifier(fixed(2)),
  exists: createQuantifier(fixed(3)),
  exists_one: countMatches,
  existsOne: countMatches,
  map: transform,
  filter: (coster, call) => iterateToList(coster, call, call.args[0], undefined),
  transformList: transform,
  transformMap: undefined,
  transformMapEntry: undefined,
  sortBy: undefined,
  optMap: (coster, call) => mapOptional(coster, call, one),
  optFlatMap: (coster, call) => mapOptional(coster, call, zero),
};

/** The cost of reading the accumulator. */
const accumulator = one;

/** @param conditionCost the cost of the condition to continue */
function createQuantifier(conditionCost: Range): Macro {
  return (coster, call) =>
    iterate(coster, call, zero, (predicateCost) => ({
      step: add({ min: accumulator.min, max: add(accumulator, predicateCost).max }, conditionCost),
      result: accumulator,
      size: fixed(1),
    }));
}

function countMatches(coster: Coster, call: MacroCall): Range {
  return iterate(coster, call, zero, (predicateCost) => ({
    step: add(predicateCost, { min: 1n, max: 2n }),
    result: fixed(2),
    size: fixed(1),
  }));
}

interface Iteration {
  readonly step: Range;
  readonly result: Range;
  readonly size: Range;
}

/** Estimates a comprehension whose last argument is evaluated for each element. */
function iterate(
  { scope, cost }: Coster,
  { node, receiver, names, args }: MacroCall,
  initialCost: Range,
  toIteration: (bodyCost: Range, count: Range) => Iteration,
): Range {
  const rangeCost = cost(receiver);
  const count = scope.sizeOrUnknown(receiver);
  const { step, result, size } = scope.withVariables(declareVariables(scope, receiver, names), () =>
    toIteration(sum(args.map(cost)), count),
  );
  scope.setSize(node, size);
  return sum([rangeCost, initialCost, result, multiply(count, step)]);
}

/** Mirrors pushIterSingle, pushIterKey and pushIterValue. */
function declareVariables(scope: Scope, receiver: Node, names: readonly string[]): Readonly<Record<string, LocalVariable>> {
  const entry = scope.entryOf(receiver);
  const isList = (entry?.kind ?? readType(receiver).kind) === 'list';
  const path = scope.pathOf(receiver);
  const [first = '', second] = names;
  const value = { path: [...path, isList ? '@items' : '@values'], size: entry?.value };
  if (second !== undefined) return { [first]: { path: [...path, isList ? '@indices' : '@keys'], size: entry?.key }, [second]: value };
  return { [first]: isList ? value : { path: [...path, '@keys'], size: entry?.key } };
}

function transform(coster: Coster, call: MacroCall): Range {
  const [filter, result] = call.args.length > 1 ? call.args : [undefined, call.args[0]];
  return iterateToList(coster, call, filter, result);
}

/** @param result the new element; undefined for the element itself */
function iterateToList(
  { scope, cost }: Coster,
  { node, receiver, names }: MacroCall,
  filter: Node | undefined,
  result: Node | undefined,
): Range {
  const rangeCost = cost(receiver);
  const count = scope.sizeOrUnknown(receiver);
  const step = scope.withVariables(declareVariables(scope, receiver, names), () => {
    const filterCost = filter ? cost(filter) : zero;
    const element = result ?? { op: 'id', args: names[0], checkedType: elementTypeOf(receiver) };
    // Creating a list of one element, reading the accumulator, and concatenating both.
    const appendCost = add(cost(element), fixed(12));
    scope.setEntry(node, { kind: 'list', key: fixed(1), value: union(zero, scope.sizeOrUnknown(element)) });
    return add(filterCost, filter ? union(appendCost, accumulator) : appendCost);
  });
  scope.setSize(node, count);
  return sum([rangeCost, listCost, accumulator, multiply(count, step)]);
}

const elementTypeOf = (receiver: Node): unknown => {
  const { kind, valueType, keyType } = (receiver.checkedType ?? {}) as {
    readonly kind?: string;
    readonly valueType?: unknown;
    readonly keyType?: unknown;
  };
  return kind === 'map' ? keyType : valueType;
};

/** The result is `target.hasValue() ? optional.of(body) : optional.none()`, where the body binds `target.value()`. */
function mapOptional({ scope, cost }: Coster, { receiver, names, args }: MacroCall, wrapCost: Range): Range {
  const targetCost = cost(receiver);
  const [name = ''] = names;
  const bodyCost = scope.withVariables({ [name]: { path: [] } }, () => cost(args[0] as Node));
  const whenPresent = sum([wrapCost, listCost, add(targetCost, one), bodyCost]);
  return add(add(targetCost, one), union(whenPresent, one));
}
