import { describe, expect, test } from 'vitest';
import { sampledRunCount } from '../../../../test/support/sample.ts';
import type { RuntimeEvent } from '../../src/host/runtime-event.ts';
import { createExponentialLimiter, createQueue, type Queue, runWorkers } from '../../src/queue/index.ts';
import { createShutdown } from '../../src/queue/queue.ts';
import { createClock, flushPromises, type ManualClock } from './clock.ts';

interface Setup {
  readonly clock: ManualClock;
  readonly queue: Queue;
  readonly reportedEvents: RuntimeEvent[];
}

function setUp(): Setup {
  const clock = createClock();
  const reportedEvents: RuntimeEvent[] = [];
  return { clock, reportedEvents, queue: createQueue({ clock, name: 'endpoints', onEvent: (event) => reportedEvents.push(event) }) };
}

/** Takes every key that is available now. */
async function drain(queue: Queue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) {
    const key = await queue.take();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

test('events contain the name of the queue, and the clock defaults to that of the system', async () => {
  const reportedEvents: string[] = [];
  const queue = createQueue({ name: 'my-operator', onEvent: ({ kind, queue }) => reportedEvents.push(`${kind} ${queue}`) });
  queue.addAfter('a', 0);
  queue.addRateLimited('b');
  expect(await queue.take()).toBe('a');
  expect(await queue.take()).toBe('b');
  expect(reportedEvents).toEqual(['queued my-operator', 'taken my-operator', 'queued my-operator', 'taken my-operator']);
});

describe('added keys', () => {
  test('are taken in order, each once', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
    expect(queue.length).toBe(3);
    expect(await drain(queue)).toEqual(['a', 'b', 'c']);
  });

  test('are taken again, once, after their processing has ended', async () => {
    const { queue } = setUp();
    queue.add('a');
    expect(await queue.take()).toBe('a');
    queue.add('a');
    queue.add('a');
    let secondKey: string | undefined;
    void queue.take().then((key) => {
      secondKey = key;
    });
    await flushPromises();
    expect([secondKey, queue.length, queue.processing]).toEqual([undefined, 0, 1]);
    queue.done('a');
    await flushPromises();
    expect([secondKey, queue.length, queue.processing]).toEqual(['a', 0, 1]);
    queue.done('a');
    expect([queue.length, queue.processing]).toEqual([0, 0]);
  });

  test('are taken once even if added twice during a pending take', async () => {
    const { queue } = setUp();
    const taken = queue.take();
    queue.add('a');
    queue.add('a');
    expect(await taken).toBe('a');
    queue.done('a');
    expect(queue.length).toBe(0);
  });

  test('are handed to pending take() calls in order', async () => {
    const { queue } = setUp();
    const pendingTakes = [queue.take(), queue.take(), queue.take()];
    queue.add('a');
    await flushPromises();
    queue.add('b');
    queue.add('c');
    pendingTakes.push(queue.take());
    queue.add('d');
    expect(await Promise.all(pendingTakes)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('are not affected by done() before they are taken', async () => {
    const { queue } = setUp();
    queue.add('a');
    queue.done('a');
    queue.done('b');
    expect([queue.length, queue.processing]).toEqual([1, 0]);
    expect(await drain(queue)).toEqual(['a']);
  });
});

describe('delayed keys', () => {
  test('are taken at their time', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 10);
    expect([queue.length, queue.delayed]).toEqual([0, 1]);
    clock.advance(9);
    expect(queue.length).toBe(0);
    clock.advance(1);
    expect([await queue.take(), queue.delayed]).toEqual(['a', 0]);
  });

  test.each([0, -5, Number.NaN])('with a delay of %s ms are added at once', (delay) => {
    const { queue } = setUp();
    queue.addAfter('a', delay);
    expect([queue.length, queue.delayed]).toEqual([1, 0]);
  });

  test('are taken twice if they are also added at once', async () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 10);
    queue.add('a');
    expect(await drain(queue)).toEqual(['a']);
    clock.advance(10);
    expect(await drain(queue)).toEqual(['a']);
  });

  test('are independent of the time of day', () => {
    const { queue, clock } = setUp();
    queue.addAfter('a', 1000);
    clock.setTimeOfDay(clock.now() + 86_400_000);
    clock.advance(500);
    queue.addAfter('b', 400);
    clock.setTimeOfDay(0);
    clock.advance(400);
    expect([queue.length, queue.delayed]).toEqual([1, 1]);
    clock.advance(100);
    expect([queue.length, queue.delayed]).toEqual([2, 0]);
  });

  test('wait twice as long after each failure, until `forget` is called', () => {
    const { queue, clock } = setUp();
    const delays: (number | undefined)[] = [];
    const fail = (): void => {
      queue.addRateLimited('a');
      delays.push(clock.next);
      clock.advance(clock.next ?? 0);
    };
    for (let i = 0; i < 4; i++) fail();
    expect(delays).toEqual([5, 10, 20, 40]);
    expect([queue.failures('a'), queue.failures('b')]).toEqual([4, 0]);
    queue.forget('a');
    expect(queue.failures('a')).toBe(0);
    fail();
    expect(delays.at(-1)).toBe(5);
  });
});

