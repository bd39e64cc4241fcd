import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { isWhole, printPlain } from '../json-path/print.ts';
import { printValue } from '../validation/problem.ts';
import { setField } from './fields.ts';

/** Where the numbers of a Scale are in an object. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** What a path in dots leads to, or why it leads nowhere. Mirrors NestedInt64 and NestedString (apimachinery/.../unstructured, 1.36). */
export type Found<T> = { readonly value: T | undefined; readonly problem?: undefined } | { readonly problem: string };

const stepsOf = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

export const numberAt = (object: unknown, path: string): Found<number> =>
  typed(object, path, 'int64', (value): value is number => typeof value === 'number' && isWhole(value));

export const textAt = (object: unknown, path: string): Found<string> =>
  typed(object, path, 'string', (value): value is string => typeof value === 'string');

function typed<T>(object: unknown, path: string, wanted: string, is: (value: unknown) => value is T): Found<T> {
  const steps = stepsOf(path);
  let value = object;
  for (const [i, step] of steps.entries()) {
    if (value === null || value === undefined) return { value: undefined };
    if (!isFields(value)) return { problem: accessorError(steps.slice(0, i + 1), value, 'map[string]interface{}') };
    if (!Object.hasOwn(value, step)) return { value: undefined };
    value = value[step];
  }
  return is(value) ? { value } : { problem: accessorError(steps, value, wanted) };
}

const accessorError = (steps: readonly string[], value: unknown, wanted: string): string =>
  `.${steps.join('.')} accessor error: ${printPlain(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`;

function goTypeOf(value: unknown): string {
  if (typeof value === 'number') return isWhole(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  return { string: 'string', boolean: 'bool' }[typeof value as string] ?? 'map[string]interface {}';
}

/** A copy with a number at a path; undefined where something is in the way. */
export function withNumberAt(object: Readonly<Record<string, unknown>>, path: string, value: number): Record<string, unknown> | undefined {
  return placed(object, stepsOf(path), value) as Record<string, unknown> | undefined;
}

function placed(value: unknown, [step, ...rest]: readonly string[], last: number): unknown {
  if (step === undefined) return last;
  if (value !== undefined && !isFields(value)) return undefined;
  const copy: Record<string, unknown> = {};
  for (const [name, each] of Object.entries(value ?? {})) setField(copy, name, each);
  const next = placed(value && Object.hasOwn(value, step) ? value[step] : undefined, rest, last);
  if (next === undefined) return undefined;
  setField(copy, step, next);
  return copy;
}

/** Mirrors ValidateScaleSpec and ValidateScaleStatus (apiextensions-apiserver/pkg/registry/customresource, 1.36). */
export function causesOfReplicas(object: unknown, path: string): readonly FieldCause[] {
  const found = numberAt(object, path);
  const invalid = (value: number, why: string): readonly FieldCause[] => [
    { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${printValue(value)}: ${why}` },
  ];
  if (found.problem !== undefined) return invalid(0, found.problem);
  const { value = 0 } = found;
  if (value < 0) return invalid(value, 'should be a non-negative integer');
  return value > 2 ** 31 - 1 ? invalid(value, 'should be less than or equal to 2147483647') : [];
}

export function causesOfSelector(object: unknown, path: string): readonly FieldCause[] {
  const { problem } = textAt(object, path);
  return problem === undefined ? [] : [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: "": ${problem}` }];
}
