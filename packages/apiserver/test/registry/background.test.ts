import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createEndingPods, type EndingPods } from '../../src/registry/background.ts';
import { createBackground } from '../../src/registry/index.ts';
import { settle } from '../store/support.ts';
import { at, configMaps, createWorld, object, type World, type WorldOptions } from './support.ts';

type Options = Omit<Parameters<typeof createBackground>[0], 'registry' | 'clock'>;

interface Tended extends World {
  readonly background: ReturnType<typeof createBackground>;
  pass(milliseconds: number): Promise<void>;
}

async function tended(options: Options = {}, worldOptions: WorldOptions = {}): Promise<Tended> {
  const world = await createWorld(worldOptions);
  const { registry, clock } = world;
  const background = createBackground({ registry, clock, ...options });
  const pass = async (milliseconds: number): Promise<void> => {
    clock.advance(milliseconds);
    await settle();
  };
  return { ...world, background, pass };
}

const owned = (name: string, { metadata }: ApiObject): ApiObject =>
  object(name, { metadata: { ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: metadata.name, uid: metadata.uid }] } });

const names = ({ store }: World, resource = configMaps): unknown => store.list(resource).items.map(({ metadata }) => metadata.name);

describe('createBackground', () => {
  it('plans nothing where nothing is owed', async () => {
    const { registry, clock } = await tended();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.delete(configMaps, at('a'));
    expect(clock.scheduled).toBe(0);
  });

  it('collects garbage soon after it comes about', async () => {
    const world = await tended();
    const { registry, pass } = world;
    const a = await registry.create(configMaps, 'shop', object('a'));
    const b = await registry.create(configMaps, 'shop', owned('b', a));
    await registry.create(configMaps, 'shop', owned('c', b));
    await pass(50);
    await registry.delete(configMaps, at('a'));
    expect(names(world)).toEqual(['b', 'c']);
    await pass(50);
    expect(names(world)).toEqual([]);
    expect(world.clock.scheduled).toBe(0);
  });

  it('knows of what was there before', async () => {
    const { registry, clock, store } = await createWorld();
    const gone = object('gone', { metadata: { uid: 'none' } });
    await registry.create(configMaps, 'shop', owned('a', gone));
    const background = createBackground({ registry, clock });
    clock.advance(50);
    await settle();
    expect(store.list(configMaps).items).toEqual([]);
    background.close();
  });

  it('ends namespaces, and looks again at those that wait', async () => {
    const world = await tended();
    const { registry, pass } = world;
    await registry.create(configMaps, 'shop', object('a', { metadata: { finalizers: ['example.com/x'] } }));
    await registry.delete(resources.namespaces, { name: 'shop' });
    await pass(50);
    const waiting = world.store.get(resources.namespaces, { name: 'shop' });
    expect(waiting['status']).toMatchObject({ conditions: expect.arrayContaining([expect.objectContaining({ status: 'True' })]) });
    expect(world.clock.scheduled).toBe(1);
    await registry.patch(configMaps, at('a'), { metadata: { finalizers: null } }, { type: 'merge' });
    await pass(50);
    expect(names(world, resources.namespaces)).toEqual(['default']);
    await pass(8000);
    expect(world.clock.scheduled).toBe(0);
  });

  it('lets pods wait for a kubelet, or be one', async () => {
    for (const endsPods of [false, true]) {
      const world = await tended({ endsPods });
      await world.registry.create(resources.pods, 'shop', object('p', { spec: { nodeName: 'n' } }));
      await world.registry.delete(resources.pods, at('p'));
      await world.pass(30_000);
      expect(names(world, resources.pods)).toEqual(endsPods ? [] : ['p']);
      expect(world.clock.scheduled).toBe(0);
    }
  });

  it('makes again what a cluster always has', async () => {
    const world = await tended({ bootstrap: {} });
    await world.background.settle();
    expect(names(world, resources.namespaces)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop']);
    const key = { namespace: 'default', name: 'kubernetes' };
    await world.registry.delete(resources.services, key);
    await world.pass(50);
    expect(world.store.find(resources.services, key)).toBeDefined();
  });

  it('does nothing by itself where that is asked for', async () => {
    const world = await tended({ automatic: false });
    const { registry, background, pass, clock } = world;
    const a = await registry.create(configMaps, 'shop', object('a'));
    await registry.create(configMaps, 'shop', owned('b', a));
    await registry.delete(configMaps, at('a'));
    await registry.delete(resources.namespaces, { name: 'default' }).catch(() => undefined);
    expect(clock.scheduled).toBe(0);
    await pass(10_000);
    expect(names(world)).toEqual(['b']);
    await background.settle();
    expect(names(world)).toEqual([]);
  });

  it('tells of what it cannot do, and tries again', async () => {
    let refuses = true;
    const failures: unknown[] = [];
    const forbidding = { validate: () => (refuses ? Promise.reject(new Error('refused')) : undefined) };
    const world = await createWorld({
      admission: { validate: (request) => (request.operation === 'DELETE' ? forbidding.validate() : undefined) },
    });
    const { registry, clock } = world;
    await registry.create(configMaps, 'shop', owned('b', object('a', { metadata: { uid: 'none' } })));
    const background = createBackground({ registry, clock, failed: (error) => failures.push(error) });
    clock.advance(50);
    await settle();
    expect(failures).toEqual([new Error('refused')]);
    expect(names(world)).toEqual(['b']);
    refuses = false;
    clock.advance(8000);
    await settle();
    expect(names(world)).toEqual([]);
    background.close();
  });

  it('ends when it is closed', async () => {
    const world = await tended();
    const { registry, background, pass } = world;
    await registry.create(configMaps, 'shop', owned('b', object('a', { metadata: { uid: 'none' } })));
    background.close();
    await pass(50);
    expect(names(world)).toEqual(['b']);
    expect(world.clock.scheduled).toBe(0);
  });
});

describe('ending pods', () => {
  async function withPods(options: WorldOptions = {}): Promise<World & { readonly pods: EndingPods; readonly failures: unknown[] }> {
    const world = await createWorld(options);
    const pods = createEndingPods(world.registry, world.clock);
    world.store.observe(pods.note);
    for (const name of ['p', 'q']) await world.registry.create(resources.pods, 'shop', object(name, { spec: { nodeName: 'n' } }));
    return { ...world, pods, failures: [] };
  }

  const names = ({ store }: World): unknown => store.list(resources.pods).items.map(({ metadata }) => metadata.name);

  describe('pods that end', () => {
    it('go when their time is over', async () => {
      const world = await withPods();
      const { registry, clock, pods, failures } = world;
      expect(pods.dueAt()).toBeUndefined();
      await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 20 });
      await registry.delete(resources.pods, at('q'), { gracePeriodSeconds: 10 });
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      clock.advance(9_999);
      await pods.end((error) => failures.push(error));
      expect(names(world)).toEqual(['p', 'q']);
      clock.advance(1);
      await pods.end((error) => failures.push(error));
      expect(names(world)).toEqual(['p']);
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      expect(failures).toEqual([]);
    });

    it('are forgotten when somebody else lets them go', async () => {
      const { registry, pods } = await withPods();
      await registry.delete(resources.pods, at('p'));
      await registry.create(configMaps, 'shop', object('p'));
      await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 0 });
      expect(pods.dueAt()).toBeUndefined();
    });

    it('are tried again where their end is refused', async () => {
      let refuses = true;
      const world = await withPods({
        admission: {
          validate: ({ options }) => {
            if (refuses && options['gracePeriodSeconds'] === 0) throw new Error('refused');
          },
        },
      });
      const { registry, clock, pods, failures } = world;
      await registry.delete(resources.pods, at('p'));
      clock.advance(30_000);
      await pods.end((error) => failures.push(error));
      expect(failures).toEqual([new Error('refused')]);
      refuses = false;
      clock.advance(10_000);
      await pods.end((error) => failures.push(error));
      expect(names(world)).toEqual(['q']);
    });
  });
});
