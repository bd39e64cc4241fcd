import { createApiServer } from '@kube-endpoints/apiserver';
import { type ClusterZone, createClusterZone, formatRecord } from 'kube-endpoints/dns';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { describe, expect, onTestFinished, test } from 'vitest';
import { projectDnsNamespace, projectDnsPod, projectDnsService, projectDnsSlice } from '../../src/dns/feed.ts';
import { createDnsFeed, type DnsFeed, type DnsFeedOptions } from '../../src/dns/index.ts';
import { createClock, flushPromises, type ManualClock } from '../queue/clock.ts';

const service: ApiObject = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: { clusterIP: '10.96.0.7', ports: [{ name: 'http', port: 80 }] },
};
const headlessService: ApiObject = { metadata: { name: 'db', namespace: 'shop' }, spec: { clusterIP: 'None', ports: [{ port: 5432 }] } };
const slice: ApiObject = {
  metadata: { name: 'db-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'db' } },
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], hostname: 'db-0', conditions: { ready: true } }],
  ports: [],
};
const pod: ApiObject = { metadata: { name: 'p', namespace: 'shop' }, spec: { containers: [{ name: 'c', image: 'c' }] } };

interface FeedFixture {
  readonly client: ClientPort;
  readonly zone: ClusterZone;
  readonly feed: DnsFeed;
  readonly clock: ManualClock;
  /** Looks up a name below cluster.local. Returns the data of the records, or the rcode of a failure. */
  lookUp(name: string, type?: string): string[];
}

/** Starts a feed over an embedded API server. */
async function start(options: Partial<DnsFeedOptions> = {}, ...objects: readonly ApiObject[]): Promise<FeedFixture> {
  const clock = createClock();
  const server = await createApiServer({ clock, background: false });
  const { client } = server;
  for (const name of ['shop', 'bank']) await client.create(resources.namespaces, { metadata: { name } });
  for (const object of objects) await client.create(resources.services, object);
  const zone = createClusterZone({ pods: 'verified' });
  const feed = createDnsFeed({ port: client, zone, clock, random: () => 0.5, ...options });
  const controller = new AbortController();
  const running = feed.run(controller.signal);
  onTestFinished(async () => {
    controller.abort();
    await clock.pass(5000);
    await running;
    await server.close();
  });
  await clock.pass(100);
  return {
    client,
    zone,
    feed,
    clock,
    lookUp(name, type = 'A') {
      const { reply } = zone.answer({ name: `${name}.cluster.local.`, type });
      return reply?.rcode === 'NOERROR'
        ? reply.answer.map((record) => formatRecord(record).split(' ').at(-1) as string)
        : [reply?.rcode ?? ''];
    },
  };
}

describe('a DNS feed', () => {
  test('is ready once all objects are listed', async () => {
    const { feed, lookUp } = await start({}, service);
    expect([feed.ready, lookUp('web.shop.svc')]).toEqual([true, ['10.96.0.7']]);
    expect(lookUp('_http._tcp.web.shop.svc', 'SRV')).toEqual(['web.shop.svc.cluster.local.']);
    expect(feed.objects).toMatchObject({ services: 2, endpointslices: 0 });
    expect(feed.objects['namespaces']).toBeGreaterThanOrEqual(2);
    await feed.synced();
  });

  test('updates the zone when Services are created, changed and deleted', async () => {
    const { client, lookUp } = await start();
    expect(lookUp('web.shop.svc')).toEqual(['NXDOMAIN']);
    await client.create(resources.services, service);
    await flushPromises();
    expect(lookUp('web.shop.svc')).toEqual(['10.96.0.7']);
    const key = { namespace: 'shop', name: 'web' };
    const externalNamePatch = {
      spec: { type: 'ExternalName', externalName: 'db.shop.svc.cluster.local', clusterIP: null, clusterIPs: null },
    };
    await client.patch(resources.services, key, externalNamePatch, { type: 'merge' });
    await flushPromises();
    expect(lookUp('web.shop.svc', 'CNAME')).toEqual(['db.shop.svc.cluster.local.']);
    await client.delete(resources.services, key);
    await flushPromises();
    expect(lookUp('web.shop.svc')).toEqual(['NXDOMAIN']);
  });

  test('updates the zone when slices change', async () => {
    const { client, lookUp } = await start({}, headlessService);
    await client.create(resources.endpointSlices, slice);
    await flushPromises();
    expect([lookUp('db.shop.svc'), lookUp('db-0.db.shop.svc')]).toEqual([['10.0.0.1'], ['10.0.0.1']]);
    const key = { namespace: 'shop', name: 'db-1' };
    const notReadyPatch = { endpoints: [{ addresses: ['10.0.0.2'], conditions: { ready: false } }] };
    await client.patch(resources.endpointSlices, key, notReadyPatch, { type: 'merge' });
    await flushPromises();
    expect(lookUp('db.shop.svc')).toEqual(['NXDOMAIN']);
  });

  test('updates the zone when a namespace is created', async () => {
    const { client, lookUp } = await start();
    expect(lookUp('late.svc')).toEqual(['NXDOMAIN']);
    await client.create(resources.namespaces, { metadata: { name: 'late' } });
    await flushPromises();
    expect(lookUp('late.svc')).toEqual([]);
  });

  test('updates the zone when pods change, if enabled', async () => {
    const [withoutPods, withPods] = [await start(), await start({ pods: true })];
    for (const { client } of [withoutPods, withPods]) {
      await client.create(resources.pods, pod);
      const status = { status: { phase: 'Running', podIP: '10.3.0.1', podIPs: [{ ip: '10.3.0.1' }] } };
      await client.patch(resources.pods, { namespace: 'shop', name: 'p' }, status, { type: 'merge', subresource: 'status' });
    }
    await flushPromises();
    expect(withoutPods.lookUp('10-3-0-1.shop.pod')).toEqual(['NXDOMAIN']);
    expect(withPods.lookUp('10-3-0-1.shop.pod')).toEqual(['10.3.0.1']);
  });
});

