import { metaNamespaceKey, selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { type ApiError, hasReason } from 'kube-endpoints/port';
import type { Steps, SyncError } from '../../controller/controller.ts';
import { inParallel } from '../../controller/effects.ts';
import { catchFailure } from '../errors.ts';
import { controllerOf, createControllerReference } from '../owner-references.ts';
import { createPod, createPodFromTemplate, deletePod, isNamespaceTerminating } from '../pod-control.ts';
import { slowStartBatches } from '../slow-start.ts';
import type { Pod, ReplicaSet } from '../types.ts';
import { type ReplicaSetState, replicaSetKind } from './context.ts';
import { choosePodsToDelete } from './pods-to-delete.ts';

/** The largest number of Pods that one sync creates or deletes. */
const burstReplicas = 500;

type Failure = ApiError | SyncError;

/**
 * Creates missing Pods or deletes surplus ones, and returns the first failure. Mirrors manageReplicas (1.36,
 * pkg/controller/replicaset/replica_set.go).
 */
export function* manageReplicas(state: ReplicaSetState, replicaSet: ReplicaSet, activePods: readonly Pod[]): Steps<Failure | undefined> {
  const surplus = activePods.length - replicaSet.spec.replicas;
  if (surplus < 0) return yield* createPods(state, replicaSet, Math.min(-surplus, burstReplicas));
  if (surplus > 0) return yield* deletePods(state, replicaSet, activePods, Math.min(surplus, burstReplicas));
  return undefined;
}

function* createPods({ expectations, consistency }: ReplicaSetState, replicaSet: ReplicaSet, count: number): Steps<Failure | undefined> {
  const key = metaNamespaceKey(replicaSet.metadata);
  const pod = createPodFromTemplate(replicaSet.spec.template, replicaSet, createControllerReference(replicaSet, replicaSetKind));
  function* create(): Steps {
    const created = yield* createPod(pod, replicaSet);
    consistency.recordWrite(key, replicaSet.metadata.uid ?? '', 'Pod', created.metadata.resourceVersion ?? '');
  }
  expectations.expectCreations(key, count);
  const { successes, error } = yield* slowStartBatches(count, function* () {
    const failure = yield* catchFailure(create());
    // In a namespace that is being deleted every creation fails, and there is nothing to do.
    return isNamespaceTerminating(failure) ? undefined : failure;
  });
  // The cache will not show the Pods that were not created.
  for (let i = successes; i < count; i++) expectations.observeCreation(key);
  return error;
}

function* deletePods(
  { context: { cache, now }, expectations }: ReplicaSetState,
  replicaSet: ReplicaSet,
  activePods: readonly Pod[],
  count: number,
): Steps<Failure | undefined> {
  const key = metaNamespaceKey(replicaSet.metadata);
  const pods = choosePodsToDelete(activePods, listRelatedPods(cache, replicaSet), count, now());
  expectations.expectDeletions(
    key,
    pods.map(({ metadata }) => metaNamespaceKey(metadata)),
  );
  const failures: Failure[] = [];
  yield* inParallel(
    pods.map(function* (pod): Steps {
      const failure = yield* catchFailure(deletePod(pod, replicaSet));
      if (!failure) return;
      expectations.observeDeletion(key, metaNamespaceKey(pod.metadata));
      if (!hasReason(failure, 'NotFound')) failures.push(failure);
    }),
  );
  return failures[0];
}

/** The Pods of all ReplicaSets with the same controller, for example of a Deployment: a node with more of them loses Pods first. */
function listRelatedPods(cache: ReplicaSetState['context']['cache'], replicaSet: ReplicaSet): Pod[] {
  const controller = controllerOf(replicaSet);
  if (!controller) return [];
  const related = cache.list<ReplicaSet>('ReplicaSet').filter((other) => controllerOf(other)?.uid === controller.uid);
  const pods = related.flatMap(({ metadata, spec }) =>
    cache.list<Pod>('Pod', metadata.namespace).filter((pod) => selectorMatches(spec.selector, pod.metadata.labels ?? {})),
  );
  return [...new Set(pods)];
}
