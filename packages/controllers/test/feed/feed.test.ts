import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createEndpointFeed, createFeedSnapshot, type FeedEvent } from '../../src/feed/index.ts';
import { createFixture, type Fixture, flushPromises, follow, sliceFor, summaryOf } from './fixture.ts';

const { endpointSlices, endpoints } = resources;
const ready = { ready: true };

/** Updates the slice, or creates it if it does not exist. */
const writeSlice = ({ client }: Fixture, ...args: Parameters<typeof sliceFor>): Promise<unknown> => {
  const slice = sliceFor(...args);
  const { name = '', namespace = '' } = slice.metadata;
  return client
    .get(endpointSlices, { namespace, name })
    .then((existing) =>
      client.update(endpointSlices, {
        ...slice,
        metadata: { ...slice.metadata, resourceVersion: existing.metadata.resourceVersion ?? '' },
      }),
    )
    .catch(() => client.create(endpointSlices, slice));
};

describe('a subscription', () => {
  test('starts with a full event for each Service, then a complete event', async () => {
    await using fixture = await createFixture({
      objects: [sliceFor('web', { 1: ready, 2: ready }), sliceFor('db', { 7: ready, 8: { ready: false } })],
    });
    const events = follow(fixture.feed);
    expect(fixture.feed.ready).toBe(false);
    await fixture.start();
    expect(fixture.feed.ready).toBe(true);
    expect(events.take().map(summaryOf)).toEqual(['full shop/db 7', 'full shop/web 1,2', 'complete 2']);
  });

  test('starts with a complete event if there are no Services', async () => {
    await using fixture = await createFixture();
    const events = follow(fixture.feed);
    await fixture.start();
    expect(events.take().map(summaryOf)).toEqual(['complete 0']);
  });

  test('reports added and removed endpoints once, when the window closes', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready, 2: ready })] });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    await writeSlice(fixture, 'web', { 2: ready });
    await fixture.pass(1500);
    await writeSlice(fixture, 'web', { 2: ready, 3: ready });
    await fixture.pass(499);
    expect(events.take()).toEqual([]);
    await fixture.pass(1);
    expect(events.take().map(summaryOf)).toEqual(['changed shop/web +3 -1']);
    await fixture.pass(60_000);
    expect(events.take()).toEqual([]);
  });

  test('reports nothing if an endpoint is removed and added again within the window', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready })] });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    await writeSlice(fixture, 'web', { 1: { ready: false } });
    await fixture.pass(1000);
    await writeSlice(fixture, 'web', { 1: ready });
    await fixture.pass(10_000);
    expect(events.take()).toEqual([]);
  });

  test('has a separate window for each Service', async () => {
    await using fixture = await createFixture({ window: 1000, objects: [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })] });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    await writeSlice(fixture, 'web', {});
    await fixture.pass(600);
    await writeSlice(fixture, 'db', {});
    await fixture.pass(400);
    expect(events.take().map(summaryOf)).toEqual(['changed shop/web -1']);
    await fixture.pass(600);
    expect(events.take().map(summaryOf)).toEqual(['changed shop/db -7']);
  });

  test('reports whether a removed endpoint still serves, and updated fields of a remaining one', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: { ready: true, uid: 'a' }, 2: ready, 3: ready })] });
    const events = follow(fixture.feed);
    await fixture.start();
    const [full] = events.take() as [FeedEvent & { type: 'full' }];
    expect(full.endpoints[0]).toEqual({
      id: 'http/TCP 10.0.0.1:8080',
      address: '10.0.0.1',
      addressType: 'IPv4',
      port: 8080,
      portName: 'http',
      protocol: 'TCP',
      targetRef: { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'a' },
      serving: true,
      terminating: false,
    });
    await writeSlice(fixture, 'web', {
      1: { ready: true, uid: 'b', nodeName: 'n1' },
      2: { ready: false, serving: true, terminating: true },
    });
    await fixture.pass(2000);
    const [event] = events.take() as [FeedEvent & { type: 'changed' }];
    expect(event.after).toBe(full.sequence);
    expect(event.updated).toMatchObject([{ id: 'http/TCP 10.0.0.1:8080', nodeName: 'n1', targetRef: { uid: 'b' } }]);
    expect(event.removed).toEqual([
      { id: 'http/TCP 10.0.0.2:8080', address: '10.0.0.2', port: 8080, still: { serving: true, terminating: true } },
      { id: 'http/TCP 10.0.0.3:8080', address: '10.0.0.3', port: 8080 },
    ]);
  });

  test('merges the slices of a Service and reports when the last one is gone', async () => {
    const secondSlice = { name: 'web-2' };
    await using fixture = await createFixture({
      objects: [sliceFor('web', { 1: ready }), sliceFor('web', { 1: ready, 2: ready }, secondSlice)],
    });
    const events = follow(fixture.feed);
    await fixture.start();
    expect(events.take().map(summaryOf)).toEqual(['full shop/web 1,2', 'complete 1']);
    await fixture.client.delete(endpointSlices, { namespace: 'shop', name: 'web-2' });
    await fixture.pass(2000);
    await fixture.client.delete(endpointSlices, { namespace: 'shop', name: 'web-1' });
    await fixture.pass(2000);
    await writeSlice(fixture, 'web', { 9: ready });
    await fixture.pass(2000);
    expect(events.take().map(summaryOf)).toEqual(['changed shop/web -2', 'gone shop/web', 'full shop/web 9']);
  });

  test('reports both Services if a slice moves from one to the other', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready }, { name: 's' })] });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    await writeSlice(fixture, 'db', { 1: ready }, { name: 's' });
    await fixture.pass(2000);
    expect(events.take().map(summaryOf).sort()).toEqual(['full shop/db 1', 'gone shop/web']);
  });

  test('gives ids to endpoints without ports, without a port number, with IPv6 and with FQDN addresses', async () => {
    await using fixture = await createFixture({
      objects: [
        sliceFor('headless', { 1: ready }, { ports: [] }),
        sliceFor('open', { 2: ready }, { ports: [{ name: 'any', protocol: 'UDP' }] }),
        { ...sliceFor('six', {}), addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] },
        { ...sliceFor('names', {}), addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] },
      ],
    });
    const events = follow(fixture.feed);
    await fixture.start();
    const ids = events.take().flatMap((event) => (event.type === 'full' ? event.endpoints.map(({ id }) => id) : []));
    expect(ids.sort()).toEqual(['10.0.0.1', 'any/UDP 10.0.0.2', 'http/TCP [fd00::1]:8080', 'name http/TCP a.example.com:8080']);
  });
});

