import { createFaults, type FaultRule, randomnessFrom } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { differencesFrom } from './convergence.ts';
import { nodeFor, podFor, readiness, serviceFor } from './objects.ts';
import { createWorld, type World } from './world.ts';

const { endpoints, endpointSlices, pods, services, nodes } = resources;

export interface ChurnOptions {
  readonly seed: number;
  readonly steps: number;
  readonly version?: string;
  /** True if calls fail and watches break. */
  readonly faults: boolean;
}

/**
 * Changes a small cluster with running controllers at random, then waits and returns every deviation from the expected state. The
 * changes depend on the seed only.
 */
export async function churn({ seed, steps, version, faults: broken }: ChurnOptions): Promise<string[]> {
  const draw = generator(seed);
  const faults = createFaults({ seed, rules: broken ? rules : [] });
  let failing = broken;
  const through = (port: ClientPort): ClientPort => either(faults.port(port), port, () => failing);
  // Slices are selected and ordered by the names that the server generates.
  const server = { randomness: randomnessFrom(generator(~seed)) };
  const options = { random: () => draw(1000) / 1000, server, ...(version !== undefined && { version }) };
  await using world = await createWorld({ objects: [nodeFor('n1', 'a'), nodeFor('n2', 'b'), serviceFor('web')], through, ...options });
  await world.start();
  for (let step = 0; step < steps; step++) {
    await pick(actions, draw)(world, draw);
    if (broken && draw(12) === 0) await pick(disturbances, draw)(world, faults, draw);
    await world.pass(pick([0, 1, 20, 200, 3000], draw));
  }
  failing = false;
  faults.release();
  faults.dropWatches();
  await world.pass(4_000_000);
  const found = await differencesFrom(world.client, version === undefined ? {} : { version });
  world.sent();
  await world.pass(600_000);
  return [...found, ...world.sent().map((sent) => `still written: ${JSON.stringify(sent)}`)];
}

const rules: readonly FaultRule[] = [
  { fault: 'conflict', when: { chance: 0.05 } },
  { fault: 'internalError', verbs: ['create', 'update', 'delete', 'get', 'list'], when: { chance: 0.05 } },
  { fault: 'tooManyRequests', verbs: ['create', 'update', 'delete'], when: { chance: 0.03 } },
  { fault: 'dropWatch', broken: true, afterEvents: [1, 30], when: { chance: 0.3 } },
];

type Draw = (bound: number) => number;
type Action = (world: World, draw: Draw) => Promise<unknown>;

const names = ['web', 'api', 'db'];
const podNames = Array.from({ length: 12 }, (_, i) => `p${i}`);
const ignore = (): undefined => undefined;

const newPod: Action = async ({ server }, draw) => {
  const name = pick(podNames, draw);
  const shape = { app: pick(names, draw), ip: `10.0.0.${1 + draw(250)}`, ready: draw(2) === 0, node: pick(['n1', 'n2', 'n3'], draw) };
  // Created by loading, to have a status from the start.
  return server.load([podFor(name, shape)]).catch(ignore);
};

const newService: Action = ({ client }, draw) => {
  const headless = draw(4) === 0 ? { clusterIP: 'None' } : {};
  return client.create(services, serviceFor(pick(names, draw), { ...headless, publishNotReadyAddresses: draw(5) === 0 })).catch(ignore);
};

const patchPod = ({ client }: World, name: string, patch: object, subresource?: string): Promise<unknown> =>
  client.patch(pods, { namespace: 'shop', name }, patch, { type: 'merge', ...(subresource && { subresource }) }).catch(ignore);

const remove = ({ client }: World, resource: Resource, name: string): Promise<unknown> =>
  client.delete(resource, { namespace: 'shop', name }, { gracePeriodSeconds: 0 }).catch(ignore);

