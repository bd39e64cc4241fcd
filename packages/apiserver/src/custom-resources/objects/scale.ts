import type { ApiObject } from 'kube-endpoints/port';
import type { ObjectView } from '../../registry/catalog.ts';
import { internalError } from '../../registry/errors.ts';
import { scaleMetadata } from '../../registry/scale.ts';
import type { FieldCause } from '../../resources/field/causes.ts';
import { isFields } from '../../resources/field/read.ts';
import { badRequest, status500 } from '../../store/index.ts';
import { isInt64, printPlain } from '../json-path/parse.ts';
import { printValue } from '../validation/problem.ts';
import { setField } from './prune.ts';

/**
 * Represents an object as a Scale of autoscaling/v1. Mirrors scaleFromCustomResource and scaleUpdatedObjectInfo
 * (apiextensions-apiserver/pkg/registry/customresource/etcd.go, 1.36).
 */
export function createScaleView(paths: ScalePaths): ObjectView {
  return {
    show(object) {
      const replicas = requireValue(numberAt(object, paths.specReplicasPath));
      if (replicas === undefined) throw internalError(`the spec replicas field "${paths.specReplicasPath}" does not exist`);
      return createScale(object, replicas, paths);
    },
    base: (object) => createScale(object, requireValue(numberAt(object, paths.specReplicasPath)) ?? unsetReplicas, paths),
    apply(object, scale) {
      const { replicas = 0 } = (scale['spec'] ?? {}) as { readonly replicas?: unknown };
      if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < unsetReplicas || replicas >= 2 ** 31) {
        const jsonType = typeof replicas === 'number' ? `number ${replicas}` : typeof replicas === 'boolean' ? 'bool' : typeof replicas;
        throw badRequest(`json: cannot unmarshal ${jsonType} into Go struct field ScaleSpec.spec.replicas of type int32`);
      }
      if (replicas === unsetReplicas) throw badRequest(`the spec replicas field "${paths.specReplicasPath}" cannot be empty`);
      const updatedObject = withNumberAt(object, paths.specReplicasPath, replicas);
      if (!updatedObject) throw status500(`value cannot be set because ${paths.specReplicasPath} is not a map[string]interface{}`);
      return updatedObject as unknown as ApiObject;
    },
  };
}

/** Stands for absent replicas while an update or patch is prepared; the result must not contain it. */
const unsetReplicas = -(2 ** 31);

function createScale(object: ApiObject, replicas: number, { statusReplicasPath, labelSelectorPath }: ScalePaths): ApiObject {
  const selector = labelSelectorPath ? requireValue(textAt(object, labelSelectorPath)) : undefined;
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: scaleMetadata(object),
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: requireValue(numberAt(object, statusReplicasPath)) ?? 0, ...(selector && { selector }) },
  };
}

function requireValue<T>(field: FieldValue<T>): T | undefined {
  if (field.problem !== undefined) throw status500(field.problem);
  return field.value;
}

/** Paths of the fields of a Scale in an object. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

/** The value at a dotted path, or why it has the wrong type. Mirrors NestedInt64 and NestedString (apimachinery/.../unstructured, 1.36). */
export type FieldValue<T> = { readonly value: T | undefined; readonly problem?: undefined } | { readonly problem: string };

const splitPath = (path: string): readonly string[] => path.replace(/^\./, '').split('.');

export const numberAt = (object: unknown, path: string): FieldValue<number> =>
  // Scale has integers of 32 bits, so the digits that a large number loses do not matter.
  readTypedValue(
    object,
    path,
    'int64',
    (value): value is number => typeof value === 'bigint' || (typeof value === 'number' && isInt64(value)),
  );

export const textAt = (object: unknown, path: string): FieldValue<string> =>
  readTypedValue(object, path, 'string', (value): value is string => typeof value === 'string');

function readTypedValue<T>(object: unknown, path: string, expected: string, isExpected: (value: unknown) => value is T): FieldValue<T> {
  const steps = splitPath(path);
  let value = object;
  for (const [i, step] of steps.entries()) {
    if (value === null || value === undefined) return { value: undefined };
    if (!isFields(value)) return { problem: formatAccessorError(steps.slice(0, i + 1), value, 'map[string]interface{}') };
    if (!Object.hasOwn(value, step)) return { value: undefined };
    value = value[step];
  }
  return isExpected(value) ? { value } : { problem: formatAccessorError(steps, value, expected) };
}

const formatAccessorError = (steps: readonly string[], value: unknown, expected: string): string =>
  `.${steps.join('.')} accessor error: ${printPlain(value)} is of the type ${goTypeOf(value)}, expected ${expected}`;

/** The Go type of a JSON value. */
export function goTypeOf(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'bigint') return isInt64(value) ? 'int64' : 'float64';
  if (Array.isArray(value)) return '[]interface {}';
  if (value === null) return '<nil>';
  return { string: 'string', boolean: 'bool' }[typeof value as string] ?? 'map[string]interface {}';
}

/** Copies an object with a number at a path; undefined if a value on the path is not an object. */
export function withNumberAt(object: Readonly<Record<string, unknown>>, path: string, value: number): Record<string, unknown> | undefined {
  return setNumber(object, splitPath(path), value) as Record<string, unknown> | undefined;
}

function setNumber(value: unknown, [step, ...rest]: readonly string[], newValue: number): unknown {
  if (step === undefined) return newValue;
  if (value !== undefined && !isFields(value)) return undefined;
  const copy: Record<string, unknown> = { ...value };
  const child = setNumber(value && Object.hasOwn(value, step) ? value[step] : undefined, rest, newValue);
  if (child === undefined) return undefined;
  setField(copy, step, child);
  return copy;
}

/**
 * Reports replicas that are negative, too large or not an integer. Mirrors ValidateScaleSpec and ValidateScaleStatus
 * (apiextensions-apiserver/pkg/registry/customresource, 1.36).
 */
export function validateReplicas(object: unknown, path: string): readonly FieldCause[] {
  const replicas = numberAt(object, path);
  const invalid = (value: number, detail: string): readonly FieldCause[] => [
    { reason: 'FieldValueInvalid', field: path, message: `Invalid value: ${printValue(value)}: ${detail}` },
  ];
  if (replicas.problem !== undefined) return invalid(0, replicas.problem);
  const { value = 0 } = replicas;
  if (value < 0) return invalid(value, 'should be a non-negative integer');
  return value > 2 ** 31 - 1 ? invalid(value, 'should be less than or equal to 2147483647') : [];
}

export function validateSelector(object: unknown, path: string): readonly FieldCause[] {
  const { problem } = textAt(object, path);
  return problem === undefined ? [] : [{ reason: 'FieldValueInvalid', field: path, message: `Invalid value: "": ${problem}` }];
}
