import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { assemble, type Components } from './components.ts';
import { type LoadOptions, load } from './load.ts';
import type { ApiServerOptions } from './options.ts';
import { bootstrap, createInProcessPort } from './registry/index.ts';
import type { Listening, ListenOptions } from './server/index.ts';
import type { StoreStats } from './store/index.ts';

/** A Kubernetes API in this process: its objects, and the ways to reach them. */
export interface ApiServer extends AsyncDisposable {
  /** In process: no sockets. What it answers is frozen. */
  readonly client: ClientPort;
  /** Stores objects as they are given, status and uid included; namespaces that they are in are made. @throws LoadError */
  load(objects: readonly ApiObject[], options?: LoadOptions): Promise<void>;
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
  /** Ends connections, what is waited for, and what goes on in the background. Whatever is called later is rejected. */
  close(): Promise<void>;
}

/**
 * An embedded API server, as kube-apiserver of Kubernetes 1.36 with the resources that a Service's traffic depends on.
 *
 * @throws RangeError that names the option which is wrong; LoadError where an object of `objects` is refused
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const components = assemble(options);
  await bootstrap(components.registry);
  const { registry, catalog, background, customResources, store, webhooks } = components;
  const { faults, managedFields = false } = options;
  faults?.attach(store);
  const life = new AbortController();
  const { signal: ended } = life;
  const port = createInProcessPort(registry, { managesFields: managedFields, ended });
  const listeners = createListeners(ended);
  const loadAll = (objects: readonly ApiObject[], how?: LoadOptions): Promise<void> =>
    load({ registry, catalog, served: () => customResources.settle() }, objects, how);
  const server: ApiServer = {
    client: faults ? faults.port(port, ended) : port,
    async load(objects, how) {
      ended.throwIfAborted();
      await loadAll(objects, how);
    },
    async listen(given = {}) {
      return listeners.add(async () => (await import('./http-server.ts')).listenTo({ registry, catalog, options }, given));
    },
    settle: () => settle(components),
    compact: () => store.compact(store.revision),
    stats: () => store.stats(),
    async close() {
      background.close();
      customResources.close();
      if (!ended.aborted) life.abort(serverClosed());
      await listeners.close();
      webhooks.close();
      store.dropWatches();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  await loadAll(options.objects ?? []);
  return server;
}

/** Each may leave something to do for the other. */
async function settle({ store, background, customResources }: Components): Promise<void> {
  for (let round = 0; round < mostRounds; round++) {
    const before = store.revision;
    await customResources.settle();
    await background.settle();
    if (store.revision === before) return;
  }
}

/** Nothing that ends takes nearly as many; what goes round in circles is left. */
const mostRounds = 100;

/** Those who listen, or are about to. */
function createListeners(ended: AbortSignal): {
  add(listen: () => Promise<Listening>): Promise<Listening>;
  close(): Promise<void>;
} {
  const all = new Set<Promise<Listening>>();
  const closed = (): Promise<unknown> =>
    Promise.all(
      [...all].map((each) =>
        each.then(
          (listening) => listening.close(),
          () => undefined,
        ),
      ),
    );
  return {
    async add(listen) {
      ended.throwIfAborted();
      const opening = listen();
      all.add(opening);
      const listening = await opening;
      if (!ended.aborted) return listening;
      await listening.close();
      throw ended.reason;
    },
    close: async () => void (await closed()),
  };
}

/** The code is that of Node.js for a server that does not run. */
const serverClosed = (): Error => Object.assign(new Error('the API server is closed'), { code: 'ERR_SERVER_NOT_RUNNING' });
