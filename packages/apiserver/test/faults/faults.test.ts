import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createFaults, type FaultRule, type FaultsOptions } from '../../src/faults/index.ts';
import { parseRequestInfo } from '../../src/http/request-info.ts';
import { object as configMap, createFixture } from '../registry/support.ts';
import { configMaps, createAll, createFaultFixture, drain, isSettled, keyInShop, outcomeOf, takeNext, watchFromNow } from './support.ts';

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

  it('refuses to use the fault compact without a store', async () => {
    const { port, store } = await createFixture();
    const faults = createFaults({ rules: [{ fault: 'compact' }] });
    const message = 'faults: store is required to compact';
    for (const command of [() => faults.port(port), () => faults.route(() => undefined), () => faults.compact()])
      expect(command).toThrow(message);
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

describe('fault commands', () => {
  it('dropWatches, stall and release affect the selected watches', async () => {
    const fixture = await createFaultFixture();
    const [configMapWatch, eventWatch] = [watchFromNow(fixture), watchFromNow(fixture, {}, resources.events)];
    fixture.faults.dropWatches({ resources: ['events'], broken: true });
    expect(await outcomeOf(eventWatch.next())).toBe('ECONNRESET');
    fixture.faults.stall({ namespaces: ['shop'] });
    const pendingRead = configMapWatch.next();
    await createAll(fixture.client, 'a');
    expect(await isSettled(pendingRead)).toBe(false);
    fixture.faults.release();
    expect((await pendingRead).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'a' } } });
    fixture.faults.dropWatches();
    expect(await drain(configMapWatch)).toEqual(['end']);
    expect(fixture.faults.log.map(({ fault }) => fault.fault)).toEqual(['dropWatches', 'stallWatches', 'releaseWatches', 'dropWatches']);
  });

  it('compact makes reads from an earlier resourceVersion fail with 410 Expired', async () => {
    const fixture = await createFaultFixture();
    const oldRevision = String(fixture.store.revision);
    await createAll(fixture.client, 'a', 'b');
    fixture.faults.compact();
    expect(await outcomeOf(watchFromNow(fixture, { resourceVersion: oldRevision }).next())).toBe('410 Expired');
    expect(await outcomeOf(fixture.client.list(configMaps, { resourceVersion: oldRevision, resourceVersionMatch: 'Exact' }))).toBe(
      '410 Expired',
    );
    expect(await drain(watchFromNow(fixture))).toEqual([]);
  });

  it('crash and restart affect both ports and routes', async () => {
    const { faults, client } = await createFaultFixture();
    const route = faults.route(() => ({ code: 200, headers: {}, body: '' }));
    faults.crash();
    expect([
      faults.down,
      await outcomeOf(client.list(configMaps)),
      await outcomeOf(Promise.resolve(route({ path: '/version', info: parseRequestInfo('GET', '/version', () => false) } as never))),
    ]).toEqual([true, 'ECONNRESET', 'ECONNRESET']);
    faults.restart();
    expect(await outcomeOf(client.list(configMaps))).toBe('done');
  });

  it('can also be injected by rules: a create breaks all watches', async () => {
    const fixture = await createFaultFixture({ rules: [{ fault: 'dropWatches', broken: true, verbs: ['create'], when: { nth: 2 } }] });
    const watch = watchFromNow(fixture);
    await createAll(fixture.client, 'a');
    expect(await drain(watch)).toEqual([`ADDED a@${fixture.store.revision}`]);
    await createAll(fixture.client, 'b');
    expect(await outcomeOf(takeNext(watch))).toBe('ECONNRESET');
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

  /** Runs 200 calls. With a seed, it also crashes, compacts and restarts the server on command. */
  async function run(
    options: FaultsOptions,
  ): Promise<{ readonly outcomes: string[]; readonly log: string[]; readonly replay: FaultRule[] }> {
    const injectsCommands = options.seed !== undefined;
    const fixture = await createFaultFixture(options);
    const { client, faults } = fixture;
    const outcomes: string[] = [];
    for (let step = 0; step < 200; step++) {
      const name = `n${step % 7}`;
      const calls = [
        () => client.create(configMaps, configMap(name)),
        () => client.patch(configMaps, keyInShop(name), { data: { step: String(step) } }, { type: 'merge' }),
        () => client.get(configMaps, keyInShop(name)),
        () => client.list(configMaps, { namespace: 'shop' }),
        () => drain(watchFromNow(fixture, { resourceVersion: '1' })).then((watchOutcomes) => outcomes.push(...watchOutcomes)),
      ];
      // A fixed, irregular order of the calls.
      outcomes.push(await outcomeOf((calls[(step * 7 + (step >> 3)) % calls.length] as () => Promise<unknown>)()));
      if (injectsCommands && faults.down && step % 3 === 0) faults.restart();
      if (injectsCommands && step === 100) faults.crash();
      if (injectsCommands && step === 120) faults.compact();
    }
    return { outcomes, log: faults.log.map(({ fault, call }) => `${fault.fault} ${call}`), replay: faults.replay() };
  }

  it('has the same faults for the same seed and different ones for another seed', async () => {
    const [firstRun, repeatedRun, runWithOtherSeed] = [
      await run({ seed: 3, rules }),
      await run({ seed: 3, rules }),
      await run({ seed: 4, rules }),
    ];
    expect(repeatedRun).toEqual(firstRun);
    expect(runWithOtherSeed.log).not.toEqual(firstRun.log);
    expect(new Set(firstRun.outcomes)).toEqual(new Set(['done', ...firstRun.outcomes]));
    expect(firstRun.outcomes).toEqual(expect.arrayContaining(['ECONNRESET', '409 Conflict', '429 TooManyRequests', 'end']));
  });

  it('has the same faults, including commands, for the replay rules', async () => {
    for (const seed of [3, 4, 5]) {
      const { outcomes, replay } = await run({ seed, rules });
      const replayedRun = await run({ rules: JSON.parse(JSON.stringify(replay)) as FaultRule[] });
      expect(replayedRun.outcomes).toEqual(outcomes);
    }
  });

  it('reports the rules that replay it', async () => {
    const { client, faults } = await createFaultFixture({ seed: 9, rules: [{ fault: 'conflict' }] });
    await outcomeOf(client.update(configMaps, configMap('a')));
    expect(faults.report()).toBe(
      [
        '1 fault of seed 9',
        '1. after 0 ms: conflict at update configmaps shop/a',
        'replay with rules: [{"fault":"conflict","when":{"nth":1}}]',
      ].join('\n'),
    );
  });
});
