import { expect, test } from 'vitest';
import { createClusterNodes } from '../../src/scheduler/cluster-nodes.ts';

const node = (name: string, zone: string) =>
  ({ kind: 'Node', metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } }) as never;

test('lists one node of each zone after the other, and keeps this order until a node is added or removed', () => {
  const nodes = createClusterNodes();
  const list = (): string[] => nodes.list().map(({ name }) => name);
  nodes.setNode(node('n1', 'a'));
  nodes.setNode(node('n2', 'a'));
  nodes.setNode(node('n3', 'b'));
  expect(list()).toStrictEqual(['n1', 'n3', 'n2']);
  nodes.setNode(node('n1', 'b'));
  expect(list()).toStrictEqual(['n1', 'n3', 'n2']);
  nodes.removeNode('n3');
  expect(list()).toStrictEqual(['n2', 'n1']);
  nodes.removeNode('n1');
  nodes.setNode(node('n1', 'a'));
  expect(list()).toStrictEqual(['n2', 'n1']);
  nodes.setNode(node('n0', 'a'));
  expect(list()).toStrictEqual(['n2', 'n1', 'n0']);
});
