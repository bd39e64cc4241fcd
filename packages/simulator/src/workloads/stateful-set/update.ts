import type { Steps } from '../../controller/controller.ts';
import { catchFailure } from '../errors.ts';
import { createControllerReference } from '../owner-references.ts';
import { createPodFromTemplate } from '../pod-control.ts';
import { isPodAvailable, isPodTerminal } from '../pods.ts';
import { slowStartBatches } from '../slow-start.ts';
import type { Pod } from '../types.ts';
import { type Access, areClaimOwnersUpToDate, hasStaleClaim, updateClaimOwners } from './claim-control.ts';
import { isStorageMatching, setStorage } from './claims.ts';
import {
  endOrdinalOf,
  isIdentityMatching,
  isInOrdinalRange,
  ordinalOf,
  podNameOf,
  revisionNameOf,
  setInitialIdentity,
  setRevisionName,
  startOrdinalOf,
} from './identity.ts';
import { type StatefulSet, type StatefulSetStatus, statefulSetKind } from './objects.ts';
import { createMissingClaims, createPod, deletePod, updatePod } from './pod-control.ts';
import { isCreated, isPending, isRunningAndReady, isTerminating, isUnavailable } from './pod-state.ts';
import { applyRevision, type Revisions } from './revisions.ts';
import { computeStatus } from './status.ts';

/** The outcome of an update: a status to write, also if the update failed. */
export interface UpdateResult {
  readonly status: StatefulSetStatus;
  readonly failure?: unknown;
}

/** The StatefulSet, its pods, and the time for which their availability counts. */
export interface UpdateInput {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly revisions: Revisions;
  readonly access: Access;
  readonly now: number;
}

/** What an update works on. */
interface Update {
  readonly set: StatefulSet;
  readonly access: Access;
  readonly now: number;
  /** Whether pods are created and deleted one after another. */
  readonly isMonotonic: boolean;
  /** The pods within the range of ordinals, in order; those that do not exist yet have no phase. */
  readonly replicas: readonly Pod[];
  /** The pods outside of the range, in descending order of their ordinals. */
  readonly condemned: readonly Pod[];
}

/**
 * Creates, repairs and deletes the pods of a StatefulSet: updateStatefulSet (1.36, pkg/controller/statefulset/stateful_set_access.go), with
 * the feature gate MaxUnavailableStatefulSet off, as by default.
 */
export function* updateStatefulSet({ set, pods, revisions, access, now }: UpdateInput): Steps<UpdateResult> {
  const update: Update = {
    set,
    access,
    now,
    isMonotonic: set.spec.podManagementPolicy !== 'Parallel',
    replicas: fillReplicas(set, pods, revisions),
    condemned: pods.filter((pod) => ordinalOf(pod) >= 0 && !isInOrdinalRange(set, pod)).sort((a, b) => ordinalOf(b) - ordinalOf(a)),
  };
  const statusOf = (list: readonly Pod[]): StatefulSetStatus => computeStatus(set, revisions, list, now);
  if (set.metadata.deletionTimestamp !== undefined) return { status: statusOf(pods) };
  let hasStopped: boolean;
  const status = statusOf([...update.replicas, ...update.condemned]);
  try {
    hasStopped = yield* scale(update);
  } catch (failure) {
    return { status, failure };
  }
  if (hasStopped || set.spec.updateStrategy?.type === 'OnDelete') return { status };
  return yield* replaceOutdatedPod(update, revisions, status);
}

/** The pods of all ordinals of the range, new ones included. */
function fillReplicas(set: StatefulSet, pods: readonly Pod[], revisions: Revisions): Pod[] {
  const existing = new Map(pods.filter((pod) => isInOrdinalRange(set, pod)).map((pod) => [ordinalOf(pod), pod]));
  const replicas: Pod[] = [];
  for (let ordinal = startOrdinalOf(set); ordinal <= endOrdinalOf(set); ordinal += 1)
    replicas.push(existing.get(ordinal) ?? newPod(set, revisions, ordinal));
  return replicas;
}

