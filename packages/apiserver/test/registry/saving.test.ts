import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, test } from 'vitest';
import { createManualJournal, flushPromises, isSettled, type ManualJournal, statusOfRejection } from '../store/support.ts';
import { configMaps, createFixture, type Fixture, keyInShop, object } from './support.ts';

const key = keyInShop('a');
const webService = (name: string, clusterIP: string): ApiObject => object(name, { spec: { clusterIP, ports: [{ port: 80 }] } });

interface JournaledFixture extends Fixture {
  readonly journal: ManualJournal;
  /** Completes the pending call of the journal. */
  succeed(): Promise<void>;
  fail(): Promise<void>;
}

/** A registry over a store with a journal. Its objects are saved: the ConfigMap shop/a, the bound pod shop/a and the Service shop/web. */
async function createJournaledFixture(): Promise<JournaledFixture> {
  const journal = createManualJournal();
  journal.isAutomatic = true;
  const fixture = await createFixture({ journal });
  const { registry } = fixture;
  await registry.create(configMaps, 'shop', object('a', { data: { a: '1' } }));
  await registry.create(resources.pods, 'shop', object('a', { spec: { nodeName: 'n' } }));
  await registry.create(resources.services, 'shop', webService('web', '10.0.0.7'));
  await registry.create(resources.endpoints, 'shop', object('web'));
  journal.isAutomatic = false;
  const finish = (end: 'fail' | 'succeed') => async (): Promise<void> => {
    await (await journal.waitForSave())[end]();
  };
  return { ...fixture, journal, succeed: finish('succeed'), fail: finish('fail') };
}

type Write = (fixture: JournaledFixture) => Promise<unknown>;

const writes: readonly (readonly [string, Write])[] = [
  ['create', ({ registry }) => registry.create(configMaps, 'shop', object('b'))],
  ['update', ({ registry }) => registry.update(configMaps, key, (current) => ({ ...(current as ApiObject), data: { a: '2' } }))],
  ['patch', ({ registry }) => registry.patch(configMaps, key, { data: { a: '2' } }, { type: 'merge' })],
  ['delete', ({ registry }) => registry.delete(configMaps, key)],
  ['deleteCollection', ({ registry }) => registry.deleteCollection(configMaps, { namespace: 'shop' })],
  ['deletion of a pod with a grace period', ({ registry }) => registry.delete(resources.pods, key)],
  ['deletion of a namespace', ({ registry }) => registry.delete(resources.namespaces, { name: 'shop' })],
  ['eviction', ({ registry }) => registry.evict(key, { metadata: key })],
];

