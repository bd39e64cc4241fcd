import { createApiServer, createFaults, type FaultRule } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { afterEach, describe, expect, test } from 'vitest';
import {
  createResyncScheduler,
  overridesDueAnnotation,
  type ResyncEvent,
  type ResyncScheduler,
  type ResyncSchedulerOptions,
} from '../../src/resync/index.ts';
import { serviceFor } from '../controllers/objects.ts';
import { createClock, type ManualClock } from '../queue/clock.ts';

const { services } = resources;
const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

interface Fixture {
  readonly client: ClientPort;
  readonly clock: ManualClock;
  readonly scheduler: ResyncScheduler;
  /** Outcome and key of each event since the last call, such as "resynced shop/web". */
  takeEvents(): string[];
  readonly events: ResyncEvent[];
  /** The time of day that many milliseconds after the start. */
  timeAt(milliseconds: number): Date;
  /** The annotation, as milliseconds since the start. */
  readAnnotatedTime(name?: string): Promise<number | undefined>;
  readResourceVersion(name?: string): Promise<string | undefined>;
  /** Another scheduler on the same server. */
  startReplica(options?: Partial<ResyncSchedulerOptions>): { readonly scheduler: ResyncScheduler; takeEvents(): string[] };
  stop(): Promise<void>;
}

async function createFixture({
  rules = [],
  ...options
}: Partial<ResyncSchedulerOptions> & { readonly rules?: readonly FaultRule[] } = {}): Promise<Fixture> {
  const clock = createClock();
  const start = clock.now();
  const server = await createApiServer({ clock, background: false });
  const { client } = server;
  await client.create(resources.namespaces, { metadata: { name: 'shop' } });
  for (const name of ['web', 'db']) await client.create(services, serviceFor(name));
  const port = createFaults({ clock, seed: 1, rules }).port(client);
  const events: ResyncEvent[] = [];
  const summaries: string[] = [];
  const aborts: (() => Promise<void>)[] = [];
  const createScheduler = (overrides: Partial<ResyncSchedulerOptions>, log: string[]): ResyncScheduler => {
    const onEvent = (event: ResyncEvent): void => {
      events.push(event);
      log.push(`${event.outcome} ${event.key}`);
    };
    const scheduler = createResyncScheduler({ port, clock, random: () => 0, slack: 0, gap: 0, onEvent, ...overrides });
    const abortController = new AbortController();
    const done = scheduler.run(abortController.signal);
    aborts.push(async () => {
      abortController.abort();
      await done;
    });
    return scheduler;
  };
  const stop = async (): Promise<void> => {
    for (const abort of aborts) await abort();
  };
  cleanups.push(async () => {
    await stop();
    await server.close();
  });
  const getService = (name: string): Promise<ApiObject> => client.get(services, { namespace: 'shop', name });
  return {
    client,
    clock,
    scheduler: createScheduler(options, summaries),
    takeEvents: () => summaries.splice(0),
    events,
    timeAt: (milliseconds) => new Date(start + milliseconds),
    async readAnnotatedTime(name = 'web') {
      const value = (await getService(name)).metadata.annotations?.[overridesDueAnnotation];
      return value === undefined ? undefined : Date.parse(value) - start;
    },
    readResourceVersion: async (name = 'web') => (await getService(name)).metadata.resourceVersion,
    startReplica(overrides = {}) {
      const replicaSummaries: string[] = [];
      return { scheduler: createScheduler({ ...options, ...overrides }, replicaSummaries), takeEvents: () => replicaSummaries.splice(0) };
    },
    stop,
  };
}

