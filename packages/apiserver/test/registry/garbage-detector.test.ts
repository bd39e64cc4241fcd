import type { PropagationPolicy } from 'kube-endpoints/internal/apimachinery';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createGarbageDetector, type GarbageDetector } from '../../src/registry/garbage-detector.ts';
import { configMaps, createFixture, type Fixture, keyInShop, object } from './support.ts';

interface DetectorFixture extends Fixture {
  readonly detector: GarbageDetector;
  /** The detector's result for the last write. */
  mayNeedCollection(): boolean;
}

async function createDetectorFixture(): Promise<DetectorFixture> {
  const fixture = await createFixture();
  const detector = createGarbageDetector(fixture.registry);
  let lastResult = false;
  fixture.store.observe((write) => {
    lastResult = detector.record(write);
  });
  return { ...fixture, detector, mayNeedCollection: () => lastResult };
}

const withOwner = (name: string, { metadata }: ApiObject, kind: string = 'ConfigMap', apiVersion: string = 'v1'): ApiObject => {
  const owner = { apiVersion, kind, name: metadata.name, uid: metadata.uid, blockOwnerDeletion: true };
  return object(name, { metadata: { ownerReferences: [owner] } });
};

const create = ({ registry }: Fixture, input: ApiObject): Promise<ApiObject> => registry.create(configMaps, 'shop', input);

const remove = ({ registry }: Fixture, name: string, propagationPolicy: PropagationPolicy = 'Background'): Promise<unknown> =>
  registry.delete(configMaps, keyInShop(name), { propagationPolicy });

describe('garbage collection', () => {
  it('is not due for an object without owners or dependents', async () => {
    const fixture = await createDetectorFixture();
    await create(fixture, object('a'));
    expect(fixture.mayNeedCollection()).toBe(false);
    await remove(fixture, 'a');
    expect(fixture.mayNeedCollection()).toBe(false);
    expect(fixture.detector.takePending()).toBe(false);
  });

  it('checks a reference to an owner once, and is not due if the owner exists', async () => {
    const fixture = await createDetectorFixture();
    const a = await create(fixture, object('a'));
    const b = await create(fixture, withOwner('b', a));
    expect([fixture.mayNeedCollection(), fixture.detector.takePending()]).toEqual([true, false]);
    await fixture.registry.update(configMaps, keyInShop('b'), () => ({ ...b, data: { a: '1' } }));
    expect(fixture.mayNeedCollection()).toBe(false);
  });

  it('is due once if an owner does not exist', async () => {
    const fixture = await createDetectorFixture();
    await create(fixture, withOwner('b', object('a', { metadata: { uid: 'none' } })));
    expect([fixture.detector.takePending(), fixture.detector.takePending()]).toEqual([true, false]);
    const missingNode = { metadata: { name: 'n', uid: 'none' } };
    await create(fixture, withOwner('c', missingNode, 'Node'));
    expect(fixture.detector.takePending()).toBe(true);
  });

  it('is not due for owners of unknown kinds, or for a dependent that is already gone', async () => {
    const fixture = await createDetectorFixture();
    const missingOwner = object('a', { metadata: { uid: 'none' } });
    await create(fixture, withOwner('b', missingOwner, 'Crate', 'shop.io/v1'));
    expect(fixture.detector.takePending()).toBe(false);
    await create(fixture, withOwner('c', missingOwner));
    await remove(fixture, 'c');
    expect(fixture.detector.takePending()).toBe(false);
  });

  it('is due when an owner is deleted', async () => {
    const fixture = await createDetectorFixture();
    const a = await create(fixture, object('a'));
    await create(fixture, withOwner('b', a));
    fixture.detector.takePending();
    await remove(fixture, 'a');
    expect([fixture.mayNeedCollection(), fixture.detector.takePending()]).toEqual([true, true]);
  });

  it.each(['Orphan', 'Foreground'] as const)('is due when a deletion waits for dependents: %s', async (policy) => {
    const fixture = await createDetectorFixture();
    await create(fixture, object('a'));
    await remove(fixture, 'a', policy);
    expect(fixture.detector.takePending()).toBe(true);
  });

  it('is due when the last dependent that a deletion waits for is gone', async () => {
    const fixture = await createDetectorFixture();
    const a = await create(fixture, object('a'));
    await create(fixture, withOwner('b', a));
    await remove(fixture, 'a', 'Foreground');
    fixture.detector.takePending();
    await remove(fixture, 'b');
    expect([fixture.mayNeedCollection(), fixture.detector.takePending()]).toEqual([true, true]);
  });

  it('ignores dry runs and failed writes', async () => {
    const fixture = await createDetectorFixture();
    const a = await create(fixture, object('a'));
    await fixture.registry.create(configMaps, 'shop', withOwner('b', a), { dryRun: true });
    await fixture.registry.create(resources.services, 'shop', withOwner('B', a)).catch(() => undefined);
    expect(fixture.mayNeedCollection()).toBe(false);
  });
});
