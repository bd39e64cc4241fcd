import type { WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createInformer, type InformerOptions } from '../../../src/cache/index.ts';
import { createBackoff, follow } from '../../../src/cache/reflector/reflector.ts';
import type { Outcome } from '../../../src/cache/reflector/stage.ts';
import {
  apiError,
  bookmark,
  createConnectionReset,
  createExpiredError,
  createFakePort,
  createList,
  createTestClock,
  event,
  type FakePortOptions,
  fixedRandom,
  flushPromises,
  formatEvent,
  initialEndBookmark,
  pod,
  pods,
  recordChanges,
} from '../support.ts';

const setup = (options: FakePortOptions, informerOptions: Partial<InformerOptions<object>> = {}) => {
  const clock = createTestClock();
  const port = createFakePort(options);
  const controller = new AbortController();
  const reported: string[] = [];
  const informer = createInformer<object>({
    port,
    resource: pods,
    project: ({ metadata, status }) => ({ metadata, status }),
    clock,
    random: fixedRandom,
    onEvent: (event) => reported.push(formatEvent(event)),
    ...informerOptions,
  });
  const changes = recordChanges(informer);
  const run = { ended: false };
  const start = (signal: AbortSignal = controller.signal): Promise<void> => {
    run.ended = false;
    return informer.run(signal).then(() => {
      run.ended = true;
    });
  };
  return { clock, port, controller, reported, informer, changes, run, start };
};

const startInformer = async (options: FakePortOptions, informerOptions?: Partial<InformerOptions<object>>) => {
  const fixture = setup(options, informerOptions);
  const ended = fixture.start();
  await fixture.clock.pass(0);
  return { ...fixture, ended };
};

const createEndlessPromise = (): Promise<never> => new Promise(() => undefined);

