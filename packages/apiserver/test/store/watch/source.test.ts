import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createStore, type Store } from '../../../src/store/index.ts';
import { createClock, drain, formatEvent, isSettled, pod, podFields, pods, requestNext, statusOfRejection } from '../support.ts';

const key = (name: string, namespace = 'default') => ({ namespace, name });
const put = (store: Store, name: string, labels?: Readonly<Record<string, string>>, namespace?: string): void => {
  const change = (current: ApiObject): ApiObject => ({ ...current, metadata: { ...current.metadata, labels: labels ?? {} } });
  const objectKey = key(name, namespace);
  const exists = store.list(pods, { namespace: objectKey.namespace, fieldSelector: `metadata.name=${name}` }).items.length > 0;
  if (exists) store.update(pods, objectKey, change);
  else store.create(pods, objectKey, pod(name, labels, namespace));
};

describe('a watch with a selector', () => {
  test('sends ADDED when an object starts to match, and DELETED when it stops', async () => {
    const store = createStore();
    const watch = store.watch(pods, { resourceVersion: '1', labelSelector: 'app=web' });
    put(store, 'a', { app: 'db' });
    put(store, 'a', { app: 'web' });
    put(store, 'a', { app: 'web', x: '1' });
    put(store, 'a', { app: 'db' });
    put(store, 'b', { app: 'web' });
    store.delete(pods, key('b'));
    store.delete(pods, key('a'));
    expect(await drain(watch, 3)).toEqual(['ADDED a@3', 'MODIFIED a@4', 'DELETED a@5']);
    expect(await drain(watch)).toEqual(['ADDED b@6', 'DELETED b@7']);
  });

  test('sends a deleted object in its last matching state', async () => {
    const store = createStore();
    const watch = store.watch(pods, { resourceVersion: '1', labelSelector: 'app=web' });
    put(store, 'a', { app: 'web' });
    put(store, 'a', { app: 'db' });
    await watch.next();
    expect((await watch.next()).value.object.metadata).toEqual({
      name: 'a',
      namespace: 'default',
      labels: { app: 'web' },
      resourceVersion: '3',
    });
  });

  test('selects by field, name and namespace', async () => {
    const store = createStore({ selectableFields: () => podFields });
    const fieldSelectors = ['spec.nodeName=n1', 'metadata.name=a', 'metadata.namespace=other'];
    const watches = fieldSelectors.map((fieldSelector) => store.watch(pods, { resourceVersion: '1', fieldSelector }));
    const namespaceWatch = store.watch(pods, { resourceVersion: '1', namespace: 'other' });
    put(store, 'a');
    put(store, 'a', {}, 'other');
    store.update(pods, key('a'), (current) => ({ ...current, spec: { nodeName: 'n1' } }));
    expect(await Promise.all([...watches, namespaceWatch].map((watch) => drain(watch)))).toEqual([
      ['ADDED a@4'],
      ['ADDED a@2', 'ADDED a@3', 'MODIFIED a@4'],
      ['ADDED a@3'],
      ['ADDED a@3'],
    ]);
  });

  test('selects initial objects too', async () => {
    const store = createStore();
    put(store, 'a', { app: 'web' });
    put(store, 'b', { app: 'db' });
    put(store, 'c', { app: 'web' }, 'other');
    expect(await drain(store.watch(pods, { labelSelector: 'app=web' }))).toEqual(['ADDED a@2', 'ADDED c@4']);
    expect(await drain(store.watch(pods, { namespace: 'default', labelSelector: 'app=web' }))).toEqual(['ADDED a@2']);
  });
});

describe('a slow reader', () => {
  test('gets all events since the watch started', async () => {
    const store = createStore();
    put(store, 'a');
    const watch = store.watch(pods);
    put(store, 'b');
    store.delete(pods, key('a'));
    expect(await drain(watch)).toEqual(['ADDED a@2', 'ADDED b@3', 'DELETED a@4']);
  });

  test('reaches the end of its watch if the log has dropped unread events', async () => {
    const store = createStore({ maxEvents: 3 });
    const [slow, fast] = [store.watch(pods, { resourceVersion: '1' }), store.watch(pods, { resourceVersion: '1' })];
    put(store, 'a');
    expect(await drain(fast)).toEqual(['ADDED a@2']);
    for (const name of ['b', 'c', 'd']) put(store, name);
    expect(await drain(slow)).toEqual(['end']);
    expect(await drain(fast)).toEqual(['ADDED b@3', 'ADDED c@4', 'ADDED d@5']);
    const lateWatchStatus = await statusOfRejection(store.watch(pods, { resourceVersion: '1' }).next());
    expect(lateWatchStatus).toMatchObject({ code: 410, reason: 'Expired', message: 'too old resource version: 1 (2)' });
    expect(await drain(store.watch(pods, { resourceVersion: '2' }))).toEqual(['ADDED b@3', 'ADDED c@4', 'ADDED d@5']);
  });

  test('is not affected by events of other resources', async () => {
    const store = createStore({ maxEvents: 3 });
    const watch = store.watch(pods, { resourceVersion: '1' });
    for (let i = 0; i < 10; i++) store.create({ ...pods, plural: 'others' }, key(`o${i}`), pod(`o${i}`));
    put(store, 'a');
    expect(await drain(watch)).toEqual(['ADDED a@12']);
  });

  test('gets all initial objects before its watch ends', async () => {
    const store = createStore({ maxEvents: 2 });
    put(store, 'a');
    const watch = store.watch(pods, { allowWatchBookmarks: true });
    for (const name of ['b', 'c', 'd']) put(store, name);
    expect(await drain(watch)).toEqual(['ADDED a@2', 'BOOKMARK -@2', 'end']);
  });
});

