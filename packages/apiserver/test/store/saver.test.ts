import { ApiError } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createStore, type SavedWrite, type Store } from '../../src/store/index.ts';
import {
  createClock,
  createManualJournal,
  drain,
  flushPromises,
  formatEvent,
  isSettled,
  nodes,
  pod,
  pods,
  type Save,
  statusOf,
  statusOfRejection,
} from './support.ts';

const a = { namespace: 'default', name: 'a' };
const b = { namespace: 'default', name: 'b' };
const podNames = (store: Store): string[] => store.list(pods).items.map(({ metadata }) => metadata.name ?? '');
const labelled =
  (name: string): Parameters<Store['update']>[2] =>
  () =>
    pod(name, { app: name });

function createJournaledStore(options: Parameters<typeof createStore>[0] = {}): { readonly store: Store; readonly saves: Save[] } {
  const journal = createManualJournal();
  return { store: createStore({ ...options, journal }), saves: journal.saves };
}

describe('a store with a journal', () => {
  test('shows a write to readers, watches and observers only after it is saved', async () => {
    const { store, saves } = createJournaledStore();
    const watch = store.watch(pods, { resourceVersion: '1' });
    const observed: string[] = [];
    store.observe(({ current }) => observed.push(current?.metadata.name ?? ''));
    const stored = store.create(pods, a, pod('a'));
    await flushPromises();
    expect(saves.map(({ writes }) => writes)).toStrictEqual([['default/a@2']]);
    expect(statusOf(() => store.get(pods, a)).code).toBe(404);
    expect(podNames(store)).toStrictEqual([]);
    expect(store.revision).toBe(1);
    expect(observed).toStrictEqual([]);
    expect(await drain(watch)).toStrictEqual([]);
    expect(await drain(store.watch(pods))).toStrictEqual([]);
    expect(store.find(pods, a)).toBe(stored);
    await saves[0]?.succeed();
    expect(store.get(pods, a)).toBe(stored);
    expect(podNames(store)).toStrictEqual(['a']);
    expect(store.revision).toBe(2);
    expect(observed).toStrictEqual(['a']);
    expect(await drain(watch)).toStrictEqual(['ADDED a@2']);
    expect(await drain(store.watch(pods))).toStrictEqual(['ADDED a@2']);
  });

  test('shows the previous version of an object while a change or a deletion is being saved', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    store.create(pods, b, pod('b'));
    await flushPromises();
    await saves[0]?.succeed();
    store.update(pods, a, labelled('a'));
    store.delete(pods, b);
    store.update(pods, a, () => pod('a', { app: 'x' }));
    expect(store.get(pods, a).metadata.labels).toBeUndefined();
    expect(podNames(store)).toStrictEqual(['a', 'b']);
    expect(store.list(pods, { limit: 1 }).metadata).toMatchObject({ resourceVersion: '3', remainingItemCount: 1 });
    const watch = store.watch(pods);
    expect(await drain(watch)).toStrictEqual(['ADDED a@2', 'ADDED b@3']);
    await flushPromises();
    await saves[1]?.succeed();
    expect(podNames(store)).toStrictEqual(['a']);
    expect(await drain(watch)).toStrictEqual(['MODIFIED a@4', 'DELETED b@5', 'MODIFIED a@6']);
  });

  test('sends a bookmark only for a write that is saved', async () => {
    const clock = createClock();
    const { store, saves } = createJournaledStore({ clock, bookmarkInterval: 1000 });
    const watch = store.watch(pods, { resourceVersion: '1', allowWatchBookmarks: true });
    store.create(nodes, { name: 'n' }, { metadata: { name: 'n' } });
    expect(await drain(watch)).toStrictEqual([]);
    clock.advance(1000);
    expect(await drain(watch)).toStrictEqual([]);
    await saves[0]?.succeed();
    clock.advance(1000);
    expect(await drain(watch)).toStrictEqual(['BOOKMARK -@2']);
  });

  test('starts a watch without initial events before the writes that are not saved yet', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    const watch = store.watch(pods, { sendInitialEvents: false, resourceVersionMatch: 'NotOlderThan' });
    await flushPromises();
    await saves[0]?.succeed();
    expect(await drain(watch)).toStrictEqual(['ADDED a@2']);
  });

  test('saves the writes that arrive during a save together', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    const first = store.waitUntilSaved() as Promise<void>;
    await flushPromises();
    store.create(pods, b, pod('b'));
    store.delete(pods, a);
    const second = store.waitUntilSaved() as Promise<void>;
    await flushPromises();
    expect(saves.map(({ writes }) => writes)).toStrictEqual([['default/a@2']]);
    await saves[0]?.succeed();
    expect(await isSettled(first)).toBe(true);
    expect(await isSettled(second)).toBe(false);
    expect(saves.map(({ writes }) => writes)).toStrictEqual([['default/a@2'], ['default/b@3', '-default/a@4']]);
    await saves[1]?.succeed();
    await second;
    expect(store.waitUntilSaved()).toBeUndefined();
  });

  test('does not save the undone writes of a failed transaction', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    const steps = (): never => {
      store.update(pods, a, labelled('a'));
      expect(podNames(store)).toStrictEqual(['a']);
      expect(store.get(pods, a).metadata.labels).toStrictEqual({ app: 'a' });
      throw new Error('undo');
    };
    expect(() => store.transaction(steps)).toThrow('undo');
    await flushPromises();
    await saves[0]?.succeed();
    expect(saves.map(({ writes }) => writes)).toStrictEqual([['default/a@2']]);
    expect(store.get(pods, a).metadata.labels).toBeUndefined();
  });

  test('undoes a write that cannot be saved, and all later writes', async () => {
    const { store, saves } = createJournaledStore();
    const stored = store.create(pods, a, pod('a'));
    await flushPromises();
    await saves[0]?.succeed();
    const watch = store.watch(pods, { resourceVersion: '2' });
    store.update(pods, a, labelled('a'));
    const first = statusOfRejection(store.waitUntilSaved() as Promise<void>);
    await flushPromises();
    store.create(pods, b, pod('b'));
    const second = statusOfRejection(store.waitUntilSaved() as Promise<void>);
    await saves[1]?.fail();
    const refusal = { code: 500, message: 'the write could not be saved: no space' };
    expect([await first, await second]).toMatchObject([refusal, refusal]);
    expect(store.find(pods, a)).toBe(stored);
    expect(store.find(pods, b)).toBeUndefined();
    expect(store.waitUntilSaved()).toBeUndefined();
    expect(await drain(watch)).toStrictEqual([]);
    expect(store.create(pods, b, pod('b')).metadata.resourceVersion).toBe('3');
    await flushPromises();
    await saves.at(-1)?.succeed();
    expect(await drain(watch)).toStrictEqual(['ADDED b@3']);
  });

  test('rejects with the error of the journal if that is an ApiError', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    const saving = store.waitUntilSaved();
    await flushPromises();
    const refusal = new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 503 });
    await saves[0]?.fail(refusal);
    await expect(saving).rejects.toBe(refusal);
  });

  test('drops no write from its log before the write is saved', async () => {
    const { store, saves } = createJournaledStore({ maxBytes: 1 });
    const next = store.watch(pods).next();
    for (const key of [a, b]) store.create(pods, key, pod(key.name));
    await flushPromises();
    store.compact(9);
    expect(store.stats()).toMatchObject({ events: 2, compacted: 1 });
    store.create(pods, { ...a, name: 'c' }, pod('c'));
    await saves[0]?.succeed();
    expect(formatEvent((await next).value)).toBe('ADDED a@2');
    expect(store.stats()).toMatchObject({ events: 1, compacted: 3 });
    await saves[1]?.fail();
    expect(store.stats()).toMatchObject({ objects: 2, events: 0, compacted: 3 });
  });

  test('saves a compaction without a write', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    await flushPromises();
    await saves[0]?.succeed();
    store.compact(2);
    await flushPromises();
    expect(saves.at(-1)).toMatchObject({ writes: [], compacted: 2 });
  });

  test('refuses more writes if too many wait to be saved', async () => {
    const { store, saves } = createJournaledStore();
    for (let i = 0; i < 10_000; i++) {
      store.requireRoom();
      store.create(nodes, { name: `n${i}` }, { metadata: { name: `n${i}` } });
    }
    expect(statusOf(() => store.requireRoom())).toMatchObject({ code: 429, details: { retryAfterSeconds: 1 } });
    await flushPromises();
    await saves[0]?.succeed();
    store.requireRoom();
  });

  test('refuses more writes if the waiting ones are too large', async () => {
    const { store, saves } = createJournaledStore();
    const largePod = { ...pod('a'), text: 'x'.repeat(33 * 2 ** 20) };
    store.create(pods, a, largePod);
    store.requireRoom();
    store.create(pods, b, largePod);
    expect(statusOf(() => store.requireRoom()).code).toBe(429);
    await flushPromises();
    await saves[0]?.fail();
    store.requireRoom();
  });
});

