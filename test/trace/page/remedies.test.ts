import { expect, test } from 'vitest';
import { collectRemedies } from '../../../src/trace/page/page.ts';
import { degradedTrace, reachedTrace, unreachableTrace } from './traces.ts';

test('collectRemedies lists a remedy once, with the first item that suggests it and the number of items', () => {
  expect(collectRemedies(degradedTrace.steps)).toEqual([
    {
      remedy: 'Let the readiness probe of container "app" use a port on which it listens: 8080.',
      number: 7,
      sourceLabel: 'web-3',
      times: 2,
    },
  ]);
});

test('collectRemedies counts an item that occurs in two steps once', () => {
  const last = degradedTrace.steps.at(-1);
  expect(collectRemedies(last === undefined ? [] : [last, last])).toEqual([expect.objectContaining({ number: 1, times: 2 })]);
});

test('collectRemedies names the title of the step if a note of the step suggests the remedy', () => {
  expect(collectRemedies(unreachableTrace.steps)).toEqual([
    { remedy: 'Use "web", or create the Service shop/wep.', number: 2, sourceLabel: 'wep.shop.svc.cluster.local A', times: 1 },
  ]);
});

test('collectRemedies is empty if no note has a remedy', () => {
  expect(collectRemedies(reachedTrace.steps)).toEqual([]);
});