describe('the annotation of a Service', () => {
  test('is written once, at its due time', async () => {
    const fixture = await createFixture();
    fixture.scheduler.at('shop/web', fixture.timeAt(5000));
    expect(fixture.scheduler.size).toBe(1);
    await fixture.clock.pass(4999);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime()]).toEqual([[], undefined]);
    await fixture.clock.pass(1);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime(), fixture.scheduler.size]).toEqual([['resynced shop/web'], 5000, 0]);
    const version = await fixture.readResourceVersion();
    await fixture.clock.pass(3_600_000);
    expect([fixture.takeEvents(), await fixture.readResourceVersion()]).toEqual([[], version]);
  });

  test('is written without changes to other annotations and the spec', async () => {
    const fixture = await createFixture();
    await fixture.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
    const before = await fixture.client.get(services, { namespace: 'shop', name: 'web' });
    fixture.scheduler.at('shop/web', fixture.timeAt(0).toISOString());
    await fixture.clock.pass(0);
    const after = await fixture.client.get(services, { namespace: 'shop', name: 'web' });
    expect(after.metadata.annotations).toEqual({ a: 'b', [overridesDueAnnotation]: fixture.timeAt(0).toISOString() });
    expect(after['spec']).toEqual(before['spec']);
  });

  test('is written only at the earliest of several due times', async () => {
    const fixture = await createFixture();
    for (const due of [9000, 3000, 6000]) fixture.scheduler.at('shop/web', fixture.timeAt(due));
    await fixture.clock.pass(60_000);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime()]).toEqual([['resynced shop/web'], 3000]);
  });

  test('is written at once if the due time is past', async () => {
    const fixture = await createFixture();
    fixture.scheduler.at('shop/web', fixture.timeAt(-60_000));
    await fixture.clock.pass(0);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime()]).toEqual([['resynced shop/web'], 0]);
  });

  test('is written later if the clock is set back', async () => {
    const fixture = await createFixture();
    fixture.scheduler.at('shop/web', fixture.timeAt(5000));
    fixture.clock.setTimeOfDay(fixture.timeAt(-10_000).getTime());
    await fixture.clock.pass(14_999);
    expect(fixture.takeEvents()).toEqual([]);
    await fixture.clock.pass(1);
    expect(fixture.takeEvents()).toEqual(['resynced shop/web']);
  });

  test('is not written if the Service does not exist', async () => {
    const fixture = await createFixture();
    fixture.scheduler.at('shop/none', fixture.timeAt(0));
    await fixture.clock.pass(600_000);
    expect([fixture.takeEvents(), fixture.scheduler.size]).toEqual([['gone shop/none'], 0]);
  });

  test('is retried with back-off until written', async () => {
    const fixture = await createFixture({ rules: [{ fault: 'unavailable', verbs: ['patch'], when: { times: 5 } }] });
    fixture.scheduler.at('shop/web', fixture.timeAt(0));
    await fixture.clock.pass(0);
    expect(fixture.takeEvents()).toEqual(['retried shop/web']);
    await fixture.clock.pass(6199);
    expect(fixture.takeEvents()).toEqual(Array(4).fill('retried shop/web'));
    expect(fixture.scheduler.size).toBe(1);
    await fixture.clock.pass(1);
    expect([fixture.takeEvents(), fixture.scheduler.size]).toEqual([['resynced shop/web'], 0]);
    expect(fixture.events[0]?.error).toMatchObject({ code: 503 });
  });

  test('is retried with an initial delay again after a successful write', async () => {
    const fixture = await createFixture({ rules: [4, 6].map((nth) => ({ fault: 'unavailable', verbs: ['patch'], when: { nth } })) });
    for (let round = 0; round < 3; round++) {
      fixture.scheduler.at('shop/web', fixture.timeAt(round * 60_000));
      await fixture.clock.pass(60_000);
    }
    fixture.takeEvents();
    fixture.scheduler.at('shop/web', fixture.timeAt(180_000));
    await fixture.clock.pass(200);
    expect(fixture.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
    fixture.scheduler.at('shop/web', fixture.timeAt(181_000));
    await fixture.clock.pass(1000);
    expect(fixture.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
  });

  test('is retried after a conflict', async () => {
    const fixture = await createFixture({ rules: [{ fault: 'conflict', verbs: ['patch'], when: { times: 1 } }] });
    fixture.scheduler.at('shop/web', fixture.timeAt(0));
    await fixture.clock.pass(200);
    expect(fixture.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
  });

  test('is retried if the server does not answer', async () => {
    const fixture = await createFixture({ rules: [{ fault: 'timeout', verbs: ['get'], when: { times: 1 } }] });
    fixture.scheduler.at('shop/web', fixture.timeAt(0));
    await fixture.clock.pass(60_000);
    expect(fixture.takeEvents().at(-1)).toBe('resynced shop/web');
  });
});

describe('several Services', () => {
  test('are written as soon as possible, limited by concurrency', async () => {
    const fixture = await createFixture({ concurrency: 1 });
    fixture.scheduler.now(['shop/web', 'shop/db', 'shop/none']);
    await fixture.clock.pass(0);
    expect(fixture.takeEvents()).toEqual(['resynced shop/web', 'resynced shop/db', 'gone shop/none']);
    expect([await fixture.readAnnotatedTime('web'), await fixture.readAnnotatedTime('db')]).toEqual([0, 0]);
  });

  test('are refused and reported if they exceed the limit', async () => {
    const fixture = await createFixture({ limit: 1 });
    fixture.scheduler.at('shop/web', fixture.timeAt(1000));
    fixture.scheduler.at('shop/db', fixture.timeAt(1000));
    fixture.scheduler.at('shop/web', fixture.timeAt(500));
    await fixture.clock.pass(1000);
    expect([fixture.takeEvents(), fixture.scheduler.size]).toEqual([['full shop/db', 'resynced shop/web'], 0]);
  });
});

describe('several replicas', () => {
  test('write once; the second replica finds the annotation already set', async () => {
    // Both replicas read the Service before either of them writes it.
    const fixture = await createFixture({ rules: [{ fault: 'latency', milliseconds: [100, 100], when: 'always' }] });
    const otherReplica = fixture.startReplica();
    fixture.scheduler.at('shop/web', fixture.timeAt(1000));
    otherReplica.scheduler.at('shop/web', fixture.timeAt(1000));
    await fixture.clock.pass(1200);
    const version = await fixture.readResourceVersion();
    await fixture.clock.pass(60_000);
    expect([...fixture.takeEvents(), ...otherReplica.takeEvents()].filter((each) => each !== 'retried shop/web').sort()).toEqual([
      'covered shop/web',
      'resynced shop/web',
    ]);
    expect(await fixture.readResourceVersion()).toBe(version);
  });

  test('do not write for an earlier time if a later one is already written', async () => {
    const fixture = await createFixture();
    const otherReplica = fixture.startReplica();
    otherReplica.scheduler.at('shop/web', fixture.timeAt(2000));
    await fixture.clock.pass(3000);
    fixture.scheduler.at('shop/web', fixture.timeAt(1500));
    await fixture.clock.pass(0);
    expect(fixture.takeEvents()).toEqual(['covered shop/web']);
  });

  test('write even if a replica whose clock is ahead has written a future time', async () => {
    const fixture = await createFixture();
    const annotations = { [overridesDueAnnotation]: fixture.timeAt(60_000).toISOString() };
    await fixture.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { annotations } }, { type: 'merge' });
    fixture.scheduler.at('shop/web', fixture.timeAt(1000));
    await fixture.clock.pass(1000);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime()]).toEqual([['resynced shop/web'], 1000]);
  });
});