describe('a reflector', () => {
  it('lists, then watches from the listed version', async () => {
    const { port, informer, changes, reported } = await startInformer({ lists: [createList(9, [pod('a', 1)])] });
    expect(changes.take()).toEqual(['initial a']);
    expect(port.latestWatch.options).toMatchObject({ resourceVersion: '9', allowWatchBookmarks: true, timeoutSeconds: 450 });
    expect(informer.state).toBe('watching');
    expect(reported).toEqual(['listing', 'listing', 'watching']);
    await port.latestWatch.send(event('ADDED', pod('b', 10)), event('DELETED', pod('a', 11)));
    expect(changes.take()).toEqual(['added b', 'deleted a']);
  });

  it('lists by a watch and continues with the same watch', async () => {
    const { port, changes, informer } = await startInformer({ supportsStreams: true });
    await port.latestWatch.send(event('ADDED', pod('a', 1)));
    expect([changes.take(), informer.hasSynced]).toEqual([[], false]);
    await port.latestWatch.send(initialEndBookmark(9));
    expect([changes.take(), informer.hasSynced]).toEqual([['initial a'], true]);
    await port.latestWatch.send(event('MODIFIED', pod('a', 10)));
    expect(changes.take()).toEqual(['updated a']);
    expect(port.watches).toHaveLength(1);
    expect(port.lists).toHaveLength(0);
  });

  it('does not request streams again after a refusal', async () => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])] });
    await port.latestWatch.fail(createExpiredError());
    await clock.pass(1200);
    expect(port.lists).toHaveLength(2);
    expect(port.watches.filter(({ options }) => options.sendInitialEvents)).toHaveLength(0);
  });

  it('does not request streams if watchList is never', async () => {
    const { port } = await startInformer({ supportsStreams: true, lists: [createList(9, [])] }, { watchList: 'never' });
    expect(port.watches.map(({ options }) => options.sendInitialEvents)).toEqual([undefined]);
  });

  it('falls back to pages once, after a delay, if a stream breaks', async () => {
    const { clock, port, reported, changes } = await startInformer({ supportsStreams: true, lists: [createList(9, [pod('a', 1)])] });
    await port.latestWatch.send(event('ADDED', pod('b', 1)));
    await port.latestWatch.fail(createConnectionReset());
    expect(reported.at(-1)).toBe('waiting 1200 read ECONNRESET');
    await clock.pass(1200);
    expect(changes.take()).toEqual(['initial a']);
    expect(port.latestWatch.options.resourceVersion).toBe('9');
  });

  it('falls back to one unpaged list if the snapshot expires, and serves the old content meanwhile', async () => {
    const first = createList(9, [pod('a', 1), pod('b', 2)]);
    const { clock, port, informer, changes } = await startInformer({
      lists: [first, createList(20, [pod('c', 15)], 'more'), createExpiredError(), createEndlessPromise()],
    });
    changes.take();
    await port.latestWatch.fail(createExpiredError());
    await clock.pass(1200);
    expect(port.lists.map(({ limit, continue: token }) => [limit, token])).toEqual([
      [500, undefined],
      [500, undefined],
      [500, 'more'],
      [undefined, undefined],
    ]);
    expect([...informer.cache.keys()]).toEqual(['shop/a', 'shop/b']);
    expect(changes.take()).toEqual([]);
    expect(informer.state).toBe('listing');
  });

  it('reports all missed changes once the list is complete', async () => {
    const { clock, port, changes } = await startInformer({
      lists: [createList(9, [pod('a', 1), pod('b', 2), pod('c', 3)]), createList(20, [pod('b', 2), pod('c', 19), pod('d', 15)])],
    });
    changes.take();
    await port.latestWatch.fail(createExpiredError());
    await clock.pass(1200);
    expect(changes.take()).toEqual(['deleted a (missed)', 'updated c', 'added d']);
    expect(port.latestWatch.options.resourceVersion).toBe('20');
  });

  it.each([
    ['a broken connection', createConnectionReset(), 1200],
    ['500', apiError(500, 'InternalError'), 1200],
    ['503', apiError(503, 'ServiceUnavailable', { retryAfterSeconds: 1 }), 1200],
    ['504', apiError(504, 'Timeout'), 1200],
    ['429', apiError(429, 'TooManyRequests', { retryAfterSeconds: 9 }), 9000],
  ])('resumes at the last version after %s', async (_, error, delay) => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])] });
    await port.latestWatch.send(bookmark(12));
    await port.latestWatch.fail(error);
    await clock.pass(delay - 1);
    expect(port.watches).toHaveLength(1);
    await clock.pass(1);
    expect(port.watches).toHaveLength(2);
    expect(port.latestWatch.options.resourceVersion).toBe('12');
    expect(port.lists).toHaveLength(1);
  });

  it('resumes at once after a watch that ended normally', async () => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])] });
    await clock.pass(450_000);
    await port.latestWatch.send(bookmark(30));
    await port.latestWatch.end();
    expect(port.latestWatch.options.resourceVersion).toBe('30');
    expect(port.watches).toHaveLength(2);
  });

  it('backs off if watches end immediately', async () => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])], onWatch: (watch) => void watch.end() });
    await clock.pass(60_000);
    // Delays of 1.2, 2.4, 4.8, 9.6, 19.2 and 38.4 seconds.
    expect(port.watches).toHaveLength(6);
    await clock.pass(3_600_000);
    expect(port.watches.length).toBeLessThan(6 + 3600 / 45 + 2);
  });

  it('backs off if each watch fails with 410', async () => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])], onWatch: (watch) => void watch.fail(createExpiredError()) });
    await clock.pass(60_000);
    expect(port.lists).toHaveLength(6);
  });

  it('replaces a watch that is silent for longer than its timeout', async () => {
    const { clock, port } = await startInformer({ lists: [createList(9, [])] });
    await clock.pass(480_000 + 1200);
    expect(port.watches[0]?.isClosed).toBe(true);
    expect(port.watches).toHaveLength(2);
    expect(port.openWatchCount).toBe(1);
  });

  it('lists again if a list times out', async () => {
    const { clock, port, reported } = await startInformer({ lists: [createEndlessPromise(), createList(9, [])] });
    await clock.pass(60_000);
    expect(reported.at(-1)).toBe('waiting 1200 the list of pods did not arrive within 60 s');
    await clock.pass(1200);
    expect(port.latestWatch.options.resourceVersion).toBe('9');
  });

  it('ignores changes of the time of day', async () => {
    const { clock, port, reported } = await startInformer({ lists: [createList(9, [])] });
    clock.set(0);
    await clock.pass(1000);
    clock.set(Date.UTC(2040, 0, 1));
    await clock.pass(1000);
    expect(port.watches).toHaveLength(1);
    await port.latestWatch.fail(createConnectionReset());
    clock.set(0);
    await clock.pass(1200);
    expect(port.watches).toHaveLength(2);
    expect(reported.at(-1)).toBe('watching');
  });

  it('resets the backoff after two minutes without failures', async () => {
    const { clock, port, reported } = await startInformer({ lists: [createList(9, [])] });
    for (const delay of [1200, 2400, 4800]) {
      await port.latestWatch.fail(createConnectionReset());
      expect(reported.at(-1)).toContain(`waiting ${delay} `);
      await clock.pass(delay);
    }
    await clock.pass(120_000);
    await port.latestWatch.fail(createConnectionReset());
    expect(reported.at(-1)).toContain('waiting 1200 ');
  });
});

