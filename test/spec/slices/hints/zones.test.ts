import { expect, it } from 'vitest';
import { zoneSharesOf } from '../../../../src/spec/slices/hints/zones.ts';
import type { Node } from '../../../../src/types/index.ts';
import { makeNode } from '../objects.ts';

const nodeWithLabel = (label: string): Node => ({ ...makeNode('cp'), metadata: { name: 'cp', labels: { [label]: '' } } });
const [a, b] = [makeNode('n1', 'a'), makeNode('n2', 'b')];

it.each<{ name: string; nodes: Node[]; expected: object }>([
  { name: 'two equal nodes', nodes: [b, a], expected: { a: 0.5, b: 0.5 } },
  { name: 'a node with three times the CPU of the other', nodes: [makeNode('n1', 'a', '3'), b], expected: { a: 0.75, b: 0.25 } },
  { name: 'several nodes in a zone', nodes: [a, makeNode('n3', 'a', '500m'), makeNode('n4', 'b', '0.5'), b], expected: { a: 0.5, b: 0.5 } },
  { name: 'CPU as a number', nodes: [makeNode('n1', 'a', 3), b], expected: { a: 0.75, b: 0.25 } },
  { name: 'CPU rounded up to thousandths', nodes: [makeNode('n1', 'a', '1u'), makeNode('n2', 'b', '1u')], expected: { a: 1, b: 1 } },
  { name: 'an unready node', nodes: [a, b, makeNode('n3', 'c', '1', 'False')], expected: { a: 0.5, b: 0.5 } },
  { name: 'an unready node without a zone', nodes: [a, b, makeNode('n3', undefined, '1', 'Unknown')], expected: { a: 0.5, b: 0.5 } },
  { name: 'a node without conditions', nodes: [a, b, {}, { status: null }], expected: { a: 0.5, b: 0.5 } },
  { name: 'a control plane node', nodes: [a, b, nodeWithLabel('node-role.kubernetes.io/control-plane')], expected: { a: 0.5, b: 0.5 } },
  { name: 'a master node', nodes: [a, b, nodeWithLabel('node-role.kubernetes.io/master')], expected: { a: 0.5, b: 0.5 } },
])('zoneSharesOf returns shares for $name', ({ nodes, expected }) => {
  const { shares } = zoneSharesOf(nodes);
  expect(Object.fromEntries(shares ?? [])).toEqual(expected);
  expect([...(shares?.keys() ?? [])]).toEqual(Object.keys(expected).sort());
});

it.each<{ name: string; nodes: Node[]; expected: object }>([
  { name: 'no nodes', nodes: [], expected: { code: 'NodesReadyInFewZones' } },
  { name: 'one zone', nodes: [a, makeNode('n2', 'a')], expected: { code: 'NodesReadyInFewZones' } },
  { name: 'a node without a zone', nodes: [a, b, makeNode('x')], expected: { code: 'NodeWithoutZone', node: 'x' } },
  { name: 'a node with an empty zone', nodes: [a, b, makeNode('x', '')], expected: { code: 'NodeWithoutZone', node: 'x' } },
  { name: 'a node without CPU', nodes: [makeNode('x', 'c', null), a, b], expected: { code: 'NodeWithoutCPU', node: 'x' } },
  { name: 'a node with zero CPU', nodes: [makeNode('x', 'c', '0'), a, b], expected: { code: 'NodeWithoutCPU', node: 'x' } },
  { name: 'CPU that sums to zero', nodes: [makeNode('x', 'a', '-1'), b], expected: { code: 'NodesReadyInFewZones' } },
  {
    name: 'a node without a name',
    nodes: [{ status: { conditions: [{ type: 'Ready', status: 'True' }] } }],
    expected: { code: 'NodeWithoutZone', node: '' },
  },
])('zoneSharesOf returns no shares for $name', ({ nodes, expected }) => {
  expect(zoneSharesOf(nodes)).toEqual(expected);
});
