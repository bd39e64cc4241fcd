import { expect, test } from 'vitest';
import { createStore } from '../../src/store/index.ts';
import { createLog, firstEventAfter, toWatchEvent } from '../../src/store/log.ts';
import type { LogEvent, Table } from '../../src/store/records.ts';
import { createTable } from '../../src/store/table.ts';
import { nodes, pod, pods } from './support.ts';

const event = (table: Table, revision: number, bytes = 10): LogEvent => ({
  table,
  key: 'default/a',
  revision,
  bytes,
  current: { object: pod('a'), revision, size: bytes },
  previous: { object: pod('a', { was: 'this' }), revision: 0, size: bytes },
  watchEvents: {},
});

test('the log keeps at most maxEvents events and maxBytes bytes', () => {
  const table = createTable(pods);
  const countLimitedLog = createLog({ maxEvents: 3, maxBytes: 1000 });
  for (let revision = 1; revision <= 5; revision++) countLimitedLog.append(event(table, revision));
  countLimitedLog.trim();
  expect([
    countLimitedLog.count,
    countLimitedLog.bytes,
    countLimitedLog.compactedRevision,
    table.events.endIndex - table.events.firstIndex,
  ]).toEqual([3, 30, 2, 3]);

  const byteLimitedLog = createLog({ maxEvents: 100, maxBytes: 25 });
  const other = createTable(pods);
  for (let revision = 1; revision <= 5; revision++) byteLimitedLog.append(event(other, revision));
  byteLimitedLog.trim();
  expect([byteLimitedLog.count, byteLimitedLog.bytes, byteLimitedLog.compactedRevision]).toEqual([2, 20, 3]);
});

test('the log drops the oldest events of all tables first', () => {
  const [a, b] = [createTable(pods), createTable(nodes)];
  const log = createLog({ maxEvents: 2, maxBytes: 1000 });
  for (const [table, revision] of [
    [a, 1],
    [b, 2],
    [a, 3],
    [a, 4],
  ] as const)
    log.append(event(table, revision));
  log.trim();
  expect([a.events.endIndex - a.events.firstIndex, b.events.endIndex - b.events.firstIndex, log.compactedRevision]).toEqual([2, 0, 2]);
});

test('the log compacts up to a revision that never decreases', () => {
  const table = createTable(pods);
  const log = createLog({ maxEvents: 10, maxBytes: 1000 });
  for (let revision = 1; revision <= 5; revision++) log.append(event(table, revision));
  log.compact(3);
  expect([log.count, log.compactedRevision, firstEventAfter(table, 0), firstEventAfter(table, 4), firstEventAfter(table, 9)]).toEqual([
    2, 3, 3, 4, 5,
  ]);
  log.compact(2);
  expect([log.count, log.compactedRevision]).toEqual([2, 3]);
});

test('toWatchEvent returns a deleted object in its last state at the deleting revision, cached', () => {
  const logEvent = event(createTable(pods), 7);
  expect(toWatchEvent(logEvent, 'DELETED')).toEqual({
    type: 'DELETED',
    object: { ...pod('a'), metadata: { ...pod('a', { was: 'this' }).metadata, resourceVersion: '7' } },
  });
  expect(toWatchEvent(logEvent, 'DELETED')).toBe(toWatchEvent(logEvent, 'DELETED'));
  expect(toWatchEvent(logEvent, 'MODIFIED')).toEqual({ type: 'MODIFIED', object: pod('a') });
});

test('a store that exceeds its limits drops events, and its size stays constant', () => {
  const store = createStore({ maxEvents: 100, maxBytes: 100_000 });
  const key = { namespace: 'default', name: 'a' };
  store.create(pods, key, pod('a'));
  const sizes = new Set<number>();
  for (let i = 0; i < 20_000; i++) {
    store.update(pods, key, (current) => ({ ...current, data: { text: String(10_000 + (i % 10_000)) } }));
    if (i > 1000) sizes.add(store.stats().bytes);
  }
  expect(store.stats()).toMatchObject({ objects: 1, events: 100, compacted: 20_001 - 99 });
  expect(sizes.size).toBe(1);
});

test('a store accepts an object larger than maxBytes', () => {
  const store = createStore({ maxBytes: 1000 });
  const key = { namespace: 'default', name: 'a' };
  const stored = store.create(pods, key, { ...pod('a'), data: 'x'.repeat(5000) });
  expect(store.get(pods, key)).toBe(stored);
  expect(store.delete(pods, key).metadata.resourceVersion).toBe('3');
  expect(store.stats()).toEqual({ objects: 0, events: 0, bytes: 0, compacted: 3 });
});
