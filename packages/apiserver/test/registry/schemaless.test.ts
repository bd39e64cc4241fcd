import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { object } from './support.ts';

const strategy = createSchemalessStrategy({ resource: resources.pods, status: true });
const storedPod = object('a', { metadata: { uid: 'u', resourceVersion: '3', generation: 2 }, spec: { a: 1 }, status: { b: 1 } });
const changedPod = { ...storedPod, spec: { a: 2 }, status: { b: 2 } };

describe('createSchemalessStrategy', () => {
  it('decodes any object', () => {
    expect(strategy.decode(object('a', { x: 1 })).object).toEqual({ ...object('a', { x: 1 }), apiVersion: 'v1', kind: 'Pod' });
    expect(strategy.decode([]).problem).toBe('the body is not an object');
  });

  it('separates status from the other fields, and raises the generation if the other fields change', () => {
    expect(strategy.checkUpdate(changedPod, storedPod).object).toMatchObject({
      spec: { a: 2 },
      status: { b: 1 },
      metadata: { generation: 3 },
    });
    expect(strategy.checkUpdate(changedPod, storedPod, 'status').object).toMatchObject({
      spec: { a: 1 },
      status: { b: 2 },
      metadata: { generation: 2 },
    });
  });

  it('treats status as an ordinary field by default', () => {
    const withoutStatus = createSchemalessStrategy({ resource: resources.pods });
    expect(withoutStatus.checkUpdate(changedPod, storedPod).object).toMatchObject({
      spec: { a: 2 },
      status: { b: 2 },
      metadata: { generation: 2 },
    });
    expect(withoutStatus.checkCreate(object('a', { status: 1 })).object).toEqual(object('a', { status: 1 }));
  });

  it('validates metadata', () => {
    expect(strategy.checkCreate(object('A')).causes?.[0]?.field).toBe('metadata.name');
    const other = { ...storedPod, metadata: { ...storedPod.metadata, uid: 'v' } };
    expect(strategy.checkUpdate(other, storedPod).causes?.[0]).toMatchObject({ field: 'metadata.uid' });
  });
});
