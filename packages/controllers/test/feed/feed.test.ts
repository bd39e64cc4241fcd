import { resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createEndpointFeed, createFeedSnapshot, type FeedEvent } from '../../src/feed/index.ts';
import { createWorld, follow, say, settle, sliceFor, type World } from './world.ts';

const { endpointSlices, endpoints } = resources;
const ready = { ready: true };

const write = ({ client }: World, ...args: Parameters<typeof sliceFor>): Promise<unknown> => {
  const slice = sliceFor(...args);
  const { name = '', namespace = '' } = slice.metadata;
  return client
    .get(endpointSlices, { namespace, name })
    .then((there) =>
      client.update(endpointSlices, { ...slice, metadata: { ...slice.metadata, resourceVersion: there.metadata.resourceVersion ?? '' } }),
    )
    .catch(() => client.create(endpointSlices, slice));
};

describe('a subscription', () => {
  test('starts with a full event for each Service, then complete', async () => {
    await using world = await createWorld({
      objects: [sliceFor('web', { 1: ready, 2: ready }), sliceFor('db', { 7: ready, 8: { ready: false } })],
    });
    const events = follow(world.feed);
    expect(world.feed.ready).toBe(false);
    await world.start();
    expect(world.feed.ready).toBe(true);
    expect(events.take().map(say)).toEqual(['full shop/db 7', 'full shop/web 1,2', 'complete 2']);
  });

  test('starts with complete if there are no Services', async () => {
    await using world = await createWorld();
    const events = follow(world.feed);
    await world.start();
    expect(events.take().map(say)).toEqual(['complete 0']);
  });

  test('reports added and removed endpoints once, when the window closes', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready, 2: ready })] });
    const events = follow(world.feed);
    await world.start();
    events.take();
    await write(world, 'web', { 2: ready });
    await world.pass(1500);
    await write(world, 'web', { 2: ready, 3: ready });
    await world.pass(499);
    expect(events.take()).toEqual([]);
    await world.pass(1);
    expect(events.take().map(say)).toEqual(['changed shop/web +3 -1']);
    await world.pass(60_000);
    expect(events.take()).toEqual([]);
  });

  test('reports nothing if an endpoint is removed and added again within the window', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready })] });
    const events = follow(world.feed);
    await world.start();
    events.take();
    await write(world, 'web', { 1: { ready: false } });
    await world.pass(1000);
    await write(world, 'web', { 1: ready });
    await world.pass(10_000);
    expect(events.take()).toEqual([]);
  });

  test('has a separate window for each Service', async () => {
    await using world = await createWorld({ window: 1000, objects: [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })] });
    const events = follow(world.feed);
    await world.start();
    events.take();
    await write(world, 'web', {});
    await world.pass(600);
    await write(world, 'db', {});
    await world.pass(400);
    expect(events.take().map(say)).toEqual(['changed shop/web -1']);
    await world.pass(600);
    expect(events.take().map(say)).toEqual(['changed shop/db -7']);
  });

  test('reports whether a removed endpoint still serves, and updated fields of a remaining one', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: { ready: true, uid: 'a' }, 2: ready, 3: ready })] });
    const events = follow(world.feed);
    await world.start();
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
    await write(world, 'web', { 1: { ready: true, uid: 'b', nodeName: 'n1' }, 2: { ready: false, serving: true, terminating: true } });
    await world.pass(2000);
    const [event] = events.take() as [FeedEvent & { type: 'changed' }];
    expect(event.after).toBe(full.sequence);
    expect(event.updated).toMatchObject([{ id: 'http/TCP 10.0.0.1:8080', nodeName: 'n1', targetRef: { uid: 'b' } }]);
    expect(event.removed).toEqual([
      { id: 'http/TCP 10.0.0.2:8080', address: '10.0.0.2', port: 8080, still: { serving: true, terminating: true } },
      { id: 'http/TCP 10.0.0.3:8080', address: '10.0.0.3', port: 8080 },
    ]);
  });

  test('merges the slices of a Service and reports when the last one is gone', async () => {
    const second = { name: 'web-2' };
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready }), sliceFor('web', { 1: ready, 2: ready }, second)] });
    const events = follow(world.feed);
    await world.start();
    expect(events.take().map(say)).toEqual(['full shop/web 1,2', 'complete 1']);
    await world.client.delete(endpointSlices, { namespace: 'shop', name: 'web-2' });
    await world.pass(2000);
    await world.client.delete(endpointSlices, { namespace: 'shop', name: 'web-1' });
    await world.pass(2000);
    await write(world, 'web', { 9: ready });
    await world.pass(2000);
    expect(events.take().map(say)).toEqual(['changed shop/web -2', 'gone shop/web', 'full shop/web 9']);
  });

  test('follows a slice that moves to another Service', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready }, { name: 's' })] });
    const events = follow(world.feed);
    await world.start();
    events.take();
    await write(world, 'db', { 1: ready }, { name: 's' });
    await world.pass(2000);
    expect(events.take().map(say).sort()).toEqual(['full shop/db 1', 'gone shop/web']);
  });

  test('gives ids to endpoints without ports, without a port number, with IPv6 and with FQDN addresses', async () => {
    await using world = await createWorld({
      objects: [
        sliceFor('headless', { 1: ready }, { ports: [] }),
        sliceFor('open', { 2: ready }, { ports: [{ name: 'any', protocol: 'UDP' }] }),
        { ...sliceFor('six', {}), addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] },
        { ...sliceFor('names', {}), addressType: 'FQDN', endpoints: [{ addresses: ['a.example.com'] }] },
      ],
    });
    const events = follow(world.feed);
    await world.start();
    const ids = events.take().flatMap((event) => (event.type === 'full' ? event.endpoints.map(({ id }) => id) : []));
    expect(ids.sort()).toEqual(['10.0.0.1', 'any/UDP 10.0.0.2', 'http/TCP [fd00::1]:8080', 'name http/TCP a.example.com:8080']);
  });
});

