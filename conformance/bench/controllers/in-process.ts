import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as nextIteration } from 'node:timers/promises';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { microseconds, table } from '../measure.ts';
import { chooseBySize } from '../size.ts';
import { type ClusterSize, countPods, createPod } from './objects.ts';
import { createSizedCluster, runUntilIdle, withServerMetadata } from './run-until-idle.ts';

const largeCluster: ClusterSize = { services: chooseBySize(10_000, 100), podsPerService: 15 };

/** Measures memory and CPU time of the controllers in this process, without network or server. */
export async function benchInProcess(): Promise<string> {
  const rows = [...(await benchWholeCluster(largeCluster)), ...(await benchChanges())];
  return table(['in process'], rows);
}

async function benchWholeCluster(size: ClusterSize): Promise<string[][]> {
  const cluster = createSizedCluster(size);
  const start = performance.now();
  const { stop } = await runUntilIdle(cluster);
  const seconds = (performance.now() - start) / 1000;
  const title = `${size.services.toLocaleString('en-US')} Services, ${countPods(size).toLocaleString('en-US')} pods`;
  const rows = [
    [`${title}: all written after`, `${seconds.toFixed(1)} s`],
    [`${title}: writes per second`, Math.round(cluster.writeCount / seconds).toLocaleString('en-US')],
    ...measureRetainedBytes(size).map(([label, bytes]) => [`${title}: retained heap ${label}`, `${bytes.toLocaleString('en-US')} B`]),
  ];
  await stop();
  return rows;
}

/** Measures the memory retained once all objects are written, including Endpoints and slices. */
function measureRetainedBytes(size: ClusterSize): (readonly [label: string, bytes: number])[] {
  const [bytesWithoutPods, bytesWithPods] = [measureHeap({ ...size, podsPerService: 0 }), measureHeap(size)];
  return [
    ['per pod, everything included', Math.round(bytesWithPods / countPods(size))],
    ['per Service without pods', Math.round(bytesWithoutPods / size.services)],
    ['per additional pod', Math.round((bytesWithPods - bytesWithoutPods) / countPods(size))],
  ];
}

/** Measures the retained heap in bytes, in a separate process. */
const measureHeap = ({ services, podsPerService }: ClusterSize): number =>
  Number(
    execFileSync(process.execPath, [
      ...process.execArgv,
      '--expose-gc',
      join(import.meta.dirname, 'heap.ts'),
      String(services),
      String(podsPerService),
    ]),
  );

/** Measures the time from the watch event of one changed pod to the write, for both controllers and several sizes of the Service. */
async function benchChanges(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const name of ['endpointslices', 'endpoints'] as const) {
    for (const podsPerService of chooseBySize([100, 500, 1000, 5000], [100])) {
      const microsecondsPerChange = await benchChange(podsPerService, name);
      rows.push([`one changed pod of ${podsPerService.toLocaleString('en-US')}: ${name}`, microseconds(microsecondsPerChange)]);
    }
  }
  return rows;
}

async function benchChange(podsPerService: number, name: ControllerName): Promise<number> {
  const cluster = createSizedCluster({ services: 1, podsPerService });
  const { controllers, stop } = await runUntilIdle(cluster, [name]);
  const countSyncs = (): number => controllers.stats().controllers[name]?.syncs.success ?? 0;
  const changePod = async (n: number): Promise<void> => {
    // A stride that visits every pod before it visits one twice.
    const index = (n * 7919) % podsPerService;
    const syncsBefore = countSyncs();
    cluster.change(resources.pods, withReadiness(createPod(0, index, index), n, Math.floor(n / podsPerService) % 2 === 1));
    while (countSyncs() === syncsBefore || !controllers.idle) await nextIteration();
  };
  for (let n = 0; n < warmUpChanges; n++) await changePod(n);
  const start = performance.now();
  for (let n = warmUpChanges; n < warmUpChanges + measuredChanges; n++) await changePod(n);
  const microsecondsPerChange = ((performance.now() - start) * 1000) / measuredChanges;
  await stop();
  return microsecondsPerChange;
}

const warmUpChanges = chooseBySize(300, 30);
const measuredChanges = chooseBySize(1000, 100);

function withReadiness(pod: ApiObject, n: number, ready: boolean): ApiObject {
  const { conditions, ...status } = pod['status'] as { readonly conditions: readonly object[] };
  const lastTransitionTime = new Date(Date.UTC(2026, 1, 1) + n * 1000).toISOString().replace('.000Z', 'Z');
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime };
  return withServerMetadata({ ...pod, status: { ...status, conditions: [...conditions.slice(0, 3), condition] } });
}
