import { describe, expect, it } from 'vitest';
import { createSyncError, isElsewhereError, isNotFoundError } from '../../src/load-balancer/failures.ts';
import { loadBalancerSettings } from '../../src/load-balancer/gates.ts';
import { CloudError } from '../../src/load-balancer/index.ts';

const settings = loadBalancerSettings();
const retryError = (retryAfter?: number): CloudError =>
  new CloudError('RetryAfter', 'slow down', retryAfter === undefined ? {} : { retryAfter });

describe('createSyncError', () => {
  it('names the failed step, and keeps the cause', () => {
    const cause = new Error('no quota');
    expect(createSyncError('failed to ensure load balancer', cause, settings)).toMatchObject({
      name: 'SyncError',
      message: 'failed to ensure load balancer: no quota',
      cause,
      retryAfter: undefined,
    });
    expect(createSyncError('', 'no quota', settings).message).toBe('no quota');
    expect(createSyncError('', { code: 7, message: 'no quota' }, settings).message).toBe('no quota');
    expect(createSyncError('', Object.create(null), settings).message).toBe('{}');
  });

  it('passes on the delay if the cloud gives one and the release supports it', () => {
    expect(createSyncError('', retryError(7000), settings).retryAfter).toBe(7000);
    expect(createSyncError('', retryError(0), settings).retryAfter).toBe(0);
    expect(createSyncError('', retryError(7000), loadBalancerSettings({ version: '1.27' })).retryAfter).toBeUndefined();
    expect(createSyncError('', retryError(7000), undefined).retryAfter).toBeUndefined();
    expect(createSyncError('', new CloudError('Failed', 'x', { retryAfter: 7000 }), settings).retryAfter).toBeUndefined();
  });

  it.each([undefined, -1, Number.NaN, Number.POSITIVE_INFINITY, '7' as unknown as number])('ignores a delay of %s', (delay) => {
    expect(createSyncError('', retryError(delay), settings).retryAfter).toBeUndefined();
  });
});

describe('isElsewhereError and isNotFoundError', () => {
  it('classify errors by name and code, or by reason', () => {
    expect([
      isElsewhereError(new CloudError('Elsewhere', 'x')),
      isElsewhereError(new CloudError('Failed', 'x')),
      isElsewhereError(undefined),
    ]).toEqual([true, false, false]);
    const otherCopy = Object.assign(new Error('x'), { name: 'CloudError', code: 'Elsewhere' });
    expect([isElsewhereError(otherCopy), isElsewhereError(Object.assign(new Error('x'), { code: 'Elsewhere' }))]).toEqual([true, false]);
    expect([
      isNotFoundError(Object.assign(new Error('x'), { reason: 'NotFound' })),
      isNotFoundError(new Error('NotFound')),
      isNotFoundError(null),
    ]).toEqual([true, false, false]);
  });
});
