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
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface World {
  readonly client: ClientPort;
  readonly clock: ManualClock;
  readonly scheduler: ResyncScheduler;
  /** "resynced shop/web" and the like, since the last call. */
  takeEvents(): string[];
  readonly events: ResyncEvent[];
  /** Milliseconds since the start, by the clock's time of day. */
  in(milliseconds: number): Date;
  /** The annotation, as milliseconds since the start. */
  until(name?: string): Promise<number | undefined>;
  version(name?: string): Promise<string | undefined>;
  /** Another scheduler on the same server. */
  replica(options?: Partial<ResyncSchedulerOptions>): { readonly scheduler: ResyncScheduler; takeEvents(): string[] };
  stop(): Promise<void>;
}

async function createWorld({
  rules = [],
  ...options
}: Partial<ResyncSchedulerOptions> & { readonly rules?: readonly FaultRule[] } = {}): Promise<World> {
  const clock = createClock();
  const start = clock.now();
  const server = await createApiServer({ clock, background: false });
  const { client } = server;
  await client.create(resources.namespaces, { metadata: { name: 'shop' } });
  for (const name of ['web', 'db']) await client.create(services, serviceFor(name));
  const port = createFaults({ clock, seed: 1, rules }).port(client);
  const events: ResyncEvent[] = [];
  const log: string[] = [];
  const aborts: (() => Promise<void>)[] = [];
  const make = (more: Partial<ResyncSchedulerOptions>, say: string[]): ResyncScheduler => {
    const onEvent = (event: ResyncEvent): void => {
      events.push(event);
      say.push(`${event.outcome} ${event.key}`);
    };
    const scheduler = createResyncScheduler({ port, clock, random: () => 0, slack: 0, gap: 0, onEvent, ...more });
    const end = new AbortController();
    const done = scheduler.run(end.signal);
    aborts.push(async () => {
      end.abort();
      await done;
    });
    return scheduler;
  };
  const stop = async (): Promise<void> => {
    for (const abort of aborts) await abort();
  };
  ends.push(async () => {
    await stop();
    await server.close();
  });
  const get = (name: string): Promise<ApiObject> => client.get(services, { namespace: 'shop', name });
  return {
    client,
    clock,
    scheduler: make(options, log),
    takeEvents: () => log.splice(0),
    events: events,
    in: (milliseconds) => new Date(start + milliseconds),
    async until(name = 'web') {
      const value = (await get(name)).metadata.annotations?.[overridesDueAnnotation];
      return value === undefined ? undefined : Date.parse(value) - start;
    },
    version: async (name = 'web') => (await get(name)).metadata.resourceVersion,
    replica(more = {}) {
      const others: string[] = [];
      return { scheduler: make({ ...options, ...more }, others), takeEvents: () => others.splice(0) };
    },
    stop,
  };
}

