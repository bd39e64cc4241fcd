import { expect, test } from 'vitest';
import { createUnknownZonesHints } from '../../src/report/hints.ts';
import { service } from '../objects.ts';

test('unknown zones cause a hint only for Services with topology hints', () => {
  const withHints = service('with-hints', { trafficDistribution: 'PreferClose' });
  const withoutHints = service('without-hints');
  expect(createUnknownZonesHints([], [withHints], { version: '1.37' })).toEqual([]);
  expect(createUnknownZonesHints(undefined, [withoutHints], { version: '1.37' })).toEqual([]);
  expect(createUnknownZonesHints(undefined, [withHints], { version: '1.30' })).toEqual([]);
  expect(createUnknownZonesHints(undefined, [withHints, withHints, withoutHints], { version: '1.37' })).toEqual([
    'The input has no Nodes, so zones are unknown and hints of 2 Services that ask for hints cannot be computed: add the Nodes.',
  ]);
});
