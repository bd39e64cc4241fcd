import { type ApiObject, type Resource, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createFieldManagers } from '../../src/registry/field-managers.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { idOf, type ResourceStrategy } from '../../src/registry/strategy.ts';
import { configMaps, createFixture, keyInShop, object, startTime } from './support.ts';

const crates: Resource = { group: 'shop.io', version: 'v1', plural: 'crates', kind: 'Crate', namespaced: true };
const strategy = createSchemalessStrategy({ resource: crates, status: true });
const strategyV2: ResourceStrategy = {
  ...createSchemalessStrategy({ resource: { ...crates, version: 'v2' } }),
  storedAs: {
    resource: crates,
    toStored: ({ volume, ...rest }) => ({ ...rest, size: volume }) as ApiObject,
    fromStored: ({ size, ...rest }) => ({ ...rest, volume: size }) as ApiObject,
  },
};
const managers = createFieldManagers(new Map([strategy, strategyV2].map((each) => [idOf(each.resource), each])));
const crate = { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: { name: 'a' }, size: 1, status: { open: true } };
const writeOptions = (manager: string) => ({ manager, now: '2026-01-02T03:04:05Z' });

describe('createFieldManagers', () => {
  it('creates each field manager once', () => {
    expect(managers.managerFor(strategy, undefined)).toBe(managers.managerFor(strategy, undefined));
    expect(managers.managerFor(strategy, 'status')).not.toBe(managers.managerFor(strategy, undefined));
  });

  it('ignores fields that a write cannot change', () => {
    const [main] = managers.managerFor(strategy, undefined).computeManagedFields(undefined, crate, writeOptions('one')) ?? [];
    expect(main).toMatchObject({ manager: 'one', apiVersion: 'shop.io/v1', fieldsV1: { 'f:size': {} } });
    const statusManager = managers.managerFor({ ...strategy, resetFields: { status: ['size'] } }, 'status');
    const [entry] = statusManager.computeManagedFields(undefined, crate, writeOptions('one')) ?? [];
    expect(entry).toMatchObject({ subresource: 'status', fieldsV1: { 'f:status': { '.': {}, 'f:open': {} } } });
  });

  it('follows a field across versions', () => {
    const managedFields = managers.managerFor(strategy, undefined).computeManagedFields(undefined, crate, writeOptions('one'));
    const live = { apiVersion: 'shop.io/v2', kind: 'Crate', metadata: { name: 'a', uid: 'u', managedFields }, volume: 1 };
    const entries = managers.managerFor(strategyV2, undefined).computeManagedFields(live, { ...live, volume: 2 }, writeOptions('two'));
    expect(entries).toMatchObject([{ manager: 'two', apiVersion: 'shop.io/v2', fieldsV1: { 'f:volume': {} } }]);
  });

  it('starts server-side apply from the empty object of the strategy', () => {
    const strategyWithEmpty = { ...strategy, empty: { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: {}, size: 0 } };
    const config = { apiVersion: 'shop.io/v1', kind: 'Crate', metadata: { name: 'a' } };
    expect(managers.managerFor(strategyWithEmpty, undefined).apply(undefined, config, writeOptions('one'))).toMatchObject({ size: 0 });
  });
});

describe('managed fields', () => {
  it('are recorded for every write with managesFields', async () => {
    const { registry } = await createFixture({ managesFields: true });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    expect(created.metadata.managedFields).toEqual([
      {
        manager: 'one',
        operation: 'Update',
        apiVersion: 'v1',
        time: startTime,
        fieldsType: 'FieldsV1',
        fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } },
      },
    ]);
    const change = { ...created, data: { a: '1', b: '2' } };
    const updated = await registry.update(configMaps, keyInShop('a'), () => change, { fieldManager: 'two' });
    const managers = (updated.metadata.managedFields as { manager: string }[]).map(({ manager }) => manager);
    expect(managers).toEqual(['one', 'two']);
  });

  it('share one fieldsV1 object if they have the same fields', async () => {
    const { registry } = await createFixture({ managesFields: true });
    const make = (name: string) => registry.create(configMaps, 'shop', object(name, { data: { a: name } }), { fieldManager: 'one' });
    const fieldsOf = ({ metadata }: ApiObject) => (metadata.managedFields as { fieldsV1: unknown }[])[0]?.fieldsV1;
    const [first, second] = [await make('a'), await make('b')];
    expect(fieldsOf(second)).toBe(fieldsOf(first));
    const updated = await registry.update(configMaps, keyInShop('b'), () => ({ ...second, data: { a: 'c' } }), { fieldManager: 'one' });
    expect(fieldsOf(updated)).toBe(fieldsOf(first));
  });

  it('cause no write if only their times change', async () => {
    const { registry, clock } = await createFixture({ managesFields: true });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    clock.advance(60_000);
    expect(await registry.update(configMaps, keyInShop('a'), () => created, { fieldManager: 'one' })).toBe(created);
  });

  it('are cleared by a write with an empty list or a single empty entry', async () => {
    const emptyList: readonly unknown[] = [];
    for (const managedFields of [emptyList, [{}]]) {
      const { registry } = await createFixture({ managesFields: true });
      const getStored = async (): Promise<ApiObject> => registry.store.get(configMaps, keyInShop('a'));
      const writes: readonly (() => Promise<ApiObject>)[] = [
        async () => {
          const current = await getStored();
          return registry.update(configMaps, keyInShop('a'), () => ({ ...current, metadata: { ...current.metadata, managedFields } }));
        },
        () => registry.patch(configMaps, keyInShop('a'), { metadata: { managedFields } }, { type: 'merge' }),
        () =>
          registry.patch(configMaps, keyInShop('a'), [{ op: 'add', path: '/metadata/managedFields', value: managedFields }], {
            type: 'json',
          }),
        () => registry.patch(configMaps, keyInShop('a'), { metadata: { managedFields } }, { type: 'strategic' }),
      ];
      for (const write of writes) {
        await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
        expect((await write()).metadata).not.toHaveProperty('managedFields');
        expect((await getStored()).metadata).not.toHaveProperty('managedFields');
        await registry.delete(configMaps, keyInShop('a'));
      }
    }
  });

  it('sent by a client as an empty list are dropped, also without managesFields', async () => {
    const { registry } = await createFixture();
    const created = await registry.create(configMaps, 'shop', { metadata: { name: 'a', managedFields: [] } });
    expect(created.metadata).not.toHaveProperty('managedFields');
  });

  it('are not recorded by default', async () => {
    const { registry } = await createFixture();
    expect((await registry.create(configMaps, 'shop', object('a'), { fieldManager: 'one' })).metadata).not.toHaveProperty('managedFields');
  });
});

