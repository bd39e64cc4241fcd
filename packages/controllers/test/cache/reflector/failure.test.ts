import { describe, expect, it } from 'vitest';
import { isExpired, isTimeout, needsList, refusesStreams, retryAfterOf, timeoutError } from '../../../src/cache/reflector/open-watch.ts';
import { apiError, broken } from '../support.ts';

describe('isExpired', () => {
  it.each([
    [apiError(410, 'Expired'), true],
    [apiError(410, 'Gone'), true],
    [apiError(410, ''), true],
    [apiError(500, 'Expired'), true],
    [apiError(404, 'NotFound'), false],
    [broken(), false],
    [undefined, false],
  ])('%s: %s', (error, is) => {
    expect(isExpired(error)).toBe(is);
  });
});

describe('needsList', () => {
  it.each([
    ['the cause of today', { causes: [{ reason: 'ResourceVersionTooLarge' }] }, '', true],
    ['the cause up to 1.18.5', { causes: [{ message: 'Too large resource version' }] }, '', true],
    ['the message before that', undefined, 'Too large resource version: 9, current: 7', true],
    ['another timeout', undefined, 'the request timed out', false],
  ])('knows a version from the future by %s', (_, details, message, is) => {
    expect(needsList(apiError(504, 'Timeout', details, message))).toBe(is);
  });
});

describe('refusesStreams', () => {
  it('takes 400, 405, 406 and 422 for a refusal, and nothing else', () => {
    const codes = [400, 401, 403, 404, 405, 406, 409, 410, 422, 429, 500, 503, 504];
    expect(codes.filter((code) => refusesStreams(apiError(code, '')))).toEqual([400, 405, 406, 422]);
    expect(refusesStreams(broken())).toBe(false);
  });
});

describe('retryAfterOf', () => {
  it.each([
    [7, 7000],
    [0, 0],
    [-3, 0],
    [1e9, 300_000],
    [Number.NaN, 0],
  ])('reads %s s as %s ms', (retryAfterSeconds, milliseconds) => {
    expect(retryAfterOf(apiError(429, 'TooManyRequests', { retryAfterSeconds }))).toBe(milliseconds);
  });

  it('is none where none is said', () => {
    expect(retryAfterOf(apiError(429, 'TooManyRequests'))).toBe(0);
    expect(retryAfterOf(broken())).toBe(0);
  });
});

describe('timeoutError', () => {
  it('is known again', () => {
    expect(isTimeout(timeoutError('late'))).toBe(true);
    expect(isTimeout(broken())).toBe(false);
  });
});
