import { add, fixed, listCost, maxUint64, multiply, one, patternFactor, type Range, scale, traversalFactor, zero } from './range.ts';

/** An operand of a call, as far as its cost depends on it. */
export interface Operand {
  /** The size; unknown sizes range up to the greatest integer. */
  readonly size: Range;
  /** The name of the type in cel-go without parameters, such as "string", "list" or "net.IP". */
  readonly type: string;
  /** The type and size of the elements of a list. */
  readonly element?: { readonly type: string; readonly size: Range };
  /** The value of an integer literal. */
  readonly integer?: bigint;
}

/** The cost of a call without its operands, and the size of its result if known. */
export interface CallCost {
  readonly cost: Range;
  readonly size?: Range;
}

type Estimate = (target: Operand | undefined, args: readonly Operand[]) => CallCost | undefined;

const traverse = (size: Range, factor = 1): Range => scale(size, factor * traversalFactor);
const nominal: Estimate = () => ({ cost: one });
const traverseArgument: Estimate = (_, [argument]) => argument && { cost: traverse(argument.size) };
const keepSize: Estimate = (target) => target && { cost: traverse(target.size), size: target.size };
const allocateList = (size: Range, factor: number, resultSize = size): CallCost => ({
  cost: add(add(scale(size, factor), one), listCost),
  size: resultSize,
});

const searchElements: Estimate = (target) => {
  if (!target?.element) return target && { cost: traverse(target.size) };
  const { type, size } = target.element;
  const elementCost = type === 'string' || type === 'bytes' ? add(one, traverse(size)) : one;
  return { cost: multiply(target.size, elementCost) };
};

const matchPattern = (text: Range, pattern: Range): Range => multiply(traverse(add(text, one)), scale(pattern, patternFactor));

/** IP addresses have 4 or 16 bytes. */
const addressSize: Range = { min: 4n, max: 16n };
const compareAddresses: Range = traverse(add(addressSize, addressSize));

const selectRequirements: Estimate = (_, [selector]) => {
  if (!selector) return undefined;
  const requirements = scale(scale(selector.size, 0.5), 50);
  return { cost: add(add(listCost, traverse(selector.size)), requirements) };
};

const estimateReplace: Estimate = (target, [toReplace, replacement]) => {
  if (!target || !toReplace || !replacement) return undefined;
  const longest = replaceLongest(target.size.max, toReplace.size.min, replacement.size.max);
  const shortest = replaceShortest(target.size.min, toReplace.size.max, replacement.size.min);
  const count = { min: shortest.count, max: longest.count };
  const size = add(multiply(count, replacement.size), { min: shortest.kept, max: longest.kept });
  return { cost: traverse(target.size, 2), size };
};

const increment = (value: bigint): bigint => (value < maxUint64 ? value + 1n : value);
/** As upstream, divides floating-point numbers. */
const divideUp = (a: bigint, b: bigint): bigint => fixedInteger(Math.ceil(Number(a) / Number(b)));
const fixedInteger = (value: number): bigint => (value >= 2 ** 64 ? maxUint64 : BigInt(value));

function replaceLongest(length: bigint, minReplaced: bigint, maxReplacement: bigint): { readonly count: bigint; readonly kept: bigint } {
  if (minReplaced === 0n) return { count: increment(length), kept: length };
  if (maxReplacement <= minReplaced) return { count: 0n, kept: length };
  return { count: divideUp(length, minReplaced), kept: 0n };
}

function replaceShortest(length: bigint, maxReplaced: bigint, minReplacement: bigint): { readonly count: bigint; readonly kept: bigint } {
  if (maxReplaced === 0n) return { count: increment(length), kept: length };
  if (maxReplaced <= minReplacement) return { count: 0n, kept: length };
  return { count: divideUp(length, maxReplaced), kept: 0n };
}

const estimateJoin: Estimate = (target, [separator]) => {
  if (!target) return undefined;
  const { min, max } = target.size;
  const elements = target.element ? multiply(target.size, target.element.size) : zero;
  const separators = { min: min > 0n ? min - 1n : 0n, max: max > 0n ? max - 1n : 0n };
  const size = separator ? add(elements, multiply(separator.size, separators)) : elements;
  return { cost: traverse(size), size };
};

const estimateSort: Estimate = (target) => {
  if (!target) return undefined;
  const isText = target.element?.type === 'string' || target.element?.type === 'bytes';
  return allocateList(multiply(target.size, target.size), isText ? 2 + traversalFactor : 2);
};

const estimateSets =
  (factor: number): Estimate =>
  (_, [a, b]) =>
    a && b && { cost: add(scale(multiply(a.size, b.size), factor), one) };

