import { deepEqual, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Change, Controller, ControllerContext, Queue } from '../../controller/controller.ts';
import { createConsistencyStore } from '../consistency.ts';
import { createExpectations } from '../expectations.ts';
import { controllerOf, enqueue, enqueueMatching, findController } from '../owner-references.ts';
import { isPodReady } from '../pods.ts';
import type { Pod, ReplicaSet } from '../types.ts';
import type { ReplicaSetState } from './context.ts';
import { syncReplicaSet } from './sync.ts';

/** Creates the controller of ReplicaSets. Mirrors pkg/controller/replicaset of 1.36 with its default feature gates. */
export function createReplicaSetController(context: ControllerContext): Controller {
  const { cache, now } = context;
  const state: ReplicaSetState = { context, expectations: createExpectations(now), consistency: createConsistencyStore(cache) };
  return {
    name: 'replicaset',
    kinds: ['Pod', 'ReplicaSet'],
    handle(change, queue) {
      if (change.kind === 'ReplicaSet') handleReplicaSet(state, change, queue);
      else if (change.kind === 'Pod') handlePod(state, change, queue);
    },
    sync: (key, queue) => syncReplicaSet(state, key, queue),
  };
}

/** Enqueues every changed ReplicaSet; a deleted one, or one with a new UID, starts without expectations. */
function handleReplicaSet({ consistency, expectations }: ReplicaSetState, { previous, current }: Change, queue: Queue): void {
  const key = metaNamespaceKey((current ?? previous)?.metadata ?? {});
  if (previous && previous.metadata.uid !== current?.metadata.uid) {
    consistency.clear(key, previous.metadata.uid);
    expectations.delete(key);
  }
  queue.add(key);
}

function handlePod(state: ReplicaSetState, change: Change, queue: Queue): void {
  const [previous, current] = [change.previous, change.current] as readonly (Pod | undefined)[];
  if (current && previous) handleUpdatedPod(state, previous, current, queue);
  else if (!current || current.metadata.deletionTimestamp !== undefined) observeDeletion(state, (current ?? previous) as Pod, queue);
  else handleAddedPod(state, current, queue);
}

function handleAddedPod(state: ReplicaSetState, pod: Pod, queue: Queue): void {
  const { cache } = state.context;
  if (!controllerOf(pod)) enqueueMatching(cache, pod, 'ReplicaSet', queue);
  const owner = findController(cache, pod, 'ReplicaSet');
  if (!owner) return;
  const key = metaNamespaceKey(owner.metadata);
  state.expectations.observeCreation(key);
  queue.add(key);
}

function handleUpdatedPod(state: ReplicaSetState, previous: Pod, current: Pod, queue: Queue): void {
  if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  const hasNewLabels = !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {});
  if (current.metadata.deletionTimestamp !== undefined) {
    observeDeletion(state, current, queue);
    if (hasNewLabels) observeDeletion(state, previous, queue);
    return;
  }
  const { cache } = state.context;
  const controller = controllerOf(current);
  const hasNewController = !deepEqual(controllerOf(previous), controller);
  if (hasNewController) enqueue(findController(cache, previous, 'ReplicaSet'), queue);
  if (controller) enqueueOwner(findController(cache, current, 'ReplicaSet'), previous, current, queue);
  else if (hasNewLabels || hasNewController) enqueueMatching(cache, current, 'ReplicaSet', queue);
}

/** Enqueues the owner of a changed Pod, and once more when the Pod can be available if it has just become ready. */
function enqueueOwner(owner: ReplicaSet | undefined, previous: Pod, current: Pod, queue: Queue): void {
  enqueue(owner, queue);
  const minReadySeconds = owner?.spec.minReadySeconds ?? 0;
  if (owner && minReadySeconds > 0 && !isPodReady(previous) && isPodReady(current))
    queue.addAfter(metaNamespaceKey(owner.metadata), minReadySeconds * 1000);
}

function observeDeletion(state: ReplicaSetState, pod: Pod, queue: Queue): void {
  const owner = findController(state.context.cache, pod, 'ReplicaSet');
  if (!owner) return;
  const key = metaNamespaceKey(owner.metadata);
  state.expectations.observeDeletion(key, metaNamespaceKey(pod.metadata));
  queue.add(key);
}
