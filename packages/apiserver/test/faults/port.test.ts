import { describe, expect, it } from 'vitest';
import {
  at,
  configMaps,
  createAll,
  createBrokenWorld,
  drain,
  fateOf,
  isSettled,
  object,
  settle,
  type Watch,
  watchFromNow,
} from './support.ts';

const reset = 'ECONNRESET';

describe('a port with faults', () => {
  it('refuses the calls that rules select, and stores nothing', async () => {
    const world = await createBrokenWorld({
      rules: [
        { fault: 'conflict', when: { nth: 2 } },
        { fault: 'internalError', verbs: ['create'] },
      ],
    });
    const { client, store } = world;
    const before = store.revision;
    expect(await fateOf(client.create(configMaps, object('a')))).toBe('500 InternalError');
    expect(store.revision).toBe(before);
    const created = await client.create(configMaps, object('a'));
    const updated = await client.update(configMaps, { ...created, data: { n: '1' } });
    expect(await fateOf(client.patch(configMaps, at('a'), { data: { n: '2' } }, { type: 'merge' }))).toBe('409 Conflict');
    expect(await client.get(configMaps, at('a'))).toEqual(updated);
  });

  it('matches each method by its verb', async () => {
    const { client, faults } = await createBrokenWorld({ rules: [{ fault: 'timeout', when: 'always' }] });
    const calls: Promise<unknown>[] = [
      client.get(configMaps, at('a')),
      client.list(configMaps),
      client.create(configMaps, object('a')),
      client.update(configMaps, object('a'), { subresource: 'status' }),
      client.patch(configMaps, at('a'), {}, { type: 'merge' }),
      client.delete(configMaps, at('a')),
      client.deleteCollection(configMaps, { namespace: 'shop' }),
      (client.watch(configMaps, { namespace: 'shop' }) as Watch).next(),
    ];
    expect(await Promise.all(calls.map(fateOf))).toEqual(new Array(8).fill('504 Timeout'));
    expect(faults.log.map(({ call }) => call)).toEqual([
      'get configmaps shop/a',
      'list configmaps',
      'create configmaps shop/a',
      'update configmaps/status shop/a',
      'patch configmaps shop/a',
      'delete configmaps shop/a',
      'deletecollection configmaps shop',
      'watch configmaps shop',
    ]);
  });

  it('delays calls until the latency is over or the signal aborts', async () => {
    const { client, clock, store } = await createBrokenWorld({ rules: [{ fault: 'latency', milliseconds: 20, when: 'always' }] });
    const slow = client.create(configMaps, object('a'));
    const before = store.revision;
    const controller = new AbortController();
    const given = client.create(configMaps, object('b'), { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
    clock.advance(19);
    expect([await isSettled(slow), store.revision]).toEqual([false, before]);
    clock.advance(1);
    expect((await slow).metadata.resourceVersion).toBe(String(before + 1));
  });
});

describe('a crash', () => {
  it('after a write keeps the stored object and sends no answer', async () => {
    const { client, port, faults } = await createBrokenWorld({ rules: [{ fault: 'crash', when: { nth: 2 } }] });
    await createAll(client, 'a');
    expect(await fateOf(client.create(configMaps, object('b')))).toBe(reset);
    expect(await fateOf(client.create(configMaps, object('c')))).toBe(reset);
    expect(await fateOf(client.get(configMaps, at('a')))).toBe(reset);
    expect(await fateOf((client.watch(configMaps) as Watch).next())).toBe(reset);
    expect(faults.down).toBe(true);
    faults.restart();
    expect((await client.list(configMaps)).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(await fateOf(client.create(configMaps, object('b')))).toBe('409 AlreadyExists');
    expect(await fateOf(port.get(configMaps, at('c')))).toBe('404 NotFound');
  });

  it('before a write stores nothing and breaks all watches', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'crash', at: 'before', verbs: ['create'], downMilliseconds: 100 }] });
    const watches = [watchFromNow(world), watchFromNow(world, { namespace: undefined })];
    const pending = (watches[0] as Watch).next();
    expect(await fateOf(world.client.create(configMaps, object('a')))).toBe(reset);
    expect(await fateOf(pending)).toBe(reset);
    expect(await fateOf((watches[1] as Watch).next())).toBe(reset);
    world.clock.advance(100);
    expect(await fateOf(world.client.get(configMaps, at('a')))).toBe('404 NotFound');
  });
});

describe('watches', () => {
  it('start at once without faults, and throw on invalid options', async () => {
    const world = await createBrokenWorld();
    const watch = watchFromNow(world);
    await createAll(world.client, 'a');
    expect(await drain(watch)).toEqual([`ADDED a@${world.store.revision}`]);
    expect(() => world.client.watch(configMaps, { labelSelector: 'a in' })).toThrow();
  });

  it('are dropped after a number of events, and can resume from the last one', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'dropWatch', afterEvents: 2 }] });
    const watch = watchFromNow(world);
    await createAll(world.client, 'a', 'b', 'c');
    const { revision } = world.store;
    expect(await drain(watch)).toEqual([`ADDED a@${revision - 2}`, `ADDED b@${revision - 1}`, 'end']);
    expect(await drain(watchFromNow(world, { resourceVersion: String(revision - 1) }))).toEqual([`ADDED c@${revision}`]);
  });

  it('break after a time', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'dropWatch', afterMilliseconds: [5, 5], broken: true }] });
    const pending = watchFromNow(world).next();
    world.clock.advance(5);
    expect(await fateOf(pending)).toBe(reset);
  });

  it('stall for a time, even if they end meanwhile', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'stallWatch', forMilliseconds: 60_000 }] });
    const watch = watchFromNow(world, { timeoutSeconds: 30 });
    const pending = watch.next();
    await createAll(world.client, 'a');
    await settle();
    world.clock.advance(30_000);
    expect(await isSettled(pending)).toBe(false);
    world.clock.advance(30_000);
    expect((await pending).done).toBe(true);
  });

  it('can be refused or delayed', async () => {
    const rules = [
      { fault: 'tooManyRequests', retryAfterSeconds: 3, verbs: ['watch'] },
      { fault: 'latency', milliseconds: 10, when: { times: 2 } },
    ] as const;
    const world = await createBrokenWorld({ rules });
    const refused = watchFromNow(world).next();
    world.clock.advance(10);
    await expect(refused).rejects.toMatchObject({ status: { code: 429, details: { retryAfterSeconds: 3 } } });
    const late = watchFromNow(world, { resourceVersion: undefined });
    await createAll(world.port, 'a');
    expect(await isSettled(Promise.resolve())).toBe(true);
    world.clock.advance(10);
    expect(await drain(late)).toEqual([`ADDED a@${world.store.revision}`]);
  });

  it('can be closed before the first read', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'unavailable', verbs: ['watch'] }] });
    const watch = watchFromNow(world);
    await settle();
    expect(await watch.return?.()).toEqual({ done: true, value: undefined });
  });

  it('fail once with 410 Expired for the fault expired', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'expired' }] });
    expect(await fateOf(watchFromNow(world).next())).toBe('410 Expired');
    await createAll(world.client, 'a');
    expect(await drain(watchFromNow(world))).toEqual([]);
  });
});
