import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning, only, projectMetadata, shared, writableMetadata } from '../../../src/cache/projections/intern.ts';

/** A text that is equal to others, but not one of them in memory: nothing tells these apart but what a table does. */
const list = (name: string): { name: string }[] => [{ name }];

describe('createInternTable', () => {
  it('gives equal values one instance, frozen, and leaves what it was given alone', () => {
    const table = createInternTable();
    const given = list('http');
    const one = table.value(given);
    expect(table.value(list('http'))).toBe(one);
    expect(one).toEqual(given);
    expect(table.value(list('grpc'))).not.toBe(one);
    expect([Object.isFrozen(one), Object.isFrozen(one[0]), Object.isFrozen(given)]).toEqual([true, true, false]);
  });

  it('takes any text for a key', () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const kept = createInternTable().value(labels);
    expect(Object.keys(kept)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
  });

  it('makes what has a key once', () => {
    const table = createInternTable();
    const made = table.made('a', () => list('a'));
    expect(table.made('a', () => list('another'))).toBe(made);
    expect(table.made('b', () => list('b'))).not.toBe(made);
  });

  it('passes through texts, and what is none', () => {
    const table = createInternTable();
    expect([table.text('a'), table.text(''), table.text(undefined), table.text(null)]).toEqual(['a', '', undefined, null]);
    const long = 'x'.repeat(129);
    expect(table.text(long)).toBe(long);
  });

  it('does not share what is large', () => {
    const table = createInternTable();
    const large = list('x'.repeat(3000));
    expect(table.value(large)).toBe(large);
  });

  it('forgets what it was not asked for lately, and nothing else', () => {
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

it('noInterning shares nothing', () => {
  const given = list('a');
  expect(noInterning.value(given)).toBe(given);
  expect(noInterning.text('a')).toBe('a');
  expect(noInterning.made('a', () => given)).toBe(given);
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
  it('keeps what names an object, and its labels', () => {
    expect(projectMetadata(metadata, metadata.labels, noInterning)).toEqual({
      name: 'a',
      namespace: 'shop',
      uid: 'u',
      resourceVersion: '7',
      labels: { app: 'web' },
    });
  });

  it('keeps that it is being deleted', () => {
    const deletionTimestamp = '2026-01-01T00:00:00Z';
    expect(projectMetadata({ ...metadata, deletionTimestamp }, undefined, noInterning)).toMatchObject({ deletionTimestamp });
  });
});

describe('shared', () => {
  it('is one for equal maps, and none for an empty one', () => {
    const table = createInternTable();
    expect(shared({ app: 'web' }, table)).toBe(shared({ app: 'web' }, table));
    expect([shared({}, table), shared(undefined, table)]).toEqual([undefined, undefined]);
  });
});

describe('only', () => {
  it('keeps some entries, or nothing', () => {
    expect(only({ a: '1', b: '2' }, ['b', 'c', 'toString'])).toEqual({ b: '2' });
    expect([only({ a: '1' }, ['b']), only(undefined, ['b'])]).toEqual([undefined, undefined]);
  });
});

describe('writableMetadata', () => {
  it('keeps all but the managed fields', () => {
    const { managedFields: _, ...rest } = metadata;
    expect(writableMetadata(metadata, createInternTable())).toEqual(rest);
    expect(writableMetadata({ name: 'a' }, noInterning)).toEqual({ name: 'a' });
  });
});
