import { expect, test } from 'vitest';
import { mendsOf } from '../../../src/trace/page/page.ts';
import { degraded, reached, unreachable } from './traces.ts';

test('a remedy is told once, with the first place and how many things it is told of', () => {
  expect(mendsOf(degraded.steps)).toEqual([
    { mend: 'Let the readiness probe of container "app" ask a port on which it listens: 8080.', number: 7, about: 'web-3', times: 2 },
  ]);
});

test('the same thing in two steps counts once', () => {
  const last = degraded.steps.at(-1);
  expect(mendsOf(last === undefined ? [] : [last, last])).toEqual([expect.objectContaining({ number: 1, times: 2 })]);
});

test('a remedy of the step itself is about its title', () => {
  expect(mendsOf(unreachable.steps)).toEqual([
    { mend: 'Ask for "web", or create the Service shop/wep.', number: 2, about: 'wep.shop.svc.cluster.local A', times: 1 },
  ]);
});

test('where nothing is wrong there are none', () => {
  expect(mendsOf(reached.steps)).toEqual([]);
});