const flipPod: Action = (world, draw) => {
  const name = pick(podNames, draw);
  return patchPod(world, name, { status: { conditions: readiness(draw(2) === 0, `2026-01-01T00:00:${10 + draw(49)}Z`) } }, 'status');
};

const actions: readonly Action[] = [
  ...Array<Action>(8).fill(newPod),
  newService,
  newService,
  (world, draw) => remove(world, pods, pick(podNames, draw)),
  (world, draw) => remove(world, services, pick(names, draw)),
  ...Array<Action>(2).fill(flipPod),
  (world, draw) => patchPod(world, pick(podNames, draw), { status: { phase: pick(['Failed', 'Running', 'Succeeded'], draw) } }, 'status'),
  (world, draw) => patchPod(world, pick(podNames, draw), { metadata: { labels: { app: pick(names, draw) } } }),
  (world, draw) => patchPod(world, pick(podNames, draw), { metadata: { annotations: { a: String(draw(100)) } } }),
  async (world, draw) => {
    const name = pick(names, draw);
    await remove(world, services, name);
    return world.client.create(services, serviceFor(name)).catch(ignore);
  },
  ({ client }, draw) => {
    const selector = draw(5) === 0 ? null : { app: pick(names, draw) };
    return client.patch(services, { namespace: 'shop', name: pick(names, draw) }, { spec: { selector } }, { type: 'merge' }).catch(ignore);
  },
  async ({ client }, draw) => {
    const there = (await client.list(endpoints, { namespace: 'shop' })).items;
    const one = there.length > 0 ? pick(there, draw) : undefined;
    return one && client.update(endpoints, { ...one, subsets: [] }).catch(ignore);
  },
  (world, draw) => remove(world, endpoints, pick(names, draw)),
  async (world, draw) => {
    const there = (await world.client.list(endpointSlices, { namespace: 'shop' })).items;
    const one = there.length > 0 ? pick(there, draw) : undefined;
    if (!one) return undefined;
    if (draw(2) === 0) return remove(world, endpointSlices, one.metadata.name ?? '');
    return world.client.update(endpointSlices, { ...one, endpoints: [] } as ApiObject).catch(ignore);
  },
  ({ client }, draw) =>
    client.patch(
      nodes,
      { name: 'n2' },
      { metadata: { labels: { 'topology.kubernetes.io/zone': pick(['a', 'b'], draw) } } },
      { type: 'merge' },
    ),
  ({ client }, draw) => (draw(2) === 0 ? client.create(nodes, nodeFor('n3', 'c')) : client.delete(nodes, { name: 'n3' })).catch(ignore),
];

type Disturbance = (world: World, faults: ReturnType<typeof createFaults>, draw: Draw) => Promise<unknown> | undefined;

const disturbances: readonly Disturbance[] = [
  (_, faults) => void faults.dropWatches({ broken: true }),
  (_, faults, draw) => void faults.stall({ resources: [pick(['pods', 'services', 'endpoints', 'endpointslices.discovery.k8s.io'], draw)] }),
  (_, faults) => void faults.release(),
  (world, faults) => {
    world.server.compact();
    faults.dropWatches();
    return undefined;
  },
  async (world) => {
    await world.stop();
    await world.start();
  },
];

const either = (a: ClientPort, b: ClientPort, first: () => boolean): ClientPort => ({
  get: (...given) => (first() ? a : b).get(...given),
  list: (...given) => (first() ? a : b).list(...given),
  watch: (...given) => (first() ? a : b).watch(...given),
  create: (...given) => (first() ? a : b).create(...given),
  update: (...given) => (first() ? a : b).update(...given),
  patch: (...given) => (first() ? a : b).patch(...given),
  delete: (...given) => (first() ? a : b).delete(...given),
  deleteCollection: (...given) => (first() ? a : b).deleteCollection(...given),
});

function pick<T>(all: readonly T[], draw: Draw): T {
  return all[draw(all.length)] as T;
}

/** Mulberry32. */
function generator(seed: number): Draw {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}
