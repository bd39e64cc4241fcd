import type { WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { follow } from '../../../src/cache/reflector/reflector.ts';
import type { Outcome } from '../../../src/cache/reflector/stage.ts';
import { bookmark, broken, createFakePort, createTestClock, event, type FakePortOptions, pod, pods, settle } from '../support.ts';

const setup = (options?: FakePortOptions) => {
  const clock = createTestClock();
  const port = createFakePort(options);
  const controller = new AbortController();
  const told: string[] = [];
  const store = {
    put: ({ metadata }: ReturnType<typeof pod>) => void told.push(`put ${metadata.name}`),
    remove: ({ metadata }: ReturnType<typeof pod>) => void told.push(`remove ${metadata.name}`),
  };
  const result: { outcome?: Outcome } = {};
  const source = { port, clock, resource: pods, signal: controller.signal };
  const seen = (version: string): number => told.push(`seen ${version}`);
  const following = follow(
    source,
    { state: 'watching', from: '5' },
    { selection: { namespace: 'shop' }, timeoutSeconds: 300, store, seen },
  );
  void following.then((outcome) => {
    result.outcome = outcome;
  });
  return { clock, port, controller, told, result };
};

describe('follow', () => {
  it('watches from the version, with bookmarks, for a time', () => {
    expect(setup().port.newest.options).toMatchObject({
      namespace: 'shop',
      resourceVersion: '5',
      allowWatchBookmarks: true,
      timeoutSeconds: 300,
    });
  });

  it('takes in what is told until the watch ends', async () => {
    const { clock, port, told, result } = setup();
    await clock.pass(2000);
    await port.newest.send(event('ADDED', pod('a', 6)), event('MODIFIED', pod('a', 7)), event('DELETED', pod('a', 8)), bookmark(9));
    expect(told).toEqual(['put a', 'seen 6', 'put a', 'seen 7', 'remove a', 'seen 8', 'seen 9']);
    await port.newest.end();
    expect(result.outcome).toEqual({ kind: 'ended', version: '9', moved: true, milliseconds: 2000 });
    expect(clock.scheduled).toBe(0);
  });

  it('has not moved where the version is the same', async () => {
    const { port, result } = setup();
    await port.newest.send(bookmark(5));
    await port.newest.end();
    expect(result.outcome).toMatchObject({ kind: 'ended', moved: false });
  });

  it('tells what it failed of, and how far it came', async () => {
    const { port, result } = setup();
    await port.newest.send(bookmark(6));
    const error = broken();
    await port.newest.fail(error);
    expect(result.outcome).toEqual({ kind: 'failed', error, version: '6' });
  });

  it('is lost at an event that says nothing', async () => {
    const { port, result } = setup();
    await port.newest.send({ type: 'MOVED', object: pod('a', 6) } as unknown as WatchEvent);
    expect(result.outcome).toMatchObject({ kind: 'failed', lost: true });
    expect(port.newest.returned).toBe(true);
  });

  it('breaks off a watch that is silent half a minute longer than it was to last', async () => {
    const { clock, port, result } = setup();
    await clock.pass(250_000);
    await port.newest.send(bookmark(6));
    await clock.pass(79_999);
    expect(result.outcome).toBeUndefined();
    await clock.pass(1);
    expect(result.outcome).toMatchObject({ kind: 'failed', version: '6', error: { name: 'TimeoutError' } });
    expect(port.newest.returned).toBe(true);
  });

  it('leaves a watch alone that outlives its time and tells things', async () => {
    const { clock, port, result } = setup();
    for (let version = 6; version < 46; version++) {
      await clock.pass(20_000);
      await port.newest.send(bookmark(version));
    }
    expect(result.outcome).toBeUndefined();
  });

  it.each(Array.from({ length: 12 }, (_, turns) => turns))(
    'takes in nothing once the signal is aborted, even %i turns behind an event',
    async (turns) => {
      const { port, controller, told } = setup();
      await settle();
      void port.newest.send(event('ADDED', pod('a', 6)));
      for (let turn = 0; turn < turns; turn++) await undefined;
      const before = told.length;
      controller.abort('enough');
      await settle();
      expect(told).toHaveLength(before);
    },
  );

  it('takes in nothing once the signal is aborted', async () => {
    const { port, controller, told, result } = setup();
    await settle();
    const sending = port.newest.send(event('ADDED', pod('a', 6)));
    controller.abort('enough');
    await sending;
    expect(told).toEqual([]);
    expect(result.outcome).toMatchObject({ kind: 'failed', error: 'enough' });
  });
});