describe('with a journal', () => {
  test.each(writes)('a %s is answered only after it is saved', async (_, write) => {
    const fixture = await createJournaledFixture();
    const answer = write(fixture);
    await fixture.journal.waitForSave();
    expect(await isSettled(answer)).toBe(false);
    await fixture.succeed();
    await answer;
  });

  test.each(writes)('a %s that cannot be saved is refused and changes nothing', async (_, write) => {
    const fixture = await createJournaledFixture();
    const before = [...fixture.store.capture().objects];
    const refusal = statusOfRejection(write(fixture));
    await fixture.fail();
    expect(await refusal).toMatchObject({ code: 500, message: 'the write could not be saved: no space' });
    expect([...fixture.store.capture().objects]).toStrictEqual(before);
  });

  test('a binding waits until it is saved', async () => {
    const fixture = await createJournaledFixture();
    fixture.journal.isAutomatic = true;
    await fixture.registry.create(resources.pods, 'shop', object('new', { spec: {} }));
    fixture.journal.isAutomatic = false;
    const binding = fixture.registry.bind(keyInShop('new'), object('new', { target: { kind: 'Node', name: 'n' } }));
    expect(await isSettled(binding)).toBe(false);
    await fixture.succeed();
    expect(await binding).toMatchObject({ spec: { nodeName: 'n' } });
  });

  test('an error that depends on a write is answered only after the write is saved', async () => {
    const fixture = await createJournaledFixture();
    const first = fixture.registry.create(configMaps, 'shop', object('b'));
    const second = statusOfRejection(fixture.registry.create(configMaps, 'shop', object('b')));
    expect(await isSettled(second)).toBe(false);
    await fixture.succeed();
    await first;
    expect((await second).reason).toBe('AlreadyExists');
  });

  test('an error that depends on a refused write becomes the error of that write', async () => {
    const fixture = await createJournaledFixture();
    const first = statusOfRejection(fixture.registry.create(configMaps, 'shop', object('b')));
    const second = statusOfRejection(fixture.registry.create(configMaps, 'shop', object('b')));
    await fixture.fail();
    expect([(await first).code, (await second).code]).toStrictEqual([500, 500]);
  });

  test('a repeated deletion waits for the first one', async () => {
    const fixture = await createJournaledFixture();
    const first = fixture.registry.delete(resources.pods, key);
    const second = fixture.registry.delete(resources.pods, key);
    expect(await isSettled(second)).toBe(false);
    await fixture.succeed();
    expect((await first).object).toBe((await second).object);
  });

  test('the steps of a deletion are saved together', async () => {
    const fixture = await createJournaledFixture();
    const deletion = fixture.registry.delete(resources.services, keyInShop('web'));
    await fixture.succeed();
    await deletion;
    expect(fixture.journal.saves.map(({ writes: saved }) => saved.map((text) => text.replace(/@.*/, '')))).toStrictEqual([
      ['-shop/web', '-shop/web'],
    ]);
  });

  test('allocated addresses are released if the Service cannot be saved', async () => {
    const fixture = await createJournaledFixture();
    const { registry, allocators } = fixture;
    const addresses = allocators.clusterIPs.IPv4;
    const refusal = statusOfRejection(registry.create(resources.services, 'shop', webService('b', '10.0.0.8')));
    await flushPromises();
    expect(addresses?.has('10.0.0.8')).toBe(true);
    await fixture.fail();
    await refusal;
    expect(addresses?.has('10.0.0.8')).toBe(false);
  });

  test('addresses of a Service are released only after its deletion is saved', async () => {
    const fixture = await createJournaledFixture();
    const { registry, allocators } = fixture;
    const addresses = allocators.clusterIPs.IPv4;
    const refusal = statusOfRejection(registry.delete(resources.services, keyInShop('web')));
    await fixture.fail();
    await refusal;
    expect(addresses?.has('10.0.0.7')).toBe(true);
    const deletion = registry.delete(resources.services, keyInShop('web'));
    await fixture.succeed();
    await deletion;
    expect(addresses?.has('10.0.0.7')).toBe(false);
  });

  test('addresses of a Service are released when the saved update removes its last finalizer', async () => {
    const fixture = await createJournaledFixture();
    const { registry, allocators, journal } = fixture;
    const addresses = allocators.clusterIPs.IPv4;
    const setFinalizers = (finalizers: readonly string[]): Promise<ApiObject> =>
      registry.patch(resources.services, keyInShop('web'), { metadata: { finalizers } }, { type: 'merge' });
    journal.isAutomatic = true;
    await setFinalizers(['example.com/a']);
    await registry.delete(resources.services, keyInShop('web'));
    journal.isAutomatic = false;
    const refusal = statusOfRejection(setFinalizers([]));
    await fixture.fail();
    await refusal;
    expect(addresses?.has('10.0.0.7')).toBe(true);
    const removal = setFinalizers([]);
    await fixture.succeed();
    await removal;
    expect(addresses?.has('10.0.0.7')).toBe(false);
  });

  test('a write is refused if too many wait', async () => {
    const fixture = await createJournaledFixture();
    for (let i = 0; i < 10_000; i++) fixture.store.create(configMaps, keyInShop(`m${i}`), object(`m${i}`));
    expect((await statusOfRejection(fixture.registry.create(configMaps, 'shop', object('b')))).code).toBe(429);
  });
});
