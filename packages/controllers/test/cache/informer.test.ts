import { describe, expect, it } from 'vitest';
import { type CacheEvent, createInformer } from '../../src/cache/index.ts';
import { createGate, createListeners } from '../../src/cache/informer.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createFixture } from './fixture.ts';
import { createFakePort, createList, createTestClock, fixedRandom, pod, pods, recordChanges } from './support.ts';

describe('an informer', () => {
  it('is idle and empty until it runs, then follows the server', async () => {
    const { create, label, remove, clock, informer, start, changes, formatCachedPods, calls } = await createFixture();
    expect([informer.state, informer.hasSynced, informer.cache.size, informer.resource]).toEqual(['idle', false, 0, pods]);
    await create('a');
    await create('b');
    await start();
    expect([informer.state, informer.hasSynced]).toEqual(['watching', true]);
    expect(changes.take()).toEqual(['initial a', 'initial b']);
    await create('c');
    await label('a', '2');
    await remove('b');
    await clock.pass(0);
    expect(changes.take()).toEqual(['added c', 'updated a', 'updated b', 'deleted b']);
    expect(formatCachedPods()).toBe('a=2 c=1');
    expect(calls).toEqual({ list: 0, watch: 1 });
  });

  it('lists by pages if watchList is never', async () => {
    const { create, start, changes, calls } = await createFixture({ informer: { watchList: 'never', pageSize: 2 } });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await create(name);
    await start();
    expect(changes.take()).toHaveLength(5);
    expect(calls).toEqual({ list: 3, watch: 1 });
  });

  it('caches only the selected objects', async () => {
    const selection = { namespace: 'shop', labelSelector: 'rev=1' };
    const { create, label, start, clock, formatCachedPods, changes } = await createFixture({ informer: { selection } });
    await create('a');
    await create('b');
    await label('b', '2');
    await start();
    expect(formatCachedPods()).toBe('a=1');
    await label('b', '1');
    await label('a', '2');
    await clock.pass(0);
    expect(formatCachedPods()).toBe('b=1');
    expect(changes.take()).toEqual(['initial a', 'added b', 'deleted a']);
  });

  it('sends existing objects to a late listener, and nothing to a removed listener', async () => {
    const { create, start, clock, informer } = await createFixture();
    await create('a');
    await start();
    const lateListener = recordChanges(informer);
    expect(lateListener.take()).toEqual(['initial a']);
    const log: string[] = [];
    const removeListener = informer.listen((_, key) => log.push(key));
    removeListener();
    await create('b');
    await clock.pass(0);
    expect(lateListener.take()).toEqual(['added b']);
    expect(log).toEqual(['shop/a']);
  });

  it('resolves synced() once the cache is complete', async () => {
    const { start, informer } = await createFixture();
    const syncedPromise = informer.synced();
    await expect(informer.synced(AbortSignal.abort('enough'))).rejects.toBe('enough');
    await start();
    await syncedPromise;
    await informer.synced();
  });

  it('does not expose methods that change its cache', async () => {
    const { informer } = await createFixture();
    expect(Object.keys(informer.cache).sort()).toEqual(['get', 'keys', 'size', 'values']);
  });

  it('throws if run() is called while it is running', async () => {
    const { start, informer } = await createFixture();
    await start();
    expect(() => informer.run(new AbortController().signal)).toThrow('the informer of pods is already running');
  });

  it.each([0, -1, 1.5, Number.NaN])('rejects a page size of %s', (pageSize) => {
    const port = createFakePort();
    const options = { port, resource: pods, project: () => 1, clock: createTestClock(), random: fixedRandom };
    expect(() => createInformer({ ...options, pageSize })).toThrow(RangeError);
  });

  it('reports its state and the number of objects', async () => {
    const reported: RuntimeEvent[] = [];
    const port = createFakePort({ lists: [new Error('down'), createList(9, [pod('a', 1)])] });
    const clock = createTestClock();
    const onEvent = (event: RuntimeEvent): number => reported.push(event);
    const informer = createInformer({ port, resource: pods, project: () => 1, clock, random: fixedRandom, onEvent, watchList: 'never' });
    void informer.run(new AbortController().signal);
    await clock.pass(1200);
    const common = { kind: 'informer', resource: 'pods' };
    expect(reported).toEqual([
      { ...common, state: 'listing', objects: 0 },
      { ...common, state: 'waiting', objects: 0, error: new Error('down'), delay: 1200 },
      { ...common, state: 'listing', objects: 0 },
      { ...common, state: 'watching', objects: 1 },
    ]);
  });

  it('survives errors of listeners, projections and observers, and reports those of listeners and projections', async () => {
    const errors: unknown[] = [];
    const port = createFakePort({ lists: [createList(9, [pod('bad', 1), pod('good', 2)])] });
    const clock = createTestClock();
    const informer = createInformer<string>({
      port,
      resource: pods,
      clock,
      random: fixedRandom,
      project({ metadata: { name = '' } }) {
        if (name === 'bad') throw new Error('of the projection');
        return name;
      },
      onEvent(event) {
        if (event.kind === 'informer' && event.error) errors.push((event.error as Error).message);
        throw new Error('from the observer');
      },
    });
    informer.listen(() => {
      throw new Error('of the listener');
    });
    const changes = recordChanges(informer);
    void informer.run(new AbortController().signal);
    await clock.pass(0);
    expect(changes.take()).toEqual(['initial good']);
    expect(errors).toEqual(['of the projection', 'of the listener']);
    expect(informer.state).toBe('watching');
  });
});

