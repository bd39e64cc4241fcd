import { describe, expect, it } from 'vitest';
import {
  configMaps,
  createAll,
  createFaultFixture,
  drain,
  flushPromises,
  isSettled,
  keyInShop,
  object,
  outcomeOf,
  type Watch,
  watchFromNow,
} from './support.ts';

const connectionReset = 'ECONNRESET';

describe('a port with faults', () => {
  it('refuses the calls that rules select and does not execute them', async () => {
    const fixture = await createFaultFixture({
      rules: [
        { fault: 'conflict', when: { nth: 2 } },
        { fault: 'internalError', verbs: ['create'] },
      ],
    });
    const { client, store } = fixture;
    const revisionBefore = store.revision;
    expect(await outcomeOf(client.create(configMaps, object('a')))).toBe('500 InternalError');
    expect(store.revision).toBe(revisionBefore);
    const createdObject = await client.create(configMaps, object('a'));
    const updatedObject = await client.update(configMaps, { ...createdObject, data: { n: '1' } });
    expect(await outcomeOf(client.patch(configMaps, keyInShop('a'), { data: { n: '2' } }, { type: 'merge' }))).toBe('409 Conflict');
    expect(await client.get(configMaps, keyInShop('a'))).toEqual(updatedObject);
  });

  it('describes the call of each method by verb, resource and name', async () => {
    const { client, faults } = await createFaultFixture({ rules: [{ fault: 'timeout', when: 'always' }] });
    const calls: Promise<unknown>[] = [
      client.get(configMaps, keyInShop('a')),
      client.list(configMaps),
      client.create(configMaps, object('a')),
      client.update(configMaps, object('a'), { subresource: 'status' }),
      client.patch(configMaps, keyInShop('a'), {}, { type: 'merge' }),
      client.delete(configMaps, keyInShop('a')),
      client.deleteCollection(configMaps, { namespace: 'shop' }),
      (client.watch(configMaps, { namespace: 'shop' }) as Watch).next(),
    ];
    expect(await Promise.all(calls.map(outcomeOf))).toEqual(new Array(8).fill('504 Timeout'));
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
    const { client, clock, store } = await createFaultFixture({ rules: [{ fault: 'latency', milliseconds: 20, when: 'always' }] });
    const delayedCreate = client.create(configMaps, object('a'));
    const revisionBefore = store.revision;
    const controller = new AbortController();
    const abortedCreate = client.create(configMaps, object('b'), { signal: controller.signal });
    controller.abort(new Error('enough'));
    await expect(abortedCreate).rejects.toThrow('enough');
    clock.advance(19);
    expect([await isSettled(delayedCreate), store.revision]).toEqual([false, revisionBefore]);
    clock.advance(1);
    expect((await delayedCreate).metadata.resourceVersion).toBe(String(revisionBefore + 1));
  });
});

describe('a crash of the server', () => {
  it('after a write keeps the stored object and sends no answer', async () => {
    const { client, port, faults } = await createFaultFixture({ rules: [{ fault: 'crash', when: { nth: 2 } }] });
    await createAll(client, 'a');
    expect(await outcomeOf(client.create(configMaps, object('b')))).toBe(connectionReset);
    expect(await outcomeOf(client.create(configMaps, object('c')))).toBe(connectionReset);
    expect(await outcomeOf(client.get(configMaps, keyInShop('a')))).toBe(connectionReset);
    expect(await outcomeOf((client.watch(configMaps) as Watch).next())).toBe(connectionReset);
    expect(faults.down).toBe(true);
    faults.restart();
    expect((await client.list(configMaps)).items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(await outcomeOf(client.create(configMaps, object('b')))).toBe('409 AlreadyExists');
    expect(await outcomeOf(port.get(configMaps, keyInShop('c')))).toBe('404 NotFound');
  });

  it('before a write stores nothing and breaks all watches', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'crash', at: 'before', verbs: ['create'], downMilliseconds: 100 }] });
    const watches = [watchFromNow(fixture), watchFromNow(fixture, { namespace: undefined })];
    const pendingRead = (watches[0] as Watch).next();
    expect(await outcomeOf(fixture.client.create(configMaps, object('a')))).toBe(connectionReset);
    expect(await outcomeOf(pendingRead)).toBe(connectionReset);
    expect(await outcomeOf((watches[1] as Watch).next())).toBe(connectionReset);
    fixture.clock.advance(100);
    expect(await outcomeOf(fixture.client.get(configMaps, keyInShop('a')))).toBe('404 NotFound');
  });
});

describe('watches of a port with faults', () => {
  it('start immediately without faults, and throw on invalid options', async () => {
    const fixture = await createFaultFixture();
    const watch = watchFromNow(fixture);
    await createAll(fixture.client, 'a');
    expect(await drain(watch)).toEqual([`ADDED a@${fixture.store.revision}`]);
    expect(() => fixture.client.watch(configMaps, { labelSelector: 'a in' })).toThrow();
  });

  it('are dropped after a number of events, and can resume from the last one', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'dropWatch', afterEvents: 2 }] });
    const watch = watchFromNow(fixture);
    await createAll(fixture.client, 'a', 'b', 'c');
    const { revision } = fixture.store;
    expect(await drain(watch)).toEqual([`ADDED a@${revision - 2}`, `ADDED b@${revision - 1}`, 'end']);
    expect(await drain(watchFromNow(fixture, { resourceVersion: String(revision - 1) }))).toEqual([`ADDED c@${revision}`]);
  });

  it('break after afterMilliseconds', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'dropWatch', afterMilliseconds: [5, 5], broken: true }] });
    const pendingRead = watchFromNow(fixture).next();
    fixture.clock.advance(5);
    expect(await outcomeOf(pendingRead)).toBe(connectionReset);
  });

  it('stall for forMilliseconds, even if they end meanwhile', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'stallWatch', forMilliseconds: 60_000 }] });
    const watch = watchFromNow(fixture, { timeoutSeconds: 30 });
    const pendingRead = watch.next();
    await createAll(fixture.client, 'a');
    await flushPromises();
    fixture.clock.advance(30_000);
    expect(await isSettled(pendingRead)).toBe(false);
    fixture.clock.advance(30_000);
    expect((await pendingRead).done).toBe(true);
  });

  it('can be refused or delayed', async () => {
    const rules = [
      { fault: 'tooManyRequests', retryAfterSeconds: 3, verbs: ['watch'] },
      { fault: 'latency', milliseconds: 10, when: { times: 2 } },
    ] as const;
    const fixture = await createFaultFixture({ rules });
    const refusedRead = watchFromNow(fixture).next();
    fixture.clock.advance(10);
    await expect(refusedRead).rejects.toMatchObject({ status: { code: 429, details: { retryAfterSeconds: 3 } } });
    const delayedWatch = watchFromNow(fixture, { resourceVersion: undefined });
    await createAll(fixture.port, 'a');
    expect(await isSettled(Promise.resolve())).toBe(true);
    fixture.clock.advance(10);
    expect(await drain(delayedWatch)).toEqual([`ADDED a@${fixture.store.revision}`]);
  });

  it('can be closed before the first read', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'unavailable', verbs: ['watch'] }] });
    const watch = watchFromNow(fixture);
    await flushPromises();
    expect(await watch.return?.()).toEqual({ done: true, value: undefined });
  });

  it('fail with 410 Expired for the fault expired', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'expired' }] });
    expect(await outcomeOf(watchFromNow(fixture).next())).toBe('410 Expired');
    await createAll(fixture.client, 'a');
    expect(await drain(watchFromNow(fixture))).toEqual([]);
  });
});
