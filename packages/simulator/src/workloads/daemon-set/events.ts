import { deepEqual, metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Change, Queue } from '../../controller/controller.ts';
import { controllerOf, enqueue, enqueueMatching, findController } from '../owner-references.ts';
import { isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { DaemonSetState } from './context.ts';
import { type DaemonSet, daemonSetKind } from './objects.ts';

/** Enqueues the DaemonSets that a changed pod or revision concerns. Mirrors the handlers of pkg/controller/daemon/daemon_controller.go of 1.36. */
export function handleOwned(state: DaemonSetState, { previous, current }: Change, queue: Queue): void {
  if (previous && current) handleUpdate(state, previous, current, queue);
  else if (!current || current.metadata.deletionTimestamp !== undefined) handleDeletion(state, (current ?? previous) as ApiObject, queue);
  else handleAddition(state, current, queue);
}

function handleAddition(state: DaemonSetState, object: ApiObject, queue: Queue): void {
  const { cache } = state.context;
  if (!controllerOf(object)) enqueueMatching(cache, object, daemonSetKind.kind, queue);
  const owner = findController<DaemonSet>(cache, object, daemonSetKind.kind);
  // A revision that has an owner does not matter to it.
  if (!owner || object.kind !== 'Pod') return;
  state.expectations.observeCreation(metaNamespaceKey(owner.metadata));
  enqueue(owner, queue);
}

function handleUpdate(state: DaemonSetState, previous: ApiObject, current: ApiObject, queue: Queue): void {
  const { cache } = state.context;
  if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  if (current.kind === 'Pod' && current.metadata.deletionTimestamp !== undefined) {
    handleDeletion(state, current, queue);
    return;
  }
  const hasNewController = !deepEqual(controllerOf(previous), controllerOf(current));
  if (hasNewController) enqueue(findController<DaemonSet>(cache, previous, daemonSetKind.kind), queue);
  const hasNewLabels = !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {});
  if (controllerOf(current)) enqueueOwner(findController<DaemonSet>(cache, current, daemonSetKind.kind), previous, current, queue);
  else if (hasNewLabels || hasNewController) enqueueMatching(cache, current, daemonSetKind.kind, queue);
}

/** Enqueues the owner of a changed object, and once more a second after a pod that has become ready can be available. */
function enqueueOwner(owner: DaemonSet | undefined, previous: ApiObject, current: ApiObject, queue: Queue): void {
  enqueue(owner, queue);
  const minReadySeconds = owner?.spec.minReadySeconds ?? 0;
  const hasBecomeReady = current.kind === 'Pod' && !isPodReady(previous as Pod) && isPodReady(current as Pod);
  if (owner && minReadySeconds > 0 && hasBecomeReady) queue.addAfter(metaNamespaceKey(owner.metadata), (minReadySeconds + 1) * 1000);
}

function handleDeletion(state: DaemonSetState, object: ApiObject, queue: Queue): void {
  const owner = findController<DaemonSet>(state.context.cache, object, daemonSetKind.kind);
  if (!owner) return;
  if (object.kind === 'Pod') state.expectations.observeDeletion(metaNamespaceKey(owner.metadata));
  enqueue(owner, queue);
}
