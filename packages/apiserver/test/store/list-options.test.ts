import { describe, expect, test } from 'vitest';
import { findSingleKey, planList, validateListOptions } from '../../src/store/list-options.ts';
import { nodes, pods, statusOf } from './support.ts';

describe('validateListOptions', () => {
  const formatProblems = (options: Parameters<typeof validateListOptions>[0]): string[] =>
    validateListOptions(options).map((problem) => `${problem.field}: ${problem.message}`);
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
  ])('reports the problems of %j', (options, expected) => expect(formatProblems(options)).toEqual(expected));
});

describe('planList', () => {
  const exactRevisionOf = (options: Parameters<typeof planList>[0], single = false) => planList(options, single).exactRevision;
  test.each([
    ['lists the newest version if none is requested', {}, undefined],
    ['lists the newest version if none is requested, with a limit', { limit: 1 }, undefined],
    ['lists any version for "0"', { resourceVersion: '0' }, undefined],
    ['lists a version that is not older than requested', { resourceVersion: '5' }, undefined],
    ['lists the exact version with a limit', { resourceVersion: '5', limit: 1 }, 5],
    ['lists a version that is not older with the limit 0', { resourceVersion: '5', limit: 0 }, undefined],
    [
      'lists a version that is not older with NotOlderThan and a limit',
      { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan', limit: 1 },
      undefined,
    ],
    ['lists the exact version with Exact', { resourceVersion: '5', resourceVersionMatch: 'Exact' }, 5],
  ])('%s', (_, options, expected) => expect(exactRevisionOf(options)).toBe(expected));

  test('ignores limit for a single object', () => {
    expect(exactRevisionOf({ resourceVersion: '5', limit: 1 }, true)).toBeUndefined();
    expect(exactRevisionOf({ resourceVersion: '5', resourceVersionMatch: 'Exact' }, true)).toBe(5);
  });

  test('ignores limit for resourceVersion "0" or if it is negative', () => {
    expect(planList({ resourceVersion: '0', limit: 2 }, false).limit).toBe(0);
    expect(planList({ limit: -2 }, false).limit).toBe(0);
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
])('planList refuses %j as a bad request', (options, message) =>
  expect(statusOf(() => planList(options, false))).toMatchObject({ code: 400, reason: 'BadRequest', message }),
);

test('findSingleKey returns the key of an object whose name and namespace are known', () => {
  expect(findSingleKey(pods, 'a', 'ns')).toBe('ns/a');
  expect(findSingleKey(pods, 'a', undefined)).toBeUndefined();
  expect(findSingleKey(nodes, 'a', undefined)).toBe('a');
  expect(findSingleKey(nodes, undefined, undefined)).toBeUndefined();
});
