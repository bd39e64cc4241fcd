import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { clientDefaults } from '../../src/analysis/drop.ts';
import { findDrops } from '../../src/analysis/drops.ts';
import { explainDrops } from '../../src/analysis/explain.ts';
import { findFailures } from '../../src/analysis/failures.ts';
import { type createDraft, createServingDraft } from './timeline.ts';

const since = 1000;

test('finds pods that get connections after they closed their listener, until the last route has changed', () => {
  const draft = createServingDraft(['a', 'b', 'c', 'd'], ['kube-proxy/n1', 'kube-proxy/n2', 'kube-proxy/n3']);
  const change = draft.change(since);
  const slice = draft.slice(2000, change);
  draft.route(2500, 'kube-proxy/n3', ['10.0.0.2', '10.0.0.3', '10.0.0.4'], slice);
  const term = draft.signal(3000, 'a', 'SIGTERM', change);
  const closed = draft.listener(4000, 'a', 'draining', term);
  draft.listener(4500, 'a', 'closed', term);
  draft.route(5000, 'kube-proxy/n1', ['10.0.0.2', '10.0.0.3', '10.0.0.4'], slice);
  const last = draft.route(6000, 'kube-proxy/n2', ['10.0.0.2', '10.0.0.3', '10.0.0.4'], slice);
  const drops = findDrops(draft.entries, { since });
  expect(drops).toStrictEqual([
    {
      kind: 'closed',
      service: 'shop/web',
      from: 3000,
      to: 5000,
      isOngoing: false,
      pods: ['shop/a'],
      endpoints: 4,
      actors: ['kube-proxy/n1', 'kube-proxy/n2'],
      share: 0.25,
      causes: [closed, term, change],
      endCauses: [last, slice, change],
      slicesWritten: { from: 1000, to: 1000 },
    },
  ]);
  expect(explainDrops(drops)).toStrictEqual([
    "3.0–5.0 s: 1 of 4 endpoints of shop/web still receives connections after closing its listener (up to 25% of a client's connections), because the proxies of n1 and n2 have not applied the EndpointSlice that was written at 1.0 s.",
  ]);
});

