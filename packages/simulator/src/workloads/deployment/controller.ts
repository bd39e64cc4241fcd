import { createRequirementsMatcher, deepEqual, metaNamespaceKey, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache, Change, Controller, ControllerContext, Queue } from '../../controller/controller.ts';
import { controllerOf } from '../owner-references.ts';
import { isNamespaceTerminating } from '../pod-control.ts';
import type { Deployment, OwnerReference, Pod, ReplicaSet } from '../types.ts';
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
  const controller = controllerOf(replicaSet);
  if (controller) enqueue(resolveOwner(cache, replicaSet, controller), queue);
  else if (current && current.metadata.deletionTimestamp === undefined) enqueueMatching(cache, current, queue);
}

function handleUpdatedReplicaSet(cache: Cache, previous: ReplicaSet, current: ReplicaSet, queue: Queue): void {
  if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  const [oldController, controller] = [controllerOf(previous), controllerOf(current)];
  const hasNewController = !deepEqual(oldController, controller);
  if (hasNewController && oldController) enqueue(resolveOwner(cache, previous, oldController), queue);
  if (controller) enqueue(resolveOwner(cache, current, controller), queue);
  else if (hasNewController || !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {}))
    enqueueMatching(cache, current, queue);
}

/** Enqueues the Deployments that may adopt an orphan. */
function enqueueMatching(cache: Cache, { metadata: { namespace, labels } }: ReplicaSet, queue: Queue): void {
  if (!labels) return;
  for (const deployment of cache.list<Deployment>('Deployment', namespace)) {
    const requirements = requirementsOf(deployment.spec.selector);
    if (requirements.length > 0 && createRequirementsMatcher(requirements)(labels)) enqueue(deployment, queue);
  }
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
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return undefined;
  const replicaSet = cache.get<ReplicaSet>('ReplicaSet', pod.metadata.namespace ?? '', owner.name);
  const controller = replicaSet?.metadata.uid === owner.uid ? controllerOf(replicaSet) : undefined;
  return replicaSet && controller && resolveOwner(cache, replicaSet, controller);
}

/** The Deployment of an owner reference; undefined if it has another UID. */
function resolveOwner(cache: Cache, { metadata }: ReplicaSet, { kind, name, uid }: OwnerReference): Deployment | undefined {
  const owner = kind === 'Deployment' ? cache.get<Deployment>('Deployment', metadata.namespace ?? '', name) : undefined;
  return owner?.metadata.uid === uid ? owner : undefined;
}

function enqueue(object: Deployment | undefined, queue: Queue): void {
  if (object) queue.add(metaNamespaceKey(object.metadata));
}
