import { createRequirementsMatcher, deepEqual, metaNamespaceKey, requirementsOf } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache, Change, Queue } from '../../controller/controller.ts';
import { controllerOf } from '../owner-references.ts';
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
  if (!controllerOf(object)) enqueueMatching(cache, object, queue);
  const owner = resolveOwner(cache, object);
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
  if (hasNewController) enqueue(resolveOwner(cache, previous), queue);
  const hasNewLabels = !deepEqual(previous.metadata.labels ?? {}, current.metadata.labels ?? {});
  if (controllerOf(current)) enqueueOwner(resolveOwner(cache, current), previous, current, queue);
  else if (hasNewLabels || hasNewController) enqueueMatching(cache, current, queue);
}

/** Enqueues the owner of a changed object, and once more a second after a pod that has become ready can be available. */
function enqueueOwner(owner: DaemonSet | undefined, previous: ApiObject, current: ApiObject, queue: Queue): void {
  enqueue(owner, queue);
  const minReadySeconds = owner?.spec.minReadySeconds ?? 0;
  const hasBecomeReady = current.kind === 'Pod' && !isPodReady(previous as Pod) && isPodReady(current as Pod);
  if (owner && minReadySeconds > 0 && hasBecomeReady) queue.addAfter(metaNamespaceKey(owner.metadata), (minReadySeconds + 1) * 1000);
}

function handleDeletion(state: DaemonSetState, object: ApiObject, queue: Queue): void {
  const owner = resolveOwner(state.context.cache, object);
  if (!owner) return;
  if (object.kind === 'Pod') state.expectations.observeDeletion(metaNamespaceKey(owner.metadata));
  enqueue(owner, queue);
}

/** Enqueues the DaemonSets that may adopt an orphan: an empty selector matches nothing. */
function enqueueMatching(cache: Cache, { metadata: { namespace, labels } }: ApiObject, queue: Queue): void {
  if (!labels) return;
  for (const daemonSet of cache.list<DaemonSet>(daemonSetKind.kind, namespace)) {
    const requirements = requirementsOf(daemonSet.spec.selector);
    if (requirements.length > 0 && createRequirementsMatcher(requirements)(labels)) enqueue(daemonSet, queue);
  }
}

/** The DaemonSet that controls an object; undefined if there is none of the same UID. */
function resolveOwner(cache: Cache, object: ApiObject): DaemonSet | undefined {
  const controller = controllerOf(object);
  if (controller?.kind !== daemonSetKind.kind) return undefined;
  const owner = cache.get<DaemonSet>(daemonSetKind.kind, object.metadata.namespace ?? '', controller.name);
  return owner?.metadata.uid === controller.uid ? owner : undefined;
}

function enqueue(daemonSet: DaemonSet | undefined, queue: Queue): void {
  if (daemonSet) queue.add(metaNamespaceKey(daemonSet.metadata));
}