test('finds no drop if every route changes before the listener closes', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.change(since);
  draft.route(2000, 'kube-proxy/n1', ['10.0.0.2']);
  draft.listener(2000, 'a', 'draining');
  draft.listener(2001, 'a', 'closed');
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

test('finds no drop if a listener closes and the route changes at the same moment', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.listener(2000, 'a', 'draining');
  draft.route(2000, 'kube-proxy/n1', ['10.0.0.2']);
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

test('finds pods without a readiness probe that get connections before they listen', () => {
  const draft = createServingDraft(['a'], ['kube-proxy/n1']);
  const change = draft.change(since);
  draft.pod(2000, 'b', '10.0.0.2', change, false);
  const route = draft.route(3000, 'kube-proxy/n1', ['10.0.0.1', '10.0.0.2'], change);
  draft.listener(4500, 'b', 'open');
  const [drop, ...others] = findDrops(draft.entries, { since });
  expect(others).toStrictEqual([]);
  expect(drop).toMatchObject({ kind: 'notOpen', from: 2000, to: 3500, pods: ['shop/b'], share: 0.5, lacksReadinessProbe: true });
  expect(drop?.causes).toStrictEqual([route, change]);
  expect(explainDrops(drop ? [drop] : [])).toStrictEqual([
    "2.0–3.5 s: 1 of 2 endpoints of shop/web receives connections before it listens (up to 50% of a client's connections), because without a readiness probe a pod is ready as soon as its containers run.",
  ]);
});

test('finds a container that restarts in place while its pod stays in the routes', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.listener(2000, 'a', 'draining');
  draft.listener(2100, 'a', 'closed');
  draft.listener(3000, 'a', 'open');
  const drops = findDrops(draft.entries, { since });
  expect(drops).toMatchObject([{ kind: 'closed', from: 1000, to: 2000, isReopened: true }]);
  expect(explainDrops(drops)).toStrictEqual([
    "1.0–2.0 s: 1 of 2 endpoints of shop/web still receives connections after closing its listener (up to 50% of a client's connections), because the container restarted while its pod was ready.",
  ]);
});

test('finds Services that lose their last endpoint, and none that never had one', () => {
  const draft = createServingDraft(['a'], ['kube-proxy/n1', 'kube-proxy/n2']);
  draft.route(0, 'kube-proxy/n3', []);
  draft.route(2000, 'kube-proxy/n1', []);
  draft.route(2500, 'kube-proxy/n2', []);
  draft.route(5000, 'kube-proxy/n1', ['10.0.0.1']);
  const drops = findDrops(draft.entries, { since });
  expect(drops).toMatchObject([
    { kind: 'noEndpoints', from: 1000, to: 4000, isOngoing: true, share: 1, actors: ['kube-proxy/n1', 'kube-proxy/n2'] },
  ]);
  expect(explainDrops(drops)).toStrictEqual([
    'from 1.0 s on: the proxies of n1 and n2 have no endpoint of shop/web, so that every connection fails, because the last endpoint was removed before another one was added.',
  ]);
});

test('finds nodes without local endpoints behind a load balancer', () => {
  const draft = createServingDraft(['a'], ['load-balancer/web']);
  draft.route(2000, 'load-balancer/web', ['10.0.0.1', 'node/n2']);
  draft.route(32_000, 'load-balancer/web', ['10.0.0.1']);
  expect(findDrops(draft.entries, { since })).toMatchObject([{ kind: 'noLocalEndpoints', from: 1000, to: 31_000, pods: [], share: 0.5 }]);
});

test('ignores failures that began before the change, and addresses without a pod', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.listener(500, 'a', 'closed');
  draft.change(since);
  draft.route(2000, 'kube-proxy/n1', ['10.0.0.2', '192.168.0.1']);
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

test('a pod that closes its listener does not fail connections to the next pod with its address', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.listener(2000, 'c', 'open');
  draft.pod(2000, 'c', '10.0.0.1');
  draft.listener(3000, 'a', 'closed');
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

test('an update of a pod that has ended does not fail connections to the next pod with its address', () => {
  const draft = createServingDraft(['a', 'b'], []);
  draft.listener(1500, 'a', 'closed');
  draft.pod(1600, 'c', '10.0.0.1');
  draft.listener(1600, 'c', 'open');
  const update = draft.entries[draft.pod(1700, 'a', '10.0.0.1')] as { object: ApiObject };
  update.object = { ...update.object, status: { ...(update.object['status'] as object), phase: 'Succeeded' } } as ApiObject;
  draft.route(2000, 'kube-proxy/n1', ['10.0.0.1', '10.0.0.2']);
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

test('a sidecar that closes its listener does not fail connections to another container', () => {
  const draft = createServingDraft(['a'], ['kube-proxy/n1']);
  const [entry] = [draft.listener(2000, 'a', 'closed')];
  draft.entries[entry] = { ...draft.entries[entry], container: 'agent' } as (typeof draft.entries)[number];
  expect(findDrops(draft.entries, { since })).toStrictEqual([]);
});

/** A pod leaves the routes at 2 s, and its process ends at 5 s. */
function leave(end: 'closes' | 'is killed while it drains' | 'is killed' | 'drains'): ReturnType<typeof createDraft> {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.route(2000, 'kube-proxy/n1', ['10.0.0.2']);
  if (end === 'is killed while it drains' || end === 'drains') draft.listener(3000, 'a', 'draining');
  const kill = end.startsWith('is killed') ? draft.signal(5000, 'a', 'SIGKILL') : undefined;
  draft.listener(5000, 'a', 'closed', kill);
  return draft;
}

test.each([
  ['closes', { requestMs: 2999 }, false],
  ['closes', { requestMs: 3001 }, true],
  ['closes', { requestMs: 1, keepAlive: true }, true],
  ['is killed', { requestMs: 2999 }, false],
  ['is killed', { requestMs: 3001 }, true],
  ['is killed while it drains', { requestMs: 2999 }, false],
  ['is killed while it drains', { requestMs: 3001 }, true],
  ['is killed while it drains', { requestMs: 1999, keepAlive: true }, false],
  ['is killed while it drains', { requestMs: 2001, keepAlive: true }, true],
  ['drains', { requestMs: 60_000, keepAlive: true }, false],
] as const)('a process that %s, with clients %j, cuts requests: %s', (end, clients, expected) => {
  const cuts = findDrops(leave(end).entries, { since, clients });
  expect(cuts.map(({ kind, from, to, pods }) => ({ kind, from, to, pods }))).toStrictEqual(
    expected ? [{ kind: 'cut', from: 4000, to: 4000, pods: ['shop/a'] }] : [],
  );
});

test('clients that try again fail only if every attempt does', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1']);
  draft.listener(2000, 'a', 'draining');
  draft.route(3000, 'kube-proxy/n1', ['10.0.0.2']);
  expect(findDrops(draft.entries, { since, clients: { retries: 2 } })).toMatchObject([{ share: 0.125 }]);
});

test('merges failures that follow each other within a second', () => {
  const draft = createServingDraft(['a', 'b', 'c'], ['kube-proxy/n1']);
  draft.listener(2000, 'a', 'draining');
  draft.route(3000, 'kube-proxy/n1', ['10.0.0.2', '10.0.0.3']);
  draft.listener(4000, 'b', 'draining');
  draft.route(5000, 'kube-proxy/n1', ['10.0.0.3']);
  draft.listener(6001, 'c', 'draining');
  expect(findDrops(draft.entries, { since })).toMatchObject([
    { from: 1000, to: 4000, pods: ['shop/a', 'shop/b'], share: 0.5 },
    { from: 5001, pods: ['shop/c'], share: 1, isOngoing: true },
  ]);
});

test('reports each view after an entry that changed its addresses or its failures', () => {
  const draft = createServingDraft(['a', 'b'], ['kube-proxy/n1', 'kube-proxy/n2']);
  const closed = draft.listener(2000, 'a', 'closed');
  const routed = draft.route(3000, 'kube-proxy/n2', ['10.0.0.2']);
  const seen: unknown[] = [];
  findFailures(draft.entries, clientDefaults, ({ id }, { actor, addresses, failing }) => {
    if (id >= closed) seen.push([id, actor, addresses.length, [...failing.keys()]]);
  });
  expect(seen).toStrictEqual([
    [closed, 'kube-proxy/n1', 2, ['10.0.0.1']],
    [closed, 'kube-proxy/n2', 2, ['10.0.0.1']],
    [routed, 'kube-proxy/n2', 1, []],
  ]);
});

/** A pod leaves a load balancer at 2 s, and the balancer cuts its connections at 5 s. */
function deregister(listener: 'listens' | 'drains' | 'has exited'): ReturnType<typeof createDraft> {
  const draft = createServingDraft(['a', 'b'], ['load-balancer/web']);
  draft.target(2000, '10.0.0.1', 'draining');
  draft.route(2000, 'load-balancer/web', ['10.0.0.2']);
  if (listener === 'drains') draft.listener(3000, 'a', 'draining');
  if (listener === 'has exited') draft.listener(4999, 'a', 'closed');
  draft.target(5000, '10.0.0.1', 'unused');
  return draft;
}

test.each([
  ['listens', { requestMs: 3000 }, []],
  ['listens', { requestMs: 3001 }, [4000]],
  ['listens', { requestMs: 1, keepAlive: true }, [4000]],
  ['drains', { requestMs: 3001 }, [4000]],
  ['drains', { requestMs: 2000, keepAlive: true }, []],
  ['drains', { requestMs: 2001, keepAlive: true }, [4000]],
  ['has exited', { requestMs: 2999 }, []],
  ['listens', { requestMs: 3001, components: ['kube-proxy'] }, []],
] as const)(
  'the end of a deregistration delay of 3 s, while a pod %s, cuts requests of clients %j at %j',
  (listener, clients, expected) => {
    const drops = findDrops(deregister(listener).entries, { since, clients });
    expect(drops.map(({ kind, from, pods, isDeregistered }) => ({ kind, from, pods, isDeregistered }))).toStrictEqual(
      expected.map((from) => ({ kind: 'cut', from, pods: ['shop/a'], isDeregistered: true })),
    );
  },
);

test('connections that were cut are not cut again when the process ends', () => {
  const draft = deregister('listens');
  draft.listener(6000, 'a', 'closed');
  const drops = findDrops(draft.entries, { since, clients: { requestMs: 60_000, keepAlive: true } });
  expect(drops).toMatchObject([{ kind: 'cut', from: 4000, to: 4000, pods: ['shop/a'], actors: ['load-balancer/web'] }]);
  expect(explainDrops(drops)).toStrictEqual([
    'at 4.0 s: running requests to 1 pod of shop/web are cut, because the load balancer web closed their connections at the end of the deregistration delay.',
  ]);
});

test('the end of a deregistration delay cuts nothing if the pod was replaced by another one with its address', () => {
  const draft = createServingDraft(['a', 'b'], ['load-balancer/web']);
  draft.target(2000, '10.0.0.1', 'draining');
  draft.route(2000, 'load-balancer/web', ['10.0.0.2']);
  draft.listener(3000, 'a', 'draining');
  draft.pod(4000, 'c', '10.0.0.1');
  draft.listener(4000, 'c', 'open');
  draft.target(5000, '10.0.0.1', 'unused');
  expect(findDrops(draft.entries, { since, clients: { keepAlive: true } })).toStrictEqual([]);
});

test('finds a load balancer without a target that has passed its health checks', () => {
  const draft = createServingDraft(['a'], ['load-balancer/web']);
  draft.pod(2000, 'b', '10.0.0.2');
  draft.listener(2000, 'b', 'open');
  draft.target(2000, '10.0.0.2', 'initial');
  draft.route(3000, 'load-balancer/web', [], draft.slice(2500));
  draft.route(32_000, 'load-balancer/web', ['10.0.0.2'], draft.target(32_000, '10.0.0.2', 'healthy'));
  const drops = findDrops(draft.entries, { since });
  expect(drops).toMatchObject([{ kind: 'noEndpoints', from: 2000, to: 31_000, isEndedByChecks: true }]);
  expect(explainDrops(drops)).toStrictEqual([
    '2.0–31.0 s: the load balancer web has no endpoint of shop/web, so that every connection fails, because no target had passed its health checks until 31.0 s.',
  ]);
});

test('finds a pod that a load balancer routes to until its health checks have failed', () => {
  const draft = createServingDraft(['a', 'b'], ['load-balancer/web']);
  draft.listener(2000, 'a', 'closed');
  draft.route(22_000, 'load-balancer/web', ['10.0.0.2'], draft.target(22_000, '10.0.0.1', 'unhealthy'));
  const [sentence] = explainDrops(findDrops(draft.entries, { since }).filter(({ kind }) => kind === 'closed'));
  expect(sentence).toBe(
    "1.0–21.0 s: 1 of 2 endpoints of shop/web still receives connections after closing its listener (up to 50% of a client's connections), because the health checks of the load balancer web had not failed often enough yet.",
  );
});
