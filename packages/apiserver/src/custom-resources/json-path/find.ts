import { isFields } from '../../resources/field/read.ts';
import type { Path, Step } from './parse.ts';

/** Returns the values at a path; undefined if evaluation fails. A missing key is not a failure. Mirrors FindResults (client-go/util/jsonpath, 1.36). */
export function findAll(path: Path, root: unknown): readonly unknown[] | undefined {
  let values: readonly unknown[] = [root];
  for (const step of path) {
    const nextValues = evaluateStep(step, values);
    if (!nextValues || nextValues.length > maxResults) return undefined;
    values = nextValues;
  }
  return values;
}

/** Maximum number of values after a step; evaluation fails if a step exceeds it. */
const maxResults = 10_000;
/** Values that are nested more deeply are not found by a recursive step. */
const maxDepth = 500;

type StepEvaluator<Kind extends Step['kind']> = (
  values: readonly unknown[],
  step: Extract<Step, { kind: Kind }>,
) => readonly unknown[] | undefined;

const evaluateStep = (step: Step, values: readonly unknown[]): readonly unknown[] | undefined =>
  (evaluators[step.kind] as StepEvaluator<Step['kind']>)(values, step as never);

const evaluators: { readonly [Kind in Step['kind']]: StepEvaluator<Kind> } = {
  field: (values, { name }) => values.filter(isFields).flatMap((value) => (Object.hasOwn(value, name) ? [value[name]] : [])),
  wildcard: (values) => values.flatMap(childrenOf),
  recursive: (values) => descend(values, 0),
  constant: (values, { value }) => values.map(() => value),
  union: (values, { paths }) => {
    const results = paths.map((path) => findInEach(path, values));
    return results.every((each) => each !== undefined) ? results.flat() : undefined;
  },
  slice: (values, step) => {
    const results = values.filter((value) => value !== null).map((value) => (Array.isArray(value) ? takeSlice(value, step) : undefined));
    return results.every((each) => each !== undefined) ? results.flat() : undefined;
  },
  filter: (values, step) => {
    const lists = values.map((value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined));
    return lists.every((list) => list !== undefined)
      ? lists.flatMap((list) => list.filter((item) => matchesFilter(item, step)))
      : undefined;
  },
};

function findInEach(path: Path, values: readonly unknown[]): readonly unknown[] | undefined {
  const results = values.map((value) => findAll(path, value));
  return results.every((each) => each !== undefined) ? results.flat() : undefined;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  // Sorted by key, because Go's order is random.
  return isFields(value)
    ? Object.keys(value)
        .sort()
        .map((name) => value[name])
    : [];
}

function descend(values: readonly unknown[], depth: number): unknown[] {
  return values.flatMap((value) => {
    const children = childrenOf(value);
    return children.length === 0 || depth > maxDepth ? [] : [value, ...descend(children, depth + 1)];
  });
}

function takeSlice(
  list: readonly unknown[],
  { start, end, step = 1, isIndex }: Extract<Step, { kind: 'slice' }>,
): readonly unknown[] | undefined {
  const firstIndex = (start ?? 0) < 0 ? (start ?? 0) + list.length : (start ?? 0);
  const signedEnd = isIndex ? (start ?? 0) + 1 : (end ?? list.length);
  // The index -1 has the end 0, which also counts from the end of the list.
  const endIndex = signedEnd < 0 || (signedEnd === 0 && isIndex) ? signedEnd + list.length : signedEnd;
  if (firstIndex === endIndex) return [];
  if (firstIndex >= list.length || firstIndex < 0 || endIndex > list.length || endIndex < 0 || firstIndex > endIndex || step <= 0)
    return undefined;
  return list.slice(firstIndex, endIndex).filter((_, i) => i % step === 0);
}

function matchesFilter(item: unknown, { left, operator, right }: Extract<Step, { kind: 'filter' }>): boolean {
  const leftValues = findAll(left, item) ?? [];
  if (operator === undefined || right === undefined) return leftValues.length > 0;
  const rightValues = findAll(right, item) ?? [];
  if (leftValues.length !== 1 || rightValues.length !== 1) return false;
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  return (
    compare !== undefined && typeof leftValues[0] === typeof rightValues[0] && compare(leftValues[0] as number, rightValues[0] as number)
  );
}

const comparisons: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};