describe('a feed', () => {
  const objects = [
    sliceFor('web', { 1: ready }),
    sliceFor('db', { 2: ready }),
    sliceFor('web', { 3: ready }, { namespace: 'bank' }),
    sliceFor('db', { 4: ready }, { namespace: 'bank' }),
  ];
  test.each([
    [{}, ['full bank/db 4', 'full bank/web 3', 'full shop/db 2', 'full shop/web 1', 'complete 4']],
    [{ namespace: 'bank' }, ['full bank/db 4', 'full bank/web 3', 'complete 2']],
    [{ services: ['shop/web'] }, ['full shop/web 1', 'complete 1']],
    // Both names are requested in both namespaces; the feed filters out the rest.
    [{ services: ['shop/web', 'bank/db'] }, ['full bank/db 4', 'full shop/web 1', 'complete 2']],
    [{ services: [] }, ['complete 0']],
  ])('with the options %j sends only the selected Services', async (options, expected) => {
    await using fixture = await createFixture({ objects, ...options });
    const events = follow(fixture.feed);
    await fixture.start();
    expect(events.take().map(summaryOf)).toEqual(expected);
    await writeSlice(fixture, 'mail', { 5: ready }, { namespace: 'bank' });
    await writeSlice(fixture, 'db', { 6: ready });
    await fixture.pass(2000);
    expect(events.take().filter((event) => event.type !== 'complete' && !isSelected(options, event.key))).toEqual([]);
  });

  const isSelected = ({ namespace, services }: { namespace?: string; services?: readonly string[] }, key: string): boolean =>
    (namespace === undefined || key.startsWith(`${namespace}/`)) && (!services || services.includes(key));

  test('ignores leader-election locks if its source is Endpoints', async () => {
    const subset = {
      addresses: [{ ip: '10.0.0.1' }],
      notReadyAddresses: [{ ip: '10.0.0.2' }],
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    };
    const lock = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
    await using fixture = await createFixture({
      source: 'endpoints',
      objects: [
        { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'web' }, subsets: [subset] },
        { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'lock', annotations: lock } },
      ],
    });
    const events = follow(fixture.feed);
    await fixture.start();
    expect(events.take().map(summaryOf)).toEqual(['full shop/web 1', 'complete 1']);
    const change = { subsets: [{ ...subset, addresses: [{ ip: '10.0.0.2' }], notReadyAddresses: [{ ip: '10.0.0.1' }] }] };
    await fixture.client.patch(endpoints, { namespace: 'shop', name: 'web' }, change, { type: 'merge' });
    await fixture.pass(2000);
    const [event] = events.take() as [FeedEvent & { type: 'changed' }];
    expect(summaryOf(event)).toBe('changed shop/web +2 -1');
    expect(event.removed[0]?.still).toEqual({ serving: false, terminating: false });
    await fixture.client.delete(endpoints, { namespace: 'shop', name: 'web' });
    await fixture.pass(2000);
    expect(events.take().map(summaryOf)).toEqual(['gone shop/web']);
  });
});

