import { describe, expect, it } from 'vitest';
import { createShelf } from '../../src/cache/store.ts';

describe('createShelf', () => {
  it('knows an object by its uid, and its version', () => {
    const shelf = createShelf<object>();
    const object = { metadata: { uid: 'u', resourceVersion: '1' } };
    shelf.keep('a', object, object.metadata);
    expect(shelf.known('a', { uid: 'u', resourceVersion: '1' })).toEqual({ object, current: true });
    expect(shelf.known('a', { uid: 'u', resourceVersion: '2' })).toEqual({ object, current: false });
    expect(shelf.known('a', { uid: 'v', resourceVersion: '1' })).toBeUndefined();
    expect(shelf.known('b', { uid: 'u', resourceVersion: '1' })).toBeUndefined();
    expect(shelf.uidOf('a')).toBe('u');
  });

  it('does so where the projection does not say it, or says something else', () => {
    const shelf = createShelf<unknown>();
    const from = { uid: 'u', resourceVersion: '1' };
    for (const projected of ['text', null, {}, { metadata: null }, { metadata: { uid: 'other', resourceVersion: '9' } }]) {
      shelf.keep('a', projected, from);
      expect(shelf.known('a', from)).toEqual({ object: projected, current: true });
      expect(shelf.known('a', { ...from, resourceVersion: '9' })?.current).toBe(false);
    }
  });

  it('takes no version for no version twice', () => {
    const shelf = createShelf<object>();
    shelf.keep('a', {}, {});
    expect(shelf.known('a', {})).toEqual({ object: {}, current: false });
    expect(shelf.known('a', { resourceVersion: '' })?.current).toBe(false);
  });

  it('forgets what is dropped', () => {
    const shelf = createShelf<string>();
    shelf.keep('a', 'x', { uid: 'u', resourceVersion: '1' });
    shelf.drop('a');
    expect(shelf.known('a', { uid: 'u', resourceVersion: '1' })).toBeUndefined();
    expect(shelf.uidOf('a')).toBeUndefined();
  });
});