describe('an informer under faults', () => {
  it.each([
    ['a watch is dropped', { fault: 'dropWatch', afterEvents: 3 }],
    ['its connection breaks', { fault: 'dropWatch', afterEvents: 3, broken: true }],
    ['a watch is stalled', { fault: 'stallWatch', afterEvents: 3 }],
    ['a watch is answered by 410', { fault: 'expired', when: { nth: 1 } }],
    ['calls are answered by 429', { fault: 'tooManyRequests', retryAfterSeconds: 5, when: { times: 3 } }],
    ['calls are answered by 500', { fault: 'internalError', when: { times: 3 } }],
    ['calls are answered by 503', { fault: 'unavailable', when: { times: 3 } }],
    ['calls are answered by 504', { fault: 'timeout', when: { times: 3 } }],
    ['calls take long', { fault: 'latency', milliseconds: 20_000, when: 'always' }],
    ['the server compacts its history before each call', { fault: 'compact', when: { times: 5 } }],
    ['the server crashes', { fault: 'crash', verbs: ['watch', 'list'], downMilliseconds: 30_000 }],
  ] as const)('follows the server again after %s', async (_, rule) => {
    const { create, label, remove, clock, start, formatCachedPods, formatServerPods, faults } = await createFixture({ rules: [rule] });
    await create('a');
    await create('b');
    await start();
    await create('c');
    await label('a', '2');
    await clock.pass(1000);
    await remove('b');
    await label('a', '3');
    await clock.pass(900_000);
    expect(formatCachedPods(), faults.report()).toBe(await formatServerPods());
    expect(faults.log.length).toBeGreaterThan(0);
  });

  it('reports deletions that it did not see during a stalled watch as missed', async () => {
    const { create, remove, clock, start, faults, server, changes } = await createFixture();
    await create('a');
    await create('b');
    await start();
    changes.take();
    faults.stall();
    await remove('a');
    await remove('b');
    await create('b');
    server.compact();
    faults.dropWatches();
    faults.release();
    await clock.pass(10_000);
    expect(changes.take()).toEqual(['deleted a (missed)', 'deleted b (missed)', 'added b']);
  });

  it('reports a deletion from the resumed watch, after the connection broke', async () => {
    const { create, remove, clock, start, faults, changes, calls } = await createFixture();
    await create('a');
    await start();
    changes.take();
    faults.dropWatches({ broken: true });
    await remove('a');
    await clock.pass(10_000);
    expect(changes.take()).toEqual(['updated a', 'deleted a']);
    expect(calls).toEqual({ list: 0, watch: 2 });
  });
});

