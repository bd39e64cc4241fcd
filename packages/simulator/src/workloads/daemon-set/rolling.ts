import { type Steps, SyncError } from '../../controller/controller.ts';
import { isPodAvailable } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetSync } from './context.ts';
import { syncNodes } from './manage.ts';
import { createNodeFitTest, type NodeFit } from './node-fit.ts';
import type { Node } from './objects.ts';
import { claimPodsByNode, isPodUpdated } from './pods.ts';
import { surgeCount, unavailableCount } from './strategy.ts';

/** The pods of nodes, which include those that need a pod and have none. */
interface Rollout {
  readonly sync: DaemonSetSync;
  readonly hash: string;
  readonly podsByNode: ReadonlyMap<string, readonly Pod[]>;
  readonly fit: (node: Node) => NodeFit;
  /** The number of nodes that need a pod. */
  readonly nodeCount: number;
  readonly isAvailable: (pod: Pod) => boolean;
}

/**
 * Makes one step of a rolling update: rollingUpdate (1.36, pkg/controller/daemon/update.go). Upstream visits the nodes in random order, here
 * they have the order of their pods.
 * @throws ApiError or SyncError if a write failed, a limit is invalid, or a pod's node does not exist
 */
export function* rollOut(sync: DaemonSetSync, hash: string): Steps {
  const podsByNode: Map<string, readonly Pod[]> = yield* claimPodsByNode(sync);
  const fit = createNodeFitTest(sync.daemonSet);
  const wanted = sync.nodes.filter((node) => fit(node).shouldRun).map(({ metadata }) => metadata.name ?? '');
  for (const name of wanted) if (!podsByNode.has(name)) podsByNode.set(name, []);
  const maxUnavailable = unavailableCount(sync.daemonSet, wanted.length);
  const maxSurge = surgeCount(sync.daemonSet, wanted.length);
  const time = sync.context.now();
  const isAvailable = (pod: Pod): boolean => isPodAvailable(pod, sync.daemonSet.spec.minReadySeconds ?? 0, time);
  const rollout: Rollout = { sync, hash, podsByNode, fit, nodeCount: wanted.length, isAvailable };
  // With both limits 0, an update could not proceed.
  const limit = wanted.length > 0 && maxUnavailable === 0 ? 1 : maxUnavailable;
  const plan = maxSurge === 0 ? { podsToDelete: findPodsToReplace(rollout, limit), newNodes: [] } : planSurge(rollout, maxSurge);
  yield* syncNodes(sync, { ...plan, hash });
}

/** The pods of a node that are not being deleted. */
interface Versions {
  readonly newPod?: Pod | undefined;
  readonly oldPod?: Pod | undefined;
}

/** Undefined if a node has several pods of a kind, of which a later sync deletes some: findUpdatedPodsOnNode. */
function findVersions({ sync: { daemonSet }, hash }: Rollout, pods: readonly Pod[]): Versions | undefined {
  const livePods = pods.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const newPods = livePods.filter((pod) => isPodUpdated(pod, daemonSet, hash));
  const oldPods = livePods.filter((pod) => !newPods.includes(pod));
  return newPods.length > 1 || oldPods.length > 1 ? undefined : { newPod: newPods[0], oldPod: oldPods[0] };
}

/** Old pods that are not available, and as many available ones as the limit allows. */
function findPodsToReplace(rollout: Rollout, maxUnavailable: number): Pod[] {
  const { podsByNode, isAvailable } = rollout;
  const replaced: Pod[] = [];
  const candidates: Pod[] = [];
  let unavailable = 0;
  for (const pods of podsByNode.values()) {
    const versions = findVersions(rollout, pods);
    const { newPod, oldPod } = versions ?? {};
    if (oldPod && !newPod) {
      if (!isAvailable(oldPod)) {
        replaced.push(oldPod);
        unavailable += 1;
      } else candidates.push(oldPod);
    } else if (!newPod || oldPod || !isAvailable(newPod)) unavailable += 1;
  }
  return [...replaced, ...candidates.slice(0, Math.max(0, maxUnavailable - unavailable))];
}

/** What the nodes of a surging update need, so far. */
interface SurgePlan {
  readonly podsToDelete: Pod[];
  /** Available pods on nodes where they should not run. */
  readonly misplacedPods: Pod[];
  /** Nodes whose old pod is not available: they get a new one in any case. */
  readonly newNodes: string[];
  readonly candidates: string[];
  surging: number;
  available: number;
}

/** Old pods whose replacement is available, and the nodes that get a new pod beside the old one. */
function planSurge(rollout: Rollout, maxSurge: number): { podsToDelete: readonly Pod[]; newNodes: readonly string[] } {
  const plan: SurgePlan = { podsToDelete: [], misplacedPods: [], newNodes: [], candidates: [], surging: 0, available: 0 };
  for (const [node, pods] of rollout.podsByNode) planSurgeOnNode(rollout, { node, pods }, plan);
  const { cache } = rollout.sync.context;
  // Misplaced pods go only when enough others are available.
  const deletable = plan.misplacedPods
    .slice(0, Math.max(0, plan.available - rollout.nodeCount))
    .filter(({ metadata }) => cache.get('Pod', metadata.namespace ?? '', metadata.name ?? '') !== undefined);
  return {
    podsToDelete: [...plan.podsToDelete, ...deletable],
    newNodes: [...plan.newNodes, ...plan.candidates.slice(0, Math.max(0, maxSurge - plan.surging))],
  };
}

interface SurgeNode {
  readonly node: string;
  readonly pods: readonly Pod[];
}

function planSurgeOnNode(rollout: Rollout, { node, pods }: SurgeNode, plan: SurgePlan): void {
  const { isAvailable } = rollout;
  const versions = findVersions(rollout, pods);
  if (!versions) {
    plan.surging += 1;
    return;
  }
  const { newPod, oldPod } = versions;
  const counted = oldPod ?? newPod;
  if (counted && isAvailable(counted)) plan.available += 1;
  if (!oldPod) return;
  if (newPod) {
    if (isAvailable(newPod)) plan.podsToDelete.push(oldPod);
    else plan.surging += 1;
    return;
  }
  const { shouldRun } = rollout.fit(getNode(rollout, node));
  if (!shouldRun) (isAvailable(oldPod) ? plan.misplacedPods : plan.podsToDelete).push(oldPod);
  else if (!isAvailable(oldPod)) plan.newNodes.push(node);
  else plan.candidates.push(node);
}

/** @throws SyncError if the node does not exist */
function getNode({ sync: { context } }: Rollout, name: string): Node {
  const node = context.cache.get<Node>('Node', '', name);
  if (!node) throw new SyncError(`couldn't get node for nodeName "${name}": node "${name}" not found`);
  return node;
}