describe('after a reconnect, a subscription', () => {
  const objects = [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })];

  test('reports every Service in full, including changes and deletions in between', async () => {
    await using fixture = await createFixture({ objects });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    fixture.faults.stall({ resources: ['endpointslices.discovery.k8s.io'] });
    await fixture.client.delete(endpointSlices, { namespace: 'shop', name: 'db-1' });
    await writeSlice(fixture, 'web', { 2: ready });
    await fixture.pass(10_000);
    expect(events.take()).toEqual([]);
    fixture.server.compact();
    fixture.faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'] });
    fixture.faults.release();
    await fixture.pass(60_000);
    const [gone, full, complete, ...rest] = events.take();
    expect([gone, full, complete].map((event) => event && summaryOf(event)).sort()).toEqual([
      'complete 1',
      'full shop/web 2',
      'gone shop/db',
    ]);
    expect(complete?.type).toBe('complete');
    expect(rest).toEqual([]);
  });

  test('reports in full after a broken connection but not after a watch that ended normally', async () => {
    await using fixture = await createFixture({ objects });
    const events = follow(fixture.feed);
    await fixture.start();
    events.take();
    await fixture.pass(30 * 60_000);
    expect(events.take()).toEqual([]);
    fixture.faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'], broken: true });
    await fixture.pass(60_000);
    expect(events.take().map(summaryOf).sort()).toEqual(['complete 2', 'full shop/db 7', 'full shop/web 1']);
  });
});