describe('aborting the signal of a reflector', () => {
  it.each([
    ['listing', { lists: [createEndlessPromise()] }, 'listing'],
    ['streaming', { supportsStreams: true }, 'listing'],
    ['watching', { lists: [createList(9, [])] }, 'watching'],
    ['waiting', { lists: [createConnectionReset()] }, 'waiting'],
  ] satisfies [string, FakePortOptions, string][])('ends a run at once while %s, without leftovers', async (_, options, state) => {
    const { clock, controller, informer, run, port, ended, reported } = await startInformer(options);
    expect(informer.state).toBe(state);
    controller.abort();
    await ended;
    expect([run.ended, informer.state, reported.at(-1)]).toEqual([true, 'stopped', 'stopped']);
    expect([clock.scheduled, port.openWatchCount]).toEqual([0, 0]);
  });

  it.each(Array.from({ length: 16 }, (_, count) => count))('ends a run %i microtasks after the end of a list', async (count) => {
    const { controller, ended, port, changes, informer, clock } = await startInformer({ supportsStreams: true });
    void port.latestWatch.send(event('ADDED', pod('a', 1)), initialEndBookmark(9));
    for (let microtask = 0; microtask < count; microtask++) await undefined;
    const before = [informer.hasSynced, informer.cache.size];
    controller.abort();
    await ended;
    expect([informer.hasSynced, informer.cache.size]).toEqual(before);
    expect(changes.take()).toEqual(before[0] ? ['initial a'] : []);
    expect([clock.scheduled, port.openWatchCount]).toEqual([0, 0]);
  });

  it('prevents a run that has not started', async () => {
    const { informer, start, port } = setup({ lists: [createList(9, [])] });
    await start(AbortSignal.abort());
    expect([informer.state, port.lists.length]).toEqual(['stopped', 0]);
  });

  it('ends a run within 5 s even if the port does not close', async () => {
    const { clock, controller, run } = await startInformer({ lists: [createList(9, [])], ignoresClose: true });
    controller.abort();
    await clock.pass(0);
    expect(run.ended).toBe(false);
    await clock.pass(5000);
    expect([run.ended, clock.scheduled]).toEqual([true, 0]);
  });

  it('ends one run; the next resumes at the last version', async () => {
    const { clock, controller, ended, port, start, changes } = await startInformer({ lists: [createList(9, [pod('a', 1)])] });
    await port.latestWatch.send(bookmark(12));
    controller.abort();
    await ended;
    changes.take();
    void start(new AbortController().signal);
    await clock.pass(0);
    expect(port.latestWatch.options.resourceVersion).toBe('12');
    expect([port.lists.length, changes.take()]).toEqual([1, []]);
  });
});

describe('createBackoff', () => {
  it('doubles from 800 ms to 30 s', () => {
    const backoff = createBackoff(createTestClock(), () => 0);
    expect(Array.from({ length: 8 }, backoff.getGrowingDelay)).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  });

  it('adds jitter of up to 100 %', () => {
    const draws = [0, 0.25, 0.999];
    const backoff = createBackoff(createTestClock(), () => draws.shift() as number);
    expect(Array.from({ length: 3 }, backoff.getGrowingDelay)).toEqual([800, 1600 * 1.25, 3200 * 1.999]);
  });

  it('resets two minutes after the end of the last delay, and not before', async () => {
    const clock = createTestClock();
    const backoff = createBackoff(clock, () => 0);
    backoff.getGrowingDelay();
    await clock.pass(800 + 119_999);
    expect(backoff.getGrowingDelay()).toBe(1600);
    await clock.pass(1600 + 120_000);
    expect(backoff.getGrowingDelay()).toBe(800);
  });

  it('measures by elapsed time, not by the time of day', () => {
    const clock = createTestClock();
    const backoff = createBackoff(clock, () => 0);
    backoff.getGrowingDelay();
    clock.set(clock.now() + 3_600_000);
    expect(backoff.getGrowingDelay()).toBe(1600);
  });

  it('returns a minimum delay without growing the backoff', () => {
    const backoff = createBackoff(createTestClock(), () => 0.5);
    expect([backoff.getShortestDelay(), backoff.getShortestDelay(), backoff.getGrowingDelay()]).toEqual([1200, 1200, 1200]);
  });
});

