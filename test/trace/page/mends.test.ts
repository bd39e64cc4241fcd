import { expect, test } from 'vitest';
import { mendsOf } from '../../../src/trace/page/page.ts';
import { degraded, reached, unreachable } from './traces.ts';

test('mendsOf lists a remedy once, with its first place and the number of items', () => {
  expect(mendsOf(degraded.steps)).toEqual([
    { mend: 'Let the readiness probe of container "app" ask a port on which it listens: 8080.', number: 7, about: 'web-3', times: 2 },
  ]);
});

test('mendsOf counts an item that occurs in two steps once', () => {
  const last = degraded.steps.at(-1);
  expect(mendsOf(last === undefined ? [] : [last, last])).toEqual([expect.objectContaining({ number: 1, times: 2 })]);
});

test('mendsOf names the title for a remedy of the step itself', () => {
  expect(mendsOf(unreachable.steps)).toEqual([
    { mend: 'Ask for "web", or create the Service shop/wep.', number: 2, about: 'wep.shop.svc.cluster.local A', times: 1 },
  ]);
});

test('mendsOf is empty if nothing is wrong', () => {
  expect(mendsOf(reached.steps)).toEqual([]);
});