describe('a consumer', () => {
  test('gets all pending changes merged into one event if it is slow', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready })] });
    await fixture.start();
    const slowConsumer = fixture.feed.subscribe();
    const next = async (): Promise<string> => summaryOf((await slowConsumer.next()).value as FeedEvent);
    expect([await next(), await next()]).toEqual(['full shop/web 1', 'complete 1']);
    for (const last of [2, 3, 4, 5]) {
      await writeSlice(fixture, 'web', { [last]: ready });
      await fixture.pass(5000);
    }
    expect(await next()).toBe('changed shop/web +5 -1');
    for (const last of [6, 5]) {
      await writeSlice(fixture, 'web', { [last]: ready });
      await fixture.pass(5000);
    }
    const pendingSummary = next();
    await writeSlice(fixture, 'web', { 5: ready, 8: ready });
    await fixture.pass(5000);
    expect(await pendingSummary).toBe('changed shop/web +8');
    await slowConsumer.return();
  });

  test('has its own stream with consecutive sequence numbers', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready })] });
    const firstConsumer = follow(fixture.feed);
    await fixture.start();
    await writeSlice(fixture, 'web', { 2: ready });
    await fixture.pass(2000);
    const secondConsumer = follow(fixture.feed);
    await flushPromises();
    await writeSlice(fixture, 'web', {});
    await fixture.pass(2000);
    const [firstEvents, secondEvents] = [firstConsumer.take(), secondConsumer.take()];
    expect(firstEvents.map(summaryOf)).toEqual(['full shop/web 1', 'complete 1', 'changed shop/web +2 -1', 'changed shop/web -2']);
    expect(secondEvents.map(summaryOf)).toEqual(['full shop/web 2', 'complete 1', 'changed shop/web -2']);
    expect(firstEvents.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(secondEvents.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(new Set([...firstEvents, ...secondEvents].map(({ stream }) => stream)).size).toBe(2);
  });

  test('ends when its signal is aborted or the feed stops', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready })] });
    const abortController = new AbortController();
    const firstConsumer = follow(fixture.feed, abortController.signal);
    const secondConsumer = follow(fixture.feed);
    await fixture.start();
    abortController.abort();
    await firstConsumer.ended;
    await writeSlice(fixture, 'web', {});
    await fixture.pass(2000);
    expect([firstConsumer.take().length, secondConsumer.take().length]).toEqual([2, 3]);
    await writeSlice(fixture, 'web', { 1: ready });
    await fixture.pass(10);
    await fixture.stop();
    await secondConsumer.ended;
    expect(secondConsumer.take()).toEqual([]);
    expect(fixture.clock.scheduled).toBe(0);
    await follow(fixture.feed).ended;
  });

  test('detects a missed event, or a stream without its start, as a gap in its snapshot', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready })] });
    const events = follow(fixture.feed);
    await fixture.start();
    await writeSlice(fixture, 'web', { 2: ready });
    await fixture.pass(2000);
    await writeSlice(fixture, 'web', { 3: ready });
    await fixture.pass(2000);
    const [full, complete, changedTo2, changedTo3] = events.take() as [FeedEvent, FeedEvent, FeedEvent, FeedEvent];
    const snapshot = createFeedSnapshot();
    const addresses = (): string[] => [...(snapshot.get('shop/web')?.values() ?? [])].map(({ address }) => address);
    expect(snapshot.apply(changedTo2)).toBe('gap');
    expect([snapshot.apply(full), snapshot.complete, snapshot.apply(complete), snapshot.complete]).toEqual([
      'applied',
      false,
      'applied',
      true,
    ]);
    expect(snapshot.apply(changedTo3)).toBe('gap');
    expect(addresses()).toEqual(['10.0.0.1']);
    expect([snapshot.apply(changedTo2), snapshot.apply(changedTo3), snapshot.apply(changedTo2), snapshot.apply(full)]).toEqual([
      'applied',
      'applied',
      'known',
      'known',
    ]);
    expect(addresses()).toEqual(['10.0.0.3']);
  });

  test('drops Services from its snapshot that were deleted before it subscribes again', async () => {
    await using fixture = await createFixture({ objects: [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })] });
    const snapshot = createFeedSnapshot();
    const firstSubscription = follow(fixture.feed);
    await fixture.start();
    for (const event of firstSubscription.take()) snapshot.apply(event);
    await fixture.client.delete(endpointSlices, { namespace: 'shop', name: 'db-1' });
    await fixture.pass(2000);
    const secondSubscription = follow(fixture.feed);
    await flushPromises();
    const [full, complete] = secondSubscription.take() as [FeedEvent, FeedEvent];
    snapshot.apply(full);
    expect([[...snapshot.keys()].sort(), snapshot.complete]).toEqual([['shop/db', 'shop/web'], false]);
    snapshot.apply(complete);
    expect([[...snapshot.keys()], snapshot.complete]).toEqual([['shop/web'], true]);
  });
});

describe('createEndpointFeed', () => {
  const port = {
    list: () => Promise.reject(new Error('unexpected request')),
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
  };
  test.each([
    [{ window: -1 }, 'window is -1'],
    [{ window: 0.5 }, 'window is 0.5'],
    [{ source: 'pods' as 'endpoints' }, 'source is "pods"'],
    [{ services: ['web'] }, 'services has "web"'],
    [{ services: ['a/b', 'c/d'], namespace: 'a' }, 'services has "c/d", which is not in the namespace "a"'],
  ])('rejects the options %o', (options, message) => {
    expect(() => createEndpointFeed({ port, ...options })).toThrow(message);
  });
});
