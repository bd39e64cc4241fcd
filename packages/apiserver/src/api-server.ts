import { setImmediate } from 'node:timers/promises';
import type { ApiObject, ClientPort } from 'kube-endpoints/port';
import { bootstrapPolicy } from './authorization/index.ts';
import { type Components, createComponents } from './components.ts';
import { publishServerAddress } from './controllers/index.ts';
import type { Data } from './data/index.ts';
import { type LoadOptions, load } from './load.ts';
import { type ApiServerOptions, checkApiServerOptions } from './options.ts';
import { bootstrap, createInProcessPort } from './registry/index.ts';
import { createCertificateKeys } from './server/certificates.ts';
import type { Listening, ListenOptions } from './server/index.ts';
import { type StoreStats, systemClock } from './store/index.ts';

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
 * @throws RangeError that names the invalid option; LoadError if one of `objects` is refused; Error with code ERR_DATA if the folder `data`
 * cannot be used
 */
export async function createApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  checkApiServerOptions(options);
  const data = await openDataOf(options);
  try {
    return await startApiServer(options, data);
  } catch (error) {
    await data?.close();
    throw error;
  }
}

async function openDataOf({ data, onDataProblem }: ApiServerOptions): Promise<Data | undefined> {
  if (data === undefined) return undefined;
  // Imported on demand to keep the start of a server in memory fast.
  const { openData } = await import('./data/index.ts');
  return openData(data, onDataProblem && { onProblem: onDataProblem });
}

async function startApiServer(options: ApiServerOptions, data: Data | undefined): Promise<ApiServer> {
  const { faults, managedFields = false, clock = systemClock } = options;
  const credentials = data && (await import('./credentials.ts')).createCredentialStore(data.folder, clock);
  const components = await createComponents(options, data, await credentials?.signingKey());
  await bootstrap(components.registry);
  if (options.authorization === 'rbac') await bootstrapPolicy(components.registry);
  const { registry, catalog, background, customResources, store, webhooks, policies } = components;
  faults?.attach(store);
  const abortController = new AbortController();
  const { signal: closeSignal } = abortController;
  const port = createInProcessPort(registry, { managesFields: managedFields, closeSignal });
  const listeners = createListenerTracker(closeSignal);
  const loadAll = (objects: readonly ApiObject[], loadOptions?: LoadOptions): Promise<void> =>
    load({ registry, catalog, waitUntilServed: () => customResources.settle(), ...loadSettingsOf(data) }, objects, loadOptions);
  const server: ApiServer = {
    client: faults ? faults.port(port, closeSignal) : port,
    async load(objects, loadOptions) {
      closeSignal.throwIfAborted();
      await loadAll(objects, loadOptions);
    },
    async listen(listenOptions = {}) {
      return listeners.add(async () => openListener(components, options, (await credentials?.addTo(listenOptions)) ?? listenOptions));
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
      policies.close();
      store.dropWatches();
      await store.waitUntilSaved()?.catch(() => undefined);
      await data?.close();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
  await loadAll(options.objects ?? [], data && { keep: () => undefined });
  return server;
}

/**
 * Starts to serve HTTP, publishes the address and the certificate authority in the cluster, and creates the objects that kube-apiserver
 * creates once it serves. Requests are answered from the first step on.
 */
async function openListener(components: Components, options: ApiServerOptions, listenOptions: ListenOptions): Promise<Listening> {
  const { tls = true } = listenOptions;
  // Other threads create the keys while this one loads the server.
  const certificateKeys = tls === true ? createCertificateKeys() : undefined;
  const { advertisedAddressOf, startHttpServer } = await import('./http-server.ts');
  const { registry } = components;
  const listening = await startHttpServer({ ...components, options, certificateKeys }, listenOptions);
  const address = advertisedAddressOf(listening);
  // The connections and requests of clients that wait for the server come before each step.
  await setImmediate();
  if (address) await publishServerAddress(registry, address);
  await setImmediate();
  if (listening.ca !== undefined) components.publishAuthority(listening.ca);
  await components.startServerControllers();
  return listening;
}

/** One object after the other in memory, many together if each write waits for the disk. */
const loadSettingsOf = (data: Data | undefined): { readonly concurrency: number; readonly isRestored: boolean } => ({
  concurrency: data ? 256 : 1,
  isRestored: data?.saved !== undefined,
});

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
    await store.waitUntilSaved()?.catch(() => undefined);
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
