import { createIPBitmap, createPortAllocator, type ServiceAllocators } from 'kube-endpoints/allocators';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import {
  type Admission,
  allocatingStrategy,
  createBuiltInStrategy,
  createInProcessPort,
  createRegistry,
  createSchemalessStrategy,
  namespaceStrategy,
  type Registry,
  type ResourceStrategy,
  randomnessFrom,
} from '../../src/registry/index.ts';
import { descriptions } from '../../src/resources/index.ts';
import { createStore, type Journal, type Store } from '../../src/store/index.ts';
import { createClock, type ManualClock } from '../store/support.ts';

export const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

export interface Fixture {
  readonly registry: Registry;
  readonly port: ClientPort;
  readonly store: Store;
  readonly clock: ManualClock;
  readonly allocators: ServiceAllocators;
}

export interface FixtureOptions {
  readonly admission?: Admission;
  readonly managesFields?: boolean;
  readonly draw?: (bound: number) => number;
  readonly journal?: Journal;
}

/** The time at which the clock of every fixture starts. */
export const startTime = '2026-01-02T03:04:05Z';

/** A registry over an empty store with the namespaces default and shop, and a manual clock. */
export async function createFixture({ admission, managesFields, draw = seeded(), journal }: FixtureOptions = {}): Promise<Fixture> {
  const clock = createClock(Date.parse(startTime));
  const store = createStore({ clock, ...(journal && { journal }) });
  const allocators: ServiceAllocators = {
    clusterIPs: { IPv4: createIPBitmap({ cidr: '10.0.0.0/24', draw }) },
    defaultFamily: 'IPv4',
    nodePorts: createPortAllocator({ draw }),
  };
  const registry = createRegistry({
    store,
    clock,
    strategies: createStrategies(allocators),
    randomness: randomnessFrom(draw),
    ...(admission && { admission }),
    ...(managesFields !== undefined && { managesFields }),
  });
  for (const name of ['default', 'shop']) await registry.create(resources.namespaces, undefined, { metadata: { name } });
  return { registry, port: createInProcessPort(registry), store, clock, allocators };
}

function createStrategies(allocators: ServiceAllocators): ResourceStrategy[] {
  return [
    namespaceStrategy(createBuiltInStrategy(descriptions.namespaces)),
    allocatingStrategy(createBuiltInStrategy(descriptions.services), allocators),
    createBuiltInStrategy(descriptions.endpoints),
    createBuiltInStrategy(descriptions.configMaps),
    createBuiltInStrategy(descriptions.events),
    createBuiltInStrategy(descriptions.nodes),
    createSchemalessStrategy({ resource: resources.pods, status: true, gracePeriod: (_, requestedSeconds) => requestedSeconds ?? 30 }),
  ];
}

/** A reproducible random number generator. */
export function seeded(seed: number = 1): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** An object in the namespace shop by default. */
export const object = (name: string, more: Readonly<Record<string, unknown>> = {}, namespace: string = 'shop'): ApiObject => {
  const { metadata, ...fields } = more;
  return { metadata: { name, namespace, ...(metadata as object | undefined) }, ...fields } as ApiObject;
};

/** The key of an object in the namespace shop by default. */
export const keyInShop = (name: string, namespace: string = 'shop'): { readonly namespace: string; readonly name: string } => ({
  namespace,
  name,
});
