import type { ApiObject } from 'kube-endpoints/port';
import { expect, test } from 'vitest';
import { createStore, type Store } from '../../src/store/index.ts';
import { drain, pod, pods } from './support.ts';

const key = (name: string) => ({ namespace: 'default', name });
const relabel = (current: ApiObject): ApiObject => ({ ...current, metadata: { ...current.metadata, labels: { changed: 'yes' } } });
const names = (store: Store): (string | undefined)[] => store.list(pods).items.map(({ metadata }) => metadata.name);

const fail = (): never => {
  throw new Error('later step');
};

const filled = (): Store => {
  const store = createStore();
  for (const name of ['a', 'b']) store.create(pods, key(name), pod(name));
  return store;
};

test('all steps come true together, each with a revision of its own', async () => {
  const store = filled();
  const watch = store.watch(pods, { resourceVersion: '3' });
  const result = store.transaction(() => {
    store.create(pods, key('c'), pod('c'));
    store.update(pods, key('a'), relabel);
    store.delete(pods, key('b'));
    return names(store);
  });
  expect(result).toEqual(['a', 'c']);
  expect(await drain(watch)).toEqual(['ADDED c@4', 'MODIFIED a@5', 'DELETED b@6']);
});

test('where a step throws, none has been', async () => {
  const store = filled();
  const before = [store.revision, store.stats(), store.list(pods)];
  const watch = store.watch(pods, { resourceVersion: '3' });
  const waiting = watch.next();
  const steps = (): void => {
    store.delete(pods, key('b'));
    store.create(pods, key('b'), pod('b', { again: 'yes' }));
    store.update(pods, key('a'), relabel);
    store.create(pods, key('c'), pod('c'));
    names(store);
    fail();
  };
  expect(() => store.transaction(steps)).toThrow('later step');
  expect([store.revision, store.stats(), store.list(pods)]).toEqual(before);
  store.create(pods, key('d'), pod('d'));
  expect((await waiting).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'd', resourceVersion: '4' } } });
  expect(await drain(watch)).toEqual([]);
});

test('within another, only the inner steps are undone', () => {
  const store = filled();
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
  expect([names(store), store.revision]).toEqual([['a', 'b', 'c', 'd'], 5]);
  expect(() =>
    store.transaction(() => {
      store.transaction(() => store.delete(pods, key('a')));
      fail();
    }),
  ).toThrow('later step');
  expect([names(store), store.revision]).toEqual([['a', 'b', 'c', 'd'], 5]);
});

test('steps that go on later are refused and undone', () => {
  const store = filled();
  expect(() => store.transaction(async () => store.delete(pods, key('a')))).toThrow(
    new TypeError('the steps of a transaction have to be synchronous'),
  );
  expect(names(store)).toEqual(['a', 'b']);
});

test('a list over an older world is right in the middle of one', () => {
  const store = filled();
  store.transaction(() => {
    store.delete(pods, key('a'));
    const { items } = store.list(pods, { resourceVersion: '3', resourceVersionMatch: 'Exact' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
  });
});

test('no watch begins in the middle of one', () => {
  const store = filled();
  expect(() => store.transaction(() => store.watch(pods))).toThrow('a watch cannot begin within a transaction');
});
