import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createContext } from '../../src/registry/context.ts';
import { buildGraph, type GraphNode } from '../../src/registry/garbage.ts';
import { createSchemalessStrategy } from '../../src/registry/schemaless.ts';
import { idOf } from '../../src/registry/strategy.ts';
import { createStore } from '../../src/store/index.ts';
import { configMaps, createFixture, type Fixture, keyInShop, object } from './support.ts';

const withOwners = (name: string, owners: readonly ApiObject[], referenceFields: object = {}): ApiObject =>
  object(name, {
    metadata: {
      ownerReferences: owners.map(({ metadata: { name: owner, uid } }) => ({
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: owner,
        uid,
        ...referenceFields,
      })),
    },
  });

const listNames = ({ store }: Fixture): unknown => store.list(configMaps).items.map(({ metadata }) => metadata.name);

const create = ({ registry }: Fixture, input: ApiObject): Promise<ApiObject> => registry.create(configMaps, 'shop', input);

describe('collectGarbage', () => {
  it('deletes objects whose owners are gone, and their dependents', async () => {
    const fixture = await createFixture();
    const a = await create(fixture, object('a'));
    const b = await create(fixture, withOwners('b', [a]));
    await create(fixture, withOwners('c', [b]));
    await create(fixture, object('d'));
    expect(await fixture.registry.collectGarbage()).toBe(0);
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Background' });
    expect(await fixture.registry.collectGarbage()).toBe(2);
    expect(listNames(fixture)).toEqual(['d']);
  });

  it('keeps an object with a remaining owner, and removes the reference to the other', async () => {
    const fixture = await createFixture();
    const [a, b] = [await create(fixture, object('a')), await create(fixture, object('b'))];
    await create(fixture, withOwners('c', [a, b]));
    await fixture.registry.delete(configMaps, keyInShop('a'));
    await fixture.registry.collectGarbage();
    const owners = fixture.store.get(configMaps, keyInShop('c')).metadata.ownerReferences as { uid: string }[];
    expect(owners.map(({ uid }) => uid)).toEqual([b.metadata.uid]);
  });

  it('removes the owner references of dependents with propagation policy Orphan', async () => {
    const fixture = await createFixture();
    const a = await create(fixture, object('a'));
    await create(fixture, withOwners('b', [a]));
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Orphan' });
    expect(listNames(fixture)).toEqual(['a', 'b']);
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual(['b']);
    expect(fixture.store.get(configMaps, keyInShop('b')).metadata).not.toHaveProperty('ownerReferences');
  });

  it('deletes dependents first with propagation policy Foreground', async () => {
    const fixture = await createFixture();
    const a = await create(fixture, object('a'));
    const b = withOwners('b', [a], { blockOwnerDeletion: true });
    await create(fixture, { ...b, metadata: { ...b.metadata, finalizers: ['example.com/x'] } });
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Foreground' });
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual(['a', 'b']);
    await fixture.registry.patch(configMaps, keyInShop('b'), { metadata: { finalizers: null } }, { type: 'merge' });
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual([]);
  });

  it('keeps an object that replaces a dependent while its deletion is being admitted', async () => {
    let beforeDeletion: (() => Promise<void>) | undefined;
    const fixture = await createFixture({
      admission: {
        async validate({ operation, user }) {
          if (operation === 'DELETE' && user?.username === 'system:serviceaccount:kube-system:generic-garbage-collector')
            await beforeDeletion?.();
        },
      },
    });
    const a = await create(fixture, object('a'));
    await create(fixture, withOwners('b', [a]));
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Background' });
    beforeDeletion = async () => {
      beforeDeletion = undefined;
      await fixture.registry.delete(configMaps, keyInShop('b'));
      await create(fixture, object('b'));
    };
    expect(await fixture.registry.collectGarbage()).toBe(0);
    expect(listNames(fixture)).toEqual(['b']);
    expect(fixture.store.get(configMaps, keyInShop('b')).metadata).not.toHaveProperty('ownerReferences');
  });

  it('does not wait for dependents without blockOwnerDeletion', async () => {
    const fixture = await createFixture();
    const a = await create(fixture, object('a'));
    const b = withOwners('b', [a]);
    await create(fixture, { ...b, metadata: { ...b.metadata, finalizers: ['example.com/x'] } });
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Foreground' });
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual(['b']);
  });

  it('deletes a cycle of owners', async () => {
    const fixture = await createFixture();
    const a = await create(fixture, object('a'));
    const b = await create(fixture, withOwners('b', [a], { blockOwnerDeletion: true }));
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'b', uid: b.metadata.uid, blockOwnerDeletion: true };
    await fixture.registry.patch(configMaps, keyInShop('a'), { metadata: { ownerReferences: [reference] } }, { type: 'merge' });
    await fixture.registry.delete(configMaps, keyInShop('a'), { propagationPolicy: 'Foreground' });
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual([]);
  });

  it('keeps an object whose owner is of a kind that is not served', async () => {
    const fixture = await createFixture();
    const reference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid: 'u' };
    await create(fixture, object('a', { metadata: { ownerReferences: [reference] } }));
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual(['a']);
  });

  it('treats an owner in another namespace, or with another UID, as absent', async () => {
    const fixture = await createFixture();
    const a = await fixture.registry.create(configMaps, 'default', object('a', {}, 'default'));
    await create(fixture, withOwners('b', [a]));
    await create(fixture, withOwners('c', [{ ...a, metadata: { ...a.metadata, uid: 'other' } }]));
    const n = await fixture.registry.create(resources.nodes, undefined, { metadata: { name: 'n' } });
    const reference = { apiVersion: 'v1', kind: 'Node', name: 'n', uid: n.metadata.uid };
    await create(fixture, object('d', { metadata: { ownerReferences: [reference] } }));
    await fixture.registry.collectGarbage();
    expect(listNames(fixture)).toEqual(['a', 'd']);
  });
});

it('buildGraph finds dependents and the states of owners', () => {
  const store = createStore();
  const strategies = [
    createSchemalessStrategy({ resource: configMaps }),
    { ...createSchemalessStrategy({ resource: resources.events }), isGarbageCollected: false },
  ];
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'a', uid: 'ua' };
  const deletingDependents = { deletionTimestamp: 'now', finalizers: ['foregroundDeletion'] };
  store.create(configMaps, keyInShop('a'), object('a', { metadata: { uid: 'ua' } }));
  store.create(configMaps, keyInShop('b'), object('b', { metadata: { uid: 'ub', ...deletingDependents, ownerReferences: [owner] } }));
  store.create(resources.events, keyInShop('e'), object('e', { metadata: { uid: 'ue', ownerReferences: [owner] } }));
  const graph = buildGraph(createContext({ store, strategies: new Map(strategies.map((each) => [idOf(each.resource), each])) }));
  const [a, b] = graph.nodes as [GraphNode, GraphNode];
  expect(graph.nodes).toHaveLength(2);
  expect(graph.dependentsOf(a)).toEqual([b]);
  expect(graph.ownerStateOf(b, owner)).toBe('solid');
  expect(graph.ownerStateOf(a, { ...owner, name: 'b', uid: 'ub' })).toBe('waiting');
  expect(graph.ownerStateOf(b, { ...owner, name: 'other' })).toBe('absent');
  expect(graph.ownerStateOf(b, { ...owner, apiVersion: 'apps/v1' })).toBe('unknown');
});
