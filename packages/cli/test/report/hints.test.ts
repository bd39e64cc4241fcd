import { expect, test } from 'vitest';
import { createCaveats, createUnknownZonesHints } from '../../src/report/hints.ts';
import { inventoryOf, pod, service } from '../objects.ts';

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

test('an input without Pods, or with templates in their place, causes a hint', () => {
  const noPods = 'The input has no Pods, so the endpoints of Services with a selector are unknown: add the Pods.';
  const services = [service('web')];
  expect(createCaveats({ inventory: inventoryOf({ services }), live: false })).toEqual([noPods]);
  expect(createCaveats({ inventory: inventoryOf({ services }), live: true })).toEqual([]);
  expect(createCaveats({ inventory: inventoryOf({ services: [service('web', { selector: null })] }), live: false })).toEqual([]);
  const pods = [pod('a', 'web', '10.0.0.1')];
  expect(createCaveats({ inventory: inventoryOf({ services, pods }), live: false })).toEqual([]);
  expect(createCaveats({ inventory: inventoryOf({ services, pods, templatePods: new Set(['shop/a']) }), live: false })).toEqual([
    'The input has no Pods: the templates of 1 workload are used as if their pods ran and were ready.',
  ]);
});