const forNames = (names: string, estimate: Estimate): Readonly<Record<string, Estimate>> =>
  Object.fromEntries(names.split(' ').map((name) => [name, estimate]));

/**
 * How functions estimate their cost, by cel-go's name of the function.
 *
 * Mirrors CostEstimator.EstimateCallCost (apiserver/pkg/cel/library/cost.go, 1.36), and the estimators of the extensions `lists` and `sets` of
 * cel-go 0.26.
 */
const estimates: Readonly<Record<string, Estimate>> = {
  check: () => ({ cost: fixed(350_000) }),
  ...forNames('serviceAccount path group resource subresource namespace name allowed reason error errored', nominal),
  ...forNames('fieldSelector labelSelector', selectRequirements),
  ...forNames('isSorted sum max min indexOf lastIndexOf', searchElements),
  ...forNames('url jsonpatch.escapeKey', (_, [argument]) => argument && { cost: traverse(argument.size), size: argument.size }),
  ...forNames('lowerAscii upperAscii substring trim', keepSize),
  replace: estimateReplace,
  split: (target, [, count]) =>
    target && {
      cost: traverse(target.size, 2),
      size: { min: 0n, max: count?.integer === undefined ? target.size.max : toUint64(count.integer) },
    },
  join: estimateJoin,
  ...forNames(
    'find findAll',
    (target, [pattern]) => target && pattern && { cost: matchPattern(target.size, pattern.size), size: { min: 0n, max: target.size.max } },
  ),
  ...forNames('cidr isIP isCIDR quantity isQuantity semver isSemver', traverseArgument),
  ip: (target, args) => (target ? { cost: one } : traverseArgument(target, args)),
  'ip.isCanonical': (_, [argument]) => argument && { cost: traverse(argument.size, 2) },
  ...forNames(
    'masked prefixLength family isUnspecified isLoopback isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast format.named',
    nominal,
  ),
  containsIP: (_, [address]) => address && { cost: add(compareAddresses, address.type === 'string' ? traverse(address.size) : zero) },
  containsCIDR: (_, [network]) =>
    network && {
      cost: add(add(add(compareAddresses, traverse(addressSize)), one), network.type === 'string' ? traverse(network.size) : zero),
    },
  validate: (_, [text]) => text && { cost: scale(traverse(text.size), 128 * patternFactor) },
  ...forNames('sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub major minor patch', nominal),
  ...forNames('getScheme getHostname getHost getPort getEscapedPath getQuery', nominal),
  slice: (target, [start, end]) => {
    if (!target || !end) return undefined;
    const length = (end.integer === undefined ? target.size.max : toUint64(end.integer)) - toUint64(start?.integer ?? 0n);
    return allocateList(fixed(BigInt.asUintN(64, length)), 1);
  },
  flatten: (target, [depth]) => target && allocateList(target.size, depth ? Number(depth.integer ?? maxUint64) : 1),
  'lists.range': (_, [count]) => count && allocateList(fixed(toUint64(count.integer ?? maxUint64)), 1),
  reverse: (target) => target && allocateList(target.size, 1),
  distinct: (target) => target && allocateList(multiply(target.size, target.size), 2),
  sort: estimateSort,
  'sets.contains': estimateSets(1),
  'sets.intersects': estimateSets(1),
  'sets.equivalent': estimateSets(2),
  'strings.quote': (_, [text]) =>
    text && { cost: traverse(text.size), size: { min: text.size.min + 2n, max: BigInt.asUintN(64, text.size.max * 2n + 2n) } },
  format: (target) => target && { cost: traverse(target.size) },
  ...forNames('startsWith endsWith', traverseArgument),
  matches: (target, [pattern]) => target && pattern && { cost: matchPattern(target.size, pattern.size) },
  contains: (target, [part]) => target && part && { cost: multiply(traverse(target.size), traverse(part.size)) },
  bytes: (_, [argument]) =>
    argument?.type === 'string'
      ? { cost: traverse(argument.size), size: { min: argument.size.min, max: BigInt.asUintN(64, argument.size.max * 4n) } }
      : undefined,
  string: (_, [argument]) =>
    argument?.type === 'bytes'
      ? { cost: traverse(argument.size), size: { min: argument.size.min / 4n, max: argument.size.max } }
      : undefined,
};

const toUint64 = (value: bigint): bigint => BigInt.asUintN(64, value);

/** The cost of a call of a function; 1 if it does not depend on the operands. */
export const estimateCall = (name: string, target: Operand | undefined, args: readonly Operand[]): CallCost =>
  (Object.hasOwn(estimates, name) ? estimates[name]?.(target, args) : undefined) ?? { cost: one };
