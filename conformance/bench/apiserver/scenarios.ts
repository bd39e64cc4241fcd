import { chooseBySize } from '../size.ts';
import type { Client } from './client.ts';
import { configMap, namespace, pathsIn, pod, service, slice } from './objects.ts';

/** Scales a count to the size of this run. */
const scaleCount = (count: number): number => chooseBySize(count, count / 20);

/** A measurement that runs on each server. */
export interface Scenario {
  readonly id: string;
  readonly unit: 'writes/s' | 'ms';
  /** How many times as fast as the other server this one must be. */
  readonly goal: number;
  run(client: Client): Promise<number>;
}

const paths = pathsIn(namespace);

/** Makes `count` writes concurrently and returns the writes per second. */
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

/** The median duration of several rounds. */
async function medianMilliseconds(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}

const createScenario = (id: string, path: string, count: number, createBody: (i: number) => string, concurrency?: number): Scenario => ({
  id,
  unit: 'writes/s',
  goal: 5,
  run: (client) => writesPerSecond(count, (i) => client.send('POST', path, createBody(i)), concurrency),
});

type CreateBody = (i: number, round: number) => string;

const updateScenario = (
  id: string,
  path: string,
  count: number,
  objects: number,
  createBody: CreateBody,
  concurrency?: number,
): Scenario => ({
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

const watchers = chooseBySize(100, 10);
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

const podCount = scaleCount(10_000);

const podList: Scenario = {
  id: `list of ${podCount.toLocaleString('en-US')} pods`,
  unit: 'ms',
  goal: 1,
  async run(client) {
    const { items } = JSON.parse(String(await client.send('GET', paths.pods))) as { items: unknown[] };
    if (items.length !== podCount) throw new Error(`${items.length} pods instead of ${podCount}`);
    return medianMilliseconds(() => client.send('GET', paths.pods), 7);
  },
};

/** A concurrency. */
const oneAtATime = 1;

/** In table order. Each scenario uses the objects of the previous ones. */
export const scenarios: readonly Scenario[] = [
  createScenario('creates of ConfigMaps', paths.configMaps, scaleCount(4000), configMap),
  updateScenario('updates of ConfigMaps', paths.configMaps, scaleCount(8000), scaleCount(1000), (i, round) =>
    configMap(i, `round ${round}`),
  ),
  createScenario('creates of EndpointSlices', paths.slices, scaleCount(3000), slice),
  updateScenario('updates of EndpointSlices', paths.slices, scaleCount(6000), scaleCount(1000), (i, round) => slice(i, round % 2 === 1)),
  createScenario('creates of Services', paths.services, scaleCount(2000), service),
  createScenario('creates of Pods', paths.pods, podCount, pod),
  updateScenario('updates of Pods', paths.pods, scaleCount(6000), scaleCount(1000), (i, round) => pod(i, `round ${round}`)),
  createScenario('creates of ConfigMaps, one at a time', paths.configMaps, scaleCount(2000), (i) => configMap(100_000 + i), oneAtATime),
  updateScenario(
    'updates of ConfigMaps, one at a time',
    paths.configMaps,
    scaleCount(2000),
    scaleCount(1000),
    (i, round) => configMap(i, `again ${round}`),
    oneAtATime,
  ),
  updateScenario(
    'updates of EndpointSlices, one at a time',
    paths.slices,
    scaleCount(2000),
    scaleCount(1000),
    (i, round) => slice(i, round % 2 === 0),
    oneAtATime,
  ),
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
    createScenario('', configMaps, scaleCount(4000), configMap),
    updateScenario('', configMaps, scaleCount(8000), scaleCount(1000), (i, round) => configMap(i, `round ${round}`)),
    createScenario('', slices, scaleCount(2000), slice),
    createScenario('', pods, scaleCount(2000), pod),
    updateScenario('', pods, scaleCount(2000), scaleCount(1000), (i, round) => pod(i, `round ${round}`)),
    createFanOut(configMaps),
  ];
  for (const { run } of warmUpScenarios) await run(client);
}

const warmUp = 'warm-up';
