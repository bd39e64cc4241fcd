import { createRequirementsMatcher, deepEqual, metaNamespaceKey, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache, Change, Controller, ControllerContext, Queue } from '../../controller/controller.ts';
import { controllerOf, enqueue, enqueueMatching, findController } from '../owner-references.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import type { Deployment, Pod, ReplicaSet } from '../types.ts';
import { listOwnedPods } from './context.ts';
import { syncDeployment } from './sync.ts';

/** A key is dropped after this number of failed syncs in a row. */
const maxRetries = 15;

/** Creates the controller of Deployments. Mirrors pkg/controller/deployment of 1.36 with its default feature gates. */
export function createDeploymentController(context: ControllerContext): Controller {
  const { cache } = context;
  return {
    name: 'deployment',
    kinds: ['Pod', 'Deployment', 'ReplicaSet'],
    handle(change, queue) {
      if (change.kind === 'Deployment') queue.add(metaNamespaceKey(((change.current ?? change.previous) as ApiObject).metadata));
      else if (change.kind === 'ReplicaSet') handleReplicaSet(cache, change, queue);
      else if (change.kind === 'Pod' && !change.current) handleDeletedPod(cache, change.previous as Pod, queue);
    },
    sync: (key, queue) => syncDeployment(context, key, queue),
    handleFailure(key, error, queue) {
      if (!isNamespaceTerminating(error) && queue.requeues(key) < maxRetries) queue.addRateLimited(key);
      else queue.forget(key);
    },
  };
}

function handleReplicaSet(cache: Cache, change: Change, queue: Queue): void {
  const [previous, current] = [change.previous, change.current] as readonly (ReplicaSet | undefined)[];
  if (previous && current) {
    handleUpdatedReplicaSet(cache, previous, current, queue);
    return;
  }
  const replicaSet = (current ?? previous) as ReplicaSet;
  if (controllerOf(replicaSet)) enqueue(findController(cache, replicaSet, 'Deployment'), queue);
  else if (current && current.metadata.deletionTimestamp === undefined) enqueueMatching(cache, current, 'Deployment', queue);
}

function handleUpdatedReplicaSet(cache: Cache, previous: ReplicaSet, current: ReplicaSet, queue: Queue): void {
  if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  const [oldController, controller] = [controllerOf(previous), controllerOf(current)];
  const hasNewController = !deepEqual(oldController, controller);
  if (hasNewController) enqueue(findController(cache, previous, 'Deployment'), queue);
  if (controller) enqueue(findController(cache, current, 'Deployment'), queue);
  else if (hasNewController || !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {}))
    enqueueMatching(cache, current, 'Deployment', queue);
}

/** Enqueues a Deployment of the strategy Recreate when its last Pod is gone. Reads the cache, while the original lists ReplicaSets uncached. */
function handleDeletedPod(cache: Cache, pod: Pod, queue: Queue): void {
  const deployment = findDeploymentOf(cache, pod);
  if (deployment?.spec.strategy.type !== 'Recreate') return;
  const matches = createRequirementsMatcher(requirementsOf(deployment.spec.selector));
  const replicaSets = cache
    .controlledBy<ReplicaSet>('ReplicaSet', deployment.metadata.namespace ?? '', deployment.metadata.uid)
    .filter(({ metadata }) => matches(metadata.labels ?? {}));
  if (replicaSets.every((each) => listOwnedPods(cache, each).length === 0)) enqueue(deployment, queue);
}

/** The Deployment of the ReplicaSet of a Pod. */
function findDeploymentOf(cache: Cache, pod: Pod): Deployment | undefined {
  const replicaSet = findController(cache, pod, 'ReplicaSet');
  return replicaSet && findController(cache, replicaSet, 'Deployment');
}
