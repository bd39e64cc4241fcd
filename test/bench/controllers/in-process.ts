import { setImmediate as turn } from 'node:timers/promises';
import { type ApiObject, type Resource, resources } from '../../../src/port/index.ts';
import type * as Runtime from '../../../src/runtime/index.ts';
import { microseconds, table } from '../measure.ts';
import { createPaperCluster, type PaperCluster } from './paper-port.ts';
import { countOf, objectsOf, podOf, type Size } from './world.ts';

const { createControllers } = (await import('kube-endpoints/runtime')) as typeof Runtime;

const large: Size = { services: 10_000, podsPerService: 15 };

/** What the controllers take in this process, without a network and a server. Needs --expose-gc. */
export async function inProcess(): Promise<string> {
  const rows = [...(await whole(large)), ...(await changes())];
  return table(['in process'], rows);
}

async function whole(size: Size): Promise<string[][]> {
  const before = heap();
  const cluster = paper(size);
  const start = performance.now();
  const { stop } = await settled(cluster);
  const seconds = (performance.now() - start) / 1000;
  const bytes = heap() - before;
  const title = `${size.services.toLocaleString('en-US')} Services, ${countOf(size).toLocaleString('en-US')} pods`;
  const rows = [
    [`${title}: all written after`, `${seconds.toFixed(1)} s`],
    [`${title}: writes a second`, Math.round(cluster.writes / seconds).toLocaleString('en-US')],
    [`${title}: heap kept, a pod`, `${Math.round(bytes / countOf(size))} B`],
  ];
  await stop();
  return rows;
}

/** What one changed pod costs, from the event to the write, where its Service has so many. */
async function changes(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const name of ['endpointslices', 'endpoints'] as const) {
    for (const podsPerService of [100, 500, 1000, 5000]) {
      const each = await changeOf(podsPerService, name);
      rows.push([`a changed pod of ${podsPerService.toLocaleString('en-US')}: ${name}`, microseconds(each)]);
    }
  }
  return rows;
}

async function changeOf(podsPerService: number, name: Runtime.ControllerName): Promise<number> {
  const cluster = paper({ services: 1, podsPerService });
  const { controllers, stop } = await settled(cluster, [name]);
  const syncs = (): number => controllers.stats().controllers[name]?.syncs.success ?? 0;
  const flip = async (n: number): Promise<void> => {
    // A stride that comes to every pod before it comes to one again.
    const index = (n * 7919) % podsPerService;
    const before = syncs();
    cluster.change(resources.pods, flipped(podOf(0, index, index), n, Math.floor(n / podsPerService) % 2 === 1));
    while (syncs() === before || !controllers.idle) await turn();
  };
  for (let n = 0; n < warmUp; n++) await flip(n);
  const start = performance.now();
  for (let n = warmUp; n < warmUp + flips; n++) await flip(n);
  const each = ((performance.now() - start) * 1000) / flips;
  await stop();
  return each;
}

const warmUp = 300;
const flips = 1000;

function flipped(pod: ApiObject, n: number, ready: boolean): ApiObject {
  const { conditions, ...status } = pod['status'] as { readonly conditions: readonly object[] };
  const lastTransitionTime = new Date(Date.UTC(2026, 1, 1) + n * 1000).toISOString().replace('.000Z', 'Z');
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime };
  return identified({ ...pod, status: { ...status, conditions: [...conditions.slice(0, 3), condition] } });
}

async function settled(
  cluster: PaperCluster,
  names?: readonly Runtime.ControllerName[],
): Promise<{ controllers: Runtime.Controllers; stop(): Promise<void> }> {
  const end = new AbortController();
  const controllers = createControllers({ port: cluster.port, ...(names && { controllers: names }) });
  const running = controllers.run(end.signal);
  do await turn();
  while (!controllers.ready || !controllers.idle);
  return {
    controllers,
    async stop() {
      end.abort();
      await running;
    },
  };
}

const kinds: Readonly<Record<string, string>> = { pods: 'Pod', services: 'Service', nodes: 'Node' };

/** Made page by page: what a page holds is garbage once it is read. */
function paper(size: Size): PaperCluster {
  return createPaperCluster(function* (resource: Resource) {
    const kind = kinds[resource.plural];
    if (kind === undefined) return;
    for (const object of objectsOf(size)) if (object.kind === kind) yield identified(object);
  });
}

/** As a server completes them. */
const identified = (object: ApiObject): ApiObject => {
  const { name, namespace = '' } = object.metadata;
  const metadata = {
    ...object.metadata,
    uid: `${namespace}-${name}-0000-4000-8000`,
    resourceVersion: '1',
    creationTimestamp: '2026-01-01T00:00:00Z',
  };
  const spec =
    object.kind === 'Service'
      ? { ...(object['spec'] as object), clusterIP: '10.96.0.10', ipFamilies: ['IPv4'], type: 'ClusterIP' }
      : object['spec'];
  // As it comes from the network: texts are nobody else's.
  return JSON.parse(JSON.stringify({ ...object, metadata, spec })) as ApiObject;
};

function heap(): number {
  const collect = globalThis.gc;
  if (!collect) throw new Error('start Node.js with --expose-gc');
  for (let n = 0; n < 4; n++) collect();
  return process.memoryUsage().heapUsed;
}
