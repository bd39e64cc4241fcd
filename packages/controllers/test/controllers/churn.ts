import { createFaults, type FaultRule, randomnessFrom } from '@kube-endpoints/apiserver';
import { type ApiObject, type ClientPort, type Resource, resources } from 'kube-endpoints/port';
import { profileFor } from 'kube-endpoints/versions';
import { differencesFrom } from './convergence.ts';
import { type ControllersFixture, createControllersFixture } from './fixture.ts';
import { nodeFor, podFor, readiness, serviceFor } from './objects.ts';

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
export async function churn({ seed, steps, version, faults: withFaults }: ChurnOptions): Promise<string[]> {
  const random = createRandom(seed);
  const faults = createFaults({ seed, rules: withFaults ? rules : [] });
  let faultsEnabled = withFaults;
  const wrapPort = (port: ClientPort): ClientPort => switchPorts(faults.port(port), port, () => faultsEnabled);
  // A seeded server, because the order of slices depends on the names that it generates.
  const server = { randomness: randomnessFrom(createRandom(~seed)) };
  const { slicesAreV1, deletedEndpointsRecreated } = profileFor(version);
  const release = { ...(version !== undefined && { version }), ...(!slicesAreV1 && { controllers: ['endpoints'] as const }) };
  const options = { random: () => random(1000) / 1000, server, ...release };
  await using fixture = await createControllersFixture({
    objects: [nodeFor('n1', 'a'), nodeFor('n2', 'b'), serviceFor('web')],
    wrapPort,
    ...options,
  });
  await fixture.start();
  for (let step = 0; step < steps; step++) {
    await pick(actions, random)(fixture, random);
    if (withFaults && random(12) === 0) await pick(disturbances, random)(fixture, faults, random);
    await fixture.pass(pick([0, 1, 20, 200, 3000], random));
  }
  faultsEnabled = false;
  faults.release();
  faults.dropWatches();
  // Longer than the 30 minutes after which a refused Service is synced again.
  await fixture.pass(4_000_000);
  if (!deletedEndpointsRecreated) await touchServices(fixture);
  const differences = await differencesFrom(fixture.client, release);
  fixture.takeWrites();
  await fixture.pass(600_000);
  return [...differences, ...fixture.takeWrites().map((write) => `still written: ${JSON.stringify(write)}`)];
}

/** Changes each Service, because the controller has not noticed that its Endpoints were deleted. */
async function touchServices({ client, pass }: ControllersFixture): Promise<void> {
  for (const { metadata } of (await client.list(services, { namespace: 'shop' })).items) {
    await client.patch(
      services,
      { namespace: 'shop', name: metadata.name ?? '' },
      { metadata: { annotations: { touched: 'yes' } } },
      { type: 'merge' },
    );
  }
  await pass();
}

const rules: readonly FaultRule[] = [
  { fault: 'conflict', when: { chance: 0.05 } },
  { fault: 'internalError', verbs: ['create', 'update', 'delete', 'get', 'list'], when: { chance: 0.05 } },
  { fault: 'tooManyRequests', verbs: ['create', 'update', 'delete'], when: { chance: 0.03 } },
  { fault: 'dropWatch', broken: true, afterEvents: [1, 30], when: { chance: 0.3 } },
];

type RandomInt = (bound: number) => number;
type Action = (fixture: ControllersFixture, random: RandomInt) => Promise<unknown>;

const serviceNames = ['web', 'api', 'db'];
const podNames = Array.from({ length: 12 }, (_, i) => `p${i}`);
const ignoreError = (): undefined => undefined;

const createPod: Action = async ({ server }, random) => {
  const name = pick(podNames, random);
  const shape = {
    app: pick(serviceNames, random),
    ip: `10.0.0.${1 + random(250)}`,
    ready: random(2) === 0,
    node: pick(['n1', 'n2', 'n3'], random),
  };
  // Loads the pod, because a created pod has no status.
  return server.load([podFor(name, shape)]).catch(ignoreError);
};

const createService: Action = ({ client }, random) => {
  const headless = random(4) === 0 ? { clusterIP: 'None' } : {};
  return client
    .create(services, serviceFor(pick(serviceNames, random), { ...headless, publishNotReadyAddresses: random(5) === 0 }))
    .catch(ignoreError);
};

const patchPod = ({ client }: ControllersFixture, name: string, patch: object, subresource?: string): Promise<unknown> =>
  client.patch(pods, { namespace: 'shop', name }, patch, { type: 'merge', ...(subresource && { subresource }) }).catch(ignoreError);