/** A new pod, of the current revision below the partition and of the update revision from there on: newVersionedStatefulSetPod. */
function newPod(set: StatefulSet, { current, update }: Revisions, ordinal: number): Pod {
  const { type, rollingUpdate } = set.spec.updateStrategy ?? {};
  const keptCount = rollingUpdate ? (rollingUpdate.partition ?? 0) : type === 'RollingUpdate' ? (set.status?.currentReplicas ?? 0) : 0;
  const revision = ordinal < startOrdinalOf(set) + keptCount ? current : update;
  const revised = applyRevision(set, revision);
  const pod = createPodFromTemplate(revised.spec.template, set, createControllerReference(set, statefulSetKind));
  const named = setInitialIdentity(revised, { ...pod, metadata: { ...pod.metadata, name: podNameOf(set, ordinal) } });
  return setRevisionName(setStorage(revised, named), revision.metadata.name ?? '');
}

/** Brings the number of pods to that of the replicas. Returns whether the sync must stop, because it waits for a pod. */
function* scale(update: Update): Steps<boolean> {
  const { set, access, condemned, isMonotonic } = update;
  if (yield* runForAll(update.replicas, isMonotonic, (pod) => processReplica(update, pod))) return true;
  const fixClaims = function* (pod: Pod): Steps<boolean> {
    if (!areClaimOwnersUpToDate(access, set, pod)) yield* updateClaimOwners(access, set, pod);
    return false;
  };
  if (yield* runForAll(condemned, isMonotonic, fixClaims)) return true;
  return yield* runForAll(condemned, isMonotonic, (pod) => processCondemned(update, pod));
}

/** One pod after another until an action asks to stop, or all of them in batches. Returns whether to stop. */
function* runForAll(pods: readonly Pod[], isMonotonic: boolean, action: (pod: Pod) => Steps<boolean>): Steps<boolean> {
  if (!isMonotonic) {
    const { error } = yield* slowStartBatches(pods.length, (index) => catchFailure(action(pods[index] as Pod)), maxBatchSize);
    if (error) throw error;
    return false;
  }
  for (const pod of pods) if (yield* action(pod)) return true;
  return false;
}

const maxBatchSize = 500;

/** Creates, replaces or repairs a pod within the range. Returns whether a monotonic sync must stop: processReplica. */
function* processReplica({ set, access, isMonotonic, now }: Update, pod: Pod): Steps<boolean> {
  if (isPodTerminal(pod)) {
    // The pod is created again by a sync after its removal.
    if (!isTerminating(pod)) yield* deletePod(set, pod);
    return true;
  }
  if (!isCreated(pod)) {
    if (hasStaleClaim(access, set, pod)) return true;
    yield* createPod(access, set, pod);
    if (isMonotonic) return true;
  }
  if (isPending(pod)) yield* createMissingClaims(access, set, pod);
  const mustWait = isTerminating(pod) || !isRunningAndReady(pod) || !isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  if (mustWait && isMonotonic) return true;
  const isConform = isIdentityMatching(set, pod) && isStorageMatching(set, pod) && areClaimOwnersUpToDate(access, set, pod);
  if (!isConform) yield* updatePod(access, set, pod);
  return false;
}

/** Deletes a pod outside of the range. Returns whether a monotonic sync must stop: processCondemned. */
function* processCondemned(update: Update, pod: Pod): Steps<boolean> {
  const { set, isMonotonic, now } = update;
  if (isTerminating(pod)) return isMonotonic;
  const isHealthy = isRunningAndReady(pod) && isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
  if (!isHealthy && isMonotonic && pod !== findFirstUnavailable(update)) return true;
  yield* deletePod(set, pod);
  return true;
}

/** The unavailable pod of the lowest ordinal; a replica before a condemned pod. */
function findFirstUnavailable({ set, replicas, condemned, now }: Update): Pod | undefined {
  const isDown = (pod: Pod): boolean => isUnavailable(pod, set.spec.minReadySeconds ?? 0, now);
  return replicas.find(isDown) ?? condemned.findLast(isDown);
}

/**
 * Deletes the last pod that is not of the update revision, unless an updated pod after it is unavailable. The partition counts replicas, not
 * ordinals.
 */
function* replaceOutdatedPod({ set, replicas, now }: Update, { update }: Revisions, status: StatefulSetStatus): Steps<UpdateResult> {
  const partition = set.spec.updateStrategy?.rollingUpdate?.partition ?? 0;
  for (const pod of replicas.slice(partition).reverse()) {
    if (revisionNameOf(pod) !== update.metadata.name && !isTerminating(pod)) {
      try {
        yield* deletePod(set, pod);
      } catch (failure) {
        return { status, failure };
      }
      return { status: { ...status, currentReplicas: (status.currentReplicas ?? 0) - 1 } };
    }
    if (isUnavailable(pod, set.spec.minReadySeconds ?? 0, now)) break;
  }
  return { status };
}
