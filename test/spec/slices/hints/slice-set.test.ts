import { expect, it } from 'vitest';
import { isReady, moveToUpdate, removeHints, revertHints, type SliceSet } from '../../../../src/spec/slices/hints/slice-set.ts';
import type { EndpointSlice } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { createReader, makeEndpoint, makeSlice } from '../objects.ts';

const hintedEndpoint = makeEndpoint('a', '10.0.0.1', { hints: { forZones: [{ name: 'z' }] } });
const makeWritableSlice = (name: string): EndpointSlice =>
  structuredClone(makeSlice(name, [hintedEndpoint, makeEndpoint('b')])) as EndpointSlice;
const makeSet = (...unchanged: ReturnType<typeof makeSlice>[]): SliceSet => ({
  create: [makeWritableSlice('c')],
  update: [makeWritableSlice('u')],
  unchanged: freezeDeeply(unchanged) as never,
  read: createReader(makeService(), profileWith()),
});
const names = (slices: readonly { metadata?: unknown }[]) => slices.map(({ metadata }) => (metadata as { name: string }).name).join();

it.each([
  [{ ready: true }, true],
  [{ ready: false }, false],
  [{ ready: null, serving: true }, false],
  [{}, false],
  [null, false],
])('isReady, for the conditions %j, returns %s', (conditions, expected) => {
  expect(isReady({ conditions })).toBe(expected);
});

it('moveToUpdate copies slices that need an update', () => {
  const [one, two] = [makeSlice('1', [hintedEndpoint]), makeSlice('2', [hintedEndpoint])];
  const set = makeSet(one, two);
  moveToUpdate(set, (_, slice) => slice === two);
  expect([names(set.update), names(set.unchanged)]).toEqual(['u,2', '1']);
  expect(set.update[1]).toMatchObject(two);
  expect(set.update[1]).not.toBe(two);
  expect(set.unchanged[0]).toBe(one);
});

it('revertHints removes hints, and updates only slices that have any', () => {
  const set = makeSet(
    makeSlice('1', [makeEndpoint()]),
    makeSlice('2', [makeEndpoint('b'), hintedEndpoint]),
    makeSlice('3', null),
    makeSlice('4', [{ hints: {} }, { hints: null }]),
  );
  revertHints(set);
  expect([names(set.create), names(set.update), names(set.unchanged)]).toEqual(['c', 'u,2,4', '1,3']);
  for (const { endpoints } of [...set.create, ...set.update])
    for (const endpoint of endpoints) expect('hints' in endpoint && endpoint.hints).toBe(false);
});

it('removeHints leaves new slices unchanged', () => {
  const set = makeSet(makeSlice('1', [hintedEndpoint]));
  const createBefore = structuredClone(set.create);
  removeHints(set);
  expect(set.create).toEqual(createBefore);
  expect(names(set.update)).toBe('u,1');
});
