import { createFaults } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import type { EndpointInput, EndpointSliceInput } from 'kube-endpoints/types';
import { describe, expect, test } from 'vitest';
import { type ControllersFixture, createControllersFixture, createTestOwnership, nodeFor, podFor, serviceFor } from './fixture.ts';

const { endpoints, endpointSlices, events, services } = resources;
const db = { namespace: 'shop', name: 'db' };
const service = serviceFor('db', { selector: null });
const controllers = ['endpointslicemirroring'] as const;

const makeEndpoints = (ips: readonly string[], metadata: Partial<ApiObject['metadata']> = {}): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { ...db, ...metadata },
  subsets: [{ addresses: ips.map((ip) => ({ ip })), ports: [{ name: 'sql', port: 5432 }] }],
});

const listSlices = async ({ client }: ControllersFixture): Promise<EndpointSliceInput[]> =>
  (await client.list(endpointSlices)).items.slice() as EndpointSliceInput[];
const ipsIn = async (fixture: ControllersFixture): Promise<string[]> =>
  (await listSlices(fixture)).flatMap((slice) => (slice.endpoints ?? []).flatMap((each: EndpointInput) => each.addresses ?? [])).sort();
const verbsOf = (fixture: ControllersFixture): string[] => fixture.takeWrites().map(({ verb, resource }) => `${verb} ${resource}`);
const update = async ({ client }: ControllersFixture, resource: Resource, change: object, name = 'db'): Promise<unknown> =>
  client.patch(resource, { namespace: 'shop', name }, change, { type: 'merge' });

test('custom Endpoints are mirrored through creation, update and deletion, and by no other controller', async () => {
  await using fixture = await createControllersFixture({ objects: [service, nodeFor('n1'), serviceFor('web'), podFor('web-1')] });
  await fixture.start();
  fixture.takeWrites();
  await fixture.client.create(endpoints, makeEndpoints(['10.1.0.1'], { labels: { tier: 'data' } }));
  await fixture.pass();
  expect(verbsOf(fixture)).toEqual(['create endpointslices']);
  const mirrored = (await listSlices(fixture)).filter(({ metadata }) => metadata?.labels?.['kubernetes.io/service-name'] === 'db');
  expect(mirrored).toMatchObject([
    {
      metadata: {
        labels: { tier: 'data', 'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io' },
        ownerReferences: [{ kind: 'Endpoints', name: 'db' }],
      },
      endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
    },
  ]);
  await update(fixture, endpoints, { subsets: makeEndpoints(['10.1.0.2'])['subsets'] });
  await fixture.pass();
  expect(verbsOf(fixture)).toEqual(['update endpointslices']);
  expect(await ipsIn(fixture)).toEqual(['10.0.0.1', '10.1.0.2']);
  await fixture.client.delete(endpoints, db);
  await fixture.pass();
  expect(await ipsIn(fixture)).toEqual(['10.0.0.1']);
  await fixture.pass(60_000);
  expect(new Set(fixture.outcomes('endpointslicemirroring', 'shop/db'))).toEqual(new Set(['success']));
});

test.each([
  ['the Service is deleted', (fixture: ControllersFixture) => fixture.client.delete(services, db)],
  ['the Service gets a selector', (fixture: ControllersFixture) => update(fixture, services, { spec: { selector: { app: 'x' } } })],
  [
    'the Endpoints opt out',
    (fixture: ControllersFixture) =>
      update(fixture, endpoints, { metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } } }),
  ],
])('mirrored slices are deleted when %s', async (_, act) => {
  await using fixture = await createControllersFixture({ objects: [service, makeEndpoints(['10.1.0.1', 'fd00::1'])], controllers });
  await fixture.start();
  expect(verbsOf(fixture)).toEqual(['create endpointslices', 'create endpointslices']);
  await act(fixture);
  await fixture.pass();
  expect(verbsOf(fixture)).toEqual(['delete endpointslices', 'delete endpointslices']);
  expect(await listSlices(fixture)).toEqual([]);
});