const remove = ({ client }: ControllersFixture, resource: Resource, name: string): Promise<unknown> =>
  client.delete(resource, { namespace: 'shop', name }, { gracePeriodSeconds: 0 }).catch(ignoreError);

const changeReadiness: Action = (fixture, random) => {
  const name = pick(podNames, random);
  return patchPod(fixture, name, { status: { conditions: readiness(random(2) === 0, `2026-01-01T00:00:${10 + random(49)}Z`) } }, 'status');
};

const actions: readonly Action[] = [
  ...Array<Action>(8).fill(createPod),
  createService,
  createService,
  (fixture, random) => remove(fixture, pods, pick(podNames, random)),
  (fixture, random) => remove(fixture, services, pick(serviceNames, random)),
  ...Array<Action>(2).fill(changeReadiness),
  (fixture, random) =>
    patchPod(fixture, pick(podNames, random), { status: { phase: pick(['Failed', 'Running', 'Succeeded'], random) } }, 'status'),
  (fixture, random) => patchPod(fixture, pick(podNames, random), { metadata: { labels: { app: pick(serviceNames, random) } } }),
  (fixture, random) => patchPod(fixture, pick(podNames, random), { metadata: { annotations: { a: String(random(100)) } } }),
  async (fixture, random) => {
    const name = pick(serviceNames, random);
    await remove(fixture, services, name);
    return fixture.client.create(services, serviceFor(name)).catch(ignoreError);
  },
  ({ client }, random) => {
    const selector = random(5) === 0 ? null : { app: pick(serviceNames, random) };
    return client
      .patch(services, { namespace: 'shop', name: pick(serviceNames, random) }, { spec: { selector } }, { type: 'merge' })
      .catch(ignoreError);
  },
  async ({ client }, random) => {
    const existing = (await client.list(endpoints, { namespace: 'shop' })).items;
    const selected = existing.length > 0 ? pick(existing, random) : undefined;
    return selected && client.update(endpoints, { ...selected, subsets: [] }).catch(ignoreError);
  },
  (fixture, random) => remove(fixture, endpoints, pick(serviceNames, random)),
  async (fixture, random) => {
    const existing = (await fixture.client.list(endpointSlices, { namespace: 'shop' })).items;
    const selected = existing.length > 0 ? pick(existing, random) : undefined;
    if (!selected) return undefined;
    if (random(2) === 0) return remove(fixture, endpointSlices, selected.metadata.name ?? '');
    return fixture.client.update(endpointSlices, { ...selected, endpoints: [] } as ApiObject).catch(ignoreError);
  },
  ({ client }, random) =>
    client.patch(
      nodes,
      { name: 'n2' },
      { metadata: { labels: { 'topology.kubernetes.io/zone': pick(['a', 'b'], random) } } },
      { type: 'merge' },
    ),
  ({ client }, random) =>
    (random(2) === 0 ? client.create(nodes, nodeFor('n3', 'c')) : client.delete(nodes, { name: 'n3' })).catch(ignoreError),
];

type Disturbance = (
  fixture: ControllersFixture,
  faults: ReturnType<typeof createFaults>,
  random: RandomInt,
) => Promise<unknown> | undefined;

const disturbances: readonly Disturbance[] = [
  (_, faults) => void faults.dropWatches({ broken: true }),
  (_, faults, random) =>
    void faults.stall({ resources: [pick(['pods', 'services', 'endpoints', 'endpointslices.discovery.k8s.io'], random)] }),
  (_, faults) => void faults.release(),
  (fixture, faults) => {
    fixture.server.compact();
    faults.dropWatches();
    return undefined;
  },
  async (fixture) => {
    await fixture.stop();
    await fixture.start();
  },
];

const switchPorts = (first: ClientPort, second: ClientPort, usesFirst: () => boolean): ClientPort => ({
  get: (...args) => (usesFirst() ? first : second).get(...args),
  list: (...args) => (usesFirst() ? first : second).list(...args),
  watch: (...args) => (usesFirst() ? first : second).watch(...args),
  create: (...args) => (usesFirst() ? first : second).create(...args),
  update: (...args) => (usesFirst() ? first : second).update(...args),
  patch: (...args) => (usesFirst() ? first : second).patch(...args),
  delete: (...args) => (usesFirst() ? first : second).delete(...args),
  deleteCollection: (...args) => (usesFirst() ? first : second).deleteCollection(...args),
});

function pick<T>(items: readonly T[], random: RandomInt): T {
  return items[random(items.length)] as T;
}

/** Mulberry32: returns integers from 0 to less than `bound`. */
function createRandom(seed: number): RandomInt {
  let state = seed >>> 0;
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
  };
}
