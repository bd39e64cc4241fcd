import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../../cluster/cluster.ts';
import { controllerOf } from '../../workloads/owner-references.ts';

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
 * Cordons nodes, and evicts their pods, one node after another. Mirrors RunDrain (1.36, kubectl/pkg/cmd/drain/drain.go).
 * @throws RangeError if a node does not exist
 */
export function drainNodes(cluster: Cluster, nodes: readonly string[]): void {
  cordonNodes(cluster, nodes, true);
  drainNext(cluster, nodes);
}

/** The nodes that still have pods, for example "Node n1". */
export const findUndrained = (cluster: Cluster, nodes: readonly string[]): string[] =>
  nodes.filter((node) => listPods(cluster, node).length > 0).map((node) => `Node ${node}`);

function drainNext(cluster: Cluster, [node, ...others]: readonly string[]): void {
  if (node === undefined) return;
  for (const pod of listPods(cluster, node)) evictPod(cluster, pod);
  const wait = (): void => {
    if (listPods(cluster, node).length === 0) drainNext(cluster, others);
    else cluster.clock.at(cluster.clock.now() + pollMs, wait);
  };
  wait();
}

/** Evicts a pod as soon as its PodDisruptionBudgets allow it. Mirrors evictPods (1.36, kubectl/pkg/drain/drain.go). */
export function evictPod(cluster: Cluster, pod: ApiObject): void {
  const { namespace = '', name = '', uid } = pod.metadata;
  if (cluster.get('Pod', namespace, name)?.metadata.uid !== uid) return;
  try {
    cluster.evict(namespace, name);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 429)) throw error;
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
