import { expect, test } from 'vitest';
import * as errors from '../../../src/patch/strategic/errors.ts';

test('each error has the code that the API server gives it', () => {
  expect([errors.badPrimitiveList(), errors.badRetainKeys(), errors.badSetElementOrder()].map(({ code }) => code)).toEqual([400, 400, 400]);
  expect(errors.listOfLists().code).toBe(422);
  expect([errors.badType({}, null), errors.noMergeKey({}, 'a'), errors.unknownDirective('x', {})].map(({ code }) => code)).toEqual([
    500, 500, 500,
  ]);
});

test('types and directives are shown as Go shows them', () => {
  expect(errors.badType([], null).message).toBe('expected a []interface {}, but received a %!s(<nil>)');
  expect(errors.unknownDirective(5, { $patch: 5 }).message).toBe('unknown patch type: %!s(int64=5) in map: map[$patch:5]');
  expect(errors.noMergeKey({ b: 1, a: [] }, 'name').message).toBe('map: map[a:[] b:1] does not contain declared merge key: name');
});
