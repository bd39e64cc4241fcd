import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createTerminatingPods, type TerminatingPods } from '../../src/registry/background.ts';
import { createBackgroundTasks } from '../../src/registry/index.ts';
import { flushPromises } from '../store/support.ts';
import { configMaps, createFixture, type Fixture, type FixtureOptions, keyInShop, object } from './support.ts';

type Options = Omit<Parameters<typeof createBackgroundTasks>[0], 'registry' | 'clock'>;

interface BackgroundFixture extends Fixture {
  readonly background: ReturnType<typeof createBackgroundTasks>;
  passTime(milliseconds: number): Promise<void>;
}

async function createBackgroundFixture(options: Options = {}, fixtureOptions: FixtureOptions = {}): Promise<BackgroundFixture> {
  const fixture = await createFixture(fixtureOptions);
  const { registry, clock } = fixture;
  const background = createBackgroundTasks({ registry, clock, ...options });
  const passTime = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await flushPromises();
  };
  return { ...fixture, background, passTime };
}

const withOwner = (name: string, { metadata }: ApiObject): ApiObject =>
  object(name, { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid }] } });

const names = ({ store }: Fixture, resource = configMaps): unknown => store.list(resource).items.map(({ metadata }) => metadata.name);

describe('createBackgroundTasks', () => {
  it('schedules nothing if no work is pending', async () => {
    const { registry, clock } = await createBackgroundFixture();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.delete(configMaps, keyInShop('a'));
    expect(clock.scheduled).toBe(0);
  });

  it('collects garbage shortly after an owner is deleted', async () => {
    const fixture = await createBackgroundFixture();
    const { registry, passTime } = fixture;
    const a = await registry.create(configMaps, 'shop', object('a'));
    const b = await registry.create(configMaps, 'shop', withOwner('b', a));
    await registry.create(configMaps, 'shop', withOwner('c', b));
    await passTime(50);
    await registry.delete(configMaps, keyInShop('a'));
    expect(names(fixture)).toEqual(['b', 'c']);
    await passTime(50);
    expect(names(fixture)).toEqual([]);
    expect(fixture.clock.scheduled).toBe(0);
  });

  it('collects garbage that was stored before it started', async () => {
    const { registry, clock, store } = await createFixture();
    const missingOwner = object('gone', { metadata: { uid: 'none' } });
    await registry.create(configMaps, 'shop', withOwner('a', missingOwner));
    const background = createBackgroundTasks({ registry, clock });
    clock.advance(50);
    await flushPromises();
    expect(store.list(configMaps).items).toEqual([]);
    background.close();
  });

  it('finalizes namespaces, and retries namespaces with remaining content', async () => {
    const fixture = await createBackgroundFixture();
    const { registry, passTime } = fixture;
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.delete(resources.namespaces, { name: 'shop' });
    await passTime(50);
    const terminatingNamespace = fixture.store.get(resources.namespaces, { name: 'shop' });
    expect(terminatingNamespace['status']).toMatchObject({
      conditions: expect.arrayContaining([expect.objectContaining({ status: 'True' })]),
    });
    expect(fixture.clock.scheduled).toBe(1);
    await registry.patch(configMaps, keyInShop('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    await passTime(50);
    expect(names(fixture, resources.namespaces)).toEqual(['default']);
    await passTime(8000);
    expect(fixture.clock.scheduled).toBe(0);
  });

  it('leaves terminating pods to a kubelet, or removes them if endsPods is set', async () => {
    for (const endsPods of [false, true]) {
      const fixture = await createBackgroundFixture({ endsPods });
      await fixture.registry.create(resources.pods, 'shop', object('p', { spec: { nodeName: 'n' } }));
      await fixture.registry.delete(resources.pods, keyInShop('p'));
      await fixture.passTime(30_000);
      expect(names(fixture, resources.pods)).toEqual(endsPods ? [] : ['p']);
      expect(fixture.clock.scheduled).toBe(0);
    }
  });

  it('recreates bootstrap objects that are deleted', async () => {
    const fixture = await createBackgroundFixture({ bootstrap: {} });
    await fixture.background.settle();
    expect(names(fixture, resources.namespaces)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop']);
    const key = { namespace: 'default', name: 'kubernetes' };
    await fixture.registry.delete(resources.services, key);
    await fixture.passTime(50);
    expect(fixture.store.find(resources.services, key)).toBeDefined();
  });

  it('does nothing until settle() is called if automatic is false', async () => {
    const fixture = await createBackgroundFixture({ automatic: false });
    const { registry, background, passTime, clock } = fixture;
    const a = await registry.create(configMaps, 'shop', object('a'));
    await registry.create(configMaps, 'shop', withOwner('b', a));
    await registry.delete(configMaps, keyInShop('a'));
    await registry.delete(resources.namespaces, { name: 'default' }).catch(() => undefined);
    expect(clock.scheduled).toBe(0);
    await passTime(10_000);
    expect(names(fixture)).toEqual(['b']);
    await background.settle();
    expect(names(fixture)).toEqual([]);
  });

  it('reports a failure and retries', async () => {
    let isRefusing = true;
    const failures: unknown[] = [];
    const deleteValidation = { validate: () => (isRefusing ? Promise.reject(new Error('refused')) : undefined) };
    const fixture = await createFixture({
      admission: { validate: (request) => (request.operation === 'DELETE' ? deleteValidation.validate() : undefined) },
    });
    const { registry, clock } = fixture;
    await registry.create(configMaps, 'shop', withOwner('b', object('a', { metadata: { uid: 'none' } })));
    const background = createBackgroundTasks({ registry, clock, onError: (error) => failures.push(error) });
    clock.advance(50);
    await flushPromises();
    expect(failures).toEqual([new Error('refused')]);
    expect(names(fixture)).toEqual(['b']);
    isRefusing = false;
    clock.advance(8000);
    await flushPromises();
    expect(names(fixture)).toEqual([]);
    background.close();
  });

  it('stops when closed', async () => {
    const fixture = await createBackgroundFixture();
    const { registry, background, passTime } = fixture;
    await registry.create(configMaps, 'shop', withOwner('b', object('a', { metadata: { uid: 'none' } })));
    background.close();
    await passTime(50);
    expect(names(fixture)).toEqual(['b']);
    expect(fixture.clock.scheduled).toBe(0);
  });
});

describe('createTerminatingPods', () => {
  async function withPods(
    options: FixtureOptions = {},
  ): Promise<Fixture & { readonly pods: TerminatingPods; readonly failures: unknown[] }> {
    const fixture = await createFixture(options);
    const pods = createTerminatingPods(fixture.registry, fixture.clock);
    fixture.store.observe(pods.record);
    for (const name of ['p', 'q']) await fixture.registry.create(resources.pods, 'shop', object(name, { spec: { nodeName: 'n' } }));
    return { ...fixture, pods, failures: [] };
  }

  const names = ({ store }: Fixture): unknown => store.list(resources.pods).items.map(({ metadata }) => metadata.name);

  describe('terminating pods', () => {
    it('removes a terminating pod when its grace period has passed', async () => {
      const fixture = await withPods();
      const { registry, clock, pods, failures } = fixture;
      expect(pods.dueAt()).toBeUndefined();
      await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 20 });
      await registry.delete(resources.pods, keyInShop('q'), { gracePeriodSeconds: 10 });
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      clock.advance(9_999);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(fixture)).toEqual(['p', 'q']);
      clock.advance(1);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(fixture)).toEqual(['p']);
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      expect(failures).toEqual([]);
    });

    it('stops tracking a terminating pod that another client removes', async () => {
      const { registry, pods } = await withPods();
      await registry.delete(resources.pods, keyInShop('p'));
      await registry.create(configMaps, 'shop', object('p'));
      await registry.delete(resources.pods, keyInShop('p'), { gracePeriodSeconds: 0 });
      expect(pods.dueAt()).toBeUndefined();
    });

    it('retries a removal that is refused', async () => {
      let isRefusing = true;
      const fixture = await withPods({
        admission: {
          validate: ({ options }) => {
            if (isRefusing && options['gracePeriodSeconds'] === 0) throw new Error('refused');
          },
        },
      });
      const { registry, clock, pods, failures } = fixture;
      await registry.delete(resources.pods, keyInShop('p'));
      clock.advance(30_000);
      await pods.deleteExpired((error) => failures.push(error));
      expect(failures).toEqual([new Error('refused')]);
      isRefusing = false;
      clock.advance(10_000);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(fixture)).toEqual(['q']);
    });
  });
});