test('a restart writes nothing, and deletes slices of Endpoints that were deleted meanwhile', async () => {
  const other = serviceFor('other', { selector: null });
  await using fixture = await createControllersFixture({
    objects: [service, other, makeEndpoints(['10.1.0.1']), makeEndpoints(['10.1.0.2'], { name: 'other' })],
    controllers,
    server: { background: false },
  });
  await fixture.start();
  fixture.takeWrites();
  await fixture.stop();
  await fixture.client.delete(endpoints, { namespace: 'shop', name: 'other' });
  await fixture.client.delete(services, { namespace: 'shop', name: 'other' });
  await fixture.start();
  expect(fixture.takeWrites().filter(({ verb }) => verb !== 'delete')).toEqual([]);
  expect(await ipsIn(fixture)).toEqual(['10.1.0.1']);
});

test.each(['1.30', '1.37'])('a slice that another client changes or deletes is restored (%s)', async (version) => {
  await using fixture = await createControllersFixture({ objects: [service, makeEndpoints(['10.1.0.1'])], controllers, version });
  await fixture.start();
  const [slice] = await listSlices(fixture);
  const name = slice?.metadata?.name ?? '';
  await update(fixture, endpointSlices, { endpoints: [] }, name);
  await fixture.pass();
  // Up to 1.30, the controller compares the version before the change with what it wrote.
  expect(await ipsIn(fixture)).toEqual(version === '1.30' ? [] : ['10.1.0.1']);
  await fixture.client.delete(endpointSlices, { namespace: 'shop', name });
  await fixture.pass();
  expect(await ipsIn(fixture)).toEqual(['10.1.0.1']);
});

test('slices are not deleted while the cache of Endpoints lags behind the API server', async () => {
  const faults = createFaults({});
  const ownership = createTestOwnership({ owned: false });
  await using fixture = await createControllersFixture({ objects: [service], controllers, server: { faults }, ownership });
  await fixture.start();
  faults.stall({ resources: ['endpoints'] });
  const created = await fixture.client.create(endpoints, makeEndpoints(['10.1.0.1']));
  await fixture.client.create(endpointSlices, {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace: 'shop',
      name: 'db-1',
      labels: {
        'kubernetes.io/service-name': 'db',
        'endpointslice.kubernetes.io/managed-by': 'endpointslicemirroring-controller.k8s.io',
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Endpoints', name: 'db', uid: created.metadata.uid, controller: true }],
    },
    addressType: 'IPv4',
    endpoints: [{ addresses: ['10.1.0.1'], conditions: { ready: true } }],
    ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }],
  } as ApiObject);
  ownership.gain();
  await fixture.pass(10_000);
  expect(fixture.outcomes('endpointslicemirroring', 'shop/db')).toContain('requeued');
  faults.release();
  await fixture.pass(60_000);
  expect(fixture.takeWrites()).toEqual([]);
  expect(await ipsIn(fixture)).toEqual(['10.1.0.1']);
});

test('a create that succeeds after the Endpoints were deleted leaves no slice', async () => {
  const faults = createFaults({});
  let openGate = (): void => undefined;
  const gateOpened = new Promise<void>((resolve) => {
    openGate = resolve;
  });
  const wrapPort = (port: ClientPort): ClientPort => ({
    ...port,
    async create(resource, object, options) {
      await gateOpened;
      return port.create(resource, object, options);
    },
  });
  await using fixture = await createControllersFixture({
    objects: [service, makeEndpoints(['10.1.0.1'])],
    controllers,
    server: { faults },
    wrapPort,
  });
  await fixture.start();
  faults.stall({ resources: ['endpointslices'] });
  await fixture.client.delete(endpoints, db);
  await fixture.client.delete(services, db);
  openGate();
  await fixture.pass(10);
  faults.release();
  await fixture.pass(10_000);
  expect(await listSlices(fixture)).toEqual([]);
});

