import { resources, type WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInformer } from '../../src/cache/index.ts';
import { createFixture } from './fixture.ts';
import {
  apiError,
  bookmark,
  createConnectionReset,
  createExpiredError,
  createFakePort,
  createList,
  createTestClock,
  event,
  fixedRandom,
  initialEndBookmark,
  pod,
  pods,
  recordChanges,
} from './support.ts';

/** Bugs of other clients and test servers, with their issue numbers; `js` is kubernetes-client/javascript. */
describe('js#596: a watch whose connection was lost silently', () => {
  // A load balancer dropped the connection: no end, no error, no event, and the client had no timeout.
  it('ends and resumes a silent watch, and delivers the events in between', async () => {
    const { create, remove, start, clock, faults, changes, formatCachedPods, formatServerPods, calls } = await createFixture();
    await create('a');
    await create('b');
    await start();
    changes.take();
    faults.stall();
    await remove('a');
    await create('c');
    await clock.pass(479_999);
    expect(changes.take()).toEqual([]);
    await clock.pass(2000);
    expect(changes.take()).toEqual(['updated a', 'deleted a', 'added c']);
    expect(formatCachedPods()).toBe(await formatServerPods());
    expect(calls).toEqual({ list: 0, watch: 2 });
  });
});

describe('js#958: an informer stops following after an hour, without an error', () => {
  // Watches had no timeout, so the first watch that hung stopped the informer.
  it('limits each watch to ten minutes, so that it follows the server for a day even if every watch hangs', async () => {
    const { create, remove, start, clock, changes, calls } = await createFixture({
      rules: [{ fault: 'stallWatch', afterMilliseconds: [1000, 200_000], when: 'always' }],
    });
    await start();
    for (let hour = 0; hour < 24; hour++) {
      await create(`p-${hour}`);
      await clock.pass(3_600_000);
      expect(changes.take().at(-1)).toMatch(`p-${hour}`);
      await remove(`p-${hour}`);
    }
    // Each watch ends after 450 s plus 30 s of silence: fewer than 8 an hour.
    expect(calls.watch).toBeLessThan(24 * 8 + 10);
  });

  it('sets timeoutSeconds on every watch', async () => {
    const port = createFakePort({ lists: [createList(9, [])] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: () => 1, clock, random: () => 0.999 });
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    expect(port.latestWatch.options.timeoutSeconds).toBe(600);
  });
});

describe('js#1933: an informer that was started again sends tens of watches a second', () => {
  // Each failed attempt was restarted at once, and each start added a loop to the running ones.
  it('backs off while the server is down, and follows it after the restart', async () => {
    const { create, start, clock, faults, calls, changes } = await createFixture();
    await start();
    faults.crash();
    await clock.pass(60_000);
    expect(calls.watch).toBeLessThanOrEqual(7);
    faults.restart();
    await create('a');
    await clock.pass(60_000);
    expect(changes.take()).toEqual(['added a']);
    expect(calls.watch).toBeLessThanOrEqual(9);
  });

  it('rejects a second start', async () => {
    const { start, informer } = await createFixture();
    await start();
    expect(() => informer.run(new AbortController().signal)).toThrow('is already running');
  });

  it('does not loop without delay if each watch fails with 410 in its stream', async () => {
    const { start, clock, calls } = await createFixture({
      rules: [{ fault: 'expired', when: 'always' }],
      informer: { watchList: 'never' },
    });
    await start();
    await clock.pass(600_000);
    expect(calls.list).toBeLessThan(25);
  });
});

describe('js#2424: unchanged objects are reported as updated', () => {
  // Each new watch reported all listed objects as updated, whether changed or not.
  it('sends no event for unchanged objects after a list, a resumed watch or an event of a known version', async () => {
    const objects = [pod('a', 1), pod('b', 2)];
    const port = createFakePort({ lists: [createList(9, objects), createList(20, objects), createList(30, objects)] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: (object) => object, clock, random: fixedRandom });
    const changes = recordChanges(informer);
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    expect(changes.take()).toEqual(['initial a', 'initial b']);
    for (const error of [createExpiredError(), createConnectionReset(), createExpiredError(), apiError(500, 'InternalError')]) {
      await port.latestWatch.fail(error);
      await clock.pass(200_000);
      await port.latestWatch.send(event('MODIFIED', pod('a', 1)), event('ADDED', pod('b', 2)));
    }
    expect(port.lists).toHaveLength(3);
    expect(changes.take()).toEqual([]);
  });
});

describe('js#2432: an informer stops after a failure that it reports', () => {
  // List and watch failures were passed to the host; without a restart by the host, the cache was stale forever.
  it.each([
    ['a list is refused', 'list', apiError(403, 'Forbidden')],
    ['a list is answered by 429', 'list', apiError(429, 'TooManyRequests')],
    ['a list breaks', 'list', createConnectionReset()],
    ['a watch is refused', 'watch', apiError(401, 'Unauthorized')],
    ['a watch is answered by 500', 'watch', apiError(500, 'InternalError')],
    ['a watch breaks', 'watch', createConnectionReset()],
    ['a watch sends an invalid event', 'watch', undefined],
  ] as const)('recovers without help after %s', async (_, verb, error) => {
    const port = createFakePort({ lists: [...(verb === 'list' ? [error] : []), createList(9, [])] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: (object) => object, clock, random: fixedRandom, watchList: 'never' });
    const changes = recordChanges(informer);
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    if (verb === 'watch' && error) await port.latestWatch.fail(error);
    else if (verb === 'watch') await port.latestWatch.send({ type: 'WHAT', object: {} } as unknown as WatchEvent);
    expect(informer.state).toBe('waiting');
    await clock.pass(10_000);
    expect(informer.state).toBe('watching');
    await port.latestWatch.send(event('ADDED', pod('a', 10)));
    expect(changes.take()).toEqual(['added a']);
  });
});

