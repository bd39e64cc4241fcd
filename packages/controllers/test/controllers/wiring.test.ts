import { resources } from 'kube-endpoints/port';
import type { Service } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { hasServiceChanged } from '../../src/controllers/wiring.ts';
import { createWorld, nodeFor, podFor, serviceFor } from './world.ts';

const { endpoints, endpointSlices, services } = resources;

test('each Service is synced once at startup, regardless of the number of pods', async () => {
  const many = Array.from({ length: 20 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}` }));
  await using world = await createWorld({ objects: [nodeFor('n1'), serviceFor('web'), serviceFor('api'), ...many] });
  await world.start();
  const taken = world.events.flatMap((each) => (each.kind === 'taken' ? [`${each.queue} ${each.key}`] : []));
  expect(taken.filter((each) => each.includes('shop/')).sort()).toEqual([
    'endpoints shop/api',
    'endpoints shop/web',
    'endpointslices shop/api',
    'endpointslices shop/web',
  ]);
});

test('each Service with existing Endpoints and slices is synced once at startup', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const objects = [nodeFor('n1'), ...names.flatMap((name) => [serviceFor(name), podFor(`${name}-1`, { app: name })])];
  await using world = await createWorld({ objects });
  await world.start();
  await world.stop();
  const before = world.events.length;
  await world.start();
  await world.pass(600_000);
  const taken = world.events.slice(before).flatMap((each) => (each.kind === 'taken' ? [`${each.queue} ${each.key}`] : []));
  expect(taken).toHaveLength(new Set(taken).size);
  expect(new Set(taken.map((each) => each.replace(/.* /, '')))).toEqual(
    new Set([...names.map((name) => `shop/${name}`), 'default/kubernetes']),
  );
});

test('own writes cause no further sync', async () => {
  await using world = await createWorld({ objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')] });
  await world.start();
  const before = world.events.length;
  await world.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  await world.pass(60_000);
  const queued = world.events.slice(before).flatMap((each) => (each.kind === 'queued' ? [each.queue] : []));
  expect([queued, world.sent().length]).toEqual([['endpoints', 'endpointslices'], 4]);
});

test('Endpoints of Services without a selector and slices of other managers are not changed', async () => {
  await using world = await createWorld({ objects: [serviceFor('legacy', { selector: null }), serviceFor('web'), nodeFor('n1')] });
  await world.start();
  world.sent();
  const own = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'legacy' } };
  const stored = await world.client.create(endpoints, own);
  await world.client.update(endpoints, { ...stored, subsets: [{ addresses: [{ ip: '10.2.0.1' }], ports: [{ port: 1 }] }] });
  await world.client.create(endpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'shop',
      name: 'mine',
      labels: { 'kubernetes.io/service-name': 'web', 'endpointslice.kubernetes.io/managed-by': 'me' },
    },
    addressType: 'IPv4',
    endpoints: [],
    ports: [],
  });
  const before = world.events.length;
  await world.pass(60_000);
  expect(world.sent()).toEqual([]);
  expect(world.events.slice(before).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

const service = (more: Service = {}): Service => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', ...more.metadata },
  spec: { selector: { app: 'web' }, ...more.spec },
});

test.each<[string, Service, boolean]>([
  ['a version', { metadata: { resourceVersion: '2' } }, false],
  ['labels', { metadata: { labels: { a: 'b' } } }, true],
  ['annotations', { metadata: { annotations: { a: 'b' } } }, true],
  ['the uid', { metadata: { uid: 'v' } }, true],
  ['the end', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, true],
  ['the selector', { spec: { selector: { app: 'api' } } }, true],
  ['ports', { spec: { ports: [{ port: 1 }] } }, true],
])('isServiceChanged compares %s', (_, more, changed) => {
  expect(hasServiceChanged(service(), service(more))).toBe(changed);
});
