import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { controllerOf } from '../../workloads/owner-references.ts';
import type { Action } from '../scenario.ts';

/** Marks nodes as schedulable or not. @throws RangeError if a node does not exist */
export function cordonNodes(cluster: Cluster, nodes: readonly string[], unschedulable: boolean): void {
  for (const name of nodes) {
    const node = cluster.get<ApiObject>('Node', '', name);
    if (!node) {
      const names = cluster.list<ApiObject>('Node').map(({ metadata }) => metadata.name);
      throw new RangeError(`there is no node ${JSON.stringify(name)}: give ${names.join(', ')}`);
    }
    cluster.apply({ ...node, spec: { ...(node['spec'] as object), unschedulable } });
  }
}

/**
 * Plans a drain: cordons nodes, and evicts the pods that they have, one node after another. Mirrors RunDrain (1.36, kubectl/pkg/cmd/drain/drain.go).
 * What remains are the nodes that are not drained, for example "Node n1". Running it throws a RangeError if a node does not exist.
 */
export function planDrain(nodes: readonly string[]): Required<Omit<Action, 'at'>> {
  const undrained = new WeakMap<Cluster, readonly string[]>();
  const drain = (cluster: Cluster, remaining: readonly string[]): void => {
    undrained.set(cluster, remaining);
    const [node, ...others] = remaining;
    if (node === undefined) return;
    const pods = listPods(cluster, node);
    for (const pod of pods) evictPod(cluster, pod);
    const wait = (): void => {
      if (!pods.some((pod) => exists(cluster, pod))) drain(cluster, others);
      else cluster.clock.at(cluster.clock.now() + pollMs, wait);
    };
    wait();
  };
  return {
    run: ({ cluster }) => {
      cordonNodes(cluster, nodes, true);
      drain(cluster, nodes);
    },
    remaining: (cluster) => (undrained.get(cluster) ?? []).map((node) => `Node ${node}`),
  };
}

const exists = (cluster: Cluster, { metadata: { namespace = '', name = '', uid } }: ApiObject): boolean =>
  cluster.get('Pod', namespace, name)?.metadata.uid === uid;

/**
 * Evicts a pod as soon as its PodDisruptionBudgets allow it. Mirrors evictPods (1.36, kubectl/pkg/drain/drain.go).
 * @throws RangeError if it cannot be evicted, for example because it has two budgets
 */
export function evictPod(cluster: Cluster, pod: ApiObject): void {
  if (!exists(cluster, pod)) return;
  const { namespace = '', name = '' } = pod.metadata;
  try {
    cluster.evict(namespace, name);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.code !== 429) throw new RangeError(`Pod ${namespace}/${name} cannot be evicted: ${error.message}`, { cause: error });
    cluster.clock.at(cluster.clock.now() + retryMs, () => evictPod(cluster, pod));
  }
}

/** kubectl polls for deleted pods every second. */
const pollMs = 1000;

/** `EvictErrorRetryDelay` of kubectl. */
const retryMs = 5000;

/** The pods of a node that a drain evicts: not those of DaemonSets, as with --ignore-daemonsets. */
const listPods = (cluster: Cluster, node: string): readonly ApiObject[] =>
  cluster
    .list<ApiObject>('Pod')
    .filter(
      (pod) => (pod['spec'] as { readonly nodeName?: string } | undefined)?.nodeName === node && controllerOf(pod)?.kind !== 'DaemonSet',
    );
