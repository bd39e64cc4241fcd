import { chooseBySize } from '../size.ts';
import type { Client } from './client.ts';
import { configMap, namespace, pathsIn, pod, service, slice } from './objects.ts';

/** Scales a count to the size of this run. */
const scaleCount = (count: number): number => chooseBySize(count, count / 20);

/** A measurement that runs on each server. */
export interface Scenario {
  readonly id: string;
  readonly unit: 'writes/s' | 'ms';
  /** Required speed relative to kube-apiserver; 5 means five times as fast. */
  readonly goal: number;
  run(client: Client): Promise<number>;
}

const paths = pathsIn(namespace);

/** Makes `count` writes concurrently and returns the writes per second. */
export async function writesPerSecond(count: number, write: (i: number) => Promise<unknown>, concurrency = 16): Promise<number> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await write(next++);
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: concurrency }, worker));
  return (count / (performance.now() - start)) * 1000;
}

/** Returns the first `name` in a body without parsing the JSON: in these objects, that is metadata.name. */
const parseName = (body: string): string => /"name":"([^"]+)"/.exec(body)?.[1] ?? '';

/** Returns the median duration of several rounds. */
async function medianMilliseconds(work: () => Promise<unknown>, rounds: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1] as number;
}

const createScenarioOfCreates = (
  id: string,
  path: string,
  count: number,
  createBody: (i: number) => string,
  concurrency?: number,
): Scenario => ({
  id,
  unit: 'writes/s',
  goal: 5,
  run: (client) => writesPerSecond(count, (i) => client.send('POST', path, createBody(i)), concurrency),
});

type CreateBody = (i: number, round: number) => string;

const createScenarioOfUpdates = (
  id: string,
  path: string,
  count: number,
  objectCount: number,
  createBody: CreateBody,
  concurrency?: number,
): Scenario => ({
  id,
  unit: 'writes/s',
  goal: 5,
  run: (client) => {
    const write = (i: number): Promise<unknown> => {
      const object = i % objectCount;
      const body = createBody(object, Math.floor(i / objectCount));
      return client.send('PUT', `${path}/${parseName(body)}`, body);
    };
    return writesPerSecond(count, write, concurrency);
  },
});

const watcherCount = chooseBySize(100, 10);
const changeCount = 200;

/** Measures the time until all watchers have received all changes. */
const createFanOutScenario = (path: string): Scenario => ({
  id: `${watcherCount} watchers receive ${changeCount} changes`,
  unit: 'ms',
  goal: 1,
  async run(client) {
    const { metadata } = JSON.parse(String(await client.send('GET', `${path}?limit=1`))) as { metadata: { resourceVersion: string } };
    const watchPath = `${path}?watch=true&resourceVersion=${metadata.resourceVersion}`;
    const watches = Array.from({ length: watcherCount }, () => client.watch(watchPath, changeCount));
    await Promise.all(watches.map(({ started }) => started));
    const start = performance.now();
    const writing = writesPerSecond(changeCount, (i) => client.send('PUT', `${path}/settings-${i}`, configMap(i, 'seen')));
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

const sequentialConcurrency = 1;

/** In table order. Later scenarios use the objects of earlier ones. */
export const scenarios: readonly Scenario[] = [
  createScenarioOfCreates('creates of ConfigMaps', paths.configMaps, scaleCount(4000), configMap),
  createScenarioOfUpdates('updates of ConfigMaps', paths.configMaps, scaleCount(8000), scaleCount(1000), (i, round) =>
    configMap(i, `round ${round}`),
  ),
  createScenarioOfCreates('creates of EndpointSlices', paths.slices, scaleCount(3000), slice),
  createScenarioOfUpdates('updates of EndpointSlices', paths.slices, scaleCount(6000), scaleCount(1000), (i, round) =>
    slice(i, round % 2 === 1),
  ),
  createScenarioOfCreates('creates of Services', paths.services, scaleCount(2000), service),
  createScenarioOfCreates('creates of Pods', paths.pods, podCount, pod),
  createScenarioOfUpdates('updates of Pods', paths.pods, scaleCount(6000), scaleCount(1000), (i, round) => pod(i, `round ${round}`)),
  createScenarioOfCreates(
    'creates of ConfigMaps, one at a time',
    paths.configMaps,
    scaleCount(2000),
    (i) => configMap(100_000 + i),
    sequentialConcurrency,
  ),
  createScenarioOfUpdates(
    'updates of ConfigMaps, one at a time',
    paths.configMaps,
    scaleCount(2000),
    scaleCount(1000),
    (i, round) => configMap(i, `again ${round}`),
    sequentialConcurrency,
  ),
  createScenarioOfUpdates(
    'updates of EndpointSlices, one at a time',
    paths.slices,
    scaleCount(2000),
    scaleCount(1000),
    (i, round) => slice(i, round % 2 === 0),
    sequentialConcurrency,
  ),
  podList,
  createFanOutScenario(paths.configMaps),
];

/** Creates the namespace, and warms up the server in a separate namespace. */
export async function prepare(client: Client): Promise<void> {
  for (const name of [namespace, warmUpNamespace]) {
    await client.send('POST', '/api/v1/namespaces', JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
  }
  const { configMaps, pods, slices } = pathsIn(warmUpNamespace);
  const warmUpScenarios = [
    createScenarioOfCreates('', configMaps, scaleCount(4000), configMap),
    createScenarioOfUpdates('', configMaps, scaleCount(8000), scaleCount(1000), (i, round) => configMap(i, `round ${round}`)),
    createScenarioOfCreates('', slices, scaleCount(2000), slice),
    createScenarioOfCreates('', pods, scaleCount(2000), pod),
    createScenarioOfUpdates('', pods, scaleCount(2000), scaleCount(1000), (i, round) => pod(i, `round ${round}`)),
    createFanOutScenario(configMaps),
  ];
  for (const { run } of warmUpScenarios) await run(client);
}

const warmUpNamespace = 'warm-up';
