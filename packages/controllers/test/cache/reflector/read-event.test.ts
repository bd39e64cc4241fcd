import type { WatchEvent } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { isInitialEnd, type ReadEvent, readEvent } from '../../../src/cache/reflector/open-watch.ts';
import { bookmark, event, initialEnd, pod } from '../support.ts';

const odd = (value: unknown): WatchEvent => value as WatchEvent;

describe('readEvent', () => {
  it('reads changes and bookmarks', () => {
    expect(readEvent(event('MODIFIED', pod('a', 7)))).toEqual({ type: 'MODIFIED', object: pod('a', 7), version: '7' });
    expect(readEvent(bookmark(8))).toMatchObject({ type: 'BOOKMARK', version: '8' });
  });

  it.each([
    ['no version', event('ADDED', pod('a', undefined))],
    ['no name', event('ADDED', { metadata: { resourceVersion: '7' } })],
    ['an unknown type', odd({ type: 'MOVED', object: pod('a', 7) })],
    ['no object', odd({ type: 'ADDED' })],
    ['a bookmark without a version', odd({ type: 'BOOKMARK', object: { metadata: {} } })],
  ])('makes nothing of an event with %s', (_, given) => {
    expect(readEvent(given)).toBeUndefined();
  });

  it('throws what an error event says', () => {
    const status = { kind: 'Status', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' };
    expect(() => readEvent(odd({ type: 'ERROR', object: status }))).toThrow(expect.objectContaining({ code: 410, reason: 'Expired' }));
    expect(() => readEvent(odd({ type: 'ERROR', object: 'oh' }))).toThrow('the watch failed: "oh"');
  });
});

describe('isInitialEnd', () => {
  it('is the bookmark with that annotation alone', () => {
    expect(isInitialEnd(readEvent(initialEnd(7)) as ReadEvent)).toBe(true);
    expect(isInitialEnd(readEvent(bookmark(7)) as ReadEvent)).toBe(false);
    const annotations = { 'k8s.io/initial-events-end': 'true' };
    expect(isInitialEnd(readEvent(event('ADDED', pod('a', 7, { annotations }))) as ReadEvent)).toBe(false);
  });
});
