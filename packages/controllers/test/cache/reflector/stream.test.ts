import { describe, expect, it } from 'vitest';
import { listByStream } from '../../../src/cache/reflector/list.ts';
import { bookmark, createFakePort, createTestClock, event, initialEnd, pod, pods, settle } from '../support.ts';

const setup = () => {
  const clock = createTestClock();
  const port = createFakePort({ streams: true });
  const { signal } = new AbortController();
  const told: string[] = [];
  const draft = {
    put: ({ metadata }: ReturnType<typeof pod>) => void told.push(`put ${metadata.name}`),
    remove: ({ metadata }: ReturnType<typeof pod>) => void told.push(`remove ${metadata.name}`),
    commit: () => void told.push('commit'),
  };
  const source = { port, clock, resource: pods, signal };
  const listing = listByStream(source, { namespace: 'shop' }, 400, draft);
  listing.catch(() => undefined);
  return { clock, port, told, listing };
};

describe('listByStream', () => {
  it('asks for all objects, takes them in until the bookmark, and leaves the watch open', async () => {
    const { port, told, listing } = setup();
    expect(port.newest.options).toMatchObject({
      namespace: 'shop',
      sendInitialEvents: true,
      resourceVersionMatch: 'NotOlderThan',
      allowWatchBookmarks: true,
      timeoutSeconds: 400,
    });
    await port.newest.send(event('ADDED', pod('a', 1)), event('ADDED', pod('b', 2)), initialEnd(7));
    const { version, open } = await listing;
    expect({ version, lasts: open.lasts }).toEqual({ version: '7', lasts: 400_000 });
    expect(told).toEqual(['put a', 'put b']);
    await port.newest.send(event('ADDED', pod('c', 8)));
    await expect(open.next()).resolves.toEqual(event('ADDED', pod('c', 8)));
    expect(port.newest.returned).toBe(false);
  });

  it('takes in what changes meanwhile', async () => {
    const { port, told, listing } = setup();
    const { newest } = port;
    await newest.send(
      event('ADDED', pod('a', 1)),
      event('MODIFIED', pod('a', 8)),
      event('DELETED', pod('a', 9)),
      bookmark(9),
      initialEnd(9),
    );
    expect((await listing).version).toBe('9');
    expect(told).toEqual(['put a', 'put a', 'remove a']);
  });

  it('fails where the watch ends before, and closes it', async () => {
    const { port, listing } = setup();
    await port.newest.send(event('ADDED', pod('a', 1)));
    await port.newest.end();
    await expect(listing).rejects.toThrow('ended before it had told of all');
  });

  it('fails at an event that says nothing', async () => {
    const { port, listing } = setup();
    await port.newest.send(event('ADDED', pod('a', undefined)));
    await expect(listing).rejects.toThrow('says nothing');
    expect(port.newest.returned).toBe(true);
  });

  it('gives up a server that does not begin within 30 s', async () => {
    const { clock, port, listing } = setup();
    await clock.pass(29_999);
    expect(port.newest.returned).toBe(false);
    await clock.pass(1);
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(port.newest.returned).toBe(true);
    expect(clock.scheduled).toBe(0);
  });

  it('takes 10 s without an object and without the bookmark for an ordinary watch', async () => {
    const { clock, port, listing } = setup();
    await clock.pass(5);
    await port.newest.send(event('ADDED', pod('a', 1)));
    await clock.pass(40_000);
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('takes changes that go on without the bookmark for an ordinary watch', async () => {
    const { clock, port } = setup();
    await port.newest.send(event('ADDED', pod('a', 1)));
    for (let version = 2; version < 14; version++) {
      if (!port.newest.returned) await port.newest.send(event('MODIFIED', pod('a', version)));
      await clock.pass(1000);
    }
    expect(port.newest.returned).toBe(true);
  });

  it('does not take in objects for ever', async () => {
    const { clock, port, listing } = setup();
    for (let version = 1; version <= 60; version++) {
      await port.newest.send(event('ADDED', pod(`p-${version}`, version)));
      await clock.pass(5000);
    }
    await settle();
    await expect(listing).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