describe('shutDown', () => {
  test('lets waiting keys be taken, drops delayed keys, and ignores new ones', async () => {
    const { queue, clock } = setUp();
    queue.add('a');
    queue.addAfter('b', 10);
    const taken = await queue.take();
    queue.add('a');
    queue.add('c');
    const shutdownEnd = queue.shutDown();
    queue.add('d');
    queue.addAfter('e', 0);
    queue.addAfter('f', 10);
    queue.addRateLimited('g');
    expect([queue.length, queue.delayed, queue.failures('g'), clock.scheduled]).toEqual([1, 0, 0, 0]);
    queue.done(taken as string);
    expect(await drain(queue)).toEqual(['c', 'a']);
    expect(await queue.take()).toBeUndefined();
    await shutdownEnd;
  });

  test('resolves pending take() calls with undefined', async () => {
    const { queue } = setUp();
    const pendingTakes = [queue.take(), queue.take()];
    await queue.shutDown();
    expect(await Promise.all(pendingTakes)).toEqual([undefined, undefined]);
  });

  test('resolves once every taken key is done', async () => {
    const { queue } = setUp();
    for (const key of ['a', 'b']) queue.add(key);
    await queue.take();
    await queue.take();
    const resolvedCalls: string[] = [];
    void queue.shutDown().then(() => resolvedCalls.push('once'));
    void queue.shutDown().then(() => resolvedCalls.push('twice'));
    queue.done('a');
    await flushPromises();
    expect(resolvedCalls).toEqual([]);
    queue.done('b');
    await flushPromises();
    expect(resolvedCalls).toEqual(['once', 'twice']);
  });

  test('does not wait for keys that no worker takes', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.shutDown();
    expect(queue.length).toBe(1);
  });
});

test('events report new keys, the queue length and the time waited', async () => {
  const { queue, clock, reportedEvents } = setUp();
  queue.add('a');
  queue.add('a');
  clock.advance(7);
  await queue.take();
  queue.add('a');
  queue.addRateLimited('b');
  clock.advance(5);
  queue.done('a');
  await queue.take();
  await queue.take();
  const [queueName, key] = [{ queue: 'endpoints' }, 'a'];
  expect(reportedEvents).toEqual([
    { kind: 'queued', ...queueName, key, length: 1, retry: false },
    { kind: 'taken', ...queueName, key, length: 0, waited: 7 },
    { kind: 'queued', ...queueName, key, length: 1, retry: false },
    { kind: 'queued', ...queueName, key: 'b', length: 2, retry: true },
    { kind: 'taken', ...queueName, key: 'b', length: 1, waited: 0 },
    { kind: 'taken', ...queueName, key, length: 0, waited: 5 },
  ]);
});

test('a key that is added constantly does not delay the other keys', async () => {
  const { queue } = setUp();
  const otherKeys = Array.from({ length: 200 }, (_, i) => `other-${i}`);
  for (const key of ['hot', ...otherKeys]) queue.add(key);
  const order: string[] = [];
  // Three rounds of 201 keys.
  for (let i = 0; i < 603; i++) {
    const key = (await queue.take()) as string;
    order.push(key);
    for (let repeat = 0; repeat < 5; repeat++) queue.add('hot');
    queue.done(key);
    if (key !== 'hot') queue.add(key);
  }
  expect(order).toEqual([1, 2, 3].flatMap(() => ['hot', ...otherKeys]));
});