const setupFollow = (options?: FakePortOptions) => {
  const clock = createTestClock();
  const port = createFakePort(options);
  const controller = new AbortController();
  const reported: string[] = [];
  const store = {
    put: ({ metadata }: ReturnType<typeof pod>) => void reported.push(`put ${metadata.name}`),
    remove: ({ metadata }: ReturnType<typeof pod>) => void reported.push(`remove ${metadata.name}`),
  };
  const result: { outcome?: Outcome } = {};
  const source = { port, clock, resource: pods, signal: controller.signal };
  const onVersion = (version: string): number => reported.push(`seen ${version}`);
  const following = follow(
    source,
    { state: 'watching', fromVersion: '5' },
    { selection: { namespace: 'shop' }, timeoutSeconds: 300, store, onVersion },
  );
  void following.then((outcome) => {
    result.outcome = outcome;
  });
  return { clock, port, controller, reported, result };
};

describe('follow', () => {
  it('watches from the version with bookmarks and a timeout', () => {
    expect(setupFollow().port.latestWatch.options).toMatchObject({
      namespace: 'shop',
      resourceVersion: '5',
      allowWatchBookmarks: true,
      timeoutSeconds: 300,
    });
  });

  it('applies events until the watch ends', async () => {
    const { clock, port, reported, result } = setupFollow();
    await clock.pass(2000);
    await port.latestWatch.send(event('ADDED', pod('a', 6)), event('MODIFIED', pod('a', 7)), event('DELETED', pod('a', 8)), bookmark(9));
    expect(reported).toEqual(['put a', 'seen 6', 'put a', 'seen 7', 'remove a', 'seen 8', 'seen 9']);
    await port.latestWatch.end();
    expect(result.outcome).toEqual({ kind: 'ended', version: '9', advanced: true, milliseconds: 2000 });
    expect(clock.scheduled).toBe(0);
  });

  it('reports advanced: false if the version did not change', async () => {
    const { port, result } = setupFollow();
    await port.latestWatch.send(bookmark(5));
    await port.latestWatch.end();
    expect(result.outcome).toMatchObject({ kind: 'ended', advanced: false });
  });

  it('returns the error and the last version', async () => {
    const { port, result } = setupFollow();
    await port.latestWatch.send(bookmark(6));
    const error = createConnectionReset();
    await port.latestWatch.fail(error);
    expect(result.outcome).toEqual({ kind: 'failed', error, version: '6' });
  });

  it('fails with lost: true on a malformed event', async () => {
    const { port, result } = setupFollow();
    await port.latestWatch.send({ type: 'MOVED', object: pod('a', 6) } as unknown as WatchEvent);
    expect(result.outcome).toMatchObject({ kind: 'failed', lost: true });
    expect(port.latestWatch.isClosed).toBe(true);
  });

  it('times out if a watch is silent for 30 s longer than its timeout', async () => {
    const { clock, port, result } = setupFollow();
    await clock.pass(250_000);
    await port.latestWatch.send(bookmark(6));
    await clock.pass(79_999);
    expect(result.outcome).toBeUndefined();
    await clock.pass(1);
    expect(result.outcome).toMatchObject({ kind: 'failed', version: '6', error: { name: 'TimeoutError' } });
    expect(port.latestWatch.isClosed).toBe(true);
  });

  it('keeps a watch that outlasts its timeout but sends events', async () => {
    const { clock, port, result } = setupFollow();
    for (let version = 6; version < 46; version++) {
      await clock.pass(20_000);
      await port.latestWatch.send(bookmark(version));
    }
    expect(result.outcome).toBeUndefined();
  });

  it.each(Array.from({ length: 12 }, (_, count) => count))(
    'applies no event after an abort, even %i microtasks after the event',
    async (count) => {
      const { port, controller, reported } = setupFollow();
      await flushPromises();
      void port.latestWatch.send(event('ADDED', pod('a', 6)));
      for (let microtask = 0; microtask < count; microtask++) await undefined;
      const before = reported.length;
      controller.abort('enough');
      await flushPromises();
      expect(reported).toHaveLength(before);
    },
  );

  it('applies no event if it is aborted with the event', async () => {
    const { port, controller, reported, result } = setupFollow();
    await flushPromises();
    const sending = port.latestWatch.send(event('ADDED', pod('a', 6)));
    controller.abort('enough');
    await sending;
    expect(reported).toEqual([]);
    expect(result.outcome).toMatchObject({ kind: 'failed', error: 'enough' });
  });
});
