import type { Node } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { weighNodeEvent } from '../../src/controllers/node-watch.ts';

const node = (zone: string, ready = true): Node => ({
  metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

test('what each change of a node is to slices', () => {
  expect(weighNodeEvent({ type: 'added', object: node('a'), initial: false })).toEqual({ shares: true, endpoints: true });
  expect(weighNodeEvent({ type: 'deleted', object: node('a'), missed: false })).toEqual({ shares: true, endpoints: true });
  const update = (old: Node, object: Node) => weighNodeEvent({ type: 'updated', old, object });
  expect(update(node('a'), node('a'))).toEqual({ shares: false, endpoints: false });
  expect(update(node('a'), node('a', false))).toEqual({ shares: true, endpoints: false });
  expect(update(node('a'), node('b'))).toEqual({ shares: true, endpoints: true });
});
