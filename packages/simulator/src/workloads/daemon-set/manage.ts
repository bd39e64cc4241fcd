import { type ApiError, hasReason } from 'kube-endpoints/port';
import type { Steps, SyncError } from '../../controller/controller.ts';
import { inParallel } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { createControllerReference } from '../owner-references.ts';
import { createPod, createPodFromTemplate, deletePod, isNamespaceTerminating } from '../pod-control.ts';
import { slowStartBatches } from '../slow-start.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetSync } from './context.ts';
import { createNodeFitTest } from './node-fit.ts';
import { daemonSetKind } from './objects.ts';
import { bindToNode, claimPodsByNode, createDaemonTemplate } from './pods.ts';
import { planNode } from './pods-on-node.ts';

/** The largest number of pods that one call creates, and that it deletes. */
const burstReplicas = 250;

/**
 * Creates the pods that nodes miss and deletes those that must not run: manage (1.36, pkg/controller/daemon/daemon_controller.go).
 * @throws ApiError or SyncError after all writes if one failed
 */
export function* managePods(sync: DaemonSetSync, hash: string): Steps {
  const podsByNode = yield* claimPodsByNode(sync);
  const fit = createNodeFitTest(sync.daemonSet);
  const newNodes: string[] = [];
  const podsToDelete: Pod[] = [];
  for (const node of sync.nodes) {
    const name = node.metadata.name ?? '';
    const plan = yield* planNode(sync, { ...fit(node), node: name, pods: podsByNode.get(name) }, hash);
    if (plan.needsPod) newNodes.push(name);
    podsToDelete.push(...plan.podsToDelete);
  }
  yield* syncNodes(sync, { podsToDelete: [...podsToDelete, ...findPodsWithoutNode(sync, podsByNode)], newNodes, hash });
}

/** The pods that are not scheduled and whose node does not exist: no other controller deletes them. Mirrors getUnscheduledPodsWithoutNode. */
function findPodsWithoutNode({ nodes }: DaemonSetSync, podsByNode: ReadonlyMap<string, readonly Pod[]>): Pod[] {
  const names = new Set(nodes.map(({ metadata }) => metadata.name));
  return [...podsByNode].flatMap(([node, pods]) => (names.has(node) ? [] : pods.filter(({ spec }) => (spec?.nodeName ?? '') === '')));
}

/** The writes of a step. */
export interface PodWrites {
  readonly podsToDelete: readonly Pod[];
  /** The names of the nodes that get a pod. */
  readonly newNodes: readonly string[];
  /** The hash of the current template. */
  readonly hash: string;
}

/**
 * Creates and then deletes pods, and expects to see both: syncNodes (1.36, pkg/controller/daemon/daemon_controller.go).
 * @throws ApiError or SyncError after all writes if one failed
 */
export function* syncNodes(sync: DaemonSetSync, { podsToDelete, newNodes, hash }: PodWrites): Steps {
  const nodes = newNodes.slice(0, burstReplicas);
  const pods = podsToDelete.slice(0, burstReplicas);
  sync.expectations.expect(sync.key, { creations: nodes.length, deletions: pods.length });
  const creationFailure = yield* createPods(sync, nodes, hash);
  const deletionFailure = yield* deletePods(sync, pods);
  const failure = creationFailure ?? deletionFailure;
  if (failure) throw failure;
}

type Failure = ApiError | SyncError;

/** Returns the first failure. */
function* createPods(
  { expectations, consistency, key, daemonSet }: DaemonSetSync,
  nodes: readonly string[],
  hash: string,
): Steps<Failure | undefined> {
  const template = createDaemonTemplate(daemonSet, hash);
  const controller = createControllerReference(daemonSet, daemonSetKind);
  function* create(node: string): Steps {
    const created = yield* createPod(createPodFromTemplate(bindToNode(template, node), daemonSet, controller), daemonSet);
    consistency.recordWrite(key, daemonSet.metadata.uid ?? '', 'Pod', created.metadata.resourceVersion ?? '');
  }
  const { successes, error } = yield* slowStartBatches(nodes.length, function* (index) {
    const failure = yield* catchFailure(create(nodes[index] as string));
    // In a namespace that is being deleted every creation fails, and there is nothing to do.
    return isNamespaceTerminating(failure) ? undefined : failure;
  });
  // The cache will not show the pods that were not created.
  for (let i = successes; i < nodes.length; i++) expectations.observeCreation(key);
  return error;
}

/** Returns the first failure. */
function* deletePods({ expectations, key, daemonSet }: DaemonSetSync, pods: readonly Pod[]): Steps<Failure | undefined> {
  const failures: Failure[] = [];
  yield* inParallel(
    pods.map(function* (pod): Steps {
      const failure = yield* catchFailure(deletePod(pod, daemonSet));
      if (!failure) return;
      expectations.observeDeletion(key);
      if (!hasReason(failure, 'NotFound')) failures.push(failure);
    }),
  );
  return failures[0];
}
