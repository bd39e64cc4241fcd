import { isFields } from '../../resources/field/read.ts';
import type { Path, Step } from './parse.ts';

/** Evaluates a path; undefined if it fails. Missing keys are not errors. Mirrors FindResults (client-go/util/jsonpath, 1.36). */
export function findAll(path: Path, root: unknown): readonly unknown[] | undefined {
  let values: readonly unknown[] = [root];
  for (const step of path) {
    const next = evaluateStep(step, values);
    if (!next || next.length > maxResults) return undefined;
    values = next;
  }
  return values;
}

/** Limits the work for one path; beyond it, evaluation fails. */
const maxResults = 10_000;

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
    const found = paths.map((path) => findAllOf(path, values));
    return found.every((each) => each !== undefined) ? found.flat() : undefined;
  },
  slice: (values, step) => {
    const found = values.filter((value) => value !== null).map((value) => (Array.isArray(value) ? sliceOf(value, step) : undefined));
    return found.every((each) => each !== undefined) ? found.flat() : undefined;
  },
  filter: (values, step) => {
    const lists = values.map((value) => (Array.isArray(value) ? (value as readonly unknown[]) : undefined));
    return lists.every((list) => list !== undefined) ? lists.flatMap((list) => list.filter((item) => passes(item, step))) : undefined;
  },
};

function findAllOf(path: Path, values: readonly unknown[]): readonly unknown[] | undefined {
  const found = values.map((value) => findAll(path, value));
  return found.every((each) => each !== undefined) ? found.flat() : undefined;
}

function childrenOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  // Go's map order is random; this one is sorted by key.
  return isFields(value)
    ? Object.keys(value)
        .sort()
        .map((name) => value[name])
    : [];
}

function descend(values: readonly unknown[], depth: number): unknown[] {
  return values.flatMap((value) => {
    const children = childrenOf(value);
    return children.length === 0 || depth > 500 ? [] : [value, ...descend(children, depth + 1)];
  });
}

function sliceOf(
  list: readonly unknown[],
  { start, end, step = 1, single }: Extract<Step, { kind: 'slice' }>,
): readonly unknown[] | undefined {
  const from = (start ?? 0) < 0 ? (start ?? 0) + list.length : (start ?? 0);
  const given = single ? (start ?? 0) + 1 : (end ?? list.length);
  const to = given < 0 || (given === 0 && single) ? given + list.length : given;
  if (from === to) return [];
  if (from >= list.length || from < 0 || to > list.length || to < 0 || from > to || step <= 0) return undefined;
  return list.slice(from, to).filter((_, i) => i % step === 0);
}

function passes(item: unknown, { left, operator, right }: Extract<Step, { kind: 'filter' }>): boolean {
  const lefts = findAll(left, item) ?? [];
  if (operator === undefined || right === undefined) return lefts.length > 0;
  const rights = findAll(right, item) ?? [];
  if (lefts.length !== 1 || rights.length !== 1) return false;
  const compare = Object.hasOwn(comparisons, operator) ? comparisons[operator] : undefined;
  return compare !== undefined && typeof lefts[0] === typeof rights[0] && compare(lefts[0] as number, rights[0] as number);
}

const comparisons: Readonly<Record<string, (a: number | string, b: number | string) => boolean>> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
};
