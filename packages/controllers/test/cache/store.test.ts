import type { ApiObject } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import type { CacheEvent } from '../../src/cache/index.ts';
import { createObjectStore, createStore } from '../../src/cache/store.ts';
import { formatChange, pod } from './support.ts';

interface Projected {
  readonly name: string | undefined;
  readonly phase: string;
}

/** Creates a store whose changes are logged with the number of objects at that time, for example "added a of 1". */
const setup = () => {
  const log: string[] = [];
  const events: CacheEvent<Projected>[] = [];
  const errors: unknown[] = [];
  const project = ({ metadata, status }: ApiObject): Projected | undefined => {
    const { phase } = status as { readonly phase: string };
    if (phase === 'Bad') throw new Error('a bug');
    return phase === 'Succeeded' ? undefined : { name: metadata.name, phase };
  };
  const onEvent = (event: CacheEvent<Projected>, key: string): void => {
    log.push(`${formatChange(event, key)} of ${store.size}`);
    events.push(event);
  };
  const store = createStore<Projected>({ project, createNotifier: () => onEvent, reportError: (error) => errors.push(error) });
  const fill = (...objects: readonly ApiObject[]): void => {
    const draft = store.beginDraft();
    for (const object of objects) draft.put(object);
    draft.commit();
  };
  const take = (): string[] => log.splice(0);
  return { store, fill, take, events, errors };
};

describe('a store fed by a watch', () => {
  it('reports objects as added, updated and deleted', () => {
    const { store, take, events } = setup();
    store.put(pod('a', 1));
    store.put(pod('a', 2, { phase: 'Failed' }));
    store.remove(pod('a', 3));
    expect(take()).toEqual(['added a of 1', 'updated a of 1', 'deleted a of 0']);
    expect(events[1]).toEqual({ type: 'updated', object: { name: 'a', phase: 'Failed' }, old: { name: 'a', phase: 'Running' } });
    expect(events[2]).toEqual({ type: 'deleted', object: { name: 'a', phase: 'Failed' }, missed: false });
  });

  it('sends no event for an unchanged version or the deletion of an unknown object', () => {
    const { store, take } = setup();
    store.put(pod('a', 1));
    take();
    store.put(pod('a', 1));
    store.remove(pod('b', 2));
    expect(take()).toEqual([]);
  });

  it('applies events in the order received, regardless of version', () => {
    const { store, take } = setup();
    store.put(pod('a', 10));
    store.put(pod('a', 9, { phase: 'Failed' }));
    expect(take()).toEqual(['added a of 1', 'updated a of 1']);
    expect(store.get('shop/a')?.phase).toBe('Failed');
  });

  it('reports an object as deleted before it reports a new object of the same name', () => {
    const { store, take } = setup();
    store.put(pod('a', 1));
    store.put(pod('a', 5, { uid: 'another' }));
    expect(take()).toEqual(['added a of 1', 'deleted a (missed) of 0', 'added a of 1']);
  });

  it('treats objects without a projection as absent', () => {
    const { store, take } = setup();
    store.put(pod('a', 1, { phase: 'Succeeded' }));
    store.put(pod('a', 2));
    store.put(pod('a', 3, { phase: 'Succeeded' }));
    store.put(pod('b', 4));
    store.put(pod('b', 5, { phase: 'Succeeded', uid: 'another' }));
    expect(take()).toEqual(['added a of 1', 'deleted a of 0', 'added b of 1', 'deleted b (missed) of 0']);
  });

  it('keeps the stored state if the projection throws, and reports the error', () => {
    const { store, take, errors } = setup();
    store.put(pod('a', 1));
    store.put(pod('a', 2, { phase: 'Bad' }));
    store.put(pod('b', 3, { phase: 'Bad' }));
    expect(take()).toEqual(['added a of 1']);
    expect(errors).toHaveLength(2);
    store.put(pod('a', 4, { phase: 'Failed' }));
    expect(take()).toEqual(['updated a of 1']);
  });
});

