import { resources as portResources } from 'kube-endpoints/port';
import { composeAdmission, createWebhookAdmission, type WebhookAdmission } from './admission/index.ts';
import { type CustomResources, createCustomResources } from './custom-resources/index.ts';
import type { Data } from './data/index.ts';
import { startEventExpiry } from './event-expiry.ts';
import { createExtraResourceEntry } from './extra-resources.ts';
import { type ApiServerOptions, allocateRestored, createServiceAllocators } from './options.ts';
import { builtInResources, type Catalog, createCatalog } from './registry/catalog.ts';
import {
  type BackgroundTasks,
  createBackgroundTasks,
  createBuiltInStrategies,
  createRegistry,
  createSchemalessStrategy,
  type Registry,
  systemRandomness,
} from './registry/index.ts';
import { createStore, type Store, systemClock } from './store/index.ts';

export interface Components {
  readonly store: Store;
  readonly registry: Registry;
  readonly catalog: Catalog;
  readonly webhooks: WebhookAdmission;
  readonly background: BackgroundTasks;
  readonly customResources: CustomResources;
  stopEventExpiry(): void;
}

/** Creates the components of the API server, with the objects of `data`. @throws RangeError that names the invalid option */
export async function createComponents(options: ApiServerOptions, data: Data | undefined): Promise<Components> {
  const { clock = systemClock, randomness = systemRandomness, resources = [], admission = [], maxEvents, maxEventBytes } = options;
  const { resolveService, background: automatic = true, endsPods = true, eventTTL = 3_600_000 } = options;
  const store = createStore({
    clock,
    ...(maxEvents !== undefined && { maxEvents }),
    ...(maxEventBytes !== undefined && { maxBytes: maxEventBytes }),
    ...(data && { journal: data.journal }),
    ...(data?.saved && { saved: data.saved }),
  });
  data?.journal.attach(() => store.capture());
  const allocators = createServiceAllocators(options, randomness.draw);
  for (const service of store.list(portResources.services).items) allocateRestored(service, allocators);
  const stopEventExpiry = startEventExpiry(store, clock, eventTTL);
  const webhooks = createWebhookAdmission({
    store,
    getServedResources: () => registry,
    clock,
    randomness,
    ...(resolveService && { resolveService }),
  });
  const registry: Registry = createRegistry({
    store,
    clock,
    randomness,
    strategies: [...createBuiltInStrategies(allocators), ...resources.map(createSchemalessStrategy)],
    admission: composeAdmission(...admission, webhooks),
    managesFields: true,
  });
  const catalog = createCatalog([...builtInResources(), ...resources.map(createExtraResourceEntry)]);
  const customResources = createCustomResources({ registry, catalog, clock });
  // The garbage collector must know the kinds of restored owners.
  if (data?.saved) await customResources.settle();
  const background = createBackgroundTasks({ registry, clock, automatic, endsPods, ...(automatic && { bootstrap: {} }) });
  return { store, registry, catalog, webhooks, background, customResources, stopEventExpiry };
}
