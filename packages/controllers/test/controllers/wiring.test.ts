import { resources } from 'kube-endpoints/port';
import type { Service } from 'kube-endpoints/types';
import { expect, test } from 'vitest';
import { hasServiceChanged } from '../../src/controllers/wiring.ts';
import { createControllersFixture, nodeFor, podFor, serviceFor } from './fixture.ts';

const { endpoints, endpointSlices, services } = resources;

test('each Service is synced once at startup, regardless of the number of pods', async () => {
  const pods = Array.from({ length: 20 }, (_, i) => podFor(`web-${i}`, { ip: `10.0.0.${i + 1}` }));
  await using fixture = await createControllersFixture({ objects: [nodeFor('n1'), serviceFor('web'), serviceFor('api'), ...pods] });
  await fixture.start();
  const startedSyncs = fixture.events.flatMap((event) => (event.kind === 'taken' ? [`${event.queue} ${event.key}`] : []));
  expect(startedSyncs.filter((event) => event.includes('shop/')).sort()).toEqual([
    'endpoints shop/api',
    'endpoints shop/web',
    'endpointslices shop/api',
    'endpointslices shop/web',
  ]);
});

test('each Service with existing Endpoints and slices is synced once at startup', async () => {
  const names = Array.from({ length: 30 }, (_, i) => `s${i}`);
  const objects = [nodeFor('n1'), ...names.flatMap((name) => [serviceFor(name), podFor(`${name}-1`, { app: name })])];
  await using fixture = await createControllersFixture({ objects });
  await fixture.start();
  await fixture.stop();
  const eventCountBefore = fixture.events.length;
  await fixture.start();
  await fixture.pass(600_000);
  const startedSyncs = fixture.events
    .slice(eventCountBefore)
    .flatMap((event) => (event.kind === 'taken' ? [`${event.queue} ${event.key}`] : []));
  expect(startedSyncs).toHaveLength(new Set(startedSyncs).size);
  expect(new Set(startedSyncs.map((event) => event.replace(/.* /, '')))).toEqual(
    new Set([...names.map((name) => `shop/${name}`), 'default/kubernetes']),
  );
});

test('own writes cause no further sync', async () => {
  await using fixture = await createControllersFixture({ objects: [nodeFor('n1'), serviceFor('web'), podFor('web-1')] });
  await fixture.start();
  const eventCountBefore = fixture.events.length;
  await fixture.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { labels: { a: 'b' } } }, { type: 'merge' });
  await fixture.pass(60_000);
  const queued = fixture.events.slice(eventCountBefore).flatMap((event) => (event.kind === 'queued' ? [event.queue] : []));
  // Two writes at startup, and two for the label.
  expect([queued, fixture.takeWrites().length]).toEqual([['endpoints', 'endpointslices'], 4]);
});

test('Endpoints of Services without a selector and slices of other managers are not changed', async () => {
  await using fixture = await createControllersFixture({
    objects: [serviceFor('legacy', { selector: null }), serviceFor('web'), nodeFor('n1')],
    controllers: ['endpoints', 'endpointslices'],
  });
  await fixture.start();
  fixture.takeWrites();
  const manualEndpoints = { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'legacy' } };
  const stored = await fixture.client.create(endpoints, manualEndpoints);
  await fixture.client.update(endpoints, { ...stored, subsets: [{ addresses: [{ ip: '10.2.0.1' }], ports: [{ port: 1 }] }] });
  await fixture.client.create(endpointSlices, {
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
  const eventCountBefore = fixture.events.length;
  await fixture.pass(60_000);
  expect(fixture.takeWrites()).toEqual([]);
  expect(fixture.events.slice(eventCountBefore).filter(({ kind }) => kind === 'queued')).toEqual([]);
});

const service = (changes: Service = {}): Service => ({
  metadata: { name: 'web', uid: 'u', resourceVersion: '1', ...changes.metadata },
  spec: { selector: { app: 'web' }, ...changes.spec },
});

test('hasServiceChanged ignores the resourceVersion', () => {
  expect(hasServiceChanged(service(), service({ metadata: { resourceVersion: '2' } }))).toBe(false);
});

test.each<[string, Service]>([
  ['labels', { metadata: { labels: { a: 'b' } } }],
  ['annotations', { metadata: { annotations: { a: 'b' } } }],
  ['the uid', { metadata: { uid: 'v' } }],
  ['the deletionTimestamp', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }],
  ['the selector', { spec: { selector: { app: 'api' } } }],
  ['ports', { spec: { ports: [{ port: 1 }] } }],
])('hasServiceChanged detects a change of %s', (_, changes) => {
  expect(hasServiceChanged(service(), service(changes))).toBe(true);
});
