import { messageOf } from 'kube-endpoints/internal';
import { ApiError } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import {
  classifyFailure,
  OwnershipLost,
  PartialFailure,
  StaleCache,
  UnconvertedWorkload,
  Unplannable,
} from '../../src/controllers/failures.ts';

const answered = (code: number, reason: string, cause?: string): ApiError =>
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
  [new StaleCache('x'), 'stale'],
  [new OwnershipLost('a/b'), 'lost'],
  [new Unplannable('x'), 'refused'],
  [new UnconvertedWorkload('x'), 'unconverted'],
  [answered(409, 'Conflict'), 'lagging'],
  [answered(409, 'AlreadyExists'), 'lagging'],
  [answered(404, 'NotFound'), 'lagging'],
  [answered(403, 'Forbidden', 'NamespaceTerminating'), 'terminating'],
  [answered(403, 'Forbidden'), 'refused'],
  [answered(422, 'Invalid'), 'refused'],
  [answered(429, 'TooManyRequests'), 'outage'],
  [answered(500, 'InternalError'), 'outage'],
  [new TypeError('fetch failed'), 'outage'],
  ['broken', 'outage'],
  [new PartialFailure([answered(409, 'Conflict'), answered(422, 'Invalid')]), 'refused'],
  [new PartialFailure([answered(409, 'Conflict'), answered(500, 'InternalError')]), 'outage'],
])('kindOf(%s) is %s', (error, kind) => {
  expect(classifyFailure(error)).toBe(kind);
});

test('messageOf joins the messages of a PartialFailure', () => {
  expect(messageOf(new PartialFailure([new Error('a'), 'b']))).toBe('a, b');
});