describe('the annotation of a Service', () => {
  test('is written at its due time, and once', async () => {
    const world = await createWorld();
    world.scheduler.at('shop/web', world.in(5000));
    expect(world.scheduler.size).toBe(1);
    await world.clock.pass(4999);
    expect([world.takeEvents(), await world.until()]).toEqual([[], undefined]);
    await world.clock.pass(1);
    expect([world.takeEvents(), await world.until(), world.scheduler.size]).toEqual([['resynced shop/web'], 5000, 0]);
    const version = await world.version();
    await world.clock.pass(3_600_000);
    expect([world.takeEvents(), await world.version()]).toEqual([[], version]);
  });

  test('is written without changes to other annotations and the spec', async () => {
    const world = await createWorld();
    await world.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { annotations: { a: 'b' } } }, { type: 'merge' });
    const before = await world.client.get(services, { namespace: 'shop', name: 'web' });
    world.scheduler.at('shop/web', world.in(0).toISOString());
    await world.clock.pass(0);
    const after = await world.client.get(services, { namespace: 'shop', name: 'web' });
    expect(after.metadata.annotations).toEqual({ a: 'b', [overridesDueAnnotation]: world.in(0).toISOString() });
    expect(after['spec']).toEqual(before['spec']);
  });

  test('is written at the earliest of several due times only', async () => {
    const world = await createWorld();
    for (const due of [9000, 3000, 6000]) world.scheduler.at('shop/web', world.in(due));
    await world.clock.pass(60_000);
    expect([world.takeEvents(), await world.until()]).toEqual([['resynced shop/web'], 3000]);
  });

  test('is written at once if the due time is past', async () => {
    const world = await createWorld();
    world.scheduler.at('shop/web', world.in(-60_000));
    await world.clock.pass(0);
    expect([world.takeEvents(), await world.until()]).toEqual([['resynced shop/web'], 0]);
  });

  test('is written later if the clock is set back', async () => {
    const world = await createWorld();
    world.scheduler.at('shop/web', world.in(5000));
    world.clock.setTimeOfDay(world.in(-10_000).getTime());
    await world.clock.pass(14_999);
    expect(world.takeEvents()).toEqual([]);
    await world.clock.pass(1);
    expect(world.takeEvents()).toEqual(['resynced shop/web']);
  });

  test('is not written if the Service does not exist', async () => {
    const world = await createWorld();
    world.scheduler.at('shop/none', world.in(0));
    await world.clock.pass(600_000);
    expect([world.takeEvents(), world.scheduler.size]).toEqual([['gone shop/none'], 0]);
  });

  test('is retried with back-off until written', async () => {
    const world = await createWorld({ rules: [{ fault: 'unavailable', verbs: ['patch'], when: { times: 5 } }] });
    world.scheduler.at('shop/web', world.in(0));
    await world.clock.pass(0);
    expect(world.takeEvents()).toEqual(['retried shop/web']);
    await world.clock.pass(6199);
    expect(world.takeEvents()).toEqual(Array(4).fill('retried shop/web'));
    expect(world.scheduler.size).toBe(1);
    await world.clock.pass(1);
    expect([world.takeEvents(), world.scheduler.size]).toEqual([['resynced shop/web'], 0]);
    expect(world.events[0]?.error).toMatchObject({ code: 503 });
  });

  test('is retried with an initial delay again after a successful write', async () => {
    const world = await createWorld({ rules: [4, 6].map((nth) => ({ fault: 'unavailable', verbs: ['patch'], when: { nth } })) });
    for (let round = 0; round < 3; round++) {
      world.scheduler.at('shop/web', world.in(round * 60_000));
      await world.clock.pass(60_000);
    }
    world.takeEvents();
    world.scheduler.at('shop/web', world.in(180_000));
    await world.clock.pass(200);
    expect(world.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
    world.scheduler.at('shop/web', world.in(181_000));
    await world.clock.pass(1000);
    expect(world.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
  });

  test('is retried after a conflict', async () => {
    const world = await createWorld({ rules: [{ fault: 'conflict', verbs: ['patch'], when: { times: 1 } }] });
    world.scheduler.at('shop/web', world.in(0));
    await world.clock.pass(200);
    expect(world.takeEvents()).toEqual(['retried shop/web', 'resynced shop/web']);
  });

  test('is retried if the server does not answer', async () => {
    const world = await createWorld({ rules: [{ fault: 'timeout', verbs: ['get'], when: { times: 1 } }] });
    world.scheduler.at('shop/web', world.in(0));
    await world.clock.pass(60_000);
    expect(world.takeEvents().at(-1)).toBe('resynced shop/web');
  });
});

describe('several Services', () => {
  test('are written as soon as possible, limited by concurrency', async () => {
    const world = await createWorld({ concurrency: 1 });
    world.scheduler.now(['shop/web', 'shop/db', 'shop/none']);
    await world.clock.pass(0);
    expect(world.takeEvents()).toEqual(['resynced shop/web', 'resynced shop/db', 'gone shop/none']);
    expect([await world.until('web'), await world.until('db')]).toEqual([0, 0]);
  });

  test('beyond the limit are refused and reported', async () => {
    const world = await createWorld({ limit: 1 });
    world.scheduler.at('shop/web', world.in(1000));
    world.scheduler.at('shop/db', world.in(1000));
    world.scheduler.at('shop/web', world.in(500));
    await world.clock.pass(1000);
    expect([world.takeEvents(), world.scheduler.size]).toEqual([['full shop/db', 'resynced shop/web'], 0]);
  });
});

