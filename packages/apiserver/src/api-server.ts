import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { assemble, type Components } from './components.ts';
import { type LoadOptions, load } from './load.ts';
import type { ApiServerOptions } from './options.ts';
import { bootstrap, createInProcessPort } from './registry/index.ts';
import type { Listening, ListenOptions } from './server/index.ts';
import type { StoreStats } from './store/index.ts';

/** An embedded Kubernetes API server and the ways to reach it. */
export interface ApiServer extends AsyncDisposable {
  /** In-process client without sockets. The objects it returns are frozen. */
  readonly client: ClientPort;
  /** Stores objects as given, including status and uid, and creates missing namespaces. @throws LoadError */
  load(objects: readonly ApiObject[], options?: LoadOptions): Promise<void>;
  /**
   * Serves the API over HTTPS. May be called more than once.
   * @throws RangeError if an option is invalid; the error of Node.js if it cannot listen
   */
  listen(options?: ListenOptions): Promise<Listening>;
  /** Runs all background work to completion: custom resources, garbage collection, namespace deletion. */
  settle(): Promise<void>;
  /** Drops the event log: a list or watch from an older resourceVersion fails with 410 Gone. */
  compact(): void;
  stats(): StoreStats;
  /** Closes connections, pending waits and background work. Later calls are rejected. */
  close(): Promise<void>;
}

/**
 * Creates an embedded API server. It behaves as kube-apiserver 1.36, with the resources that a Service's traffic depends on.
 *
 * @throws RangeError that names the invalid option; LoadError if one of `objects` is refused
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

/** Repeats, because custom resources and background work can each cause work for the other. */
async function settle({ store, background, customResources }: Components): Promise<void> {
  for (let round = 0; round < maxSettleRounds; round++) {
    const before = store.revision;
    await customResources.settle();
    await background.settle();
    if (store.revision === before) return;
  }
}

/** Work that converges needs far fewer rounds; work that never converges stops here. */
const maxSettleRounds = 100;

/** Tracks listeners, including those that are still opening, so that `close` closes them all. */
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

/** Uses the error code of Node.js for a server that is not running. */
const serverClosed = (): Error => Object.assign(new Error('the API server is closed'), { code: 'ERR_SERVER_NOT_RUNNING' });
