import { expect, test } from 'vitest';
import { namespaces } from '../../../src/resources/simple/namespaces.ts';
import { checkCreate, checkUpdate, readObject } from '../../../src/resources/write.ts';

const read = (body: object): Record<string, unknown> => readObject(namespaces, body).value;
const here = { name: 'a', uid: 'u', resourceVersion: '1' };

test('a new namespace has its name as label, the finalizer kubernetes and the phase Active', () => {
  expect(checkCreate(namespaces, read({ metadata: { name: 'a' }, status: { phase: 'Odd' } }))).toEqual({
    object: {
      metadata: { name: 'a', labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  });
});

test('spec and status are written only through subresources', () => {
  const old = read({ metadata: here, spec: { finalizers: ['kubernetes'] } });
  const sent = read({ metadata: here, spec: { finalizers: [] }, status: { phase: 'Terminating' } });
  expect(checkUpdate(namespaces, sent, old)).toMatchObject({ object: { spec: old['spec'], status: { phase: 'Active' } } });
  expect(checkUpdate(namespaces, sent, old, 'finalize')).toMatchObject({ object: { status: { phase: 'Active' } } });
  expect(checkUpdate(namespaces, sent, old, 'status').causes?.[0]).toMatchObject({ field: 'status.Phase' });
});

test('a namespace with deletionTimestamp must be Terminating', () => {
  const going = read({ metadata: { ...here, deletionTimestamp: '2025-01-01T00:00:00Z' } });
  expect(checkUpdate(namespaces, going, going, 'status').causes?.[0]?.message).toMatch(/may only be 'Terminating'/);
});

test('finalizers are known or qualified names', () => {
  const bad = read({ metadata: here, spec: { finalizers: ['odd'] } });
  expect(checkUpdate(namespaces, bad, bad, 'finalize').causes?.[0]?.field).toBe('spec.finalizers[0]');
});
