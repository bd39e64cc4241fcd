import { expect, test } from 'vitest';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { createClock, drain, nodes, pod, pods, statusOf } from './support.ts';

const a = { namespace: 'default', name: 'a' };

test('the resourceVersion starts above zero, is one for all resources, and only goes up', () => {
  const store = createStore();
  expect(store.revision).toBe(1);
  expect(store.create(pods, a, pod('a')).metadata.resourceVersion).toBe('2');
  expect(store.create(nodes, { name: 'n' }, { metadata: { name: 'n' } }).metadata.resourceVersion).toBe('3');
  expect(store.delete(pods, a).metadata.resourceVersion).toBe('4');
});

test('get answers with what is there, not older than asked for', () => {
  const store = createStore();
  const stored = store.create(pods, a, pod('a'));
  for (const resourceVersion of ['', '0', '1', '2']) expect(store.get(pods, a, { resourceVersion })).toBe(stored);
  expect(statusOf(() => store.get(pods, a, { resourceVersion: '3' })).code).toBe(504);
  expect(statusOf(() => store.get(pods, a, { resourceVersion: 'x' }))).toMatchObject({
    code: 500,
    message: 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax',
  });
  expect(statusOf(() => store.get(pods, { namespace: 'other', name: 'a' }))).toMatchObject({
    code: 404,
    message: 'pods "a" not found',
    details: { name: 'a', kind: 'pods' },
  });
});

test('compaction reaches no further than what has been', () => {
  const store = createStore();
  store.create(pods, a, pod('a'));
  store.compact(99);
  expect(store.stats()).toEqual({ objects: 1, events: 0, bytes: 0, compacted: 2 });
  store.compact(1);
  expect(store.stats().compacted).toBe(2);
});

test('all watches can be ended at once', async () => {
  const clock = createClock();
  const store = createStore({ clock });
  const watches = [
    store.watch(pods, { timeoutSeconds: 9 }),
    store.watch(nodes),
    store.watch(pods, { resourceVersion: '9', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
  ];
  const waiting = watches.map((watch) => watch.next());
  store.dropWatches();
  expect(await Promise.all(waiting)).toEqual(watches.map(() => ({ done: true, value: undefined })));
  expect(clock.scheduled).toBe(0);
  expect(await drain(store.watch(nodes))).toEqual([]);
});
