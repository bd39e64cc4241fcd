import type { ClientPort, Resource, WatchEvent } from 'kube-endpoints/port';
import { createFaults, type Faults, type FaultsOptions } from '../../src/faults/index.ts';
import { configMaps, createWorld, object, type World } from '../registry/support.ts';

export { at, configMaps, object } from '../registry/support.ts';
export { drain, isSettled, settle, take } from '../store/support.ts';

export interface BrokenWorld extends World {
  readonly faults: Faults;
  /** The port with faults; `world.port` is the one without. */
  readonly client: ClientPort;
}

export async function createBrokenWorld(options: FaultsOptions = {}): Promise<BrokenWorld> {
  const world = await createWorld();
  const faults = createFaults({ clock: world.clock, store: world.store, ...options });
  return { ...world, faults, client: faults.port(world.port) };
}

/** A watch of the ConfigMaps of a namespace from the current revision. */
export const watchFromNow = ({ client, store }: BrokenWorld, more: object = {}, resource: Resource = configMaps): Watch =>
  client.watch(resource, { namespace: 'shop', resourceVersion: String(store.revision), ...more }) as Watch;

export type Watch = AsyncIterableIterator<WatchEvent>;

export async function createAll(port: ClientPort, ...names: readonly string[]): Promise<void> {
  for (const name of names) await port.create(configMaps, object(name));
}

/** The outcome of a promise: the code of a connection error, code and reason of a Status, or "done". */
export async function fateOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'done',
    (error: { readonly code?: unknown; readonly reason?: unknown }) =>
      [error.code, error.reason].filter((part) => part !== undefined).join(' '),
  );
}
