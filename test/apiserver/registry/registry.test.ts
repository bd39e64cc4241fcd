import { describe, expect, it } from 'vitest';
import { createRegistry, plainStrategy } from '../../../src/apiserver/registry/index.ts';
import { createStore } from '../../../src/apiserver/store/index.ts';
import { resources } from '../../../src/port/index.ts';
import { statusOfLate } from '../store/support.ts';
import { at, configMaps, object } from './support.ts';

const registryOf = (decorated: boolean) => {
  const plain = plainStrategy({ resource: configMaps });
  const decorate = (given: object): never => ({ ...given, decorated: true }) as never;
  return createRegistry({ store: createStore(), strategies: [decorated ? { ...plain, decorate } : plain] });
};

describe('createRegistry', () => {
  it('needs a store and strategies, and no more', async () => {
    const registry = registryOf(false);
    expect(registry.resources).toEqual([configMaps]);
    const created = await registry.create(configMaps, 'anywhere', object('a', {}, 'anywhere'));
    expect(registry.store.get(configMaps, at('a', 'anywhere'))).toBe(created);
  });

  it('does not know other resources', async () => {
    const registry = registryOf(false);
    expect(await statusOfLate(registry.create(resources.pods, 'a', object('a')))).toMatchObject({ code: 404 });
    expect(await statusOfLate(registry.deleteCollection(resources.pods, {}))).toMatchObject({ code: 404 });
  });

  it('decorates answers, and not what is stored', async () => {
    const registry = registryOf(true);
    const created = await registry.create(configMaps, 'shop', object('a'));
    const updated = await registry.update(configMaps, at('a'), () => object('a', { data: {} }));
    expect([created['decorated'], updated['decorated']]).toEqual([true, true]);
    expect(registry.store.get(configMaps, at('a'))).not.toHaveProperty('decorated');
    expect((await registry.delete(configMaps, at('a'))).object['decorated']).toBe(true);
  });
});
