import { expect, it } from 'vitest';
import { isReady, moveToUpdate, removeHints, revertHints, type SliceSet } from '../../../../src/spec/slices/hints/slice-set.ts';
import type { EndpointSlice } from '../../../../src/types/index.ts';
import { freezeDeeply } from '../../../property/check.ts';
import { makeService, profileWith } from '../../objects.ts';
import { makeEndpoint, makeSlice, readerOf } from '../objects.ts';

const hinted = makeEndpoint('a', '10.0.0.1', { hints: { forZones: [{ name: 'z' }] } });
const writable = (name: string): EndpointSlice => structuredClone(makeSlice(name, [hinted, makeEndpoint('b')])) as EndpointSlice;
const setOf = (...unchanged: ReturnType<typeof makeSlice>[]): SliceSet => ({
  create: [writable('c')],
  update: [writable('u')],
  unchanged: freezeDeeply(unchanged) as never,
  read: readerOf(makeService(), profileWith()),
});
const names = (slices: readonly { metadata?: unknown }[]) => slices.map(({ metadata }) => (metadata as { name: string }).name).join();

it.each([
  [{ ready: true }, true],
  [{ ready: false }, false],
  [{ ready: null, serving: true }, false],
  [{}, false],
  [null, false],
])('isReady with conditions %j: %s', (conditions, expected) => {
  expect(isReady({ conditions })).toBe(expected);
});

it('moveToUpdate copies slices that need an update', () => {
  const [one, two] = [makeSlice('1', [hinted]), makeSlice('2', [hinted])];
  const set = setOf(one, two);
  moveToUpdate(set, (_, slice) => slice === two);
  expect([names(set.update), names(set.unchanged)]).toEqual(['u,2', '1']);
  expect(set.update[1]).toMatchObject(two);
  expect(set.update[1]).not.toBe(two);
  expect(set.unchanged[0]).toBe(one);
});

it('revertHints removes hints, and updates only slices that have any', () => {
  const set = setOf(
    makeSlice('1', [makeEndpoint()]),
    makeSlice('2', [makeEndpoint('b'), hinted]),
    makeSlice('3', null),
    makeSlice('4', [{ hints: {} }, { hints: null }]),
  );
  revertHints(set);
  expect([names(set.create), names(set.update), names(set.unchanged)]).toEqual(['c', 'u,2,4', '1,3']);
  for (const { endpoints } of [...set.create, ...set.update])
    for (const endpoint of endpoints) expect('hints' in endpoint && endpoint.hints).toBe(false);
});

it('removeHints leaves new slices unchanged', () => {
  const set = setOf(makeSlice('1', [hinted]));
  const before = structuredClone(set.create);
  removeHints(set);
  expect(set.create).toEqual(before);
  expect(names(set.update)).toBe('u,1');
});
