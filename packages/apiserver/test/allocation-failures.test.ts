import { expect, it } from 'vitest';
import {
  createCauses,
  createInternalFailure,
  createInvalidFailure,
  createPanicFailure,
  failureOf,
} from '../../../src/allocators/service/failures.ts';

it('createCauses formats causes as field errors', () => {
  const causes = createCauses(true);
  causes.invalid('a', 'x', 'is bad');
  causes.invalid('a', ['x', '<y>'], 'is bad');
  causes.invalid('a', [], 'is bad');
  causes.invalid('a', 7, 'is bad');
  causes.required('b');
  causes.notSupported('c', 'x', ['y', 'z']);
  causes.duplicate('d', 'x');
  causes.internal('e', 'broke');
  expect(causes.list.map(({ reason, message, field }) => [field, reason, message])).toEqual([
    ['a', 'FieldValueInvalid', 'Invalid value: "x": is bad'],
    ['a', 'FieldValueInvalid', 'Invalid value: ["x","\\u003cy\\u003e"]: is bad'],
    ['a', 'FieldValueInvalid', 'Invalid value: null: is bad'],
    ['a', 'FieldValueInvalid', 'Invalid value: 7: is bad'],
    ['b', 'FieldValueRequired', 'Required value'],
    ['c', 'FieldValueNotSupported', 'Unsupported value: "x": supported values: "y", "z"'],
    ['d', 'FieldValueDuplicate', 'Duplicate value: "x"'],
    ['e', 'InternalError', 'Internal error: broke'],
  ]);
});

it('createCauses prints lists in Go syntax before Kubernetes 1.34', () => {
  const causes = createCauses(false);
  for (const value of [['x', 'y'], [], 'x', 7, null]) causes.invalid('a', value, 'd');
  expect(causes.list.map(({ message }) => message)).toEqual([
    'Invalid value: []string{"x", "y"}: d',
    'Invalid value: []string(nil): d',
    'Invalid value: "x": d',
    'Invalid value: 7: d',
    'Invalid value: null: d',
  ]);
});

it('failureOf, createInvalidFailure, createInternalFailure and createPanicFailure create failures', () => {
  const causes = createCauses(true);
  expect(failureOf(causes)).toBeUndefined();
  causes.required('b');
  expect(failureOf(causes)).toEqual({
    reason: 'Invalid',
    causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'b' }],
  });
  expect(createInvalidFailure(causes)).toEqual(failureOf(causes));
  expect(createInternalFailure('x')).toEqual({ reason: 'InternalError', message: 'x' });
  expect(createPanicFailure()).toMatchObject({
    reason: 'Unknown',
    message: 'This request caused apiserver to panic. Look in the logs for details.',
  });
});
