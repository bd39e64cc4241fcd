import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { bootstrapPolicy } from './authorization/index.ts';
import { type Components, createComponents } from './components.ts';
import { publishServerAddress } from './controllers/index.ts';
import { type LoadOptions, load } from './load.ts';
import type { ApiServerOptions } from './options.ts';
import { bootstrap, createInProcessPort } from './registry/index.ts';
import type { Listening, ListenOptions } from './server/index.ts';
import type { StoreStats } from './store/index.ts';

/** An embedded Kubernetes API server and the ways to reach it. */
export interface ApiServer extends AsyncDisposable {
  /** In-process client without sockets. The objects it returns are frozen. */
  readonly client: ClientPort;
  /** Stores objects as given, including status and uid, and creates missing namespaces. @throws LoadError if an object is refused */
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
  /** Closes connections, cancels pending calls and stops background work. Later calls of the client, `load` and `listen` are rejected. */
  close(): Promise<void>;
}

/**
 * Creates an embedded API server. It behaves as kube-apiserver 1.36, with the resources that a Service's traffic depends on.
 *
 * @throws RangeError that names the invalid option; LoadError if one of `objects` is refused
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const components = createComponents(options);
  await bootstrap(components.registry);
  if (options.authorization === 'rbac') await bootstrapPolicy(components.registry);
  const { registry, catalog, authorizer, serviceAccountTokens, background, customResources, store, webhooks } = components;
  const { faults, managedFields = false } = options;
  faults?.attach(store);
  const abortController = new AbortController();
  const { signal: closeSignal } = abortController;
  const port = createInProcessPort(registry, { managesFields: managedFields, closeSignal });
  const listeners = createListenerTracker(closeSignal);
  const loadAll = (objects: readonly ApiObject[], loadOptions?: LoadOptions): Promise<void> =>
    load({ registry, catalog, waitUntilServed: () => customResources.settle() }, objects, loadOptions);
  const server: ApiServer = {
    client: faults ? faults.port(port, closeSignal) : port,
    async load(objects, loadOptions) {
      closeSignal.throwIfAborted();
      await loadAll(objects, loadOptions);
    },
    async listen(listenOptions = {}) {
      return listeners.add(async () => {
        const { advertisedAddressOf, startHttpServer } = await import('./http-server.ts');
        const listening = await startHttpServer({ registry, catalog, authorizer, serviceAccountTokens, options }, listenOptions);
        const address = advertisedAddressOf(listening);
        if (address) await publishServerAddress(registry, address);
        if (listening.ca !== undefined) components.publishAuthority(listening.ca);
        return listening;
      });
    },
    settle: () => settle(components),
    compact: () => store.compact(store.revision),
    stats: () => store.stats(),
    async close() {
      background.close();
      components.controllers.close();
      customResources.close();
      components.stopEventExpiry();
      if (!closeSignal.aborted) abortController.abort(createServerClosedError());
      await listeners.close();
      webhooks.close();
      store.dropWatches();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  await loadAll(options.objects ?? []);
  return server;
}

/**
 * Settles custom resources and background work in turn until neither writes to the store, because each can cause work for the other. Stops
 * after `maxSettleRounds`.
 */
async function settle({ store, background, controllers, customResources }: Components): Promise<void> {
  for (let round = 0; round < maxSettleRounds; round++) {
    const revisionBefore = store.revision;
    await customResources.settle();
    await background.settle();
    await controllers.settle();
    if (store.revision === revisionBefore) return;
  }
}

/** Maximum number of rounds, in case the work never converges. Work that converges needs far fewer. */
const maxSettleRounds = 100;

/** Tracks listeners, including those that are still opening, so that `close` closes them all. */
function createListenerTracker(closeSignal: AbortSignal): {
  add(listen: () => Promise<Listening>): Promise<Listening>;
  close(): Promise<void>;
} {
  const listeners = new Set<Promise<Listening>>();
  const closeAll = (): Promise<unknown> =>
    Promise.all(
      [...listeners].map((listenerPromise) =>
        listenerPromise.then(
          (listener) => listener.close(),
          () => undefined,
        ),
      ),
    );
  return {
    async add(listen) {
      closeSignal.throwIfAborted();
      const listenerPromise = listen();
      listeners.add(listenerPromise);
      const listener = await listenerPromise;
      if (!closeSignal.aborted) return listener;
      await listener.close();
      throw closeSignal.reason;
    },
    close: async () => void (await closeAll()),
  };
}

/** Uses the error code of Node.js for a server that is not running. */
const createServerClosedError = (): Error => Object.assign(new Error('the API server is closed'), { code: 'ERR_SERVER_NOT_RUNNING' });
