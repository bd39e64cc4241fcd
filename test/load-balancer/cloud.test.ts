import { expect, test } from 'vitest';
import { CloudError, isCloudError } from '../../src/load-balancer/cloud.ts';

test('CloudError carries its code, retryAfter and cause', () => {
  const cause = new Error('quota');
  expect(new CloudError('RetryAfter', 'slow down', { retryAfter: 7000, cause })).toMatchObject({
    name: 'CloudError',
    message: 'slow down',
    code: 'RetryAfter',
    retryAfter: 7000,
    cause,
  });
  expect(new CloudError('Failed', 'no').retryAfter).toBeUndefined();
});

test('isCloudError recognizes errors by name, including errors from a different copy of the package', () => {
  const errorOfOtherCopy = Object.assign(new Error('x'), { name: 'CloudError', code: 'Failed' });
  expect(
    [new CloudError('Invalid', 'x'), errorOfOtherCopy, new Error('CloudError'), { name: 'CloudError' }, undefined].map(isCloudError),
  ).toEqual([true, true, false, false, false]);
});