describe('several replicas', () => {
  test('write once; the second replica finds the annotation already set', async () => {
    // Both read before one writes.
    const world = await createWorld({ rules: [{ fault: 'latency', milliseconds: [100, 100], when: 'always' }] });
    const other = world.replica();
    world.scheduler.at('shop/web', world.in(1000));
    other.scheduler.at('shop/web', world.in(1000));
    await world.clock.pass(1200);
    const version = await world.version();
    await world.clock.pass(60_000);
    expect([...world.takeEvents(), ...other.takeEvents()].filter((each) => each !== 'retried shop/web').sort()).toEqual([
      'covered shop/web',
      'resynced shop/web',
    ]);
    expect(await world.version()).toBe(version);
  });

  test('do not write for an earlier time if a later one is already written', async () => {
    const world = await createWorld();
    const other = world.replica();
    other.scheduler.at('shop/web', world.in(2000));
    await world.clock.pass(3000);
    world.scheduler.at('shop/web', world.in(1500));
    await world.clock.pass(0);
    expect(world.takeEvents()).toEqual(['covered shop/web']);
  });

  test('with a clock ahead do not suppress the writes of others', async () => {
    const world = await createWorld();
    const annotations = { [overridesDueAnnotation]: world.in(60_000).toISOString() };
    await world.client.patch(services, { namespace: 'shop', name: 'web' }, { metadata: { annotations } }, { type: 'merge' });
    world.scheduler.at('shop/web', world.in(1000));
    await world.clock.pass(1000);
    expect([world.takeEvents(), await world.until()]).toEqual([['resynced shop/web'], 1000]);
  });
});

describe('rate limits', () => {
  test('a Service that is due repeatedly is written once per gap', async () => {
    const world = await createWorld({ gap: 1000 });
    for (let time = 0; time < 10_000; time += 100) {
      world.scheduler.at('shop/web', world.in(time));
      await world.clock.pass(100);
    }
    expect(world.takeEvents().filter((each) => each === 'resynced shop/web').length).toBeLessThanOrEqual(11);
    await world.clock.pass(10_000);
    expect([world.scheduler.size, world.clock.scheduled]).toEqual([0, 0]);
  });

  test('slack delays the write but not the annotated time', async () => {
    const world = await createWorld({ slack: 250 });
    world.scheduler.at('shop/web', world.in(1000));
    await world.clock.pass(1249);
    expect(world.takeEvents()).toEqual([]);
    await world.clock.pass(1);
    expect([world.takeEvents(), await world.until()]).toEqual([['resynced shop/web'], 1000]);
  });
});

describe('an abort', () => {
  test('cancels pending writes and rejects new ones silently', async () => {
    const world = await createWorld({ rules: [{ fault: 'latency', milliseconds: [5000, 5000], verbs: ['get'], when: 'always' }] });
    world.scheduler.at('shop/web', world.in(0));
    world.scheduler.at('shop/db', world.in(60_000));
    await world.clock.pass(100);
    await world.stop();
    world.scheduler.at('shop/web', world.in(0));
    expect([world.scheduler.size, world.takeEvents()]).toEqual([0, []]);
    await world.clock.pass(120_000);
    expect([await world.until('web'), await world.until('db')]).toEqual([undefined, undefined]);
  });
});

describe('invalid arguments', () => {
  test.each([
    ['tomorrow', 'due is "tomorrow"'],
    [new Date(Number.NaN), 'due is null'],
  ])('at() rejects the time %s', async (due, message) => {
    const { scheduler } = await createWorld();
    expect(() => scheduler.at('shop/web', due)).toThrow(message);
  });

  test.each(['web', '/web', 'shop/', 'a/b/c'])('now() rejects the key %s', async (key) => {
    const { scheduler } = await createWorld();
    expect(() => scheduler.now([key])).toThrow(`the key is ${JSON.stringify(key)}`);
  });

  test.each([{ concurrency: 0 }, { limit: 0 }, { slack: -1 }, { gap: 0.5 }])('createKicker rejects %j', (options) => {
    const port = { get: () => Promise.reject(new Error()), patch: () => Promise.reject(new Error()) };
    const [name = '', value] = Object.entries(options)[0] ?? [];
    expect(() => createResyncScheduler({ port, clock: createClock(), random: () => 0, ...options })).toThrow(`${name} is ${value}`);
  });
});
