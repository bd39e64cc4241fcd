import { expect, test } from 'vitest';
import { lookupList, lookupMap } from '../../../src/patch/strategic/lookup.ts';
import { catchApiError } from '../refusal.ts';
import { toy } from '../support.ts';

test('lookupList and lookupMap find fields with strategy and merge key', () => {
  expect(lookupList(toy, 'items')).toMatchObject({ strategy: 'merge', mergeKey: 'name', type: { name: 'Item' } });
  expect(lookupList(toy, 'whole')).toMatchObject({ strategy: '', mergeKey: '' });
  expect(lookupMap(toy, 'nest')).toMatchObject({ strategy: '', type: { name: 'Nest' } });
});

test('lookupList ignores case', () => {
  expect(lookupList(toy, 'ITEM\u017f')).toMatchObject({ mergeKey: 'name' });
});

test.each([
  [() => lookupMap(toy, 'nope'), 'unable to find api field in struct Toy for the json field "nope"'],
  [() => lookupMap(lookupMap(toy, 'labels').type, 'a'), 'merging an object in json but data type is not struct, instead is: map'],
  [() => lookupMap(lookupList(toy, 'tags').type, 'a'), 'merging an object in json but data type is not struct, instead is: string'],
  [() => lookupList(toy, 'labels'), 'expected slice or array type, but got: struct'],
])('%s throws', (run, message) => {
  expect(catchApiError(run)).toEqual({ code: 500, reason: '', message });
});

test('lookupList accepts a pointer', () => {
  expect(lookupList(toy, 'nest').type.name).toBe('Nest');
});
