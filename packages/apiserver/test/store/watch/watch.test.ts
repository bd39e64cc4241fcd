import { expect, test } from 'vitest';
import { createStore } from '../../../src/store/index.ts';
import { createClock, drain, pod, pods, statusOfLate } from '../support.ts';

const a = { namespace: 'default', name: 'a' };

test('a watch from before a compaction is told so when it is read, not when it is called', async () => {
  const store = createStore({ clock: createClock() });
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  store.compact(2);
  const watch = store.watch(pods, { resourceVersion: '1' });
  expect(await statusOfLate(watch.next())).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'too old resource version: 1 (2)',
    reason: 'Expired',
    code: 410,
  });
});

test('the revision of the compaction itself can still be watched from', async () => {
  const store = createStore();
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  store.compact(2);
  expect(await drain(store.watch(pods, { resourceVersion: '2' }))).toEqual(['DELETED a@3']);
});

test('the events of all watches are the same, and nobody can change them', async () => {
  const store = createStore();
  const [one, other] = [store.watch(pods, { resourceVersion: '1' }), store.watch(pods, { resourceVersion: '1' })];
  store.create(pods, a, pod('a'));
  store.delete(pods, a);
  for (let i = 0; i < 2; i++) {
    const [first, second] = [(await one.next()).value, (await other.next()).value];
    expect(first).toBe(second);
    expect([Object.isFrozen(first), Object.isFrozen(first.object), Object.isFrozen(first.object.metadata)]).toEqual([true, true, true]);
  }
});
