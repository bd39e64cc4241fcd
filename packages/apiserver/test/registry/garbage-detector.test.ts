import type { PropagationPolicy } from 'kube-endpoints/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createGarbageDetector, type GarbageDetector } from '../../src/registry/garbage-detector.ts';
import { at, configMaps, createWorld, object, type World } from './support.ts';

interface Watched extends World {
  readonly owners: GarbageDetector;
  /** Whether the last write concerned the garbage collector. */
  noted(): boolean;
}

async function watched(): Promise<Watched> {
  const world = await createWorld();
  const owners = createGarbageDetector(world.registry);
  let last = false;
  world.store.observe((write) => {
    last = owners.record(write);
  });
  return { ...world, owners, noted: () => last };
}

const owned = (name: string, { metadata }: ApiObject, kind: string = 'ConfigMap', apiVersion: string = 'v1'): ApiObject => {
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
  return object(name, { metadata: { ownerReferences: [owner] } });
};

const make = ({ registry }: World, given: ApiObject): Promise<ApiObject> => registry.create(configMaps, 'shop', given);

const drop = ({ registry }: World, name: string, propagationPolicy: PropagationPolicy = 'Background'): Promise<unknown> =>
  registry.delete(configMaps, at(name), { propagationPolicy });

describe('garbage collection', () => {
  it('is not due for an object without owners or dependents', async () => {
    const world = await watched();
    await make(world, object('a'));
    expect(world.noted()).toBe(false);
    await drop(world, 'a');
    expect(world.noted()).toBe(false);
    expect(world.owners.takePending()).toBe(false);
  });

  it('checks a reference to an owner once, and is not due if the owner exists', async () => {
    const world = await watched();
    const a = await make(world, object('a'));
    const b = await make(world, owned('b', a));
    expect([world.noted(), world.owners.takePending()]).toEqual([true, false]);
    await world.registry.update(configMaps, at('b'), () => ({ ...b, data: { a: '1' } }));
    expect(world.noted()).toBe(false);
  });

  it('is due once if an owner does not exist', async () => {
    const world = await watched();
    await make(world, owned('b', object('a', { metadata: { uid: 'none' } })));
    expect([world.owners.takePending(), world.owners.takePending()]).toEqual([true, false]);
    const cluster = { metadata: { name: 'n', uid: 'none' } };
    await make(world, owned('c', cluster, 'Node'));
    expect(world.owners.takePending()).toBe(true);
  });

  it('is not due for owners of unknown kinds, or for a dependent that is already gone', async () => {
    const world = await watched();
    const stranger = object('a', { metadata: { uid: 'none' } });
    await make(world, owned('b', stranger, 'Crate', 'shop.io/v1'));
    expect(world.owners.takePending()).toBe(false);
    await make(world, owned('c', stranger));
    await drop(world, 'c');
    expect(world.owners.takePending()).toBe(false);
  });

  it('is due when an owner is deleted', async () => {
    const world = await watched();
    const a = await make(world, object('a'));
    await make(world, owned('b', a));
    world.owners.takePending();
    await drop(world, 'a');
    expect([world.noted(), world.owners.takePending()]).toEqual([true, true]);
  });

  it.each(['Orphan', 'Foreground'] as const)('is due when a deletion waits for dependents: %s', async (policy) => {
    const world = await watched();
    await make(world, object('a'));
    await drop(world, 'a', policy);
    expect(world.owners.takePending()).toBe(true);
  });

  it('is due when the last dependent that a deletion waits for is gone', async () => {
    const world = await watched();
    const a = await make(world, object('a'));
    await make(world, owned('b', a));
    await drop(world, 'a', 'Foreground');
    world.owners.takePending();
    await drop(world, 'b');
    expect([world.noted(), world.owners.takePending()]).toEqual([true, true]);
  });

  it('ignores dry runs and failed writes', async () => {
    const world = await watched();
    const a = await make(world, object('a'));
    await world.registry.create(configMaps, 'shop', owned('b', a), { dryRun: true });
    await world.registry.create(resources.services, 'shop', owned('B', a)).catch(() => undefined);
    expect(world.noted()).toBe(false);
  });
});
