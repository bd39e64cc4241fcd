import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createFaults, type FaultRule, type FaultsOptions } from '../../src/faults/index.ts';
import { requestInfoOf } from '../../src/http/request-info.ts';
import { object as configMap, createWorld } from '../registry/support.ts';
import { at, configMaps, createAll, createBrokenWorld, drain, fateOf, isSettled, take, watchFromNow } from './support.ts';

describe('createFaults', () => {
  it.each<[FaultsOptions, string]>([
    [{ seed: -1 }, 'faults: seed -1 is not an integer of at least 0'],
    [{ seed: 0.5 }, 'faults: seed 0.5'],
    [{ maxLogged: -1 }, 'faults: maxLogged -1'],
    [{ rules: 'all' as never }, 'faults: rules must be a list'],
    [{ rules: [{ fault: 'timeout' }, { fault: 'latency' } as never] }, 'faults: rules[1].milliseconds is required'],
    [{ random: 1 } as never, 'faults: random is not an option; the options are seed, clock, rules, store, maxLogged'],
  ])('refuses %j', (options, message) => {
    expect(() => createFaults(options)).toThrow(RangeError);
    expect(() => createFaults(options)).toThrow(message);
  });

  it('refuses the fault compact without a store, at the latest on use', async () => {
    const { port, store } = await createWorld();
    const faults = createFaults({ rules: [{ fault: 'compact' }] });
    const message = 'faults: store is required to compact';
    for (const act of [() => faults.port(port), () => faults.route(() => undefined), () => faults.compact()]) expect(act).toThrow(message);
    faults.attach(store);
    await faults.port(port).list(configMaps);
    expect(store.stats().compacted).toBe(store.revision);
  });

  it('refuses invalid arguments of commands', () => {
    const faults = createFaults();
    expect(() => faults.dropWatches({ resources: [] })).toThrow('faults: dropWatches.watches.resources [] is not a non-empty list');
    expect(() => faults.stall({ forMilliseconds: -1 })).toThrow('faults: stallWatches.forMilliseconds -1');
  });
});