describe('a watch from a future version', () => {
  const initial = { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };

  test('sends only later events without sendInitialEvents', async () => {
    const store = createStore();
    const watch = store.watch(pods, { resourceVersion: '3' });
    for (const name of ['a', 'b', 'c']) put(store, name);
    expect(await drain(watch)).toEqual(['ADDED c@4']);
  });

  test('sends initial events once the version is reached', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, { ...initial, resourceVersion: '3' });
    const first = watch.next();
    put(store, 'a');
    expect(await isSettled(first)).toBe(false);
    put(store, 'b');
    put(store, 'c');
    expect([formatEvent((await first).value), ...(await drain(watch))]).toEqual(['ADDED a@2', 'ADDED b@3', 'ADDED c@4']);
  });

  test('fails after three seconds', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const status = statusOfRejection(store.watch(pods, { ...initial, resourceVersion: '3' }).next());
    clock.advance(3000);
    expect(await status).toMatchObject({ code: 504, message: 'Timeout: Too large resource version: 3, current: 1' });
    expect(clock.scheduled).toBe(0);
  });
});

describe('bookmarks', () => {
  const bookmarkParameters = { resourceVersion: '1', allowWatchBookmarks: true };

  test('are sent every minute with the newest revision of the store', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, bookmarkParameters);
    const first = watch.next();
    store.create({ ...pods, plural: 'others' }, key('o'), pod('o'));
    clock.advance(59_999);
    expect(await isSettled(first)).toBe(false);
    clock.advance(1);
    expect((await first).value).toEqual({
      type: 'BOOKMARK',
      object: { kind: 'Pod', apiVersion: 'v1', metadata: { resourceVersion: '2' } },
    });
    const second = watch.next();
    clock.advance(60_000);
    expect(formatEvent((await second).value)).toBe('BOOKMARK -@2');
  });

  test('are not sent unless requested, or if nothing has happened', async () => {
    const clock = createClock();
    const store = createStore({ clock, bookmarkInterval: 1000 });
    const [withoutBookmarks, withBookmarks] = [
      store.watch(pods, { resourceVersion: '1' }).next(),
      store.watch(pods, bookmarkParameters).next(),
    ];
    clock.advance(5000);
    expect([await isSettled(withoutBookmarks), await isSettled(withBookmarks)]).toEqual([false, false]);
    store.create({ ...pods, plural: 'others' }, key('o'), pod('o'));
    clock.advance(1000);
    expect([await isSettled(withoutBookmarks), await isSettled(withBookmarks)]).toEqual([false, true]);
  });

  test('are not sent before pending events', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, bookmarkParameters);
    put(store, 'a');
    clock.advance(61_000);
    expect(await drain(watch)).toEqual(['ADDED a@2', 'BOOKMARK -@2']);
  });

  test('are sent a last time two seconds before the timeout', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, { ...bookmarkParameters, timeoutSeconds: 10 });
    put(store, 'a', {}, 'other');
    expect(await drain(watch)).toEqual(['ADDED a@2']);
    const last = requestNext(watch);
    clock.advance(7999);
    expect(await isSettled(last)).toBe(false);
    clock.advance(1);
    expect(await drain(watch)).toEqual(['BOOKMARK -@2']);
  });
});

describe('timeoutSeconds', () => {
  test('ends a watch and leaves no timer', async () => {
    const clock = createClock();
    const watch = createStore({ clock }).watch(pods, { resourceVersion: '1', timeoutSeconds: 5 });
    const next = watch.next();
    clock.advance(4999);
    expect(await isSettled(next)).toBe(false);
    clock.advance(1);
    expect(await next).toEqual({ done: true, value: undefined });
    expect(clock.scheduled).toBe(0);
  });

  test('ends the watch of a slow reader at an event from which it can resume', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, { resourceVersion: '1', timeoutSeconds: 5 });
    for (const name of ['a', 'b']) put(store, name);
    expect(await drain(watch, 1)).toEqual(['ADDED a@2']);
    clock.advance(5000);
    expect(await drain(watch)).toEqual(['end']);
    expect(await drain(store.watch(pods, { resourceVersion: '2' }))).toEqual(['ADDED b@3']);
  });

  test('still delivers the last bookmark to a late reader', async () => {
    const clock = createClock();
    const store = createStore({ clock });
    const watch = store.watch(pods, { resourceVersion: '1', timeoutSeconds: 5, allowWatchBookmarks: true });
    put(store, 'a');
    expect(await drain(watch, 1)).toEqual(['ADDED a@2']);
    clock.advance(60_000);
    expect(await drain(watch)).toEqual(['BOOKMARK -@2', 'end']);
  });

  test('ends a watch that waits for its version', async () => {
    const clock = createClock();
    const options = { resourceVersion: '9', timeoutSeconds: 1, sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' };
    const next = createStore({ clock }).watch(pods, options).next();
    clock.advance(1000);
    expect(await next).toEqual({ done: true, value: undefined });
  });
});
