import { resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createEndingPods, type EndingPods } from '../../src/registry/ending-pods.ts';
import { at, configMaps, createWorld, object, type World, type WorldOptions } from './support.ts';

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