describe('a restored store', () => {
  const saved = (): Parameters<typeof createStore>[0] => ({
    saved: {
      revision: 7,
      compacted: 7,
      objects: [{ resource: pods, key: 'default/a', revision: 5, object: { ...pod('a'), metadata: { ...a, resourceVersion: '5' } } }],
      writes: [
        { resource: pods, key: 'default/b', revision: 8, object: { ...pod('b'), metadata: { ...b, resourceVersion: '8' } } },
        { resource: pods, key: 'default/a', revision: 9, object: { ...pod('a', { app: 'a' }), metadata: { ...a, resourceVersion: '9' } } },
        { resource: pods, key: 'default/b', revision: 10 },
      ],
    },
  });

  test('has the objects and continues the revisions', () => {
    const store = createStore(saved());
    expect(store.list(pods)).toStrictEqual({
      items: [{ ...pod('a'), metadata: { ...a, resourceVersion: '9' } }],
      metadata: { resourceVersion: '10' },
    });
    expect(Object.isFrozen(store.get(pods, a).metadata)).toBe(true);
    expect(store.update(pods, a, labelled('a')).metadata.resourceVersion).toBe('11');
  });

  test('continues watches from each saved write, and expires older ones', async () => {
    const store = createStore(saved());
    expect(await drain(store.watch(pods, { resourceVersion: '8' }))).toStrictEqual(['MODIFIED a@9', 'DELETED b@10']);
    expect((await statusOfRejection(store.watch(pods, { resourceVersion: '6' }).next())).message).toBe('too old resource version: 6 (7)');
    expect(store.list(pods, { resourceVersion: '8', resourceVersionMatch: 'Exact' }).items).toHaveLength(2);
  });

  test('has the size of a store that made the same writes', () => {
    const store = createStore();
    for (const { name } of [a, b]) {
      const object = { ...pod(name), metadata: { ...a, name, resourceVersion: '0' } };
      store.create(pods, { ...a, name }, object, { owned: true });
    }
    const captured = store.capture();
    const restored = createStore({ saved: { ...captured, objects: structuredClone([...captured.objects]) } });
    for (const each of [store, restored]) {
      each.compact(9);
      each.delete(pods, a);
    }
    expect(restored.stats()).toStrictEqual(store.stats());
  });

  test('keeps a compaction of saved writes', () => {
    const { saved: state } = saved() as { readonly saved: object };
    const store = createStore({ saved: { ...state, compacted: 9 } as never });
    expect(store.stats()).toMatchObject({ events: 1, compacted: 9 });
  });

  test.each([
    ['a revision is missing', { resource: pods, key: 'default/b', revision: 9 }, 'expected a write with revision 8, not 9'],
    ['a removed object does not exist', { resource: pods, key: 'default/x', revision: 8 }, 'removes default/x, which does not exist'],
  ])('is refused if %s', (_, write, message) => {
    expect(() => createStore({ saved: { revision: 7, compacted: 7, objects: [], writes: [write] } })).toThrow(message);
  });
});

describe('a captured state', () => {
  test('contains the saved writes only, and does not change later', async () => {
    const { store, saves } = createJournaledStore();
    store.create(pods, a, pod('a'));
    store.create(pods, b, pod('b'));
    await flushPromises();
    await saves[0]?.succeed();
    store.update(pods, a, labelled('a'));
    store.delete(pods, b);
    store.create(pods, { ...a, name: 'c' }, pod('c'));
    const captured = store.capture();
    await flushPromises();
    await saves[1]?.succeed();
    const format = ({ key, revision }: SavedWrite): string => `${key}@${revision}`;
    expect({ ...captured, objects: [...captured.objects].map(format).sort() }).toStrictEqual({
      revision: 3,
      compacted: 0,
      objects: ['default/a@2', 'default/b@3'],
    });
    expect([...store.capture().objects].map(format).sort()).toStrictEqual(['default/a@4', 'default/c@6']);
  });
});
