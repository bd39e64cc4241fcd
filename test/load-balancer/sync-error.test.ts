import { expect, test } from 'vitest';
import { SyncError } from '../../src/load-balancer/failures.ts';

test('SyncError carries its message, retryAfter and cause', () => {
  const cause = new Error('no quota');
  expect(new SyncError('failed', { retryAfter: 7000, cause })).toMatchObject({
    name: 'SyncError',
    message: 'failed',
    retryAfter: 7000,
    cause,
  });
  expect(new SyncError('failed').retryAfter).toBeUndefined();
});