it('a gate resolves earlier and later waiters when it opens', async () => {
  const gate = createGate();
  const early = gate.waitUntilOpen(new AbortController().signal);
  expect(gate.isOpen).toBe(false);
  gate.open();
  gate.open();
  await early;
  await gate.waitUntilOpen();
  expect(gate.isOpen).toBe(true);
});

it('a gate rejects with the reason of an aborted signal, before and during the wait', async () => {
  const gate = createGate();
  await expect(gate.waitUntilOpen(AbortSignal.abort('no'))).rejects.toBe('no');
  const controller = new AbortController();
  const waiting = gate.waitUntilOpen(controller.signal);
  controller.abort('enough');
  await expect(waiting).rejects.toBe('enough');
});

it('a gate ignores a signal that is aborted after it opened', async () => {
  const gate = createGate();
  const controller = new AbortController();
  const waiting = gate.waitUntilOpen(controller.signal);
  gate.open();
  controller.abort('late');
  await expect(waiting).resolves.toBeUndefined();
});

const setup = () => {
  const content = new Map<string, number>([['a', 1]]);
  const errors: unknown[] = [];
  const listeners = createListeners(content, (error) => errors.push(error));
  const log: string[] = [];
  const createListener = (name: string) => (event: CacheEvent<number>, key: string) => void log.push(`${name}: ${event.type} ${key}`);
  const createAddedEvent = (object: number): CacheEvent<number> => ({ type: 'added', object, initial: false });
  return { content, errors, listeners, log, createListener, createAddedEvent };
};

describe('createListeners', () => {
  it('sends the content to a new listener as initial events', () => {
    const { listeners } = setup();
    const events: CacheEvent<number>[] = [];
    listeners.add((event) => events.push(event));
    expect(events).toEqual([{ type: 'added', object: 1, initial: true }]);
  });

  it('notifies listeners in the order they were added', () => {
    const { listeners, log, createListener, createAddedEvent } = setup();
    listeners.add(createListener('first'));
    listeners.add(createListener('second'));
    log.length = 0;
    listeners.createNotifier()(createAddedEvent(2), 'b');
    expect(log).toEqual(['first: added b', 'second: added b']);
  });

  it('notifies other listeners if one throws, and reports the error', () => {
    const { listeners, log, createListener, createAddedEvent, errors } = setup();
    const error = new Error('a bug');
    listeners.add(() => {
      throw error;
    });
    listeners.add(createListener('second'));
    listeners.createNotifier()(createAddedEvent(2), 'b');
    expect(log).toEqual(['second: added a', 'second: added b']);
    expect(errors).toEqual([error, error]);
  });

  it('does not notify a listener removed during a notification', () => {
    const { listeners, log, createListener, createAddedEvent } = setup();
    const removers: (() => void)[] = [];
    listeners.add(() => removers.forEach((remove) => void remove()));
    removers.push(listeners.add(createListener('second')));
    log.length = 0;
    listeners.createNotifier()(createAddedEvent(2), 'b');
    expect(log).toEqual([]);
  });

  it('notifies a listener that is added during a notification once of each object', () => {
    const { content, listeners, log, createListener, createAddedEvent } = setup();
    let isAdded = false;
    listeners.add((_, key) => {
      if (key === 'b' && !isAdded) listeners.add(createListener('late'));
      isAdded ||= key === 'b';
    });
    content.set('b', 2);
    content.set('c', 3);
    const onEvent = listeners.createNotifier();
    onEvent(createAddedEvent(2), 'b');
    onEvent(createAddedEvent(3), 'c');
    expect(log).toEqual(['late: added a', 'late: added b', 'late: added c']);
  });
});
