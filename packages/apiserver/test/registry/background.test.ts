import { type ApiObject, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createTerminatingPods, type TerminatingPods } from '../../src/registry/background.ts';
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
  it('schedules nothing if no work is pending', async () => {
    const { registry, clock } = await tended();
    await registry.create(configMaps, 'shop', object('a'));
    await registry.delete(configMaps, at('a'));
    expect(clock.scheduled).toBe(0);
  });

  it('collects garbage shortly after an owner is deleted', async () => {
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

  it('collects garbage that was stored before it started', async () => {
    const { registry, clock, store } = await createWorld();
    const gone = object('gone', { metadata: { uid: 'none' } });
    await registry.create(configMaps, 'shop', owned('a', gone));
    const background = createBackground({ registry, clock });
    clock.advance(50);
    await settle();
    expect(store.list(configMaps).items).toEqual([]);
    background.close();
  });

  it('finalizes namespaces, and retries those with content left', async () => {
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

  it('leaves terminating pods to a kubelet, or removes them if endsPods is set', async () => {
    for (const endsPods of [false, true]) {
      const world = await tended({ endsPods });
      await world.registry.create(resources.pods, 'shop', object('p', { spec: { nodeName: 'n' } }));
      await world.registry.delete(resources.pods, at('p'));
      await world.pass(30_000);
      expect(names(world, resources.pods)).toEqual(endsPods ? [] : ['p']);
      expect(world.clock.scheduled).toBe(0);
    }
  });

  it('recreates bootstrap objects that are deleted', async () => {
    const world = await tended({ bootstrap: {} });
    await world.background.settle();
    expect(names(world, resources.namespaces)).toEqual(['default', 'kube-node-lease', 'kube-public', 'kube-system', 'shop']);
    const key = { namespace: 'default', name: 'kubernetes' };
    await world.registry.delete(resources.services, key);
    await world.pass(50);
    expect(world.store.find(resources.services, key)).toBeDefined();
  });

  it('does nothing until settle() is called if automatic is false', async () => {
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

  it('reports a failure and retries', async () => {
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

  it('stops when closed', async () => {
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
  async function withPods(options: WorldOptions = {}): Promise<World & { readonly pods: TerminatingPods; readonly failures: unknown[] }> {
    const world = await createWorld(options);
    const pods = createTerminatingPods(world.registry, world.clock);
    world.store.observe(pods.record);
    for (const name of ['p', 'q']) await world.registry.create(resources.pods, 'shop', object(name, { spec: { nodeName: 'n' } }));
    return { ...world, pods, failures: [] };
  }

  const names = ({ store }: World): unknown => store.list(resources.pods).items.map(({ metadata }) => metadata.name);

  describe('terminating pods', () => {
    it('are removed when their grace period has passed', async () => {
      const world = await withPods();
      const { registry, clock, pods, failures } = world;
      expect(pods.dueAt()).toBeUndefined();
      await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 20 });
      await registry.delete(resources.pods, at('q'), { gracePeriodSeconds: 10 });
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      clock.advance(9_999);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(world)).toEqual(['p', 'q']);
      clock.advance(1);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(world)).toEqual(['p']);
      expect(pods.dueAt()).toBe(clock.now() + 10_000);
      expect(failures).toEqual([]);
    });

    it('are forgotten when another client removes them', async () => {
      const { registry, pods } = await withPods();
      await registry.delete(resources.pods, at('p'));
      await registry.create(configMaps, 'shop', object('p'));
      await registry.delete(resources.pods, at('p'), { gracePeriodSeconds: 0 });
      expect(pods.dueAt()).toBeUndefined();
    });

    it('are retried if their removal is refused', async () => {
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
      await pods.deleteExpired((error) => failures.push(error));
      expect(failures).toEqual([new Error('refused')]);
      refuses = false;
      clock.advance(10_000);
      await pods.deleteExpired((error) => failures.push(error));
      expect(names(world)).toEqual(['q']);
    });
  });
});
