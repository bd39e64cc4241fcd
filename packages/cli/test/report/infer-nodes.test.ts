import { expect, test } from 'vitest';
import { inferNodes } from '../../src/report/compare-slices.ts';
import { node, pod, slice } from '../objects.ts';

const pods = [pod('a', 'web', '10.0.0.1'), { spec: {} }];
const slices = [slice('web-1', 'web', { endpoints: [{ nodeName: 'node-1', zone: 'a' }, { nodeName: 'node-2' }, { zone: 'b' }] })];

test('inferNodes returns the nodes of the input unchanged', () => {
  const nodes = [node('n1', 'z')];
  expect(inferNodes(nodes, pods, slices)).toBe(nodes);
  expect(inferNodes([], pods, slices)).toEqual([]);
});

test('inferNodes creates the nodes of pods, with zones from the slices, if the input holds none', () => {
  expect(inferNodes(undefined, pods, slices)).toEqual([
    { metadata: { name: 'node-1', labels: { 'topology.kubernetes.io/zone': 'a' } } },
    { metadata: { name: '' } },
  ]);
});
