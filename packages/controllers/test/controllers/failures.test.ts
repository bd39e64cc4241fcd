import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import {
  classifyFailure,
  OwnershipLostError,
  PartialFailureError,
  StaleCacheError,
  UnconvertedWorkloadError,
  UnplannableError,
} from '../../src/controllers/failures.ts';

const createApiError = (code: number, reason: string, cause?: string): ApiError =>
  new ApiError({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    code,
    reason,
    ...(cause !== undefined && { details: { causes: [{ reason: cause }] } }),
  });

test.each([
  [new StaleCacheError('x'), 'stale'],
  [new OwnershipLostError('a/b'), 'lost'],
  [new UnplannableError('x'), 'refused'],
  [new UnconvertedWorkloadError('x'), 'unconverted'],
  [createApiError(409, 'Conflict'), 'lagging'],
  [createApiError(409, 'AlreadyExists'), 'lagging'],
  [createApiError(404, 'NotFound'), 'lagging'],
  [createApiError(403, 'Forbidden', 'NamespaceTerminating'), 'terminating'],
  [createApiError(403, 'Forbidden'), 'refused'],
  [createApiError(422, 'Invalid'), 'refused'],
  [createApiError(429, 'TooManyRequests'), 'outage'],
  [createApiError(500, 'InternalError'), 'outage'],
  [new TypeError('fetch failed'), 'outage'],
  ['broken', 'outage'],
  [new PartialFailureError([createApiError(409, 'Conflict'), createApiError(422, 'Invalid')]), 'refused'],
  [new PartialFailureError([createApiError(409, 'Conflict'), createApiError(500, 'InternalError')]), 'outage'],
])('classifyFailure(%s) returns %s', (error, kind) => {
  expect(classifyFailure(error)).toBe(kind);
});

test('messageOf joins the messages of a PartialFailure', () => {
  expect(messageOf(new PartialFailureError([new Error('a'), 'b']))).toBe('a, b');
});