test('a million keys can be added, delayed and rate limited in order', async () => {
  const clock = createClock();
  const queue = createQueue({ clock, name: 'endpoints', limiter: createExponentialLimiter() });
  const count = sampledRunCount(1_000_000, 0.05);
  for (let i = 0; i < count; i++) queue.add(`key-${i}`);
  expect(queue.length).toBe(count);
  let isInOrder = true;
  for (let i = 0; i < count; i++) {
    const key = (await queue.take()) as string;
    isInOrder &&= key === `key-${i}`;
    queue.addRateLimited(key);
    queue.addAfter(key, 1 + ((i * 7919) % 5000));
    queue.done(key);
  }
  expect([isInOrder, queue.length, queue.processing, queue.delayed, clock.scheduled]).toEqual([true, 0, 0, count, 1]);
  clock.advance(5);
  expect([queue.length, queue.delayed]).toEqual([count, 0]);
  await queue.shutDown();
});

test('a shutdown resolves once the queue is closed and idle', async () => {
  let idle = true;
  let isResolved = false;
  const shutdown = createShutdown(() => idle);
  shutdown.check();
  await flushPromises();
  expect(shutdown.closed).toBe(false);
  idle = false;
  void shutdown.close().then(() => {
    isResolved = true;
  });
  await flushPromises();
  expect([shutdown.closed, isResolved]).toEqual([true, false]);
  shutdown.check();
  await flushPromises();
  expect(isResolved).toBe(false);
  idle = true;
  shutdown.check();
  await flushPromises();
  expect(isResolved).toBe(true);
});

test('a shutdown waits for work that starts immediately after it', async () => {
  let idle = true;
  let isResolved = false;
  const shutdown = createShutdown(() => idle);
  void shutdown.close().then(() => {
    isResolved = true;
  });
  idle = false;
  await flushPromises();
  expect(isResolved).toBe(false);
});

const createEndpointsQueue = (): Queue => createQueue({ clock: createClock(), name: 'endpoints' });

describe('workers', () => {
  test('process at most `workers` keys at a time and never the same key twice at once', async () => {
    const queue = createEndpointsQueue();
    const finishers = new Map<string, () => void>();
    const startedKeys: string[] = [];
    const ended = runWorkers({
      queue,
      workers: 2,
      work: (key) => {
        expect(finishers.has(key)).toBe(false);
        startedKeys.push(key);
        return new Promise<void>((resolve) => finishers.set(key, resolve)).then(() => void finishers.delete(key));
      },
    });
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await flushPromises();
    expect(startedKeys).toEqual(['a', 'b']);
    queue.add('a');
    finishers.get('b')?.();
    await flushPromises();
    expect(startedKeys).toEqual(['a', 'b', 'c']);
    finishers.get('a')?.();
    await flushPromises();
    expect(startedKeys).toEqual(['a', 'b', 'c', 'a']);
    const shutdownEnd = queue.shutDown();
    for (const end of finishers.values()) end();
    await Promise.all([ended, shutdownEnd]);
    expect(queue.processing).toBe(0);
  });

  test('process every waiting key before shutDown resolves', async () => {
    const queue = createEndpointsQueue();
    const processedKeys: string[] = [];
    for (let i = 0; i < 50; i++) queue.add(`key-${i}`);
    const ended = runWorkers({
      queue,
      workers: 3,
      work: async (key) => {
        await flushPromises();
        processedKeys.push(key);
      },
    });
    await flushPromises();
    await queue.shutDown();
    expect([processedKeys.length, queue.length, queue.processing]).toEqual([50, 0, 0]);
    await ended;
  });

  test('drain the queue and reject with the first error if work throws', async () => {
    const queue = createEndpointsQueue();
    const processedKeys: string[] = [];
    for (const key of ['a', 'b', 'c', 'd']) queue.add(key);
    const ended = runWorkers({
      queue,
      workers: 2,
      work(key) {
        processedKeys.push(key);
        if (key === 'b' || key === 'c') throw new Error(`defect in ${key}`);
        return Promise.resolve();
      },
    });
    await expect(ended).rejects.toThrow('defect in b');
    expect(processedKeys).toEqual(['a', 'b', 'c', 'd']);
    expect([queue.length, queue.processing]).toEqual([0, 0]);
  });

  test.each([0, -1, 1.5, Number.NaN])('reject the number of workers %s', async (workers) => {
    await expect(runWorkers({ queue: createEndpointsQueue(), workers, work: () => Promise.resolve() })).rejects.toThrow(RangeError);
  });
});
