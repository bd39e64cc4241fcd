import { expect, test } from 'vitest';
import { createFieldSet } from '../../src/patch/apply/field-set.ts';
import { identifierOf } from '../../src/patch/apply/managed-fields.ts';
import { Conflicts } from '../../src/patch/apply/updater.ts';
import * as errors from '../../src/patch/errors.ts';
import {
  createApplyConflictError,
  createInapplicablePatchError,
  createManagerConflictError,
  createPanicError,
  createTooLargeError,
  createUndecodablePatchError,
  formatUnmarshalError,
} from '../../src/patch/errors.ts';

test('createInapplicablePatchError puts its argument into the cause of the error, not into the Status', () => {
  const error = createInapplicablePatchError('because');
  expect(error.status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'the server rejected our request due to an error in our request',
    reason: 'Invalid',
    details: {},
    code: 422,
  });
  expect((error.cause as Error).message).toBe('because');
});

test('createTooLargeError, createApplyConflictError and createPanicError create errors with the codes of kube-apiserver', () => {
  expect(createTooLargeError('10001 of them').status).toMatchObject({
    code: 413,
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: 10001 of them',
  });
  expect(createApplyConflictError('no', [{ field: '.a' }]).status).toMatchObject({
    code: 409,
    reason: 'Conflict',
    details: { causes: [{ field: '.a' }] },
  });
  expect(createPanicError().status).toMatchObject({ code: 500 });
  expect(createPanicError().reason).toBe('');
});

const applyIdentifier = identifierOf({ manager: 'a', operation: 'Apply', apiVersion: 'v1' });
const updateIdentifier = identifierOf({ manager: 'u', operation: 'Update', apiVersion: 'v1', subresource: 'status' });

test('createManagerConflictError reports a single conflict in one line', () => {
  const { status } = createManagerConflictError(new Conflicts(new Map([[applyIdentifier, createFieldSet(['f:spec', 'f:replicas'])]])));
  expect(status).toMatchObject({
    code: 409,
    reason: 'Conflict',
    message: 'Apply failed with 1 conflict: conflict with "a": .spec.replicas',
    details: { causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "a"', field: '.spec.replicas' }] },
  });
});

test('createManagerConflictError groups several conflicts by manager', () => {
  const sets = new Map([
    [updateIdentifier, createFieldSet(['f:status'])],
    [applyIdentifier, createFieldSet(['f:b'], ['f:a', 'k:{"port":80}'])],
  ]);
  const { status } = createManagerConflictError(new Conflicts(sets));
  expect(status.message).toBe(
    [
      'Apply failed with 3 conflicts: conflicts with "a":',
      '- .b',
      '- .a[port=80]',
      'conflicts with "u" with subresource "status" using v1:',
      '- .status',
    ].join('\n'),
  );
  expect(status.details?.causes?.map(({ field }) => field)).toEqual(['.b', '.a[port=80]', '.status']);
});

test('errors have the codes that kube-apiserver returns', () => {
  expect(
    [errors.createPrimitiveListError(), errors.createRetainKeysError(), errors.createSetElementOrderError()].map(({ code }) => code),
  ).toEqual([400, 400, 400]);
  expect(errors.createListOfListsError().code).toBe(422);
  expect(
    [errors.createBadTypeError({}, null), errors.createMissingMergeKeyError({}, 'a'), errors.createUnknownDirectiveError('x', {})].map(
      ({ code }) => code,
    ),
  ).toEqual([500, 500, 500]);
});

test('errors print types and directives as Go does', () => {
  expect(errors.createBadTypeError([], null).message).toBe('expected a []interface {}, but received a %!s(<nil>)');
  expect(errors.createUnknownDirectiveError(5, { $patch: 5 }).message).toBe('unknown patch type: %!s(int64=5) in map: map[$patch:5]');
  expect(errors.createMissingMergeKeyError({ b: 1, a: [] }, 'name').message).toBe(
    'map: map[a:[] b:1] does not contain declared merge key: name',
  );
});

test.each([
  [[], 'array'],
  [{}, 'object'],
  [true, 'bool'],
  [1, 'number'],
  ['a', 'string'],
])('formatUnmarshalError names the type of %j: %s', (value, type) => {
  expect(formatUnmarshalError(value, 'value of type x')).toBe(`json: cannot unmarshal ${type} into Go value of type x`);
});

test('createUndecodablePatchError selects the message by fieldValidation', () => {
  expect(createUndecodablePatchError('Ignore', 'strict', 'loose').message).toBe('loose');
  expect(createUndecodablePatchError('Warn', 'strict', 'loose').message).toBe('error decoding patch: strict');
  expect(createUndecodablePatchError('Strict', 'strict', 'loose').code).toBe(400);
});
