import { describe, expect, it } from 'vitest';
import {
  createInternTable,
  internMap,
  noInterning,
  pick,
  projectMetadata,
  projectWritableMetadata,
} from '../../../src/cache/projections/intern.ts';

/** Creates a new list for each call, so that `toBe` detects interned instances. */
const list = (name: string): { name: string }[] => [{ name }];

describe('createInternTable', () => {
  it('returns one interned frozen instance for equal values and leaves its argument unfrozen', () => {
    const table = createInternTable();
    const value = list('http');
    const interned = table.internValue(value);
    expect(table.internValue(list('http'))).toBe(interned);
    expect(interned).toEqual(value);
    expect(table.internValue(list('grpc'))).not.toBe(interned);
    expect([Object.isFrozen(interned), Object.isFrozen(interned[0]), Object.isFrozen(value)]).toEqual([true, true, false]);
  });

  it('accepts any string as a key', () => {
    const labels = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const interned = createInternTable().internValue(labels);
    expect(Object.keys(interned)).toEqual(['__proto__', 'constructor']);
    expect(Object.getPrototypeOf(interned)).toBe(Object.prototype);
  });

  it('creates the value of a key once', () => {
    const table = createInternTable();
    const first = table.getOrCreate('a', () => list('a'));
    expect(table.getOrCreate('a', () => list('another'))).toBe(first);
    expect(table.getOrCreate('b', () => list('b'))).not.toBe(first);
  });

  it('returns strings and absent values unchanged', () => {
    const table = createInternTable();
    expect([table.internText('a'), table.internText(''), table.internText(undefined), table.internText(null)]).toEqual([
      'a',
      '',
      undefined,
      null,
    ]);
    const long = 'x'.repeat(129);
    expect(table.internText(long)).toBe(long);
  });

  it('does not share large values', () => {
    const table = createInternTable();
    const large = list('x'.repeat(3000));
    expect(table.internValue(large)).toBe(large);
  });

  it('evicts only values that were not used recently', () => {
    const table = createInternTable({ size: 4 });
    const unusedValue = table.internValue(list('old'));
    const recentValue = table.internValue(list('used'));
    for (let n = 0; n < 20; n++) {
      table.internValue(list(`other-${n}`));
      expect(table.internValue(list('used'))).toBe(recentValue);
    }
    expect(table.internValue(list('old'))).not.toBe(unusedValue);
  });
});

it('noInterning shares no values', () => {
  const value = list('a');
  expect(noInterning.internValue(value)).toBe(value);
  expect(noInterning.internText('a')).toBe('a');
  expect(noInterning.getOrCreate('a', () => value)).toBe(value);
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

describe('internMap', () => {
  it('returns one interned instance for equal maps, and undefined for an empty map', () => {
    const table = createInternTable();
    expect(internMap({ app: 'web' }, table)).toBe(internMap({ app: 'web' }, table));
    expect([internMap({}, table), internMap(undefined, table)]).toEqual([undefined, undefined]);
  });
});

describe('pick', () => {
  it('returns the selected entries, or undefined if there are none', () => {
    expect(pick({ a: '1', b: '2' }, ['b', 'c', 'toString'])).toEqual({ b: '2' });
    expect([pick({ a: '1' }, ['b']), pick(undefined, ['b'])]).toEqual([undefined, undefined]);
  });
});

describe('projectWritableMetadata', () => {
  it('keeps everything except managedFields', () => {
    const { managedFields: _, ...rest } = metadata;
    expect(projectWritableMetadata(metadata, createInternTable())).toEqual(rest);
    expect(projectWritableMetadata({ name: 'a' }, noInterning)).toEqual({ name: 'a' });
  });
});
