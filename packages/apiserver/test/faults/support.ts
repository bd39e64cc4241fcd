import type { ClientPort, Resource, WatchEvent } from 'kube-endpoints/port';
import { createFaults, type Faults, type FaultsOptions } from '../../src/faults/index.ts';
import { configMaps, createFixture, type Fixture, object } from '../registry/support.ts';

export { configMaps, keyInShop, object } from '../registry/support.ts';
export { drain, flushPromises, isSettled, takeNext } from '../store/support.ts';

export interface FaultFixture extends Fixture {
  readonly faults: Faults;
  /** A client of the API server that injects the faults; `port` is the same client without faults. */
  readonly client: ClientPort;
}

export async function createFaultFixture(options: FaultsOptions = {}): Promise<FaultFixture> {
  const fixture = await createFixture();
  const faults = createFaults({ clock: fixture.clock, store: fixture.store, ...options });
  return { ...fixture, faults, client: faults.port(fixture.port) };
}

/** Watches a resource, by default ConfigMaps, in the namespace shop from the current revision. */
export const watchFromNow = ({ client, store }: FaultFixture, options: object = {}, resource: Resource = configMaps): Watch =>
  client.watch(resource, { namespace: 'shop', resourceVersion: String(store.revision), ...options }) as Watch;

export type Watch = AsyncIterableIterator<WatchEvent>;

export async function createAll(port: ClientPort, ...names: readonly string[]): Promise<void> {
  for (const name of names) await port.create(configMaps, object(name));
}

/** The outcome of a promise: the code of a connection error, code and reason of a Status, or "done". */
export async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: { readonly code?: unknown; readonly reason?: unknown }) =>
      [error.code, error.reason].filter((value) => value !== undefined).join(' '),
  );
}
