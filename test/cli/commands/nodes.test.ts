import { expect, test } from 'vitest';
import { nodesBehind, nodesHint } from '../../../src/cli/commands/nodes.ts';
import { node, pod, service, slice } from '../objects.ts';

const pods = [pod('a', 'web', '10.0.0.1'), { spec: {} }];
const slices = [slice('web-1', 'web', { endpoints: [{ nodeName: 'node-1', zone: 'a' }, { nodeName: 'node-2' }, { zone: 'b' }] })];

test('nodes of the input are taken as they are', () => {
  const nodes = [node('n1', 'z')];
  expect(nodesBehind(nodes, pods, slices)).toBe(nodes);
  expect(nodesBehind([], pods, slices)).toEqual([]);
});

test('without any, there is a node for every pod, in the zone that slices tell', () => {
  expect(nodesBehind(undefined, pods, slices)).toEqual([
    { metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'a' } } },
    { metadata: { name: '' } },
  ]);
});

test('zones that are not known are told of where hints hang on them', () => {
  const near = service('near', { trafficDistribution: 'PreferClose' });
  const far = service('far');
  expect(nodesHint([], [near], '1.37')).toEqual([]);
  expect(nodesHint(undefined, [far], '1.37')).toEqual([]);
  expect(nodesHint(undefined, [near], '1.30')).toEqual([]);
  expect(nodesHint(undefined, [near, near, far], '1.37')).toEqual([
    'The input holds no Nodes, so that zones are not known and hints of 2 Services that ask for hints cannot be told: give nodes, too.',
  ]);
});
