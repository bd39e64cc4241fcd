import type { Node, Pod } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { classifyNodeEvent, createNodeWatch } from '../../src/controllers/node-watch.ts';
import { createClock } from '../queue/clock.ts';

const node = (name: string, zone = 'a'): Node => ({ metadata: { name, labels: { 'topology.kubernetes.io/zone': zone } } });
const on = (nodeName: string): Pod => ({ metadata: { name: `on-${nodeName}` }, spec: { nodeName } });

function bench() {
  const clock = createClock();
  const cache = new Map<string, Node>([['n1', node('n1')]]);
  const queued: string[] = [];
  let scans = 0;
  const watch = createNodeWatch({
    clock,
    delay: 1000,
    cache,
    pods: () => {
      scans++;
      return [on('n1'), on('n2'), on('n2')];
    },
    servicesFor: ({ spec }) => [`shop/${spec?.nodeName}`],
    overloaded: (nodes) => [`shop/overloaded-${nodes.length}`],
    enqueue: (key) => queued.push(key),
    extraNodes: [],
  });
  return { clock, cache, queued, watch, scans: () => scans };
}

test('node changes are batched, and one scan of the pods serves all of them', async () => {
  const { clock, watch, queued, scans } = bench();
  watch.take({ type: 'updated', old: node('n1'), object: node('n1', 'b') });
  watch.take({ type: 'deleted', object: node('n2'), missed: false });
  expect([watch.idle, queued]).toEqual([false, []]);
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-1', 'shop/n1', 'shop/n2']);
  expect([watch.idle, scans()]).toEqual([true, 1]);
});

test('a new node enqueues Services with pods assigned to it', async () => {
  const { clock, watch, queued, cache } = bench();
  cache.set('n2', node('n2'));
  watch.take({ type: 'added', object: node('n2'), initial: false });
  await clock.pass(1000);
  expect(queued).toEqual(['shop/overloaded-2', 'shop/n2']);
});

test('an irrelevant node update enqueues nothing, and nodes() is cached between events', async () => {
  const { clock, watch } = bench();
  const list = watch.nodes();
  expect(watch.nodes()).toBe(list);
  watch.take({ type: 'updated', old: node('n1'), object: node('n1') });
  expect([watch.idle, clock.scheduled]).toEqual([true, 0]);
  expect(watch.nodes()).not.toBe(list);
  watch.take({ type: 'deleted', object: node('n1'), missed: false });
  watch.stop();
  expect([watch.idle, clock.scheduled]).toEqual([true, 0]);
});

const nodeIn = (zone: string, ready = true): Node => ({
  metadata: { name: 'n', labels: { 'topology.kubernetes.io/zone': zone } },
  status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
});

test('classifyNodeEvent returns what a node change affects', () => {
  expect(classifyNodeEvent({ type: 'added', object: nodeIn('a'), initial: false })).toEqual({ shares: true, endpoints: true });
  expect(classifyNodeEvent({ type: 'deleted', object: nodeIn('a'), missed: false })).toEqual({ shares: true, endpoints: true });
  const update = (old: Node, object: Node) => classifyNodeEvent({ type: 'updated', old, object });
  expect(update(nodeIn('a'), nodeIn('a'))).toEqual({ shares: false, endpoints: false });
  expect(update(nodeIn('a'), nodeIn('a', false))).toEqual({ shares: true, endpoints: false });
  expect(update(nodeIn('a'), nodeIn('b'))).toEqual({ shares: true, endpoints: true });
});