describe('a feed is limited to the Services of', () => {
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
  ])('%j', async (options, expected) => {
    await using world = await createWorld({ objects, ...options });
    const events = follow(world.feed);
    await world.start();
    expect(events.take().map(say)).toEqual(expected);
    await write(world, 'mail', { 5: ready }, { namespace: 'bank' });
    await write(world, 'db', { 6: ready });
    await world.pass(2000);
    expect(events.take().filter((event) => event.type !== 'complete' && !wantedBy(options, event.key))).toEqual([]);
  });

  const wantedBy = ({ namespace, services }: { namespace?: string; services?: readonly string[] }, key: string): boolean =>
    (namespace === undefined || key.startsWith(`${namespace}/`)) && (!services || services.includes(key));

  test('a feed of Endpoints ignores leader-election locks', async () => {
    const subset = {
      addresses: [{ ip: '10.0.0.1' }],
      notReadyAddresses: [{ ip: '10.0.0.2' }],
      ports: [{ name: 'http', port: 80, protocol: 'TCP' }],
    };
    const lock = { 'control-plane.alpha.kubernetes.io/leader': '{}' };
    await using world = await createWorld({
      source: 'endpoints',
      objects: [
        { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'web' }, subsets: [subset] },
        { apiVersion: 'v1', kind: 'Endpoints', metadata: { namespace: 'shop', name: 'lock', annotations: lock } },
      ],
    });
    const events = follow(world.feed);
    await world.start();
    expect(events.take().map(say)).toEqual(['full shop/web 1', 'complete 1']);
    const change = { subsets: [{ ...subset, addresses: [{ ip: '10.0.0.2' }], notReadyAddresses: [{ ip: '10.0.0.1' }] }] };
    await world.client.patch(endpoints, { namespace: 'shop', name: 'web' }, change, { type: 'merge' });
    await world.pass(2000);
    const [event] = events.take() as [FeedEvent & { type: 'changed' }];
    expect(say(event)).toBe('changed shop/web +2 -1');
    expect(event.removed[0]?.still).toEqual({ serving: false, terminating: false });
    await world.client.delete(endpoints, { namespace: 'shop', name: 'web' });
    await world.pass(2000);
    expect(events.take().map(say)).toEqual(['gone shop/web']);
  });
});

describe('after a reconnect', () => {
  const objects = [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })];

  test('reports every Service in full, including changes and deletions in between', async () => {
    await using world = await createWorld({ objects });
    const events = follow(world.feed);
    await world.start();
    events.take();
    world.faults.stall({ resources: ['endpointslices.discovery.k8s.io'] });
    await world.client.delete(endpointSlices, { namespace: 'shop', name: 'db-1' });
    await write(world, 'web', { 2: ready });
    await world.pass(10_000);
    expect(events.take()).toEqual([]);
    world.server.compact();
    world.faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'] });
    world.faults.release();
    await world.pass(60_000);
    const [gone, full, complete, ...rest] = events.take();
    expect([gone, full, complete].map((event) => event && say(event)).sort()).toEqual(['complete 1', 'full shop/web 2', 'gone shop/db']);
    expect(complete?.type).toBe('complete');
    expect(rest).toEqual([]);
  });

  test('reports in full after a broken connection but not after a watch that ended normally', async () => {
    await using world = await createWorld({ objects });
    const events = follow(world.feed);
    await world.start();
    events.take();
    await world.pass(30 * 60_000);
    expect(events.take()).toEqual([]);
    world.faults.dropWatches({ resources: ['endpointslices.discovery.k8s.io'], broken: true });
    await world.pass(60_000);
    expect(events.take().map(say).sort()).toEqual(['complete 2', 'full shop/db 7', 'full shop/web 1']);
  });
});

