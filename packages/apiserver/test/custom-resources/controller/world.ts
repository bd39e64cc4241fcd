import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import type { Definition } from '../../../src/custom-resources/definition/definition.ts';
import { type CustomResources, createCustomResources, customResourceDefinitions } from '../../../src/custom-resources/index.ts';
import { type Catalog, createCatalog } from '../../../src/registry/catalog.ts';
import { createWorld as createRegistryWorld, type World as RegistryWorld, type WorldOptions } from '../../registry/support.ts';

export interface World extends RegistryWorld {
  readonly catalog: Catalog;
  readonly custom: CustomResources;
  readonly failures: unknown[];
  define(definition: Definition): Promise<Definition>;
  definition(name?: string): Promise<Definition>;
}

/** A registry with a controller for CustomResourceDefinitions. */
export async function createWorld(options?: WorldOptions): Promise<World> {
  const world = await createRegistryWorld(options);
  const catalog = createCatalog([]);
  const failures: unknown[] = [];
  const { registry, clock, port } = world;
  const custom = createCustomResources({ registry, catalog, clock, failed: (error) => failures.push(error) });
  return {
    ...world,
    catalog,
    custom,
    failures,
    define: (definition) => port.create(customResourceDefinitions, definition),
    definition: (name = 'things.example.com') => port.get(customResourceDefinitions, { name }),
  };
}

/** Waits for the work of the event loop before the next timers. */
export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const namesOf = async (port: ClientPort, ...[resource, options]: Parameters<ClientPort['list']>): Promise<string[]> =>
  (await port.list(resource, options)).items.map(({ metadata }: ApiObject) => metadata.name ?? '');
