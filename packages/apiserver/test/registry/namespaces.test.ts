import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, object, startTime } from './support.ts';

const shop = { name: 'shop' };

describe('namespaces', () => {
  it('have the finalizer kubernetes, and are Terminating after a delete', async () => {
    const { registry } = await createFixture();
    expect(registry.store.get(resources.namespaces, shop)).toMatchObject({
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const { object: terminating, isRemoved } = await registry.delete(resources.namespaces, shop);
    expect(isRemoved).toBe(false);
    expect(terminating).toMatchObject({ metadata: { deletionTimestamp: startTime }, status: { phase: 'Terminating' } });
    expect(terminating.metadata).not.toHaveProperty('deletionGracePeriodSeconds');
    expect(await registry.delete(resources.namespaces, shop)).toEqual({ object: terminating, isRemoved: false });
  });

  it('accept updates but no new objects while Terminating', async () => {
    const { registry } = await createFixture();
    const created = await registry.create(configMaps, 'shop', object('a'));
    await registry.delete(resources.namespaces, shop);
    const status = await statusOfRejection(registry.create(configMaps, 'shop', object('b')));
    expect(status).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'configmaps "b" is forbidden: unable to create new content in namespace shop because it is being terminated',
      reason: 'Forbidden',
      details: {
        name: 'b',
        kind: 'configmaps',
        causes: [{ reason: 'NamespaceTerminating', message: 'namespace shop is being terminated', field: 'metadata.namespace' }],
      },
      code: 403,
    });
    const generated = await statusOfRejection(registry.create(configMaps, 'shop', { metadata: { generateName: 'c-' } }));
    expect(generated.details?.name).toBe('c-');
    expect(await registry.update(configMaps, { namespace: 'shop', name: 'a' }, () => ({ ...created, data: { a: '1' } }))).toBeDefined();
  });

  it('cannot be deleted if they are immortal, such as default', async () => {
    const { registry } = await createFixture();
    const status = await statusOfRejection(registry.delete(resources.namespaces, { name: 'default' }));
    expect(status).toMatchObject({ code: 403, message: 'namespaces "default" is forbidden: this namespace may not be deleted' });
  });

  it('have their own message for a failed precondition', async () => {
    const { registry } = await createFixture();
    const { uid } = registry.store.get(resources.namespaces, shop).metadata;
    const status = await statusOfRejection(registry.delete(resources.namespaces, shop, { preconditions: { uid: 'u' } }));
    expect(status.message).toBe(
      `Operation cannot be fulfilled on namespaces "shop": Precondition failed: UID in precondition: u, UID in object meta: ${uid}`,
    );
    expect(await statusOfRejection(registry.delete(resources.namespaces, shop, { preconditions: { resourceVersion: '1' } }))).toMatchObject(
      {
        code: 409,
      },
    );
  });
});
