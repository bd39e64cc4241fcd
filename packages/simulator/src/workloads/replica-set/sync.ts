import { createRequirementsMatcher, metaNamespaceKey, requirementsOf, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Queue, Steps } from '../../controller/controller.ts';
import { claimObjects, controllerOf, isControlledBy, listControlled } from '../owner-references.ts';
import { isPodActive, isPodTerminating, nextAvailability } from '../pods.ts';
import type { Pod, ReplicaSet } from '../types.ts';
import { type ReplicaSetState, replicaSetKind } from './context.ts';
import { manageReplicas } from './manage-replicas.ts';
import { computeStatus, updateStatus } from './status.ts';

/**
 * One sync of a ReplicaSet: claims Pods, creates or deletes Pods unless earlier ones are still expected, and updates the status. Mirrors
 * syncReplicaSet (1.36, pkg/controller/replicaset/replica_set.go).
 * @throws ApiError or SyncError if a write failed, or if the cache is older than the last write
 */
export function* syncReplicaSet(state: ReplicaSetState, key: string, queue: Queue): Steps {
  const { context, expectations, consistency } = state;
  consistency.ensureReady(key);
  const { namespace, name } = splitMetaNamespaceKey(key);
  const replicaSet = context.cache.get<ReplicaSet>('ReplicaSet', namespace, name);
  if (!replicaSet) {
    consistency.clear(key);
    expectations.delete(key);
    return;
  }
  const mayManage = expectations.areSatisfied(key) && replicaSet.metadata.deletionTimestamp === undefined;
  const pods = listPods(state, replicaSet);
  const matches = createMatcher(replicaSet);
  const activePods = yield* claimPods(state, replicaSet, pods.filter(isPodActive), matches);
  const terminatingPods = pods.filter((pod) => isPodTerminating(pod) && isControlledBy(pod, replicaSet) && matches(pod));
  const error = mayManage ? yield* manageReplicas(state, replicaSet, activePods) : undefined;
  const now = context.now();
  const status = computeStatus(replicaSet, { activePods, terminatingPods, error, now });
  const updated = yield* updateStatus(replicaSet, status);
  consistency.recordWrite(key, replicaSet.metadata.uid ?? '', 'ReplicaSet', updated.metadata.resourceVersion ?? '');
  if (error) throw error;
  requeueForAvailability(updated, activePods, now, queue);
}

/** The Pods of a ReplicaSet and then the orphans of its namespace. */
const listPods = ({ context: { cache } }: ReplicaSetState, replicaSet: ReplicaSet): Pod[] => [
  ...listControlled<Pod>(cache, 'Pod', replicaSet, replicaSetKind),
  ...cache.controlledBy<Pod>('Pod', replicaSet.metadata.namespace ?? '', undefined),
];

const claimPods = (
  { consistency }: ReplicaSetState,
  replicaSet: ReplicaSet,
  pods: readonly Pod[],
  matches: (pod: Pod) => boolean,
): Steps<Pod[]> =>
  claimObjects(pods, {
    owner: replicaSet,
    ownerKind: replicaSetKind,
    kind: 'Pod',
    matches,
    onWrite(pod) {
      const controller = controllerOf(pod);
      if (controller)
        consistency.recordWrite(
          metaNamespaceKey({ namespace: pod.metadata.namespace, name: controller.name }),
          controller.uid,
          'Pod',
          pod.metadata.resourceVersion ?? '',
        );
    },
  });

function createMatcher({ spec }: ReplicaSet): (pod: Pod) => boolean {
  const matchesLabels = createRequirementsMatcher(requirementsOf(spec.selector));
  return ({ metadata }) => matchesLabels(metadata.labels ?? {});
}

/** Requeues a ReplicaSet for the time when the next of its ready Pods becomes available. */
function requeueForAvailability({ metadata, spec, status }: ReplicaSet, pods: readonly Pod[], now: number, queue: Queue): void {
  const { minReadySeconds = 0 } = spec;
  if (minReadySeconds <= 0 || (status?.readyReplicas ?? 0) === (status?.availableReplicas ?? 0)) return;
  queue.addAfter(metaNamespaceKey(metadata), nextAvailability(pods, minReadySeconds, now) ?? minReadySeconds * 1000);
}
