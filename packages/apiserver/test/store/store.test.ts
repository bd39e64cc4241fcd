import { expect, test } from 'vitest';
import { createStore } from '../../src/store/index.ts';
import { createClock, drain, nodes, pod, podFields, pods, statusOf } from './support.ts';

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

test('the watches of one resource can be ended by themselves', async () => {
  const store = createStore();
  const [ended, going] = [store.watch(pods), store.watch(nodes)];
  const [last, next] = [ended.next(), going.next()];
  store.dropWatches(pods);
  expect(await last).toEqual({ done: true, value: undefined });
  store.create(nodes, { name: 'n' }, { metadata: { name: 'n' } });
  expect((await next).done).toBe(false);
});

test('find answers with what is there, and with nothing otherwise', () => {
  const store = createStore();
  expect(store.find(pods, a)).toBeUndefined();
  const stored = store.create(pods, a, pod('a'));
  expect(store.find(pods, a)).toBe(stored);
});

test('what a version of a resource is selected by can be said later', () => {
  const store = createStore({ selectableFields: () => podFields });
  store.create(pods, a, { ...pod('a'), size: 5 });
  const newer = { ...pods, version: 'v2' };
  store.selectBy(newer, { fields: { size: ({ size }) => String(size) } });
  expect(store.list(newer, { fieldSelector: 'size=5' }).items).toHaveLength(1);
  expect(store.list(pods, { fieldSelector: 'spec.nodeName=' }).items).toHaveLength(1);
  expect(statusOf(() => store.list(pods, { fieldSelector: 'size=5' })).code).toBe(400);
  expect(statusOf(() => store.list(newer, { fieldSelector: 'size=5', selectable: undefined })).code).toBe(400);
  store.selectBy(newer, undefined);
  expect(statusOf(() => store.list(newer, { fieldSelector: 'size=5' })).code).toBe(400);
});

test('observers are told of what is there to stay', () => {
  const store = createStore();
  const seen: unknown[] = [];
  const forget = store.observe(({ resource, current, previous }) => {
    seen.push([resource.plural, current?.metadata.resourceVersion, previous?.metadata.resourceVersion]);
  });
  store.create(pods, a, pod('a'));
  const failure = new Error('undone');
  const undone = (): never => {
    store.delete(pods, a);
    throw failure;
  };
  expect(() => store.transaction(undone)).toThrow(failure);
  store.transaction(() => {
    store.update(pods, a, (current) => ({ ...current, size: 1 }));
    store.delete(pods, a);
    expect(seen).toHaveLength(1);
  });
  forget();
  store.create(pods, a, pod('a'));
  expect(seen).toEqual([
    ['pods', '2', undefined],
    ['pods', '3', '2'],
    ['pods', undefined, '3'],
  ]);
});

test('an object that is handed over is stored without a copy', () => {
  const store = createStore();
  const given = { ...pod('a'), spec: { nodeName: 'n' } };
  const created = store.create(pods, a, given, { owned: true });
  expect(created).toBe(given);
  expect(created.metadata.resourceVersion).toBe('2');
  const next = { ...pod('a'), spec: { nodeName: 'n' }, status: { phase: 'Running' } };
  const updated = store.update(pods, a, () => next, {}, { owned: true });
  expect([updated, updated['spec']]).toEqual([next, given.spec]);
  expect(updated['spec']).toBe(given.spec);
  expect(store.update(pods, a, () => structuredClone(updated), {}, { owned: true })).toBe(updated);
});
