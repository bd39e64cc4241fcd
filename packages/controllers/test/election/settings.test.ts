import { describe, expect, test } from 'vitest';
import { requireMilliseconds, requireName, requireText } from '../../src/base/checks.ts';
import { resolveTimings } from '../../src/election/settings.ts';

test('resolveTimings returns the defaults of Kubernetes', () => {
  expect(resolveTimings({})).toEqual({ leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2_000 });
});

describe('validation', () => {
  test.each([
    [{ leaseDuration: 10_000 }, 'leaseDuration is 10000: make it greater than renewDeadline (10000)'],
    [{ leaseDuration: 9_000 }, 'leaseDuration is 9000: make it greater than renewDeadline (10000)'],
    [{ renewDeadline: 2_400 }, 'renewDeadline is 2400: make it greater than 1.2 times retryPeriod (2000)'],
    [{ retryPeriod: 9_000 }, 'renewDeadline is 10000: make it greater than 1.2 times retryPeriod (9000)'],
    [{ retryPeriod: 0 }, 'retryPeriod is 0: give a number of milliseconds greater than 0'],
    [{ renewDeadline: -1 }, 'renewDeadline is -1: give a number of milliseconds greater than 0'],
    [{ leaseDuration: Number.NaN }, 'leaseDuration is NaN: give a number of milliseconds greater than 0'],
    [{ leaseDuration: '15s' as unknown as number }, 'leaseDuration is "15s": give a number of milliseconds greater than 0'],
    [{ leaseDuration: Number.POSITIVE_INFINITY }, 'and no more than 2147483647'],
  ])('resolveTimings rejects %o', (timings, message) => {
    expect(() => resolveTimings(timings)).toThrow(RangeError);
    expect(() => resolveTimings(timings)).toThrow(message);
  });

  test('requireText, requireName and requireMilliseconds reject invalid values', () => {
    expect(() => requireText('identity', '', 'unique to this process')).toThrow('identity is "": give a non-empty string, unique to');
    expect(() => requireText('identity', undefined, 'unique to this process')).toThrow('identity is undefined');
    expect(() => requireName('name', 'Controllers')).toThrow('name is "Controllers": give a DNS subdomain name');
    expect(() => requireName('name', 'a'.repeat(254))).toThrow(RangeError);
    expect(() => requireName('name', 'a..b')).toThrow(RangeError);
    expect(() => requireMilliseconds('drainTimeout', -0.5, { allowZero: true })).toThrow(
      'drainTimeout is -0.5: give a number of milliseconds of 0 or more',
    );
  });
});

test('requireText, requireName, requireMilliseconds and resolveTimings accept valid values', () => {
  expect(() => requireText('identity', 'pod_1/x', 'unique to this process')).not.toThrow();
  expect(() => requireName('name', 'kube-endpoints.controllers-1')).not.toThrow();
  expect(() => requireMilliseconds('drainTimeout', 0, { allowZero: true })).not.toThrow();
  expect(resolveTimings({ leaseDuration: 3, renewDeadline: 2.5, retryPeriod: 2 })).toEqual({
    leaseDuration: 3,
    renewDeadline: 2.5,
    retryPeriod: 2,
  });
});
