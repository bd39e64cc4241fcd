import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning, pick, projectMetadata, shared, writableMetadata } from '../../../src/cache/projections/intern.ts';

/** Equal values that are distinct in memory, so that sharing shows. */
const list = (name: string): { name: string }[] => [{ name }];

describe('createInternTable', () => {
  it('returns one frozen instance for equal values and leaves its argument unfrozen', () => {
    const table = createInternTable();
    const given = list('http');
    const one = table.value(given);
    expect(table.value(list('http'))).toBe(one);
    expect(one).toEqual(given);
    expect(table.value(list('grpc'))).not.toBe(one);
    expect([Object.isFrozen(one), Object.isFrozen(one[0]), Object.isFrozen(given)]).toEqual([true, true, false]);
  });

  it('accepts any string as a key', () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const kept = createInternTable().value(labels);
    expect(Object.keys(kept)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  it('creates the value of a key once', () => {
    const table = createInternTable();
    const first = table.cached('a', () => list('a'));
    expect(table.cached('a', () => list('another'))).toBe(first);
    expect(table.cached('b', () => list('b'))).not.toBe(first);
  });

  it('returns strings and absent values unchanged', () => {
    const table = createInternTable();
    expect([table.text('a'), table.text(''), table.text(undefined), table.text(null)]).toEqual(['a', '', undefined, null]);
    const long = 'x'.repeat(129);
    expect(table.text(long)).toBe(long);
  });

  it('does not share large values', () => {
    const table = createInternTable();
    const large = list('x'.repeat(3000));
    expect(table.value(large)).toBe(large);
  });

  it('evicts only values that were not used recently', () => {
    const table = createInternTable({ size: 4 });
    const old = table.value(list('old'));
    const used = table.value(list('used'));
    for (let n = 0; n < 20; n++) {
      table.value(list(`other-${n}`));
      expect(table.value(list('used'))).toBe(used);
    }
    expect(table.value(list('old'))).not.toBe(old);
  });
});

it('noInterning shares no values', () => {
  const given = list('a');
  expect(noInterning.value(given)).toBe(given);
  expect(noInterning.text('a')).toBe('a');
  expect(noInterning.cached('a', () => given)).toBe(given);
});

const metadata = {
  name: 'a',
  namespace: 'shop',
  uid: 'u',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-01T00:00:00Z',
  labels: { app: 'web' },
  annotations: { note: 'x' },
  ownerReferences: [{ kind: 'ReplicaSet', name: 'r' }],
  finalizers: ['f'],
  managedFields: [{ manager: 'm' }],
};

describe('projectMetadata', () => {
  it('keeps the identifying fields and labels of an object', () => {
    expect(projectMetadata(metadata, metadata.labels, noInterning)).toEqual({
      name: 'a',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '7',
      labels: { app: 'web' },
    });
  });

  it('keeps the deletionTimestamp', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(projectMetadata({ ...metadata, deletionTimestamp }, undefined, noInterning)).toMatchObject({ deletionTimestamp });
  });
});

describe('shared', () => {
  it('returns one instance for equal maps, and undefined for an empty map', () => {
    const table = createInternTable();
    expect(shared({ app: 'web' }, table)).toBe(shared({ app: 'web' }, table));
    expect([shared({}, table), shared(undefined, table)]).toEqual([undefined, undefined]);
  });
});

describe('only', () => {
  it('returns the selected entries, or undefined if there are none', () => {
    expect(pick({ a: '1', b: '2' }, ['b', 'c', 'toString'])).toEqual({ b: '2' });
    expect([pick({ a: '1' }, ['b']), pick(undefined, ['b'])]).toEqual([undefined, undefined]);
  });
});

describe('writableMetadata', () => {
  it('keeps everything except managedFields', () => {
    const { managedFields: _, ...rest } = metadata;
    expect(writableMetadata(metadata, createInternTable())).toEqual(rest);
    expect(writableMetadata({ name: 'a' }, noInterning)).toEqual({ name: 'a' });
  });
});
