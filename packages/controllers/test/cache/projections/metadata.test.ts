import { describe, expect, it } from 'vitest';
import { createInternTable, noInterning, only, projectMetadata, shared, writableMetadata } from '../../../src/cache/projections/intern.ts';

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
