import { expect, test } from 'vitest';
import { createCaveats, createUnknownZonesHints } from '../../src/report/hints.ts';
import { inventoryOf, node, pod, service } from '../objects.ts';

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

test('an input without Pods, Nodes or network policies, or with templates instead of pods, causes a hint', () => {
  const noPods = 'The input has no Pods, so the endpoints of Services with a selector are unknown: add the Pods.';
  const services = [service('web')];
  const nodes = [node('n1', 'a')];
  const policy = { kind: 'NetworkPolicy', apiVersion: 'networking.k8s.io/v1', metadata: { name: 'x' } } as const;
  const related = { ...inventoryOf({}).related, NetworkPolicy: [policy] };
  const caveatsOf = (objects: Parameters<typeof inventoryOf>[0], live = false, hasFindings = false) =>
    createCaveats({ inventory: inventoryOf({ services, nodes, related, ...objects }), live }, hasFindings);
  expect(caveatsOf({})).toStrictEqual([noPods]);
  expect(caveatsOf({}, true)).toStrictEqual([]);
  expect(caveatsOf({ services: [] })).toStrictEqual([]);
  expect(caveatsOf({ services: [service('web', { selector: null })] })).toStrictEqual([]);
  const pods = [pod('a', 'web', '10.0.0.1')];
  expect(caveatsOf({ pods })).toStrictEqual([]);
  expect(caveatsOf({ pods, nodes: undefined, templatePods: new Set(['shop/a']) })).toStrictEqual([
    'The input has no Pods: the templates of 1 workload are used as if their pods ran and were ready.',
  ]);
  expect(caveatsOf({ pods, nodes: undefined, related: inventoryOf({}).related })).toStrictEqual([
    'The input has no Nodes and no network policies: problems that only these show are unknown.',
  ]);
  expect(caveatsOf({ pods, nodes: undefined, related: inventoryOf({}).related }, false, true)).toStrictEqual([]);
});