describe('commands', () => {
  it('drop, stall and release the selected watches', async () => {
    const world = await createBrokenWorld();
    const [maps, events] = [watchFromNow(world), watchFromNow(world, {}, resources.events)];
    world.faults.dropWatches({ resources: ['events'], broken: true });
    expect(await fateOf(events.next())).toBe('ECONNRESET');
    world.faults.stall({ namespaces: ['shop'] });
    const pending = maps.next();
    await createAll(world.client, 'a');
    expect(await isSettled(pending)).toBe(false);
    world.faults.release();
    expect((await pending).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    world.faults.dropWatches();
    expect(await drain(maps)).toEqual(['end']);
    expect(world.faults.log.map(({ fault }) => fault.fault)).toEqual(['dropWatches', 'stallWatches', 'releaseWatches', 'dropWatches']);
  });

  it('compact: reads from an earlier resourceVersion fail with 410 Expired', async () => {
    const world = await createBrokenWorld();
    const before = String(world.store.revision);
    await createAll(world.client, 'a', 'b');
    world.faults.compact();
    expect(await fateOf(watchFromNow(world, { resourceVersion: before }).next())).toBe('410 Expired');
    expect(await fateOf(world.client.list(configMaps, { resourceVersion: before, resourceVersionMatch: 'Exact' }))).toBe('410 Expired');
    expect(await drain(watchFromNow(world))).toEqual([]);
  });

  it('crash and restart both ports and routes', async () => {
    const { faults, client } = await createBrokenWorld();
    const route = faults.route(() => ({ code: 200, headers: {}, body: '' }));
    faults.crash();
    expect([
      faults.down,
      await fateOf(client.list(configMaps)),
      await fateOf(Promise.resolve(route({ path: '/version', info: requestInfoOf('GET', '/version', () => false) } as never))),
    ]).toEqual([true, 'ECONNRESET', 'ECONNRESET']);
    faults.restart();
    expect(await fateOf(client.list(configMaps))).toBe('done');
  });

  it('can be triggered by rules: a create breaks all watches', async () => {
    const world = await createBrokenWorld({ rules: [{ fault: 'dropWatches', broken: true, verbs: ['create'], when: { nth: 2 } }] });
    const watch = watchFromNow(world);
    await createAll(world.client, 'a');
    expect(await drain(watch)).toEqual([`ADDED a@${world.store.revision}`]);
    await createAll(world.client, 'b');
    expect(await fateOf(take(watch))).toBe('ECONNRESET');
  });
});

describe('a repeated run', () => {
  const rules: readonly FaultRule[] = [
    { fault: 'conflict', when: { chance: 0.2 } },
    { fault: 'tooManyRequests', retryAfterSeconds: 2, namespaces: ['shop'], when: { chance: 0.2 } },
    { fault: 'internalError', verbs: ['list'], when: { chance: 0.1 } },
    { fault: 'crash', at: 'after', when: { chance: 0.05 } },
    { fault: 'crash', at: 'before', verbs: ['get'], when: { chance: 0.05 } },
    { fault: 'dropWatch', afterEvents: [0, 3], when: { chance: 0.5 } },
  ];

  /** Results of a run of calls, with commands in between. */
  async function run(options: FaultsOptions): Promise<{ readonly fates: string[]; readonly log: string[]; readonly replay: FaultRule[] }> {
    const commands = options.seed !== undefined;
    const world = await createBrokenWorld(options);
    const { client, faults } = world;
    const fates: string[] = [];
    for (let step = 0; step < 200; step++) {
      const name = `n${step % 7}`;
      const calls = [
        () => client.create(configMaps, configMap(name)),
        () => client.patch(configMaps, at(name), { data: { step: String(step) } }, { type: 'merge' }),
        () => client.get(configMaps, at(name)),
        () => client.list(configMaps, { namespace: 'shop' }),
        () => drain(watchFromNow(world, { resourceVersion: '1' })).then((said) => fates.push(...said)),
      ];
      fates.push(await fateOf((calls[(step * 7 + (step >> 3)) % calls.length] as () => Promise<unknown>)()));
      if (commands && faults.down && step % 3 === 0) faults.restart();
      if (commands && step === 100) faults.crash();
      if (commands && step === 120) faults.compact();
    }
    return { fates, log: faults.log.map(({ fault, call }) => `${fault.fault} ${call}`), replay: faults.replay() };
  }

  it('has the same faults for the same seed, and others for another seed', async () => {
    const [one, same, other] = [await run({ seed: 3, rules }), await run({ seed: 3, rules }), await run({ seed: 4, rules })];
    expect(same).toEqual(one);
    expect(other.log).not.toEqual(one.log);
    expect(new Set(one.fates)).toEqual(new Set(['done', ...one.fates]));
    expect(one.fates).toEqual(expect.arrayContaining(['ECONNRESET', '409 Conflict', '429 TooManyRequests', 'end']));
  });

  it('has the same faults for the replay rules, commands included', async () => {
    for (const seed of [3, 4, 5]) {
      const { fates, replay } = await run({ seed, rules });
      const again = await run({ rules: JSON.parse(JSON.stringify(replay)) as FaultRule[] });
      expect(again.fates).toEqual(fates);
    }
  });

  it('is described by the report', async () => {
    const { client, faults } = await createBrokenWorld({ seed: 9, rules: [{ fault: 'conflict' }] });
    await fateOf(client.update(configMaps, configMap('a')));
    expect(faults.report()).toBe(
      [
        '1 fault of seed 9',
        '1. after 0 ms: conflict at update configmaps shop/a',
        'replay with rules: [{"fault":"conflict","when":{"nth":1}}]',
      ].join('\n'),
    );
  });
});
