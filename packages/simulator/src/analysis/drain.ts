import { ApiError, type ApiObject } from 'kube-endpoints/port';
import type { Cluster } from '../cluster/cluster.ts';
import { type ChangeOptions, checkChange, type RolloutCheck } from './rollout.ts';
import type { Scenario } from './scenario.ts';
import { completeWorld, type World } from './world.ts';

export interface DrainOptions extends ChangeOptions {
  /** The names of the nodes, in the order in which they are drained. */
  readonly nodes: readonly string[];
}

/**
 * Checks whether draining nodes drops requests, within the ranges of all delays. A drain cordons all nodes, then evicts the pods of one node
 * after another, like `kubectl drain`; an eviction that a PodDisruptionBudget does not allow is retried after 5 s.
 * @throws ApiError if an object is invalid
 * @throws RangeError if a node does not exist, or a field of the environment is invalid
 */
export function checkDrain({ objects, nodes, ...options }: DrainOptions): RolloutCheck {
  const world = completeWorld({ objects, change: [] });
  const names = world.objects.filter(({ kind }) => kind === 'Node').map(({ metadata }) => metadata.name);
  const unknown = nodes.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new RangeError(`nodes: there is no node ${JSON.stringify(unknown)}: give ${names.join(', ')}`);
  return checkChange(world, options, createDrainScenario(nodes));
}

/** Returns a function that creates the scenario of a drain. */
export const createDrainScenario =
  (nodes: readonly string[]) =>
  ({ objects }: World): Scenario => ({
    objects,
    change: (cluster) => drainNodes(cluster, nodes),
    remaining: (cluster) => nodes.filter((node) => listPods(cluster, node).length > 0).map((node) => `Node ${node}`),
  });

/** Mirrors RunDrain (1.36, kubectl/pkg/cmd/drain/drain.go). */
function drainNodes(cluster: Cluster, nodes: readonly string[]): void {
  for (const name of nodes) {
    const node = cluster.get<ApiObject>('Node', '', name) as ApiObject;
    cluster.apply({ ...node, spec: { ...(node['spec'] as object), unschedulable: true } });
  }
  drainNext(cluster, nodes);
}

function drainNext(cluster: Cluster, [node, ...others]: readonly string[]): void {
  if (node === undefined) return;
  for (const pod of listPods(cluster, node)) evict(cluster, pod);
  const wait = (): void => {
    if (listPods(cluster, node).length === 0) drainNext(cluster, others);
    else cluster.clock.at(cluster.clock.now() + pollMs, wait);
  };
  wait();
}

/** Mirrors evictPods (1.36, kubectl/pkg/drain/drain.go). */
function evict(cluster: Cluster, pod: ApiObject): void {
  const { namespace = '', name = '', uid } = pod.metadata;
  if (cluster.get('Pod', namespace, name)?.metadata.uid !== uid) return;
  try {
    cluster.evict(namespace, name);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 429)) throw error;
    cluster.clock.at(cluster.clock.now() + retryMs, () => evict(cluster, pod));
  }
}

/** kubectl polls for deleted pods every second. */
const pollMs = 1000;

/** `EvictErrorRetryDelay` of kubectl. */
const retryMs = 5000;

const listPods = (cluster: Cluster, node: string): readonly ApiObject[] =>
  cluster.list<ApiObject>('Pod').filter(({ spec }) => (spec as { readonly nodeName?: string } | undefined)?.nodeName === node);
