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
  let scans = 0;
  const watch = createNodeWatch({
    clock,
    delayMs: 1000,
    cache,
    pods: () => {
      scans++;
      return [podOn('n1'), podOn('n2'), podOn('n2')];
    },
    servicesFor: ({ spec }) => [`shop/${spec?.nodeName}`],
    overloadedServices: (nodes) => [`shop/overloaded-${nodes.length}`],
    enqueue: (key) => queued.push(key),
    extraNodes: [],
  });
  return { clock, cache, queued, watch, scans: () => scans };
}

test('node changes are batched, and one scan of the pods serves all of them', async () => {
  const { clock, watch, queued, scans } = createHarness();
  watch.handle({ type: 'updated', old: node('n1'), object: node('n1', 'b') });
  watch.handle({ type: 'deleted', object: node('n2'), missed: false });
  expect([watch.idle, queued]).toEqual([false, []]);
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-1', 'shop/n1', 'shop/n2']);
  expect([watch.idle, scans()]).toEqual([true, 1]);
});

test('a new node enqueues Services with pods assigned to it', async () => {
  const { clock, watch, queued, cache } = createHarness();
  cache.set('n2', node('n2'));
  watch.handle({ type: 'added', object: node('n2'), initial: false });
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-2', 'shop/n2']);
});

test('an irrelevant node update enqueues nothing, and nodes() is cached between events', async () => {
  const { clock, watch } = createHarness();
  const previousList = watch.nodes();
  expect(watch.nodes()).toBe(previousList);
  watch.handle({ type: 'updated', old: node('n1'), object: node('n1') });
  expect([watch.idle, clock.scheduled]).toEqual([true, 0]);
  expect(watch.nodes()).not.toBe(previousList);
  watch.handle({ type: 'deleted', object: node('n1'), missed: false });
  watch.stop();
  expect([watch.idle, clock.scheduled]).toEqual([true, 0]);
});

const nodeIn = (zone: string, ready = true): Node => ({
  metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

test('classifyNodeEvent returns what a node change affects', () => {
  expect(classifyNodeEvent({ type: 'added', object: nodeIn('a'), initial: false })).toEqual({ cpuShares: true, endpoints: true });
  expect(classifyNodeEvent({ type: 'deleted', object: nodeIn('a'), missed: false })).toEqual({ cpuShares: true, endpoints: true });
  const update = (old: Node, object: Node) => classifyNodeEvent({ type: 'updated', old, object });
  expect(update(nodeIn('a'), nodeIn('a'))).toEqual({ cpuShares: false, endpoints: false });
  expect(update(nodeIn('a'), nodeIn('a', false))).toEqual({ cpuShares: true, endpoints: false });
  expect(update(nodeIn('a'), nodeIn('b'))).toEqual({ cpuShares: true, endpoints: true });
});
