import type { ApiObject, ClientPort } from '../port/index.ts';
import { load } from './load.ts';
import type { ApiServerOptions } from './options.ts';
import { type Parts, partsOf } from './parts.ts';
import { bootstrap, createInProcessPort } from './registry/index.ts';
import type { Listening, ListenOptions } from './server/index.ts';
import type { StoreStats } from './store/index.ts';

/** A Kubernetes API in this process: its objects, and the faces through which they are reached. */
export interface ApiServer extends AsyncDisposable {
  /** In process: no sockets. What it answers is frozen. */
  readonly client: ClientPort;
  /** Stores objects as they are given, status and uid included; namespaces that they are in are made. @throws LoadError */
  load(objects: readonly ApiObject[]): Promise<void>;
  /**
   * Lets clients come in over HTTPS. May be called more than once.
   * @throws RangeError for options that cannot be meant; what Node.js says where it cannot listen
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Does at once what is otherwise done in the background, until nothing is left to do: custom resources, garbage, namespaces. */
  settle(): Promise<void>;
  /** Forgets what happened up to now: who lists or watches from there is told 410 Gone. */
  compact(): void;
  stats(): StoreStats;
  /** Ends connections and what goes on in the background. */
  close(): Promise<void>;
}

/**
 * An embedded API server, as kube-apiserver of Kubernetes 1.36 with the resources that a Service's traffic depends on.
 *
 * @throws RangeError that names the option which is wrong; LoadError where an object of `objects` is refused
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const parts = partsOf(options);
  await bootstrap(parts.registry);
  const { registry, catalog, background, customResources, store, webhooks } = parts;
  const { faults, managedFields = false } = options;
  faults?.attach(store);
  const port = createInProcessPort(registry, { managesFields: managedFields });
  const open = new Set<Listening>();
  const loadAll = (objects: readonly ApiObject[]): Promise<void> =>
    load({ registry, catalog, served: () => customResources.settle() }, objects);
  const server: ApiServer = {
    client: faults ? faults.port(port) : port,
    load: loadAll,
    async listen(given = {}) {
      const { listenTo } = await import('./faces.ts');
      const listening = await listenTo({ registry, catalog, options }, given);
      open.add(listening);
      return listening;
    },
    settle: () => settle(parts),
    compact: () => store.compact(store.revision),
    stats: () => store.stats(),
    async close() {
      background.close();
      customResources.close();
      await Promise.all([...open].map((listening) => listening.close()));
      webhooks.close();
      store.dropWatches();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  await loadAll(options.objects ?? []);
  return server;
}

/** Each may leave something to do for the other. */
async function settle({ store, background, customResources }: Parts): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const before = store.revision;
    await customResources.settle();
    await background.settle();
    if (store.revision === before) return;
  }
}

/** Nothing that ends takes nearly as many; what goes round in circles is left. */
const mostRounds = 100;