describe('the managed fields of a writer', () => {
  const ownershipOf = ({ metadata }: ApiObject): unknown[] =>
    (metadata.managedFields as { manager: string; subresource?: string; fieldsV1: object }[]).map(({ manager, subresource, fieldsV1 }) => [
      manager,
      subresource ?? '',
      Object.keys(fieldsV1),
    ]);

  it('cover only writable fields: status only through its subresource', async () => {
    const { registry } = await createFixture({ managesFields: true });
    const condition = { type: 'Ready', status: 'True', reason: 'Fine', message: '', lastTransitionTime: startTime };
    const service = object('s', { spec: { ports: [{ port: 80 }] }, status: { loadBalancer: { ingress: [{ ip: '192.0.2.1' }] } } });
    const created = await registry.create(resources.services, 'shop', service, { fieldManager: 'one' });
    expect(ownershipOf(created)).toEqual([['one', '', ['f:spec']]]);
    const changed = {
      ...created,
      spec: { ...(created['spec'] as object), sessionAffinity: 'ClientIP' },
      status: { conditions: [condition] },
    };
    const updated = await registry.update(resources.services, keyInShop('s'), () => changed, {
      fieldManager: 'two',
      subresource: 'status',
    });
    expect(ownershipOf(updated)).toEqual([
      ['one', '', ['f:spec']],
      ['two', 'status', ['f:status']],
    ]);
  });

  it('cover only the fields that it sent, not those that admission or the server added', async () => {
    const { registry } = await createFixture({
      managesFields: true,
      admission: { mutate: ({ object: input }) => ({ ...(input as ApiObject), data: { a: '1', b: '2' } }) },
    });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    expect(created).toMatchObject({ data: { a: '1', b: '2' } });
    expect(created.metadata.managedFields).toMatchObject([{ fieldsV1: { 'f:data': { '.': {}, 'f:a': {} } } }]);
  });

  it('belong to fieldManager, or else to defaultManager', async () => {
    const { registry } = await createFixture();
    const managed = { managesFields: true, defaultManager: 'kubectl' };
    const created = await registry.create(configMaps, 'shop', object('a', { data: { b: '1' } }), managed);
    const patched = await registry.patch(
      configMaps,
      keyInShop('a'),
      { data: { a: '1' } },
      { type: 'merge', fieldManager: 'one', ...managed },
    );
    expect(ownershipOf(created)).toEqual([['kubectl', '', ['f:data']]]);
    expect(ownershipOf(patched)).toEqual([
      ['kubectl', '', ['f:data']],
      ['one', '', ['f:data']],
    ]);
  });

  it('keep their object identity when others write', async () => {
    const { registry } = await createFixture({ managesFields: true });
    await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    const write = (value: string, { isCloned }: { isCloned: boolean }): Promise<ApiObject> =>
      registry.update(configMaps, keyInShop('a'), (current) => {
        const { data, ...rest } = isCloned ? (structuredClone(current) as ApiObject) : (current as ApiObject);
        return { ...rest, data: { ...(data as object), b: value } } as ApiObject;
      });
    const first = await write('1', { isCloned: false });
    const second = await write('2', { isCloned: true });
    expect(second.metadata.managedFields?.[0]).toBe(first.metadata.managedFields?.[0]);
    expect(ownershipOf(second).map((each) => (each as string[])[0])).toEqual(['one', 'unknown']);
  });

  it('are cleared by a write with a single empty entry', async () => {
    const { registry } = await createFixture({ managesFields: true });
    const created = await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }), { fieldManager: 'one' });
    const reset = { ...created, metadata: { ...created.metadata, managedFields: [{}] } };
    const afterReset = await registry.update(configMaps, keyInShop('a'), () => reset, { fieldManager: 'two' });
    expect(afterReset.metadata).not.toHaveProperty('managedFields');
  });
});

it('a write with managedFieldsSubresource is recorded under that subresource, without a time', async () => {
  const { registry } = await createFixture({ managesFields: true });
  const key = { namespace: 'default', name: 'a' };
  await registry.create(configMaps, 'default', { metadata: { name: 'a' }, data: { a: '1', b: '1' } }, { fieldManager: 'maker' });
  const change = (current: ApiObject | undefined): ApiObject => ({ ...(current as ApiObject), data: { a: '2', b: '1' } });
  const { metadata } = await registry.update(configMaps, key, change, { fieldManager: 'scaler', managedFieldsSubresource: 'scale' });
  expect(metadata.managedFields).toMatchObject([
    { manager: 'scaler', operation: 'Update', subresource: 'scale', fieldsV1: { 'f:data': { 'f:a': {} } } },
    { manager: 'maker', operation: 'Update', fieldsV1: { 'f:data': { '.': {}, 'f:b': {} } } },
  ]);
  expect(metadata.managedFields?.[0]).not.toHaveProperty('time');
});
