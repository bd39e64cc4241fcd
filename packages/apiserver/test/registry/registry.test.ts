import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { structuralType } from '../../src/patch/index.ts';
import { createRegistry, createSchemalessStrategy } from '../../src/registry/index.ts';
import { createStore } from '../../src/store/index.ts';
import { statusOfRejection } from '../store/support.ts';
import { configMaps, keyInShop, object } from './support.ts';

const createConfigMapRegistry = ({ isDecorated = false } = {}) => {
  const configMapStrategy = createSchemalessStrategy({ resource: configMaps });
  const decorate = (input: object): never => ({ ...input, decorated: true }) as never;
  return createRegistry({ store: createStore(), strategies: [isDecorated ? { ...configMapStrategy, decorate } : configMapStrategy] });
};

describe('createRegistry', () => {
  it('needs only a store and strategies', async () => {
    const registry = createConfigMapRegistry();
    expect(registry.resources).toEqual([configMaps]);
    const created = await registry.create(configMaps, 'anywhere', object('a', {}, 'anywhere'));
    expect(registry.store.get(configMaps, keyInShop('a', 'anywhere'))).toBe(created);
  });

  it('refuses other resources', async () => {
    const registry = createConfigMapRegistry();
    expect(await statusOfRejection(registry.create(resources.pods, 'a', object('a')))).toMatchObject({ code: 404 });
    expect(await statusOfRejection(registry.deleteCollection(resources.pods, {}))).toMatchObject({ code: 404 });
  });

  it('decorates answers, but not stored objects', async () => {
    const registry = createConfigMapRegistry({ isDecorated: true });
    const created = await registry.create(configMaps, 'shop', object('a'));
    const updated = await registry.update(configMaps, keyInShop('a'), () => object('a', { data: {} }));
    expect([created['decorated'], updated['decorated']]).toEqual([true, true]);
    expect(registry.store.get(configMaps, keyInShop('a'))).not.toHaveProperty('decorated');
    expect((await registry.delete(configMaps, keyInShop('a'))).object['decorated']).toBe(true);
  });
});

describe('serve and withdraw', () => {
  const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
  const size = ({ size: value }: ApiObject): string => String(value);
  const partSchema = { type: 'object', properties: { name: { type: 'string' }, weight: { type: 'integer' } } };
  const type = structuralType({
    type: 'object',
    properties: { parts: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: partSchema } },
  });
  const strategy = { ...createSchemalessStrategy({ resource: crates }), selectableFields: { fields: { size } }, patchType: type };

  it('support the selectable fields of a resource served later', async () => {
    const registry = createConfigMapRegistry();
    registry.serve(strategy);
    for (const each of [1, 2]) await registry.create(crates, 'shop', object(`c${each}`, { size: each }));
    const { items } = registry.storeFor(crates).list(crates, { fieldSelector: 'size=2' });
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['c2']);
  });

  it('merge applied configurations by the patch type of the strategy', async () => {
    const registry = createConfigMapRegistry();
    registry.serve(strategy);
    const apply = (manager: string, parts: readonly object[]): Promise<ApiObject> => {
      const config = { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: { name: 'a', namespace: 'shop' }, parts };
      return registry.patch(crates, keyInShop('a'), config, { type: 'apply', fieldManager: manager });
    };
    await apply('one', [{ name: 'x', weight: 1 }]);
    const result = await apply('two', [{ name: 'y', weight: 2 }]);
    expect(result['parts']).toEqual([
      { name: 'x', weight: 1 },
      { name: 'y', weight: 2 },
    ]);
    expect((await apply('one', []))['parts']).toEqual([{ name: 'y', weight: 2 }]);
  });

  it('refuse strategic merge patches of custom resources', async () => {
    const registry = createConfigMapRegistry();
    registry.serve(strategy);
    await registry.create(crates, 'shop', object('a'));
    expect(await statusOfRejection(registry.patch(crates, keyInShop('a'), {}, { type: 'strategic' }))).toMatchObject({ code: 415 });
  });

  it('end the watches of a withdrawn resource, and no others', async () => {
    const registry = createConfigMapRegistry();
    registry.serve(strategy);
    const [watch, other] = [registry.store.watch(crates), registry.store.watch(configMaps)];
    const [endedWatch, pendingEvent] = [watch.next(), other.next()];
    registry.withdraw(crates);
    registry.withdraw(crates);
    expect(await endedWatch).toEqual({ done: true, value: undefined });
    await registry.create(configMaps, 'shop', object('a'));
    expect((await pendingEvent).done).toBe(false);
    expect(await statusOfRejection(registry.create(crates, 'shop', object('a')))).toMatchObject({ code: 404 });
    registry.serve(strategy);
    expect(await registry.create(crates, 'shop', object('a'))).toMatchObject({ kind: 'Crate' });
  });

  it('serve two versions of one stored resource', async () => {
    const registry = createConfigMapRegistry();
    const cratesV2: Resource = { ...crates, version: 'v2' };
    registry.serve(strategy);
    registry.serve({
      ...createSchemalessStrategy({ resource: cratesV2 }),
      storedAs: {
        resource: crates,
        toStored: ({ volume, ...rest }) => ({ ...rest, apiVersion: 'shop.io/v1', size: volume }) as ApiObject,
        fromStored: ({ size: value, ...rest }) => ({ ...rest, apiVersion: 'shop.io/v2', volume: value }) as ApiObject,
      },
    });
    await registry.create(crates, 'shop', object('a', { size: 1 }));
    const change = (current: ApiObject | undefined): ApiObject => ({ ...(current as ApiObject), volume: 2 });
    expect(await registry.update(cratesV2, keyInShop('a'), change)).toMatchObject({ apiVersion: 'shop.io/v2', volume: 2 });
    expect(registry.store.get(crates, keyInShop('a'))).toMatchObject({ apiVersion: 'shop.io/v1', size: 2 });
    registry.withdraw(cratesV2);
    expect(registry.resources).toEqual([configMaps, crates]);
  });
});
