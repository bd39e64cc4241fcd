import { expect, it } from 'vitest';
import { ApiError, hasReason, type Status } from '../../src/port/status.ts';

const status = (fields: Partial<Status>): Status => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  code: 409,
  ...fields,
});

it('ApiError has the message, code and reason of the Status', () => {
  const error = new ApiError(status({ message: 'pods "a" already exists', reason: 'AlreadyExists' }), { cause: 'x' });
  expect(error).toMatchObject({ name: 'ApiError', message: 'pods "a" already exists', code: 409, reason: 'AlreadyExists', cause: 'x' });
  expect(error).toBeInstanceOf(Error);
});

it.each([
  [status({ reason: 'Conflict' }), 'Conflict', 'Conflict'],
  [status({ code: 500 }), 'status 500', ''],
])('ApiError without a message uses the reason or the code: %j', (statusObject, message, reason) => {
  expect(new ApiError(statusObject)).toMatchObject({ message, reason });
});

it.each<[unknown, boolean]>([
  [new ApiError(status({ reason: 'Conflict' })), true],
  [new ApiError(status({ reason: 'NotFound' })), true],
  [new ApiError(status({ reason: 'Gone' })), false],
  [new ApiError(status({})), false],
  [new Error('Conflict'), false],
  [undefined, false],
])('hasReason of %s is %s', (error, expected) => {
  expect(hasReason(error, 'Conflict', 'NotFound')).toBe(expected);
});
