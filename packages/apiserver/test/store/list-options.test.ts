import { describe, expect, test } from 'vitest';
import { planOf, problemsOfList, singleKey } from '../../src/store/list-options.ts';
import { nodes, pods, statusOf } from './support.ts';

describe('problemsOfList', () => {
  const message = (options: Parameters<typeof problemsOfList>[0]): string[] =>
    problemsOfList(options).map((problem) => `${problem.field}: ${problem.message}`);
  const match = 'resourceVersionMatch: ';

  test.each([
    [{}, []],
    [{ resourceVersion: '1', resourceVersionMatch: 'Exact' }, []],
    [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 5 }, []],
    [{ resourceVersionMatch: 'Exact' }, [`${match}Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided`]],
    [
      { resourceVersion: '1', resourceVersionMatch: 'NotOlderThan', continue: 'x' },
      [`${match}Forbidden: resourceVersionMatch is forbidden when continue is provided`],
    ],
    [
      { resourceVersion: '1', resourceVersionMatch: 'Newest' },
      [`${match}Unsupported value: "Newest": supported values: "Exact", "NotOlderThan", ""`],
    ],
    [
      { resourceVersion: '0', resourceVersionMatch: 'Exact' },
      [`${match}Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"`],
    ],
    [{ sendInitialEvents: false }, ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
  ])('%j', (options, expected) => expect(message(options)).toEqual(expected));
});

describe('planOf', () => {
  const exact = (options: Parameters<typeof planOf>[0], single = false) => planOf(options, single).exact;
  test.each([
    ['no version: the newest', {}, undefined],
    ['no version, with a limit: the newest', { limit: 1 }, undefined],
    ['"0": any', { resourceVersion: '0' }, undefined],
    ['a version: not older', { resourceVersion: '5' }, undefined],
    ['a version with a limit: exactly', { resourceVersion: '5', limit: 1 }, 5],
    ['a version with the limit 0: not older', { resourceVersion: '5', limit: 0 }, undefined],
    ['not older, with a limit: not older', { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan', limit: 1 }, undefined],
    ['exactly', { resourceVersion: '5', resourceVersionMatch: 'Exact' }, 5],
  ])('%s', (_, options, expected) => expect(exact(options)).toBe(expected));

  test('ignores limit for a single object', () => {
    expect(exact({ resourceVersion: '5', limit: 1 }, true)).toBeUndefined();
    expect(exact({ resourceVersion: '5', resourceVersionMatch: 'Exact' }, true)).toBe(5);
  });

  test('ignores limit for resourceVersion "0" or if it is negative', () => {
    expect(planOf({ resourceVersion: '0', limit: 2 }, false).limit).toBe(0);
    expect(planOf({ limit: -2 }, false).limit).toBe(0);
  });
});

test.each([
  [
    { resourceVersion: 'x' },
    'invalid resource version: resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  ],
  [{ continue: '!' }, 'invalid continue token: continue key is not valid: illegal base64 data at input byte 0'],
  [
    { continue: Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"a"}').toString('base64url'), resourceVersion: '1' },
    'specifying resource version is not allowed when using continue',
  ],
])('planOf refuses %j as a bad request', (options, message) =>
  expect(statusOf(() => planOf(options, false))).toMatchObject({ code: 400, reason: 'BadRequest', message }),
);

test('singleKey returns the key of an object whose name and namespace are known', () => {
  expect(singleKey(pods, 'a', 'ns')).toBe('ns/a');
  expect(singleKey(pods, 'a', undefined)).toBeUndefined();
  expect(singleKey(nodes, 'a', undefined)).toBe('a');
  expect(singleKey(nodes, undefined, undefined)).toBeUndefined();
});
