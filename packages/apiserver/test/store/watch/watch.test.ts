import type { WatchEvent } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createStore } from '../../../src/store/index.ts';
import type { WatchSource } from '../../../src/store/watch/source.ts';
import { createStream } from '../../../src/store/watch/watch.ts';
import { createClock, drain, formatEvent, pod, pods, statusOfRejection } from '../support.ts';

const a = { namespace: 'default', name: 'a' };

test('a watch from a compacted version fails when first read', async () => {
  const store = createStore({ clock: createClock() });
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  store.compact(2);
  const watch = store.watch(pods, { resourceVersion: '1' });
  expect(await statusOfRejection(watch.next())).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: 1 (2)',
    reason: 'Expired',
    code: 410,
  });
});

test('a watch can start at the compacted revision itself', async () => {
  const store = createStore();
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  store.compact(2);
  expect(await drain(store.watch(pods, { resourceVersion: '2' }))).toEqual(['DELETED a@3']);
});

test('all watches share the same frozen events', async () => {
  const store = createStore();
  const [firstWatch, secondWatch] = [store.watch(pods, { resourceVersion: '1' }), store.watch(pods, { resourceVersion: '1' })];
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  for (let i = 0; i < 2; i++) {
    const [first, second] = [(await firstWatch.next()).value, (await secondWatch.next()).value];
    expect(first).toBe(second);
    expect([Object.isFrozen(first), Object.isFrozen(first.object), Object.isFrozen(first.object.metadata)]).toEqual([true, true, true]);
  }
});

const createTestStore = () => {
  const clock = createClock();
  const store = createStore({ clock });
  const add = (name: string) => store.create(pods, { namespace: 'default', name }, pod(name));
  return { clock, store, add };
};

test('concurrent next() calls resolve in order', async () => {
  const { store, add } = createTestStore();
  const watch = store.watch(pods, { resourceVersion: '1' });
  const pending = [watch.next(), watch.next(), watch.next()];
  for (const name of ['a', 'b', 'c']) add(name);
  expect((await Promise.all(pending)).map(({ value }) => formatEvent(value))).toEqual(['ADDED a@2', 'ADDED b@3', 'ADDED c@4']);
});

test('a signal ends a watch and rejects the first pending call with its reason', async () => {
  const { clock, store, add } = createTestStore();
  const controller = new AbortController();
  const watch = store.watch(pods, { resourceVersion: '1', timeoutSeconds: 60, signal: controller.signal });
  const pending = [watch.next(), watch.next()];
  controller.abort(new Error('enough'));
  await expect(pending[0]).rejects.toThrow('enough');
  expect(await pending[1]).toEqual({ done: true, value: undefined });
  add('a');
  expect(await watch.next()).toEqual({ done: true, value: undefined });
  expect(clock.scheduled).toBe(0);
});

test('a signal that is already aborted rejects the first next()', async () => {
  const { store } = createTestStore();
  const watch = store.watch(pods, { signal: AbortSignal.abort(new Error('before')) });
  await expect(watch.next()).rejects.toThrow('before');
  expect(await watch.next()).toEqual({ done: true, value: undefined });
});

test('leaving the loop ends a watch and its timers', async () => {
  const { clock, store, add } = createTestStore();
  add('a');
  const watch = store.watch(pods, { timeoutSeconds: 60, allowWatchBookmarks: true });
  for await (const event of watch) if (event.type === 'BOOKMARK') break;
  const otherWatch = store.watch(pods, { resourceVersion: '2', timeoutSeconds: 60 });
  const pending = otherWatch.next();
  await otherWatch.return?.();
  expect([await pending, await otherWatch.next(), await watch.next()]).toEqual(Array(3).fill({ done: true, value: undefined }));
  expect(clock.scheduled).toBe(0);
});

test('an error ends a watch', async () => {
  const { store, add } = createTestStore();
  add('a');
  store.compact(2);
  const watch = store.watch(pods, { resourceVersion: '1' });
  expect((await statusOfRejection(watch.next())).reason).toBe('Expired');
  expect(await watch.next()).toEqual({ done: true, value: undefined });
});

test('many watches receive the same events', async () => {
  const { store, add } = createTestStore();
  const watches = Array.from({ length: 50 }, () => store.watch(pods, { resourceVersion: '1' }));
  const seen = watches.map((watch) => drain(watch));
  for (const name of ['a', 'b']) add(name);
  for (const events of await Promise.all(seen)) expect(events).toEqual(['ADDED a@2', 'ADDED b@3']);
});

test('a stream waits for its source only while a next() is pending', async () => {
  const waiters = new Set<() => void>();
  const events: WatchEvent[] = [];
  const source: WatchSource = { take: () => events.shift(), waiters: () => waiters, dueAt: () => undefined };
  const stream = createStream(source, createClock(), undefined);
  expect(waiters.size).toBe(0);
  const next = stream.next();
  expect(waiters.size).toBe(1);
  events.push({ type: 'ADDED', object: pod('a') });
  for (const wake of waiters) wake();
  expect(waiters.size).toBe(0);
  expect((await next).value.object).toEqual(pod('a'));
  const last = stream.next();
  await stream.return?.();
  expect([waiters.size, (await last).done]).toEqual([0, true]);
});

test('a stream follows its source to another waiting set', async () => {
  const [first, second] = [new Set<() => void>(), new Set<() => void>()];
  let current = first;
  const source: WatchSource = { take: () => undefined, waiters: () => current, dueAt: () => undefined };
  const stream = createStream(source, createClock(), undefined);
  const next = stream.next();
  current = second;
  for (const wake of first) wake();
  expect([first.size, second.size]).toEqual([0, 1]);
  await stream.return?.();
  expect([second.size, (await next).done]).toEqual([0, true]);
});
