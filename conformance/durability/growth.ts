import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createApiServer } from '@kube-endpoints/apiserver';

const configMaps = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap', namespaced: true };
const key = { namespace: 'default', name: 'counter' };
/** Updates that wait to be saved. */
const concurrency = 64;
/** Two journals of at least 16 MiB each, and what is written while one is compacted. */
const maxBytes = 48 * 2 ** 20;

/** Updates one object many times. Returns the problems: the folder grows, or a restart does not find the last update. */
export async function checkGrowth(folder: string, updates: number, print: (line: string) => void): Promise<string[]> {
  const begin = performance.now();
  let maxFound = 0;
  const problems: string[] = [];
  const server = await createApiServer({ data: folder, onDataProblem: (problem) => problems.push(problem) });
  await server.client.create(configMaps, { metadata: key, data: { padding: 'x'.repeat(1000) } });
  const running = new Set<Promise<unknown>>();
  for (let count = 1; count <= updates; count++) {
    if (count % 1000 === 0) maxFound = Math.max(maxFound, sizeOf(folder));
    const update = server.client.patch(configMaps, key, { data: { count: String(count) } }, { type: 'merge' });
    running.add(update);
    void update.then(() => running.delete(update));
    // Updates that begin in the same turn of the event loop would conflict and be repeated.
    await setImmediate();
    if (running.size >= concurrency) await Promise.race(running);
  }
  await Promise.all(running);
  const last = await server.client.get(configMaps, key);
  await server.close();
  const seconds = (performance.now() - begin) / 1000;
  const reopened = await createApiServer({ data: folder });
  const found = await reopened.client.get(configMaps, key);
  await reopened.close();
  print(
    `${updates} updates of one object in ${seconds.toFixed(1)} s: the folder had at most ${toMiB(maxFound)} MiB, at the end ${toMiB(sizeOf(folder))} MiB`,
  );
  if (found.metadata.resourceVersion !== last.metadata.resourceVersion) problems.push('a restart does not find the last update');
  if (maxFound > maxBytes) problems.push(`the folder grew to ${toMiB(maxFound)} MiB, more than ${toMiB(maxBytes)} MiB`);
  return problems;
}

const toMiB = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

function sizeOf(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0), 0);
}
