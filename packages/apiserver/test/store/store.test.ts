import { type ApiObject, resources } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createStore, type Store } from '../../src/store/index.ts';
import { defaultStoragePath } from '../../src/store/store.ts';
import { createClock, drain, nodes, pod, podFields, pods, statusOf } from './support.ts';

const a = { namespace: 'default', name: 'a' };

test('the resourceVersion starts above zero, is common to all resources, and only increases', () => {
  const store = createStore();
  expect(store.revision).toBe(1);
  expect(store.create(pods, a, pod('a')).metadata.resourceVersion).toBe('2');
  expect(store.create(nodes, { name: 'n' }, { metadata: { name: 'n' } }).metadata.resourceVersion).toBe('3');
  expect(store.delete(pods, a).metadata.resourceVersion).toBe('4');
});

test('get returns the current object, and fails if the requested resourceVersion is newer than the store', () => {
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

test('compact stops at the current revision, and an earlier revision changes nothing', () => {
  const store = createStore();
  store.create(pods, a, pod('a'));
  store.compact(99);
  expect(store.stats()).toEqual({ objects: 1, events: 0, bytes: 0, compacted: 2 });
  store.compact(1);
  expect(store.stats().compacted).toBe(2);
});

test('dropWatches ends all watches', async () => {
  const clock = createClock();
  const store = createStore({ clock });
  const watches = [
    store.watch(pods, { timeoutSeconds: 9 }),
    store.watch(nodes),
    store.watch(pods, { resourceVersion: '9', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
  ];
  const pendingNexts = watches.map((watch) => watch.next());
  store.dropWatches();
  expect(await Promise.all(pendingNexts)).toEqual(watches.map(() => ({ done: true, value: undefined })));
  expect(clock.scheduled).toBe(0);
  expect(await drain(store.watch(nodes))).toEqual([]);
});

test('dropWatches ends only the watches of the given resource', async () => {
  const store = createStore();
  const [podWatch, nodeWatch] = [store.watch(pods), store.watch(nodes)];
  const [last, next] = [podWatch.next(), nodeWatch.next()];
  store.dropWatches(pods);
  expect(await last).toEqual({ done: true, value: undefined });
  store.create(nodes, { name: 'n' }, { metadata: { name: 'n' } });
  expect((await next).done).toBe(false);
});

test('find returns the object, or undefined if absent', () => {
  const store = createStore();
  expect(store.find(pods, a)).toBeUndefined();
  const stored = store.create(pods, a, pod('a'));
  expect(store.find(pods, a)).toBe(stored);
});

test('setSelectableFields replaces the selectable fields of one API version of a resource', () => {
  const store = createStore({ selectableFields: () => podFields });
  store.create(pods, a, { ...pod('a'), size: 5 });
  const podsV2 = { ...pods, version: 'v2' };
  store.setSelectableFields(podsV2, { fields: { size: ({ size }) => String(size) } });
  expect(store.list(podsV2, { fieldSelector: 'size=5' }).items).toHaveLength(1);
  expect(store.list(pods, { fieldSelector: 'spec.nodeName=' }).items).toHaveLength(1);
  expect(statusOf(() => store.list(pods, { fieldSelector: 'size=5' })).code).toBe(400);
  expect(statusOf(() => store.list(podsV2, { fieldSelector: 'size=5', selectable: undefined })).code).toBe(400);
  store.setSelectableFields(podsV2, undefined);
  expect(statusOf(() => store.list(podsV2, { fieldSelector: 'size=5' })).code).toBe(400);
});

test('observers see committed writes only', () => {
  const store = createStore();
  const seen: unknown[] = [];
  const stopObserving = store.observe(({ resource, current, previous }) => {
    seen.push([resource.plural, current?.metadata.resourceVersion, previous?.metadata.resourceVersion]);
  });
  store.create(pods, a, pod('a'));
  const failure = new Error('undone');
  const failingSteps = (): never => {
    store.delete(pods, a);
    throw failure;
  };
  expect(() => store.transaction(failingSteps)).toThrow(failure);
  store.transaction(() => {
    store.update(pods, a, (current) => ({ ...current, size: 1 }));
    store.delete(pods, a);
    expect(seen).toHaveLength(1);
  });
  stopObserving();
  store.create(pods, a, pod('a'));
  expect(seen).toEqual([
    ['pods', '2', undefined],
    ['pods', '3', '2'],
    ['pods', undefined, '3'],
  ]);
});

test('an owned object is stored without a copy', () => {
  const store = createStore();
  const object = { ...pod('a'), spec: { nodeName: 'n' } };
  const created = store.create(pods, a, object, { owned: true });
  expect(created).toBe(object);
  expect(created.metadata.resourceVersion).toBe('2');
  const next = { ...pod('a'), spec: { nodeName: 'n' }, status: { phase: 'Running' } };
  const updated = store.update(pods, a, () => next, {}, { owned: true });
  expect([updated, updated['spec']]).toEqual([next, object.spec]);
  expect(updated['spec']).toBe(object.spec);
  expect(store.update(pods, a, () => structuredClone(updated), {}, { owned: true })).toBe(updated);
});

test.each([
  [resources.pods, '/registry/pods'],
  [resources.services, '/registry/services/specs'],
  [resources.endpoints, '/registry/services/endpoints'],
  [resources.nodes, '/registry/minions'],
  [resources.leases, '/registry/leases'],
])('$plural have the storage path of kube-apiserver', (resource, path) => expect(defaultStoragePath(resource)).toBe(path));

const key = (name: string) => ({ namespace: 'default', name });
const relabel = (current: ApiObject): ApiObject => ({ ...current, metadata: { ...current.metadata, labels: { changed: 'yes' } } });
const podNames = (store: Store): (string | undefined)[] => store.list(pods).items.map(({ metadata }) => metadata.name);

const fail = (): never => {
  throw new Error('later step');
};

const createFilledStore = (): Store => {
  const store = createStore();
  for (const name of ['a', 'b']) store.create(pods, key(name), pod(name));
  return store;
};

test('a transaction commits all its writes at once, each with its own revision', async () => {
  const store = createFilledStore();
  const watch = store.watch(pods, { resourceVersion: '3' });
  const result = store.transaction(() => {
    store.create(pods, key('c'), pod('c'));
    store.update(pods, key('a'), relabel);
    store.delete(pods, key('b'));
    return podNames(store);
  });
  expect(result).toEqual(['a', 'c']);
  expect(await drain(watch)).toEqual(['ADDED c@4', 'MODIFIED a@5', 'DELETED b@6']);
});

test('a transaction is rolled back if it throws', async () => {
  const store = createFilledStore();
  const before = [store.revision, store.stats(), store.list(pods)];
  const watch = store.watch(pods, { resourceVersion: '3' });
  const pendingNexts = watch.next();
  const steps = (): void => {
    store.delete(pods, key('b'));
    store.create(pods, key('b'), pod('b', { again: 'yes' }));
    store.update(pods, key('a'), relabel);
    store.create(pods, key('c'), pod('c'));
    podNames(store);
    fail();
  };
  expect(() => store.transaction(steps)).toThrow('later step');
  expect([store.revision, store.stats(), store.list(pods)]).toEqual(before);
  store.create(pods, key('d'), pod('d'));
  expect((await pendingNexts).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'd', resourceVersion: '4' } } });
  expect(await drain(watch)).toEqual([]);
});

test('a nested transaction rolls back only its own writes', () => {
  const store = createFilledStore();
  store.transaction(() => {
    store.create(pods, key('c'), pod('c'));
    expect(() =>
      store.transaction(() => {
        store.delete(pods, key('a'));
        fail();
      }),
    ).toThrow('later step');
    store.create(pods, key('d'), pod('d'));
  });
  expect([podNames(store), store.revision]).toEqual([['a', 'b', 'c', 'd'], 5]);
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.delete(pods, key('a')));
      fail();
    }),
  ).toThrow('later step');
  expect([podNames(store), store.revision]).toEqual([['a', 'b', 'c', 'd'], 5]);
});

test('a transaction refuses asynchronous steps and rolls back', () => {
  const store = createFilledStore();
  expect(() => store.transaction(async () => store.delete(pods, key('a')))).toThrow(
    new TypeError('the steps of a transaction have to be synchronous'),
  );
  expect(podNames(store)).toEqual(['a', 'b']);
});

test('a list of an older version is correct within a transaction', () => {
  const store = createFilledStore();
  store.transaction(() => {
    store.delete(pods, key('a'));
    const { items } = store.list(pods, { resourceVersion: '3', resourceVersionMatch: 'Exact' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });
});

test('a watch cannot start within a transaction', () => {
  const store = createFilledStore();
  expect(() => store.transaction(() => store.watch(pods))).toThrow('a watch cannot begin within a transaction');
});
