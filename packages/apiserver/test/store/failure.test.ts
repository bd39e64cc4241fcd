import { ApiError } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { failure } from '../../src/store/errors.ts';

test('failure writes the fields of a Status in the order of the API', () => {
  const error = failure(409, 'Conflict', 'no', { name: 'a' });
  expect(error).toBeInstanceOf(ApiError);
  expect(JSON.stringify(error.status)).toBe(
    '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"no","reason":"Conflict","details":{"name":"a"},"code":409}',
  );
});

test('failure omits absent fields', () => {
  expect(failure(500, undefined, 'no').status).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'no',
    code: 500,
  });
});

test('failure keeps metadata and the cause', () => {
  const cause = new Error('why');
  const error = failure(410, 'Expired', 'no', undefined, { metadata: { continue: 'x' }, cause });
  expect([error.status.metadata, error.cause]).toEqual([{ continue: 'x' }, cause]);
});
