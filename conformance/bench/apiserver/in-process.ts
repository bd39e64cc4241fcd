import type * as ApiServer from '@kube-endpoints/apiserver';
import type { ApiObject, ClientPort, Resource } from 'kube-endpoints/port';
import { chooseBySize } from '../size.ts';
import { configMap, namespace, pod, service, slice } from './objects.ts';

const { createApiServer } = (await import('@kube-endpoints/apiserver')) as typeof ApiServer;
const { resources } = await import('kube-endpoints/port');

interface WriteBench {
  readonly id: string;
  readonly resource: Resource;
  readonly count: number;
  /** Writes per second. */
  readonly goal?: number;
  createBody(i: number, round: number): string;
}

const configMaps: Resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };

const writeBenches: readonly WriteBench[] = [
  { id: 'ConfigMaps', resource: configMaps, count: 40_000, goal: 50_000, createBody: (i, round) => configMap(i, `round ${round}`) },
  { id: 'EndpointSlices', resource: resources.endpointSlices, count: 20_000, createBody: (i, round) => slice(i, round % 2 === 1) },
  { id: 'Services', resource: resources.services, count: 10_000, createBody: (i, round) => service(i, `web-${round}`) },
  { id: 'Pods', resource: resources.pods, count: 20_000, createBody: (i, round) => pod(i, `round ${round}`) },
];

/** Measures sequential writes per second on one core, through ClientPort. Creates the objects before it starts the clock. */
export async function benchInProcess(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const { id, resource, count, goal, createBody } of writeBenches) {
    await using server = await createApiServer();
    await server.client.create(resources.namespaces, { metadata: { name: namespace } });
    const goalText = goal === undefined ? '' : goal.toLocaleString('en-US');
    const createObjects = (round: number): ApiObject[] =>
      Array.from({ length: chooseBySize(count, count / 50) }, (_, i) => addNamespace(JSON.parse(createBody(i, round))));
    rows.push([`creates of ${id}`, await writesPerSecond(createObjects(0), (object) => server.client.create(resource, object)), goalText]);
    const updates = [1, 2].flatMap(createObjects);
    rows.push([`updates of ${id}`, await writesPerSecond(updates, (object) => server.client.update(resource, object)), goalText]);
  }
  return rows;
}

const addNamespace = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, namespace } });

async function writesPerSecond(
  objects: readonly ApiObject[],
  write: (object: ApiObject) => ReturnType<ClientPort['create']>,
): Promise<string> {
  const start = performance.now();
  for (const object of objects) await write(object);
  return Math.round((objects.length / (performance.now() - start)) * 1000).toLocaleString('en-US');
}
