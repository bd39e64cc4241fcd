import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import type { Definition } from '../../../src/custom-resources/definition/definition.ts';
import { type CustomResources, createCustomResources, customResourceDefinitions } from '../../../src/custom-resources/index.ts';
import { type Catalog, createCatalog } from '../../../src/registry/catalog.ts';
import type { WebhookClient } from '../../../src/webhook-client/index.ts';
import { createFixture as createRegistryFixture, type FixtureOptions, type Fixture as RegistryFixture } from '../../registry/support.ts';

export interface Fixture extends RegistryFixture {
  readonly catalog: Catalog;
  readonly customResources: CustomResources;
  readonly failures: unknown[];
  /** Creates a definition. */
  createDefinition(definition: Definition): Promise<Definition>;
  /** Reads a definition. Default: that of things. */
  getDefinition(name?: string): Promise<Definition>;
}

/** Creates a registry with a controller for CustomResourceDefinitions. */
export async function createFixture(options: FixtureOptions & { readonly webhookClient?: WebhookClient } = {}): Promise<Fixture> {
  const { webhookClient: client } = options;
  const registryFixture = await createRegistryFixture(options);
  const catalog = createCatalog([]);
  const failures: unknown[] = [];
  const { registry, clock, port } = registryFixture;
  const customResources = createCustomResources({
    registry,
    catalog,
    clock,
    onError: (error) => failures.push(error),
    ...(client && { webhooks: { context: { client, clock, resolve: () => ({ host: '10.0.0.1', port: 443 }) } } }),
  });
  return {
    ...registryFixture,
    catalog,
    customResources,
    failures,
    createDefinition: (definition) => port.create(customResourceDefinitions, definition),
    getDefinition: (name = 'things.example.com') => port.get(customResourceDefinitions, { name }),
  };
}

/** Waits for the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const namesOf = async (port: ClientPort, ...[resource, options]: Parameters<ClientPort['list']>): Promise<string[]> =>
  (await port.list(resource, options)).items.map(({ metadata }: ApiObject) => metadata.name ?? '');
