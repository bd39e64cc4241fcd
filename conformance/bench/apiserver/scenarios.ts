import { sized } from '../size.ts';
import type { Client } from './client.ts';
import { configMap, namespace, pathsIn, pod, service, slice } from './objects.ts';

/** Scales a count to the size of this run. */
const scaled = (count: number): number => sized(count, count / 20);

/** A measurement on each server, in table order. */
export interface Scenario {
  readonly id: string;
  readonly unit: 'writes/s' | 'ms';
  /** The required ratio to the other server. */
  readonly goal: number;
  run(client: Client): Promise<number>;
}

const paths = pathsIn(namespace);

/** Concurrent writes per second. */
async function writesPerSecond(count: number, write: (i: number) => Promise<unknown>, concurrency = 16): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await write(next++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (count / (performance.now() - start)) * 1000;
}

/** Reads the first name in a body without parsing JSON: it is that of the object. */
const parseName = (body: string): string => /"name":"([^"]+)"/.exec(body)?.[1] ?? '';

async function milliseconds(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}

const creates = (id: string, path: string, count: number, createBody: (i: number) => string, concurrency?: number): Scenario => ({
  id,
  unit: 'writes/s',
  goal: 5,
  run: (client) => writesPerSecond(count, (i) => client.send('POST', path, createBody(i)), concurrency),
});

type CreateBody = (i: number, round: number) => string;

const updates = (id: string, path: string, count: number, objects: number, createBody: CreateBody, concurrency?: number): Scenario => ({
  id,
  unit: 'writes/s',
  goal: 5,
  run: (client) => {
    const write = (i: number): Promise<unknown> => {
      const object = i % objects;
      const body = createBody(object, Math.floor(i / objects));
      return client.send('PUT', `${path}/${parseName(body)}`, body);
    };
    return writesPerSecond(count, write, concurrency);
  },
});

const watchers = sized(100, 10);
const changes = 200;

/** Measures the time until all watchers have received all changes. */
const createFanOut = (path: string): Scenario => ({
  id: `${watchers} watchers receive ${changes} changes`,
  unit: 'ms',
  goal: 1,
  async run(client) {
    const { metadata } = JSON.parse(String(await client.send('GET', `${path}?limit=1`))) as { metadata: { resourceVersion: string } };
    const watchPath = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const watches = Array.from({ length: watchers }, () => client.watch(watchPath, changes));
    await Promise.all(watches.map(({ started }) => started));
    const start = performance.now();
    const writing = writesPerSecond(changes, (i) => client.send('PUT', `${path}/settings-${i}`, configMap(i, 'seen')));
    await Promise.all([writing, ...watches.map(({ completed }) => completed)]);
    return performance.now() - start;
  },
});

const podCount = scaled(10_000);

const podList: Scenario = {
  id: `list of ${podCount.toLocaleString('en-US')} pods`,
  unit: 'ms',
  goal: 1,
  async run(client) {
    const { items } = JSON.parse(String(await client.send('GET', paths.pods))) as { items: unknown[] };
    if (items.length !== podCount) throw new Error(`${items.length} pods instead of ${podCount}`);
    return milliseconds(() => client.send('GET', paths.pods), 7);
  },
};

/** Each scenario uses the objects of the previous ones. */
export const scenarios: readonly Scenario[] = [
  creates('creates of ConfigMaps', paths.configMaps, scaled(4000), configMap),
  updates('updates of ConfigMaps', paths.configMaps, scaled(8000), scaled(1000), (i, round) => configMap(i, `round ${round}`)),
  creates('creates of EndpointSlices', paths.slices, scaled(3000), slice),
  updates('updates of EndpointSlices', paths.slices, scaled(6000), scaled(1000), (i, round) => slice(i, round % 2 === 1)),
  creates('creates of Services', paths.services, scaled(2000), service),
  creates('creates of Pods', paths.pods, podCount, pod),
  updates('updates of Pods', paths.pods, scaled(6000), scaled(1000), (i, round) => pod(i, `round ${round}`)),
  creates('creates of ConfigMaps, one at a time', paths.configMaps, scaled(2000), (i) => configMap(100_000 + i), 1),
  updates(
    'updates of ConfigMaps, one at a time',
    paths.configMaps,
    scaled(2000),
    scaled(1000),
    (i, round) => configMap(i, `again ${round}`),
    1,
  ),
  updates('updates of EndpointSlices, one at a time', paths.slices, scaled(2000), scaled(1000), (i, round) => slice(i, round % 2 === 0), 1),
  podList,
  createFanOut(paths.configMaps),
];

/** Creates the namespace, and warms up the server in another one. */
export async function prepare(client: Client): Promise<void> {
  for (const name of [namespace, warmUp]) {
    await client.send('POST', '/api/v1/namespaces', JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  }
  const { configMaps, pods, slices } = pathsIn(warmUp);
  const warmUpScenarios = [
    creates('', configMaps, scaled(4000), configMap),
    updates('', configMaps, scaled(8000), scaled(1000), (i, round) => configMap(i, `round ${round}`)),
    creates('', slices, scaled(2000), slice),
    creates('', pods, scaled(2000), pod),
    updates('', pods, scaled(2000), scaled(1000), (i, round) => pod(i, `round ${round}`)),
    createFanOut(configMaps),
  ];
  for (const { run } of warmUpScenarios) await run(client);
}

const warmUp = 'warm-up';
