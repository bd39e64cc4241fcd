import { expect, test } from 'vitest';
import { nodesHint } from '../../src/report/hints.ts';
import { service } from '../objects.ts';

test('unknown zones cause a hint only for Services with topology hints', () => {
  const near = service('near', { trafficDistribution: 'PreferClose' });
  const far = service('far');
  expect(nodesHint([], [near], '1.37')).toEqual([]);
  expect(nodesHint(undefined, [far], '1.37')).toEqual([]);
  expect(nodesHint(undefined, [near], '1.30')).toEqual([]);
  expect(nodesHint(undefined, [near, near, far], '1.37')).toEqual([
    'The input has no Nodes, so zones are unknown and hints of 2 Services that ask for hints cannot be computed: add the Nodes.',
  ]);
});