describe('rate limits', () => {
  test('a Service that is due repeatedly is written once per gap', async () => {
    const fixture = await createFixture({ gap: 1000 });
    for (let time = 0; time < 10_000; time += 100) {
      fixture.scheduler.at('shop/web', fixture.timeAt(time));
      await fixture.clock.pass(100);
    }
    expect(fixture.takeEvents().filter((each) => each === 'resynced shop/web').length).toBeLessThanOrEqual(11);
    await fixture.clock.pass(10_000);
    expect([fixture.scheduler.size, fixture.clock.scheduled]).toEqual([0, 0]);
  });

  test('slack delays the write but not the annotated time', async () => {
    const fixture = await createFixture({ slack: 250 });
    fixture.scheduler.at('shop/web', fixture.timeAt(1000));
    await fixture.clock.pass(1249);
    expect(fixture.takeEvents()).toEqual([]);
    await fixture.clock.pass(1);
    expect([fixture.takeEvents(), await fixture.readAnnotatedTime()]).toEqual([['resynced shop/web'], 1000]);
  });
});

describe('an abort', () => {
  test('cancels pending writes and rejects new ones silently', async () => {
    const fixture = await createFixture({ rules: [{ fault: 'latency', milliseconds: [5000, 5000], verbs: ['get'], when: 'always' }] });
    fixture.scheduler.at('shop/web', fixture.timeAt(0));
    fixture.scheduler.at('shop/db', fixture.timeAt(60_000));
    await fixture.clock.pass(100);
    await fixture.stop();
    fixture.scheduler.at('shop/web', fixture.timeAt(0));
    expect([fixture.scheduler.size, fixture.takeEvents()]).toEqual([0, []]);
    await fixture.clock.pass(120_000);
    expect([await fixture.readAnnotatedTime('web'), await fixture.readAnnotatedTime('db')]).toEqual([undefined, undefined]);
  });
});

describe('invalid arguments', () => {
  test.each([
    ['tomorrow', 'due is "tomorrow"'],
    [new Date(Number.NaN), 'due is null'],
  ])('at() rejects the time %s', async (due, message) => {
    const { scheduler } = await createFixture();
    expect(() => scheduler.at('shop/web', due)).toThrow(message);
  });

  test.each(['web', '/web', 'shop/', 'a/b/c'])('now() rejects the key %s', async (key) => {
    const { scheduler } = await createFixture();
    expect(() => scheduler.now([key])).toThrow(`the key is ${JSON.stringify(key)}`);
  });

  test.each([{ concurrency: 0 }, { limit: 0 }, { slack: -1 }, { gap: 0.5 }])('createResyncScheduler rejects %o', (options) => {
    const port = { get: () => Promise.reject(new Error()), patch: () => Promise.reject(new Error()) };
    const [name = '', value] = Object.entries(options)[0] ?? [];
    expect(() => createResyncScheduler({ port, clock: createClock(), random: () => 0, ...options })).toThrow(`${name} is ${value}`);
  });
});
