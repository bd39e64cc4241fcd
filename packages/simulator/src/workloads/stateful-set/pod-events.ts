import { type LabelSelector, metaNamespaceKey, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import type { Cache, Change, Queue } from '../../controller/controller.ts';
import { printGoJson } from '../../go/json.ts';
import { controllerOf, enqueue, findController } from '../owner-references.ts';
import { isPodReady } from '../pods.ts';
import type { Pod } from '../types.ts';
import { type StatefulSet, statefulSetKind } from './objects.ts';

/** Enqueues the StatefulSets that a change of a pod concerns: addPod, updatePod and deletePod (1.36, pkg/controller/statefulset). */
export function enqueueForPod(cache: Cache, { previous, current }: Change, queue: Queue): void {
  if (previous && current) enqueueForUpdate(cache, previous as Pod, current as Pod, queue);
  else if (current && current.metadata.deletionTimestamp === undefined) enqueueForNewPod(cache, current, queue);
  else enqueueController(cache, current ?? previous, queue);
}

function enqueueForNewPod(cache: Cache, pod: ApiObject, queue: Queue): void {
  if (controllerOf(pod)) enqueueController(cache, pod, queue);
  else enqueueSelectors(cache, pod, queue);
}

function enqueueForUpdate(cache: Cache, previous: Pod, current: Pod, queue: Queue): void {
  if (previous.metadata.resourceVersion === current.metadata.resourceVersion) return;
  const owner = controllerOf(current);
  const isOwnerChanged = !isEqual(controllerOf(previous), owner);
  if (isOwnerChanged) enqueueController(cache, previous, queue);
  if (owner) {
    const set = enqueueController(cache, current, queue);
    const minReadySeconds = set?.spec.minReadySeconds ?? 0;
    if (set && minReadySeconds > 0 && !isPodReady(previous) && isPodReady(current))
      queue.addAfter(metaNamespaceKey(set.metadata), minReadySeconds * 1000);
  } else if (isOwnerChanged || !isEqual(previous.metadata.labels, current.metadata.labels)) {
    enqueueSelectors(cache, current, queue);
  }
}

const isEqual = (a: unknown, b: unknown): boolean => printGoJson(a ?? null) === printGoJson(b ?? null);

/** Enqueues the StatefulSet that controls a pod, and returns it. */
function enqueueController(cache: Cache, pod: ApiObject | undefined, queue: Queue): StatefulSet | undefined {
  const set = pod && findController<StatefulSet>(cache, pod, statefulSetKind.kind);
  enqueue(set, queue);
  return set;
}

/** Enqueues the StatefulSets whose selector matches a pod without a controller: GetPodStatefulSets (1.36, client-go/listers/apps/v1). */
function enqueueSelectors(cache: Cache, { metadata: { namespace = '', labels = {} } }: ApiObject, queue: Queue): void {
  if (Object.keys(labels).length === 0) return;
  for (const set of cache.list('StatefulSet', namespace) as readonly StatefulSet[]) {
    const { selector } = set.spec;
    if (!isEmptySelector(selector) && selectorMatches(selector, labels)) queue.add(metaNamespaceKey(set.metadata));
  }
}

const isEmptySelector = ({ matchLabels, matchExpressions }: LabelSelector): boolean =>
  Object.keys(matchLabels ?? {}).length === 0 && (matchExpressions ?? []).length === 0;
