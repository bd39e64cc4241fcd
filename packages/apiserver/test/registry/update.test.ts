import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, keyInShop, object } from './support.ts';

const node = { metadata: { name: 'n' } };

describe('update', () => {
  it('keeps the spec when the status is written, and the reverse', async () => {
    const { registry } = await createFixture();
    const created = await registry.create(resources.pods, 'shop', object('p', { spec: { a: 1 }, status: { phase: 'Made up' } }));
    expect(created).not.toHaveProperty('status');
    expect(created.metadata.generation).toBe(1);
    const both = { ...created, spec: { a: 2 }, status: { phase: 'Running' } };
    const afterStatusUpdate = await registry.update(resources.pods, keyInShop('p'), () => both, { subresource: 'status' });
    expect(afterStatusUpdate).toMatchObject({ spec: { a: 1 }, status: { phase: 'Running' }, metadata: { generation: 1 } });
    const other = { ...afterStatusUpdate, spec: { a: 3 }, status: { phase: 'Failed' } };
    const afterSpecUpdate = await registry.update(resources.pods, keyInShop('p'), () => other);
    expect(afterSpecUpdate).toMatchObject({ spec: { a: 3 }, status: { phase: 'Running' }, metadata: { generation: 2 } });
  });

  it('refuses other subresources', async () => {
    const { registry } = await createFixture();
    expect(await statusOfRejection(registry.update(configMaps, keyInShop('a'), () => object('a'), { subresource: 'scale' }))).toMatchObject(
      {
        code: 404,
        message: 'the server could not find the requested resource',
      },
    );
  });

  it('does not create an object of a resource without create on update', async () => {
    const { registry } = await createFixture();
    expect(await statusOfRejection(registry.update(resources.nodes, { name: 'n' }, () => node))).toMatchObject({ code: 404 });
  });

  it('creates an object of a resource with create on update', async () => {
    const { registry } = await createFixture();
    const created = await registry.update(resources.endpoints, keyInShop('e'), () => object('e'));
    expect(created.metadata.uid).toBeDefined();
    const status = await statusOfRejection(
      registry.update(resources.endpoints, keyInShop('f'), () => object('f'), { preconditions: { uid: 'u' } }),
    );
    expect(status).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('calls the update function again after a concurrent write', async () => {
    const { registry } = await createFixture();
    await registry.create(configMaps, 'shop', object('a', { data: { n: '0' } }));
    let attempts = 0;
    // Without a resourceVersion, so that the write has no conflict.
    const increment = async (current: ApiObject | undefined): Promise<ApiObject> => {
      attempts += 1;
      if (attempts === 1) await registry.update(configMaps, keyInShop('a'), () => object('a', { data: { n: '5' } }));
      const { n } = (current as ApiObject)['data'] as { readonly n: string };
      return object('a', { data: { n: String(Number(n) + 1) } });
    };
    expect(await registry.update(configMaps, keyInShop('a'), increment)).toMatchObject({ data: { n: '6' } });
    expect(attempts).toBe(2);
  });

  it('refuses another name, another namespace and an invalid resourceVersion', async () => {
    const { registry } = await createFixture();
    await registry.create(configMaps, 'shop', object('a'));
    const rejection = async (body: ApiObject): Promise<unknown> => {
      const { code, message } = await statusOfRejection(registry.update(configMaps, keyInShop('a'), () => body));
      return [code, message];
    };
    expect(await rejection(object('b'))).toEqual([400, 'the name of the object (b) does not match the name on the URL (a)']);
    expect(await rejection({ metadata: {} })).toEqual([
      400,
      'the name of the object (a based on URL) was undeterminable: name must be provided',
    ]);
    expect(await rejection(object('a', {}, 'default'))).toEqual([
      400,
      'the namespace of the provided object does not match the namespace sent on the request',
    ]);
    const [code] = (await rejection(object('a', { metadata: { resourceVersion: 'x' } }))) as [number];
    expect(code).toBe(500);
  });

  it('deletes an object with its last finalizer, and returns its last state', async () => {
    const { registry, store } = await createFixture();
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.delete(configMaps, keyInShop('a'));
    const withoutFinalizers = (current: ApiObject | undefined): ApiObject => {
      const { finalizers: _, ...metadata } = (current as ApiObject).metadata;
      return { ...current, metadata };
    };
    await registry.update(configMaps, keyInShop('a'), withoutFinalizers, { dryRun: true });
    expect(store.get(configMaps, keyInShop('a')).metadata.finalizers).toEqual(['example.com/x']);
    const last = await registry.update(configMaps, keyInShop('a'), withoutFinalizers);
    expect(last.metadata).not.toHaveProperty('finalizers');
    expect(store.list(configMaps).items).toEqual([]);
  });

  it('refuses new finalizers on a terminating object', async () => {
    const { registry } = await createFixture();
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    const { object: terminating } = await registry.delete(configMaps, keyInShop('a'));
    const withNewFinalizer = { ...terminating, metadata: { ...terminating.metadata, finalizers: ['example.com/x', 'example.com/y'] } };
    const status = await statusOfRejection(registry.update(configMaps, keyInShop('a'), () => withNewFinalizer));
    expect(status.code).toBe(422);
    expect(status.details?.causes?.[0]).toMatchObject({ reason: 'FieldValueForbidden', field: 'metadata.finalizers' });
  });

  it('returns the existing resourceVersion in a dry run', async () => {
    const { registry, store } = await createFixture();
    const created = await registry.create(configMaps, 'shop', object('a'));
    const before = store.revision;
    const dryRunResult = await registry.update(configMaps, keyInShop('a'), () => ({ ...created, data: { a: '1' } }), { dryRun: true });
    expect(dryRunResult).toEqual({ ...created, data: { a: '1' } });
    expect(store.revision).toBe(before);
  });
});
