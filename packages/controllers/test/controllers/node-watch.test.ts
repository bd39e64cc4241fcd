import type { Node, Pod } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { classifyNodeEvent, createNodeWatch } from '../../src/controllers/node-watch.ts';
import { createClock } from '../queue/clock.ts';

const node = (name: string, zone = 'a'): Node => ({ metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } });
const podOn = (nodeName: string): Pod => ({ metadata: { name: `on-${nodeName}` }, spec: { nodeName } });

function createHarness() {
  const clock = createClock();
  const cache = new Map<string, Node>([['n1', node('n1')]]);
  const queued: string[] = [];
  let scanCount = 0;
  const nodeWatch = createNodeWatch({
    clock,
    delayMs: 1000,
    cache,
    pods: () => {
      scanCount++;
      return [podOn('n1'), podOn('n2'), podOn('n2')];
    },
    servicesFor: ({ spec }) => [`shop/${spec?.nodeName}`],
    overloadedServices: (nodes) => [`shop/overloaded-${nodes.length}`],
    enqueue: (key) => queued.push(key),
    extraNodes: [],
  });
  return { clock, cache, queued, nodeWatch, countScans: () => scanCount };
}

test('node changes are batched, and one scan of the pods serves all of them', async () => {
  const { clock, nodeWatch, queued, countScans } = createHarness();
  nodeWatch.handle({ type: 'updated', old: node('n1'), object: node('n1', 'b') });
  nodeWatch.handle({ type: 'deleted', object: node('n2'), missed: false });
  expect([nodeWatch.idle, queued]).toEqual([false, []]);
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-1', 'shop/n1', 'shop/n2']);
  expect([nodeWatch.idle, countScans()]).toEqual([true, 1]);
});

test('a new node enqueues Services with pods assigned to it', async () => {
  const { clock, nodeWatch, queued, cache } = createHarness();
  cache.set('n2', node('n2'));
  nodeWatch.handle({ type: 'added', object: node('n2'), initial: false });
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-2', 'shop/n2']);
});

test('an irrelevant node update enqueues nothing, and getNodes() is cached between events', async () => {
  const { clock, nodeWatch } = createHarness();
  const previousList = nodeWatch.getNodes();
  expect(nodeWatch.getNodes()).toBe(previousList);
  nodeWatch.handle({ type: 'updated', old: node('n1'), object: node('n1') });
  expect([nodeWatch.idle, clock.scheduled]).toEqual([true, 0]);
  expect(nodeWatch.getNodes()).not.toBe(previousList);
  nodeWatch.handle({ type: 'deleted', object: node('n1'), missed: false });
  nodeWatch.stop();
  expect([nodeWatch.idle, clock.scheduled]).toEqual([true, 0]);
});

const nodeIn = (zone: string, ready = true): Node => ({
  metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

test('classifyNodeEvent returns what a node change affects', () => {
  expect(classifyNodeEvent({ type: 'added', object: nodeIn('a'), initial: false })).toEqual({
    affectsCpuShares: true,
    affectsEndpoints: true,
  });
  expect(classifyNodeEvent({ type: 'deleted', object: nodeIn('a'), missed: false })).toEqual({
    affectsCpuShares: true,
    affectsEndpoints: true,
  });
  const update = (old: Node, object: Node) => classifyNodeEvent({ type: 'updated', old, object });
  expect(update(nodeIn('a'), nodeIn('a'))).toEqual({ affectsCpuShares: false, affectsEndpoints: false });
  expect(update(nodeIn('a'), nodeIn('a', false))).toEqual({ affectsCpuShares: true, affectsEndpoints: false });
  expect(update(nodeIn('a'), nodeIn('b'))).toEqual({ affectsCpuShares: true, affectsEndpoints: true });
});
