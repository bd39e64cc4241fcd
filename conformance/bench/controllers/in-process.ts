import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { ControllerName } from '@kube-endpoints/controllers/internal';
import { type ApiObject, resources } from 'kube-endpoints/port';
import { microseconds, table } from '../measure.ts';
import { sized } from '../size.ts';
import { createSizedCluster, runUntilIdle, withServerMetadata } from './run-until-idle.ts';
import { podCountOf, podOf, type Size } from './world.ts';

const large: Size = { services: sized(10_000, 100), podsPerService: 15 };

/** Measures memory and CPU time of the controllers in this process, without network or server. */
export async function benchInProcess(): Promise<string> {
  const rows = [...(await benchWholeCluster(large)), ...(await benchChanges())];
  return table(['in process'], rows);
}

async function benchWholeCluster(size: Size): Promise<string[][]> {
  const cluster = createSizedCluster(size);
  const start = performance.now();
  const { stop } = await runUntilIdle(cluster);
  const seconds = (performance.now() - start) / 1000;
  const title = `${size.services.toLocaleString('en-US')} Services, ${podCountOf(size).toLocaleString('en-US')} pods`;
  const rows = [
    [`${title}: all written after`, `${seconds.toFixed(1)} s`],
    [`${title}: writes per second`, Math.round(cluster.writes / seconds).toLocaleString('en-US')],
    ...retainedBytes(size).map(([what, bytes]) => [`${title}: retained heap ${what}`, `${bytes.toLocaleString('en-US')} B`]),
  ];
  await stop();
  return rows;
}

/** The memory retained once all objects are written, including Endpoints and slices. */
function retainedBytes(size: Size): (readonly [what: string, bytes: number])[] {
  const [bare, full] = [measureHeap({ ...size, podsPerService: 0 }), measureHeap(size)];
  return [
    ['per pod, everything included', Math.round(full / podCountOf(size))],
    ['per Service without pods', Math.round(bare / size.services)],
    ['per additional pod', Math.round((full - bare) / podCountOf(size))],
  ];
}

/** In bytes, measured in a separate process. */
const measureHeap = ({ services, podsPerService }: Size): number =>
  Number(
    execFileSync(process.execPath, [
      ...process.execArgv,
      '--expose-gc',
      join(import.meta.dirname, 'heap.ts'),
      String(services),
      String(podsPerService),
    ]),
  );

/** The cost of one changed pod, from the watch event to the write, by the number of pods of its Service. */
async function benchChanges(): Promise<string[][]> {
  const rows: string[][] = [];
  for (const name of ['endpointslices', 'endpoints'] as const) {
    for (const podsPerService of sized([100, 500, 1000, 5000], [100])) {
      const each = await benchChange(podsPerService, name);
      rows.push([`one changed pod of ${podsPerService.toLocaleString('en-US')}: ${name}`, microseconds(each)]);
    }
  }
  return rows;
}

async function benchChange(podsPerService: number, name: ControllerName): Promise<number> {
  const cluster = createSizedCluster({ services: 1, podsPerService });
  const { controllers, stop } = await runUntilIdle(cluster, [name]);
  const syncs = (): number => controllers.stats().controllers[name]?.syncs.success ?? 0;
  const flip = async (n: number): Promise<void> => {
    // A stride that visits every pod before it visits one twice.
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

const warmUp = sized(300, 30);
const flips = sized(1000, 100);

function flipped(pod: ApiObject, n: number, ready: boolean): ApiObject {
  const { conditions, ...status } = pod['status'] as { readonly conditions: readonly object[] };
  const lastTransitionTime = new Date(Date.UTC(2026, 1, 1) + n * 1000).toISOString().replace('.000Z', 'Z');
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime };
  return withServerMetadata({ ...pod, status: { ...status, conditions: [...conditions.slice(0, 3), condition] } });
}
