import type { ApiObject } from 'kube-endpoints/port';
import type { Pod } from 'kube-endpoints/types';
import type { Feed } from './feed.ts';
import type { RealClock } from './real-clock.ts';
import { mergePatch, pathOf, type Requests } from './requests.ts';

/** Drains nodes one after another, like `kubectl drain`. Resolves when their pods are gone. */
export async function drainNodes(nodes: readonly string[], { feed, requests, clock }: DrainContext): Promise<void> {
  for (const node of nodes) await requests.send('PATCH', pathOf('Node', undefined, node), { spec: { unschedulable: true } }, mergePatch);
  for (const node of nodes) {
    for (const pod of listPods(feed, node)) void evict(pod, { feed, requests, clock });
    await feed.until(() => listPods(feed, node).length === 0);
  }
}

export interface DrainContext {
  readonly feed: Feed;
  readonly requests: Requests;
  readonly clock: RealClock;
}

/** `EvictErrorRetryDelay` of kubectl. */
const retryMs = 5000;

/** Evicts a pod; tries again while its budget does not allow it. */
async function evict(pod: ApiObject, context: DrainContext): Promise<void> {
  const { namespace = '', name = '' } = pod.metadata;
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { namespace, name } };
  const code = await context.requests.try('POST', `${pathOf('Pod', namespace, name)}/eviction`, eviction);
  if (code === 429) context.clock.at(context.clock.now() + retryMs, () => void evict(pod, context));
  else if (code >= 300 && code !== 404) throw new Error(`eviction of ${name}: ${code}`);
}

export const listPods = (feed: Feed, node: string): readonly ApiObject[] =>
  feed.list('Pod').filter((pod) => (pod as Pod).spec?.nodeName === node);