describe('a failed write', () => {
  test('is retried after a second, and skips the remaining writes of the sync', async () => {
    const faults = createFaults({
      rules: [{ fault: 'internalError', verbs: ['create'], resources: ['endpointslices.discovery.k8s.io'], when: 'once' }],
    });
    await using fixture = await createControllersFixture({
      objects: [service, makeEndpoints(['10.1.0.1', 'fd00::1'])],
      controllers,
      wrapPort: (port) => faults.port(port),
    });
    await fixture.start();
    expect(fixture.takeWrites().map(({ failed }) => failed)).toEqual(['InternalError', undefined, undefined]);
    expect(fixture.outcomes('endpointslicemirroring', 'shop/db')).toEqual(['retried', 'success']);
    expect(await ipsIn(fixture)).toEqual(['10.1.0.1', 'fd00::1']);
    expect((await fixture.client.list(events)).items).toEqual([]);
  });

  test('of an update that another client preceded is a conflict, and is retried with the newer slice', async () => {
    let isPreceded = false;
    const wrapPort = (port: ClientPort): ClientPort => ({
      ...port,
      async update(resource, object, options) {
        if (!isPreceded) {
          isPreceded = true;
          await port.patch(resource, { namespace: 'shop', name: object.metadata.name ?? '' }, { endpoints: [] }, { type: 'merge' });
        }
        return port.update(resource, object, options);
      },
    });
    await using fixture = await createControllersFixture({ objects: [service, makeEndpoints(['10.1.0.1'])], controllers, wrapPort });
    await fixture.start();
    fixture.takeWrites();
    await update(fixture, endpoints, { subsets: makeEndpoints(['10.1.0.2'])['subsets'] });
    await fixture.pass(10_000);
    expect(fixture.takeWrites().map(({ failed }) => failed)).toEqual(['Conflict', undefined]);
    expect(await ipsIn(fixture)).toEqual(['10.1.0.2']);
  });
});

test('Events about addresses that are left out concern the Endpoints', async () => {
  const objects = [service, makeEndpoints(['10.1.0.1', '10.1.0.2', '10.1.0.3'])];
  await using fixture = await createControllersFixture({ objects, controllers, mirroring: { maxEndpointsPerSubset: 2 } });
  await fixture.start();
  expect(await ipsIn(fixture)).toEqual(['10.1.0.1', '10.1.0.2']);
  expect((await fixture.client.list(events)).items).toMatchObject([
    {
      involvedObject: { kind: 'Endpoints', name: 'db' },
      source: { component: 'endpoint-slice-mirroring-controller' },
      reason: 'TooManyAddressesToMirror',
      message: 'A max of 2 addresses can be mirrored to EndpointSlices per Endpoints subset. 1 addresses were skipped',
    },
  ]);
});

test('a dry run reports the plan and its figures, and writes nothing', async () => {
  await using fixture = await createControllersFixture({ objects: [service, makeEndpoints(['10.1.0.1'])], controllers, dryRun: true });
  await fixture.start();
  expect(fixture.takeWrites()).toEqual([]);
  const planned = fixture.events.filter((event) => event.kind === 'planned' && event.key === 'shop/db');
  expect(planned).toMatchObject([
    {
      controller: 'endpointslicemirroring',
      key: 'shop/db',
      existing: 0,
      plan: { create: [{ metadata: { generateName: 'db-' } }] },
      figures: { endpoints: 1, desired: 1, added: 1, updated: 0, removed: 0, skipped: 0 },
    },
  ]);
});

test('mirrors Endpoints to slices without empty node names if workloads replace pods', async () => {
  const machines: Resource = { group: 'example.com', version: 'v1', plural: 'machines', kind: 'Machine', namespaced: true };
  await using fixture = await createControllersFixture({
    objects: [service, makeEndpoints(['10.1.0.1'])],
    server: { resources: [{ resource: machines }] },
    workloads: { resource: machines, toPod: () => undefined },
  });
  await fixture.start();
  expect((await listSlices(fixture)).flatMap(({ endpoints: all }) => all)).toEqual([
    { addresses: ['10.1.0.1'], conditions: { ready: true } },
  ]);
});

test('a stale cache that the API server confirms does not block a Service forever', async () => {
  const faults = createFaults({});
  await using fixture = await createControllersFixture({
    objects: [service, makeEndpoints(['10.1.0.1'])],
    controllers,
    server: { faults },
  });
  await fixture.start();
  faults.stall({ resources: ['endpointslices'] });
  const [slice] = await listSlices(fixture);
  await update(fixture, endpoints, { subsets: makeEndpoints(['10.1.0.1', 'fd00::1'])['subsets'] });
  await fixture.pass();
  const added = (await listSlices(fixture)).find(({ metadata }) => metadata?.name !== slice?.metadata?.name);
  await fixture.client.delete(endpointSlices, { namespace: 'shop', name: added?.metadata?.name ?? '' });
  await update(fixture, endpoints, { subsets: makeEndpoints(['10.1.0.2'])['subsets'] });
  await fixture.pass(60_000);
  expect(await ipsIn(fixture)).toEqual(['10.1.0.2']);
});