describe('consumers', () => {
  test('that are slow get all pending changes merged into one event', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready })] });
    await world.start();
    const slow = world.feed.subscribe();
    const next = async (): Promise<string> => say((await slow.next()).value as FeedEvent);
    expect([await next(), await next()]).toEqual(['full shop/web 1', 'complete 1']);
    for (const last of [2, 3, 4, 5]) {
      await write(world, 'web', { [last]: ready });
      await world.pass(5000);
    }
    expect(await next()).toBe('changed shop/web +5 -1');
    for (const last of [6, 5]) {
      await write(world, 'web', { [last]: ready });
      await world.pass(5000);
    }
    const waiting = next();
    await write(world, 'web', { 5: ready, 8: ready });
    await world.pass(5000);
    expect(await waiting).toBe('changed shop/web +8');
    await slow.return();
  });

  test('have separate streams with consecutive sequence numbers', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready })] });
    const one = follow(world.feed);
    await world.start();
    await write(world, 'web', { 2: ready });
    await world.pass(2000);
    const other = follow(world.feed);
    await settle();
    await write(world, 'web', {});
    await world.pass(2000);
    const [first, second] = [one.take(), other.take()];
    expect(first.map(say)).toEqual(['full shop/web 1', 'complete 1', 'changed shop/web +2 -1', 'changed shop/web -2']);
    expect(second.map(say)).toEqual(['full shop/web 2', 'complete 1', 'changed shop/web -2']);
    expect(first.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
    expect(second.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(new Set([...first, ...second].map(({ stream }) => stream)).size).toBe(2);
  });

  test('end with their signal, and all of them when the feed stops', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready })] });
    const end = new AbortController();
    const one = follow(world.feed, end.signal);
    const other = follow(world.feed);
    await world.start();
    end.abort();
    await one.ended;
    await write(world, 'web', {});
    await world.pass(2000);
    expect([one.take().length, other.take().length]).toEqual([2, 3]);
    await write(world, 'web', { 1: ready });
    await world.pass(10);
    await world.stop();
    await other.ended;
    expect(other.take()).toEqual([]);
    expect(world.clock.scheduled).toBe(0);
    await follow(world.feed).ended;
  });

  test('detect a missed event or a missing start as a gap', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready })] });
    const events = follow(world.feed);
    await world.start();
    await write(world, 'web', { 2: ready });
    await world.pass(2000);
    await write(world, 'web', { 3: ready });
    await world.pass(2000);
    const [full, complete, two, three] = events.take() as [FeedEvent, FeedEvent, FeedEvent, FeedEvent];
    const snapshot = createFeedSnapshot();
    const addresses = (): string[] => [...(snapshot.get('shop/web')?.values() ?? [])].map(({ address }) => address);
    expect(snapshot.apply(two)).toBe('gap');
    expect([snapshot.apply(full), snapshot.complete, snapshot.apply(complete), snapshot.complete]).toEqual([
      'applied',
      false,
      'applied',
      true,
    ]);
    expect(snapshot.apply(three)).toBe('gap');
    expect(addresses()).toEqual(['10.0.0.1']);
    expect([snapshot.apply(two), snapshot.apply(three), snapshot.apply(two), snapshot.apply(full)]).toEqual([
      'applied',
      'applied',
      'known',
      'known',
    ]);
    expect(addresses()).toEqual(['10.0.0.3']);
  });

  test('that resubscribe drop Services deleted in between', async () => {
    await using world = await createWorld({ objects: [sliceFor('web', { 1: ready }), sliceFor('db', { 7: ready })] });
    const snapshot = createFeedSnapshot();
    const first = follow(world.feed);
    await world.start();
    for (const event of first.take()) snapshot.apply(event);
    await world.client.delete(endpointSlices, { namespace: 'shop', name: 'db-1' });
    await world.pass(2000);
    const second = follow(world.feed);
    await settle();
    const [full, complete] = second.take() as [FeedEvent, FeedEvent];
    snapshot.apply(full);
    expect([[...snapshot.keys()].sort(), snapshot.complete]).toEqual([['shop/db', 'shop/web'], false]);
    snapshot.apply(complete);
    expect([[...snapshot.keys()], snapshot.complete]).toEqual([['shop/web'], true]);
  });
});

describe('createEndpointFeed rejects invalid options', () => {
  const port = {
    list: () => Promise.reject(new Error('not asked')),
    watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
  };
  test.each([
    [{ window: -1 }, 'window is -1'],
    [{ window: 0.5 }, 'window is 0.5'],
    [{ source: 'pods' as 'endpoints' }, 'source is "pods"'],
    [{ services: ['web'] }, 'services has "web"'],
    [{ services: ['a/b', 'c/d'], namespace: 'a' }, 'services has "c/d", which is not in the namespace "a"'],
  ])('%j', (options, message) => {
    expect(() => createEndpointFeed({ port, ...options })).toThrow(message);
  });
});