describe('kubernetes#141528: an object deleted between list and watch stays in the cache forever', () => {
  // The fake sent watches only later events, not those since the resourceVersion of the watch.
  it.each(['auto', 'never'] as const)('reports the object as deleted (watchList: %s)', async (watchList) => {
    let afterList = async (): Promise<void> => undefined;
    const { create, remove, start, clock, changes, formatCachedPods } = await createFixture({
      informer: { watchList },
      wrapPort: (port) => ({
        async list(resource, options) {
          const list = await port.list(resource, options);
          await afterList();
          return list;
        },
        watch: (resource, options) => port.watch(resource, options),
      }),
    });
    await create('a');
    await create('b');
    afterList = () => remove('a');
    if (watchList === 'auto') await remove('a');
    await start();
    await clock.pass(10_000);
    expect(formatCachedPods()).toBe('b=1');
    expect(
      changes
        .take()
        .filter((line) => line.endsWith('a'))
        .at(-1),
    ).toBe(watchList === 'auto' ? undefined : 'deleted a');
  });

  it('reports the deletion as missed if the deletion event is compacted', async () => {
    const { create, remove, start, clock, server, faults, changes, formatCachedPods } = await createFixture();
    await create('a');
    await start();
    changes.take();
    faults.stall();
    await remove('a');
    server.compact();
    await clock.pass(500_000);
    expect([formatCachedPods(), changes.take()]).toEqual(['', ['deleted a (missed)']]);
  });
});

describe('client-go#1385: a fake that omits resourceVersions', () => {
  // Code tested against it seemed to work without a version to resume from or to compare.
  it('rejects a list without a resourceVersion to watch from', async () => {
    const port = createFakePort({ lists: [createList(undefined, [pod('a', undefined)]), createList(9, [pod('a', 1)])] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: (object) => object, clock, random: fixedRandom });
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    expect([informer.state, informer.hasSynced, informer.cache.size]).toEqual(['waiting', false, 0]);
    await clock.pass(1200);
    expect([informer.state, informer.hasSynced, informer.cache.size]).toEqual(['watching', true, 1]);
  });

  it('lists again if events begin to omit resourceVersions', async () => {
    const port = createFakePort({ lists: [createList(9, []), createList(12, [pod('a', 11)])] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: (object) => object, clock, random: fixedRandom });
    const changes = recordChanges(informer);
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    await port.latestWatch.send(event('ADDED', pod('a', undefined)));
    expect(changes.take()).toEqual([]);
    await clock.pass(1200);
    expect(changes.take()).toEqual(['added a']);
  });
});

describe('controller-runtime#1857: tests pass although the fake behaves unlike any server', () => {
  // The test server has versions, a history and conflicts, which reveal an incorrect cache.
  it('caches every write in order, each with a greater resourceVersion', async () => {
    const { create, label, start, clock, informer, client } = await createFixture();
    await start();
    await create('a');
    const versions: number[] = [];
    informer.listen(({ object }) => versions.push(Number(object.metadata?.resourceVersion)));
    for (const value of ['2', '3', '3', '4']) await label('a', value);
    await clock.pass(0);
    const { metadata } = await client.get(resources.pods, { namespace: 'shop', name: 'a' });
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
    expect(versions.at(-1)).toBe(Number(metadata.resourceVersion));
    expect(versions).toHaveLength(4);
  });
});

describe('kubernetes#129408: an informer waits forever for the bookmark that ends a streaming list', () => {
  // The fake answered with an ordinary watch, which lacks this bookmark.
  it('lists by pages from then on', async () => {
    const port = createFakePort({ supportsStreams: true, lists: [createList(9, [pod('a', 1)])] });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: (object) => object, clock, random: fixedRandom });
    const changes = recordChanges(informer);
    void informer.run(new AbortController().signal);
    await clock.pass(1000);
    await port.latestWatch.send(event('ADDED', pod('a', 1)), bookmark(9));
    await clock.pass(20_000);
    expect(changes.take()).toEqual(['initial a']);
    await port.latestWatch.fail(createExpiredError());
    await clock.pass(5000);
    expect(port.watches.map(({ options }) => options.sendInitialEvents)).toEqual([true, undefined, undefined]);
    expect([port.openWatchCount, port.lists.length]).toEqual([1, 2]);
  });

  it('does not accept a bookmark without the annotation', async () => {
    const port = createFakePort({ supportsStreams: true });
    const clock = createTestClock();
    const informer = createInformer({ port, resource: pods, project: () => 1, clock, random: fixedRandom });
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    await port.latestWatch.send(bookmark(8));
    expect(informer.hasSynced).toBe(false);
    await port.latestWatch.send(initialEndBookmark(9));
    expect(informer.hasSynced).toBe(true);
  });
});
