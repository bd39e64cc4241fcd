import { expect, test } from 'vitest';
import { namespaces } from '../../../src/resources/simple/namespaces.ts';
import { checkCreate, checkUpdate, readObject } from '../../../src/resources/write.ts';

const read = (body: object): Record<string, unknown> => readObject(namespaces, body).value;
const metadata = { name: 'a', uid: 'u', resourceVersion: '1' };

test('a new namespace has its name as label, the finalizer kubernetes and the phase Active', () => {
  expect(checkCreate(namespaces, read({ metadata: { name: 'a' }, status: { phase: 'Odd' } }))).toEqual({
    object: {
      metadata: { name: 'a', labels: { 'kubernetes.io/metadata.name': 'a' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    },
  });
});

test('spec and status of a namespace are written only through subresources', () => {
  const old = read({ metadata, spec: { finalizers: ['kubernetes'] } });
  const update = read({ metadata, spec: { finalizers: [] }, status: { phase: 'Terminating' } });
  expect(checkUpdate(namespaces, update, old)).toMatchObject({ object: { spec: old['spec'], status: { phase: 'Active' } } });
  expect(checkUpdate(namespaces, update, old, 'finalize')).toMatchObject({ object: { status: { phase: 'Active' } } });
  expect(checkUpdate(namespaces, update, old, 'status').causes?.[0]).toMatchObject({ field: 'status.Phase' });
});

test('a namespace with deletionTimestamp must be Terminating', () => {
  const terminatingNamespace = read({ metadata: { ...metadata, deletionTimestamp: '2025-01-01T00:00:00Z' } });
  expect(checkUpdate(namespaces, terminatingNamespace, terminatingNamespace, 'status').causes?.[0]?.message).toMatch(
    /may only be 'Terminating'/,
  );
});

test('a finalizer of a namespace must be a known or a qualified name', () => {
  const namespace = read({ metadata, spec: { finalizers: ['odd'] } });
  expect(checkUpdate(namespaces, namespace, namespace, 'finalize').causes?.[0]?.field).toBe('spec.finalizers[0]');
});
