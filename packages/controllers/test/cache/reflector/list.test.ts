import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { listAll, listByStream } from '../../../src/cache/reflector/list.ts';
import {
  bookmark,
  createFakePort,
  createList,
  createTestClock,
  event,
  type FakePortOptions,
  flushPromises,
  initialEndBookmark,
  pod,
  pods,
} from '../support.ts';

const setup = (lists: FakePortOptions['lists'] & {}) => {
  const clock = createTestClock();
  const port = createFakePort({ lists });
  const controller = new AbortController();
  const names: string[] = [];
  const recordName = ({ metadata }: ApiObject): number => names.push(metadata.name ?? '');
  const source = { port, clock, resource: pods, selection: { namespace: 'shop', labelSelector: 'a=b' }, signal: controller.signal };
  return { clock, port, controller, names, list: (pageSize = 2) => listAll(source, pageSize, recordName) };
};

describe('listAll', () => {
  it('reads all pages in order and returns the resourceVersion', async () => {
    const { port, names, list } = setup([createList(9, [pod('a', 1), pod('b', 2)], 'more'), createList(9, [pod('c', 3)])]);
    await expect(list()).resolves.toBe('9');
    expect(names).toEqual(['a', 'b', 'c']);
    expect(port.lists).toMatchObject([
      { namespace: 'shop', labelSelector: 'a=b', limit: 2 },
      { namespace: 'shop', labelSelector: 'a=b', limit: 2, continue: 'more' },
    ]);
    expect(port.lists[0]).not.toHaveProperty('resourceVersion');
  });

  it('returns the version of the first page if later pages have another version', async () => {
    const { list } = setup([createList(9, [pod('a', 1)], 'more'), createList(12, [pod('b', 11)])]);
    await expect(list()).resolves.toBe('9');
  });

  it('sets no limit if pageSize is 0', async () => {
    const { port, list } = setup([createList(9, [])]);
    await list(0);
    expect(port.lists[0]).not.toHaveProperty('limit');
  });

  it('times out on a page after 60 s', async () => {
    const { clock, port, list } = setup([new Promise(() => undefined)]);
    const rejection = expect(list()).rejects.toThrow('the list of pods did not arrive within 60 s');
    await clock.pass(60_000);
    await rejection;
    expect(port.lists[0]?.signal?.aborted).toBe(true);
  });

  it('times out on an unpaged list after 5 minutes', async () => {
    const { clock, list } = setup([new Promise(() => undefined)]);
    const rejection = expect(list(0)).rejects.toMatchObject({ name: 'TimeoutError' });
    await clock.pass(300_000);
    await rejection;
  });

  it('rejects a repeated continue token', async () => {
    const { port, list } = setup([createList(9, [pod('a', 1)], 'more')]);
    await expect(list()).rejects.toThrow('two pages have the same continue token');
    expect(port.lists).toHaveLength(2);
  });

  it('rejects a list without resourceVersion', async () => {
    const { list } = setup([createList(undefined, [pod('a', 1)])]);
    await expect(list()).rejects.toThrow('has no resourceVersion');
  });

  it('rejects when the signal aborts', async () => {
    const { controller, list } = setup([new Promise(() => undefined)]);
    const rejection = expect(list()).rejects.toBe('enough');
    await flushPromises();
    controller.abort('enough');
    await rejection;
  });
});

const setupStream = () => {
  const clock = createTestClock();
  const port = createFakePort({ supportsStreams: true });
  const { signal } = new AbortController();
  const reported: string[] = [];
  const draft = {
    put: ({ metadata }: ReturnType<typeof pod>) => void reported.push(`put ${metadata.name}`),
    remove: ({ metadata }: ReturnType<typeof pod>) => void reported.push(`remove ${metadata.name}`),
    commit: () => void reported.push('commit'),
  };
  const source = { port, clock, resource: pods, signal };
  const listing = listByStream(source, { namespace: 'shop' }, 400, draft);
  listing.catch(() => undefined);
  return { clock, port, reported, listing };
};

describe('listByStream', () => {
  it('requests initial events, reads until the bookmark, and leaves the watch open', async () => {
    const { port, reported, listing } = setupStream();
    expect(port.latestWatch.options).toMatchObject({
      namespace: 'shop',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      timeoutSeconds: 400,
    });
    await port.latestWatch.send(event('ADDED', pod('a', 1)), event('ADDED', pod('b', 2)), initialEndBookmark(7));
    const { version, watch } = await listing;
    expect({ version, durationMs: watch.durationMs }).toEqual({ version: '7', durationMs: 400_000 });
    expect(reported).toEqual(['put a', 'put b']);
    await port.latestWatch.send(event('ADDED', pod('c', 8)));
    await expect(watch.next()).resolves.toEqual(event('ADDED', pod('c', 8)));
    expect(port.latestWatch.isClosed).toBe(false);
  });

  it('applies changes during the list', async () => {
    const { port, reported, listing } = setupStream();
    const { latestWatch } = port;
    await latestWatch.send(
      event('ADDED', pod('a', 1)),
      event('MODIFIED', pod('a', 8)),
      event('DELETED', pod('a', 9)),
      bookmark(9),
      initialEndBookmark(9),
    );
    expect((await listing).version).toBe('9');
    expect(reported).toEqual(['put a', 'put a', 'remove a']);
  });

  it('rejects if the watch ends before the bookmark', async () => {
    const { port, listing } = setupStream();
    await port.latestWatch.send(event('ADDED', pod('a', 1)));
    await port.latestWatch.end();
    await expect(listing).rejects.toThrow('ended before all initial objects');
  });

  it('rejects on a malformed event and closes the watch', async () => {
    const { port, listing } = setupStream();
    await port.latestWatch.send(event('ADDED', pod('a', undefined)));
    await expect(listing).rejects.toThrow('began with an invalid event of type');
    expect(port.latestWatch.isClosed).toBe(true);
  });

  it('times out if no event arrives within 30 s', async () => {
    const { clock, port, listing } = setupStream();
    await clock.pass(29_999);
    expect(port.latestWatch.isClosed).toBe(false);
    await clock.pass(1);
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(port.latestWatch.isClosed).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('times out 10 s after the last new object without the bookmark', async () => {
    const { clock, port, listing } = setupStream();
    await clock.pass(5);
    await port.latestWatch.send(event('ADDED', pod('a', 1)));
    await clock.pass(40_000);
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('times out if only changes arrive without the bookmark', async () => {
    const { clock, port } = setupStream();
    await port.latestWatch.send(event('ADDED', pod('a', 1)));
    for (let version = 2; version < 14; version++) {
      if (!port.latestWatch.isClosed) await port.latestWatch.send(event('MODIFIED', pod('a', version)));
      await clock.pass(1000);
    }
    expect(port.latestWatch.isClosed).toBe(true);
  });

  it('times out eventually if new objects never end', async () => {
    const { clock, port, listing } = setupStream();
    for (let version = 1; version <= 60; version++) {
      await port.latestWatch.send(event('ADDED', pod(`p-${version}`, version)));
      await clock.pass(5000);
    }
    await flushPromises();
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
