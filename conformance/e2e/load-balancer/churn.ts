import { setTimeout as pause } from 'node:timers/promises';
import type { createRandom } from '../../model/random.ts';
import { type Api, inParallel, isConflict, pathOf } from '../api.ts';
import { namespace, nodeManifest, serviceManifest, servicePath } from './manifests.ts';

type Random = ReturnType<typeof createRandom>;

/** Changes of a Service, with equal probability. */
const changes: readonly ((api: Api, name: string, random: Random) => Promise<unknown>)[] = [
  (api, name, random) => api.mergePatch(servicePath(name), { spec: { ports: [{ name: 'http', port: 80 + random.below(9) }] } }),
  (api, name, random) => api.mergePatch(servicePath(name), { metadata: { annotations: { tier: String(random.below(5)) } } }),
  (api, name) => api.mergePatch(servicePath(name), { spec: { type: 'ClusterIP', ...clearedFields } }),
  (api, name) => api.mergePatch(servicePath(name), { spec: { type: 'LoadBalancer' } }),
  (api, name) => api.mergePatch(servicePath(name), { spec: { type: 'ClusterIP', ...clearedFields } }).then(() => setClass(api, name)),
  (api, name) => api.delete(servicePath(name)),
  async (api, name) => {
    await api.delete(servicePath(name));
    await api.post(pathOf('Service', namespace), serviceManifest(name));
  },
  (api, name) => api.post(pathOf('Service', namespace), serviceManifest(name)),
];

/** A Service of type ClusterIP must have no node port and no loadBalancerClass. */
const clearedFields = { ports: [{ name: 'http', port: 80, nodePort: null }], loadBalancerClass: null };

/** The API server accepts a loadBalancerClass only together with a change of the type. */
const setClass = (api: Api, name: string): Promise<unknown> =>
  api.mergePatch(servicePath(name), { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } });

/** Changes Services and, more rarely, nodes for the given time. Returns the number of Service changes that the API server accepted. */
export async function churn(api: Api, names: readonly string[], random: Random, seconds: number): Promise<number> {
  const end = Date.now() + seconds * 1000;
  let count = 0;
  for (let round = 0; Date.now() < end; round++) {
    const changedNames = Array.from({ length: 8 }, () => random.pick(names));
    await inParallel([...new Set(changedNames)], async (name) => {
      await random
        .pick(changes)(api, name, random)
        .then(
          () => count++,
          (error: unknown) => ignoreRejection(error),
        );
    });
    if (round % 10 === 0) await changeNodes(api, random);
    await pause(50);
  }
  return count;
}

async function changeNodes(api: Api, random: Random): Promise<void> {
  const name = `node-${random.below(6)}`;
  const change = random.pick([
    () => api.delete(pathOf('Node', undefined, name)),
    () => api.post(pathOf('Node'), nodeManifest(name)),
    () => api.mergePatch(pathOf('Node', undefined, name), { metadata: { labels: { [excludeLabel]: random.pick(['', 'false']) } } }),
  ]);
  await change().catch(ignoreRejection);
}

export const excludeLabel = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Rethrows any error that is not a conflict or another 4xx response of the API server. */
export function ignoreRejection(error: unknown): void {
  if (isConflict(error) || (error instanceof Error && typeof error.cause === 'number' && error.cause < 500)) return;
  throw error;
}
