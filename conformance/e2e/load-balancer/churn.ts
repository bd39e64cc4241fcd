import { setTimeout as pause } from 'node:timers/promises';
import type { createRandom } from '../../model/random.ts';
import { type Api, inParallel, isConflict, pathOf } from '../api.ts';
import { namespace, nodeManifest, serviceManifest, servicePath } from './world.ts';

type Random = ReturnType<typeof createRandom>;

/** Changes of a Service, with equal probability. */
const changes: readonly ((api: Api, name: string, random: Random) => Promise<unknown>)[] = [
  (api, name, random) => api.merge(servicePath(name), { spec: { ports: [{ name: 'http', port: 80 + random.below(9) }] } }),
  (api, name, random) => api.merge(servicePath(name), { metadata: { annotations: { tier: String(random.below(5)) } } }),
  (api, name) => api.merge(servicePath(name), { spec: { type: 'ClusterIP', ...withoutBalancer } }),
  (api, name) => api.merge(servicePath(name), { spec: { type: 'LoadBalancer' } }),
  (api, name) => api.merge(servicePath(name), { spec: { type: 'ClusterIP', ...withoutBalancer } }).then(() => setClass(api, name)),
  (api, name) => api.delete(servicePath(name)),
  async (api, name) => {
    await api.delete(servicePath(name));
    await api.post(pathOf('Service', namespace), serviceManifest(name));
  },
  (api, name) => api.post(pathOf('Service', namespace), serviceManifest(name)),
];

const withoutBalancer = { ports: [{ name: 'http', port: 80, nodePort: null }], loadBalancerClass: null };

/** A class can only be set together with the type. */
const setClass = (api: Api, name: string): Promise<unknown> =>
  api.merge(servicePath(name), { spec: { type: 'LoadBalancer', loadBalancerClass: 'example.com/other' } });

/** Changes Services and, now and then, the nodes. Ignores changes that the API server refuses. */
export async function churn(api: Api, names: readonly string[], random: Random, seconds: number): Promise<number> {
  const end = Date.now() + seconds * 1000;
  let count = 0;
  for (let round = 0; Date.now() < end; round++) {
    const chosen = Array.from({ length: 8 }, () => random.pick(names));
    await inParallel([...new Set(chosen)], async (name) => {
      await random
        .pick(changes)(api, name, random)
        .then(
          () => count++,
          (error: unknown) => ignoreRefusal(error),
        );
    });
    if (round % 10 === 0) await changeNodes(api, random);
    await pause(50);
  }
  return count;
}

async function changeNodes(api: Api, random: Random): Promise<void> {
  const name = `node-${random.below(6)}`;
  const act = random.pick([
    () => api.delete(pathOf('Node', undefined, name)),
    () => api.post(pathOf('Node'), nodeManifest(name)),
    () => api.merge(pathOf('Node', undefined, name), { metadata: { labels: { [excluded]: random.pick(['', 'false']) } } }),
  ]);
  await act().catch(ignoreRefusal);
}

export const excluded = 'node.kubernetes.io/exclude-from-external-load-balancers';

/** Rethrows any error that is not a response of the API server. */
export function ignoreRefusal(error: unknown): void {
  if (isConflict(error) || (error instanceof Error && typeof error.cause === 'number' && error.cause < 500)) return;
  throw error;
}
