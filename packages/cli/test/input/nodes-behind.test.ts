import { expect, test } from 'vitest';
import { nodesBehind } from '../../src/report/compare-slices.ts';
import { node, pod, slice } from '../objects.ts';

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