describe('a store filled by a list', () => {
  it('sends initial events for the first list only', () => {
    const { fill, take } = setup();
    fill(pod('b', 2), pod('a', 1));
    expect(take()).toEqual(['initial b of 2', 'initial a of 2']);
    fill(pod('b', 2), pod('a', 1), pod('c', 3));
    expect(take()).toEqual(['added c of 3']);
  });

  it('applies a list in one step, then reports absent objects, then the listed objects in order', () => {
    const { store, fill, take } = setup();
    fill(pod('a', 1), pod('b', 2), pod('c', 3), pod('d', 4));
    take();
    const before = store.get('shop/d');
    fill(pod('e', 9), pod('b', 8, { phase: 'Failed' }), pod('c', 7, { uid: 'another' }), pod('d', 4));
    expect(take()).toEqual(['deleted a (missed) of 4', 'added e of 4', 'updated b of 4', 'deleted c (missed) of 4', 'added c of 4']);
    expect(store.get('shop/d')).toBe(before);
    expect([...store.keys()]).toEqual(['shop/e', 'shop/b', 'shop/c', 'shop/d']);
    expect([...store.values()].map(({ name }) => name)).toEqual(['e', 'b', 'c', 'd']);
  });

  it('serves the old content until the draft is committed', () => {
    const { store, take } = setup();
    store.put(pod('a', 1));
    take();
    const draft = store.beginDraft();
    draft.put(pod('b', 2));
    expect([...store.keys()]).toEqual(['shop/a']);
    expect(take()).toEqual([]);
  });

  it('omits objects that were removed from the draft', () => {
    const { store, take } = setup();
    const draft = store.beginDraft();
    draft.put(pod('a', 1));
    draft.put(pod('b', 2));
    draft.remove(pod('a', 3));
    draft.put(pod('b', 4, { phase: 'Succeeded' }));
    draft.commit();
    expect(store.size).toBe(0);
    expect(take()).toEqual([]);
  });

  it('keeps the stored state if the projection throws', () => {
    const { store, fill, take, errors } = setup();
    fill(pod('a', 1));
    take();
    fill(pod('a', 2, { phase: 'Bad' }), pod('b', 3, { phase: 'Bad' }));
    expect(take()).toEqual([]);
    expect([...store.keys()]).toEqual(['shop/a']);
    expect(errors).toHaveLength(2);
  });

  it('treats objects without resourceVersion as changed', () => {
    const { fill, take } = setup();
    fill(pod('a', undefined));
    fill(pod('a', undefined, { phase: 'Failed' }));
    expect(take()).toEqual(['initial a of 1', 'updated a of 1']);
  });
});

describe('createObjectStore', () => {
  it('identifies an object by uid and resourceVersion', () => {
    const objectStore = createObjectStore<object>();
    const object = { metadata: { uid: 'u', resourceVersion: '1' } };
    objectStore.set('a', object, object.metadata);
    expect(objectStore.find('a', { uid: 'u', resourceVersion: '1' })).toEqual({ object, isCurrent: true });
    expect(objectStore.find('a', { uid: 'u', resourceVersion: '2' })).toEqual({ object, isCurrent: false });
    expect(objectStore.find('a', { uid: 'v', resourceVersion: '1' })).toBeUndefined();
    expect(objectStore.find('b', { uid: 'u', resourceVersion: '1' })).toBeUndefined();
    expect(objectStore.uidOf('a')).toBe('u');
  });

  it('uses the given metadata regardless of the projected object', () => {
    const objectStore = createObjectStore<unknown>();
    const version = { uid: 'u', resourceVersion: '1' };
    for (const projected of ['text', null, {}, { metadata: null }, { metadata: { uid: 'other', resourceVersion: '9' } }]) {
      objectStore.set('a', projected, version);
      expect(objectStore.find('a', version)).toEqual({ object: projected, isCurrent: true });
      expect(objectStore.find('a', { ...version, resourceVersion: '9' })?.isCurrent).toBe(false);
    }
  });

  it('never treats two absent versions as equal', () => {
    const objectStore = createObjectStore<object>();
    objectStore.set('a', {}, {});
    expect(objectStore.find('a', {})).toEqual({ object: {}, isCurrent: false });
    expect(objectStore.find('a', { resourceVersion: '' })?.isCurrent).toBe(false);
  });

  it('does not find a dropped object', () => {
    const objectStore = createObjectStore<string>();
    objectStore.set('a', 'x', { uid: 'u', resourceVersion: '1' });
    objectStore.drop('a');
    expect(objectStore.find('a', { uid: 'u', resourceVersion: '1' })).toBeUndefined();
    expect(objectStore.uidOf('a')).toBeUndefined();
  });
});
