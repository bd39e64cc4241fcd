import type { Check } from '@kube-endpoints/simulator';
import type { TimelineEntry } from '@kube-endpoints/simulator/internal';
import { describe, expect, test } from 'vitest';
import { limits, viewRun } from '../../src/page/data.ts';

const since = 10_000;

/** Omit for each member of the union. */
type Fact = TimelineEntry extends infer Entry ? (Entry extends TimelineEntry ? Omit<Entry, 'id' | 'at' | 'cause'> : never) : never;

/** Facts with their times since the change, and the indices of their causes. */
const createRun = (...facts: readonly (readonly [at: number, cause: number | undefined, fact: Fact])[]): Check['worst'] => ({
  name: 'all late',
  sentences: [],
  since,
  drops: [],
  unfinished: [],
  timeline: facts.map(([at, cause, fact], id) => ({ ...fact, id, at: since + at, ...(cause !== undefined && { cause }) }) as TimelineEntry),
});

const pod = (name: string, isReady: boolean, deletionTimestamp?: string): Fact => ({
  type: 'update',
  actor: 'kubelet/n1',
  object: {
    kind: 'Pod',
    metadata: { namespace: 'shop', name, uid: `uid-${name}`, ...(deletionTimestamp !== undefined && { deletionTimestamp }) },
    spec: { nodeName: 'n1', containers: [{ name: 'web' }] },
    status: { phase: 'Running', podIP: `10.0.0.${name}`, conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
  },
});

const listener = (name: string, state: 'open' | 'draining' | 'closed', container = 'web'): Fact => ({
  type: 'listener',
  state,
  ...{ pod: `shop/${name}`, podUid: `uid-${name}`, node: 'n1', container },
});

const route = (actor: string, ...names: readonly string[]): Fact => ({
  type: 'route',
  ...{ actor, service: 'shop/web', port: '', addresses: names.map((name) => `10.0.0.${name}`) },
});

const event = (message: string): Fact => ({
  type: 'event',
  actor: 'kubelet/n1',
  object: { kind: 'Pod', metadata: { namespace: 'shop', name: '1' } },
  ...{ reason: 'Killing', message },
});

const lease: Fact = { type: 'update', actor: 'kubelet/n1', object: { kind: 'Lease', metadata: { name: 'n1' } } };

describe('the data of a page', () => {
  test('has the state before the change at its start, and then each change of it', () => {
    const { data } = viewRun(
      createRun(
        [-5000, undefined, pod('1', false)],
        [-4000, undefined, listener('1', 'open')],
        [-3000, undefined, pod('1', true)],
        [2000, undefined, pod('1', true, '2030-01-01T00:00:30Z')],
        [2500, undefined, listener('1', 'closed')],
        [3000, undefined, { ...pod('1', false), type: 'delete' } as Fact],
      ),
    );
    expect(
      data.pods.map(({ name, changes }) => ({ name, changes: changes.map(([at, state]) => [at, data.podStates[state]]) })),
    ).toStrictEqual([
      {
        name: 'shop/1',
        changes: [
          [-1000, ['n1', '10.0.0.1', 'Running', 'ready', '', 'open']],
          [2000, ['n1', '10.0.0.1', 'Running', 'ready', 'terminating', 'open']],
          [2500, ['n1', '10.0.0.1', 'Running', 'ready', 'terminating', 'closed']],
          [3000, undefined],
        ],
      },
    ]);
    expect([data.start, data.end]).toStrictEqual([-1000, 4000]);
  });

  test('names the container of each listener if a pod has several', () => {
    const { data } = viewRun(
      createRun(
        [-3000, undefined, pod('1', true)],
        [-2000, undefined, listener('1', 'open')],
        [-1500, undefined, listener('1', 'closed', 'agent')],
      ),
    );
    expect(data.podStates[data.pods[0]?.changes[0]?.[1] ?? -1]?.at(-1)).toBe('web: open, agent: closed');
  });

  test('has the endpoints of each route, and those that have stopped listening', () => {
    const { data, periods } = viewRun(
      createRun(
        [-9000, undefined, pod('1', true)],
        [-8000, undefined, listener('1', 'open')],
        [-7000, undefined, pod('2', true)],
        [-6000, undefined, listener('2', 'open')],
        [-5000, undefined, route('kube-proxy/n10', '1', '2')],
        [-5000, undefined, route('kube-proxy/n2', '1', '2')],
        [100, undefined, listener('1', 'draining')],
        [200, 6, route('kube-proxy/n2', '2')],
        [300, 6, route('kube-proxy/n10', '2')],
      ),
    );
    const [both, closed, rest] = [1, 2, 3];
    expect(data.routes.map(({ actor, changes }) => ({ actor, changes }))).toStrictEqual([
      {
        actor: 'kube-proxy/n2',
        changes: [
          [-1000, both, 0, 0, 0],
          [100, both, closed, 0, 0],
          [200, rest, 0, 0, 0],
        ],
      },
      {
        actor: 'kube-proxy/n10',
        changes: [
          [-1000, both, 0, 0, 0],
          [100, both, closed, 0, 0],
          [300, rest, 0, 0, 0],
        ],
      },
    ]);
    expect(data.texts).toStrictEqual(['10.0.0.1', '10.0.0.2']);
    expect(data.podNames).toStrictEqual(['shop/1', 'shop/2']);
    expect(data.lists).toStrictEqual([
      [0, [], []],
      [0, [], [0, 1]],
      [0, [], [0]],
      [both, [0], []],
    ]);
    expect(periods).toStrictEqual([{ kind: 'closed', service: 'shop/web', pod: 'shop/1', from: 100, to: 300 }]);
  });

  test('leaves out heartbeats, and links an entry to its nearest cause that is shown', () => {
    const { data } = viewRun(
      createRun([-10, undefined, pod('1', false)], [0, 0, pod('1', true)], [5, 1, lease], [6, 2, event('Stopping')], [7, undefined, lease]),
    );
    expect(data.entries).toStrictEqual([
      [-10, -1, 'kubelet/n1', 'updates Pod shop/1'],
      [0, 0, 'kubelet/n1', 'updates Pod shop/1'],
      [6, 1, 'kubelet/n1', 'Event of Pod shop/1: Killing: Stopping'],
    ]);
  });
});

describe('above the limits, a page', () => {
  const run = createRun(
    ...['1', '2', '3'].flatMap((name) => [
      [-9000, undefined, pod(name, true)] as const,
      [-8000, undefined, listener(name, 'open')] as const,
    ]),
    ...['n1', 'n2', 'n3'].map((node) => [-5000, undefined, route(`kube-proxy/${node}`, '1', '2')] as const),
    [1, undefined, event('Stopping')],
    [2, undefined, listener('2', 'draining')],
    [3, undefined, route('kube-proxy/n1', '1')],
  );

  test('keeps the most important changes and the failing pods, and says how much it leaves out', () => {
    const { data, omissions } = viewRun(run, {}, { entries: 2, pods: 1, routes: 2 });
    expect(data.entries.map(([, , , text]) => text)).toStrictEqual([
      'listener of shop/2, container web: draining',
      'routes shop/web to 1 endpoint: −10.0.0.2',
    ]);
    expect(data.pods.map(({ name }) => name)).toStrictEqual(['shop/2']);
    expect(data.routes.map(({ actor }) => actor)).toStrictEqual(['kube-proxy/n1', 'kube-proxy/n2']);
    expect(omissions).toStrictEqual([
      'This page leaves out 1 of 3 changes, Events and updates of workloads first.',
      'This page leaves out 2 of 3 pods, those without failing requests first.',
      'This page leaves out 1 of 3 routes of components, those without failing requests first.',
    ]);
  });

  test('leaves out nothing by default', () => {
    expect(viewRun(run).omissions).toStrictEqual([]);
    expect(limits).toStrictEqual({ entries: 20_000, pods: 600, routes: 100 });
  });
});