describe('a DNS feed of one namespace', () => {
  test('ignores Services of other namespaces', async () => {
    const otherNamespaceService = {
      ...service,
      metadata: { name: 'ledger', namespace: 'bank' },
      spec: { clusterIP: '10.96.0.8', ports: [{ port: 80 }] },
    };
    const { lookUp, feed } = await start({ namespace: 'shop' }, service, otherNamespaceService);
    expect([lookUp('web.shop.svc'), lookUp('ledger.bank.svc'), lookUp('bank.svc')]).toEqual([['10.96.0.7'], ['NXDOMAIN'], ['NXDOMAIN']]);
    expect(feed.objects).toMatchObject({ namespaces: 1, services: 1 });
  });
});

test('the feed is not ready until every resource has been read', async () => {
  const server = await createApiServer({ background: false });
  onTestFinished(() => server.close());
  const port: DnsFeedOptions['port'] = {
    watch: () => createFailingWatch(),
    list: (resource, options) =>
      resource.plural === 'endpointslices' ? Promise.reject(new Error('not now')) : server.client.list(resource, options),
  };
  const clock = createClock();
  const reported: string[] = [];
  const onEvent: DnsFeedOptions['onEvent'] = (event) =>
    void (event.kind === 'informer' && reported.push(`${event.resource} ${event.state}`));
  const feed = createDnsFeed({ port, zone: createClusterZone(), clock, random: () => 0.5, onEvent });
  const controller = new AbortController();
  const running = feed.run(controller.signal);
  await clock.pass(2000);
  expect(feed.ready).toBe(false);
  expect(reported).toContain('endpointslices waiting');
  const syncedPromise = feed.synced(controller.signal);
  controller.abort(new Error('stopped'));
  await expect(syncedPromise).rejects.toThrow('stopped');
  await clock.pass(5000);
  await running;
});

/** A watch that fails. */
const createFailingWatch = (): AsyncIterable<never> => ({
  [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no watch')) }),
});

test('synced() rejects if the feed ends before it is ready', async () => {
  const clock = createClock();
  const port: Pick<ClientPort, 'list' | 'watch'> = {
    list: () => Promise.reject(new Error('away')),
    watch: () => {
      throw new Error('away');
    },
  };
  const feed = createDnsFeed({ port, zone: createClusterZone(), clock, random: () => 0.5 });
  const controller = new AbortController();
  const rejection = expect(feed.synced()).rejects.toThrow('the feed has ended');
  const running = feed.run(controller.signal);
  await clock.pass(1000);
  controller.abort();
  await running;
  await rejection;
  await expect(feed.synced()).rejects.toThrow('the feed has ended');
});

const metadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7', annotations: { long: 'x' }, managedFields: [{}] };
const projectedMetadata = { name: 'web', namespace: 'shop', uid: 'u', resourceVersion: '7' };

describe('DNS projections', () => {
  test.each<[string, unknown, unknown]>([
    [
      'a Service',
      projectDnsService({
        metadata: { ...metadata, labels: { app: 'web' } },
        spec: {
          type: 'LoadBalancer',
          clusterIP: '10.0.0.1',
          selector: { app: 'web' },
          externalIPs: ['1.2.3.4'],
          ports: [{ port: 80, targetPort: 1 }],
        },
        status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }] } },
      }),
      {
        metadata: projectedMetadata,
        spec: { type: 'LoadBalancer', clusterIP: '10.0.0.1', externalIPs: ['1.2.3.4'], ports: [{ port: 80 }] },
        status: { loadBalancer: { ingress: [{ ip: '5.6.7.8' }] } },
      },
    ],
    ['a Service without a spec', projectDnsService({ metadata }), { metadata: projectedMetadata, spec: {} }],
    [
      'a slice, with the label of its Service',
      projectDnsSlice({
        metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], zone: 'a', targetRef: { kind: 'Pod', name: 'p', namespace: 'shop', uid: 'q' } }, {}],
        ports: null,
      } as unknown as ApiObject),
      {
        metadata: { ...projectedMetadata, labels: { 'kubernetes.io/service-name': 'web' } },
        addressType: 'IPv4',
        endpoints: [{ addresses: ['10.0.0.1'], targetRef: { kind: 'Pod', name: 'p', namespace: 'shop' } }, { addresses: [] }],
        ports: [],
      },
    ],
    [
      'a slice with a null endpoint',
      projectDnsSlice({ metadata, addressType: 'IPv4', endpoints: [null] } as unknown as ApiObject),
      { metadata: projectedMetadata, addressType: 'IPv4', endpoints: [{ addresses: [] }], ports: [] },
    ],
    [
      'a Service with a null port',
      projectDnsService({ metadata, spec: { ports: [null] } } as unknown as ApiObject),
      { metadata: projectedMetadata, spec: { ports: [{}] } },
    ],
    [
      'a pod',
      projectDnsPod({
        metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
        status: { phase: 'Running', podIP: '10.0.0.1', conditions: [] },
      }),
      {
        metadata: { ...projectedMetadata, deletionTimestamp: '2026-01-01T00:00:00Z' },
        spec: {},
        status: { phase: 'Running', podIP: '10.0.0.1' },
      },
    ],
    ['a namespace', projectDnsNamespace({ metadata: { name: 'shop', labels: { a: 'b' } } }), { metadata: { name: 'shop' } }],
  ])('keep the fields that DNS needs of %s', (_, projected, expected) => {
    expect(projected).toEqual(expected);
  });
});
