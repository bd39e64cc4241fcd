import { metaNamespaceKey, selectorMatches, splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { type Change, type Controller, type ControllerContext, isFailure, type Queue, type Steps } from '../../controller/controller.ts';
import { createConsistencyStore } from '../consistency.ts';
import { aggregateErrors, catchFailure } from '../errors.ts';
import { adoptRevision, listRevisions } from '../history/history.ts';
import { sortRevisions } from '../history/revision.ts';
import { claimObjects, controllerOf, createAdoptionCheck, isControlledBy } from '../owner-references.ts';
import { nextAvailability } from '../pods.ts';
import type { Pod } from '../types.ts';
import type { Access } from './claim-control.ts';
import { isMemberOf } from './identity.ts';
import { type StatefulSet, type StatefulSetStatus, statefulSetKind } from './objects.ts';
import { enqueueForPod } from './pod-events.ts';
import { type Revisions, resolveRevisions, truncateHistory } from './revisions.ts';
import { completeRollingUpdate, updateStatus } from './status.ts';
import { updateStatefulSet } from './update.ts';

/** The statefulset controller: 1.36, pkg/controller/statefulset/stateful_set.go. */
export function createStatefulSetController(context: ControllerContext): Controller {
  const consistency = createConsistencyStore(context.cache);
  const access: Access = {
    cache: context.cache,
    recordWrite({ metadata }, { kind = '', metadata: { resourceVersion = '' } }) {
      consistency.recordWrite(metaNamespaceKey(metadata), metadata.uid ?? '', kind, resourceVersion);
    },
  };
  return {
    name: 'statefulset',
    kinds: ['PersistentVolumeClaim', 'Pod', 'ControllerRevision', 'StatefulSet'],
    handle(change, queue) {
      if (change.kind === 'StatefulSet') queue.add(metaNamespaceKey(subjectOf(change).metadata));
      if (change.kind === 'Pod') enqueueForPod(context.cache, change, queue);
    },
    *sync(key, queue) {
      consistency.ensureReady(key);
      const { namespace, name } = splitMetaNamespaceKey(key);
      const set = context.cache.get('StatefulSet', namespace, name) as StatefulSet | undefined;
      if (set) yield* syncStatefulSet(access, context, set, queue);
      else consistency.clear(key);
    },
  };
}

const subjectOf = ({ current, previous }: Change): ApiObject => (current ?? previous) as ApiObject;

function* syncStatefulSet(access: Access, context: ControllerContext, set: StatefulSet, queue: Queue): Steps {
  yield* adoptOrphanRevisions(access, set);
  const pods = yield* claimPods(access, set);
  const now = context.now();
  const status = yield* updateSet(access, set, pods, now);
  const { minReadySeconds = 0 } = set.spec;
  if (minReadySeconds > 0 && status.readyReplicas !== status.availableReplicas) {
    const wait = nextAvailability(pods, minReadySeconds, now);
    // A pod that became available during the sync is due at once.
    const delay = wait === undefined ? minReadySeconds * 1000 : Math.max(0, wait - (context.now() - now));
    queue.addAfter(metaNamespaceKey(set.metadata), delay);
  }
}

/** Adopts and releases pods: getPodsForStatefulSet. */
function claimPods({ cache, recordWrite }: Access, set: StatefulSet): Steps<Pod[]> {
  const { namespace = '', uid } = set.metadata;
  const owned = cache.controlledBy<Pod>('Pod', namespace, uid).filter((pod) => controllerOf(pod)?.kind === statefulSetKind.kind);
  const orphans = cache.controlledBy<Pod>('Pod', namespace, undefined);
  return claimObjects([...owned, ...orphans], {
    owner: set,
    ownerKind: statefulSetKind,
    kind: 'Pod',
    matches: (pod) => selectorMatches(set.spec.selector, pod.metadata.labels ?? {}) && isMemberOf(set, pod),
    onWrite(pod) {
      // The version of a released pod is not tracked.
      if (isControlledBy(pod, set)) recordWrite(set, pod);
    },
  });
}

function* adoptOrphanRevisions({ cache }: Access, set: StatefulSet): Steps {
  const revisions = listRevisions(cache, set, statefulSetKind, set.spec.selector);
  const orphans = revisions.filter((revision) => controllerOf(revision) === undefined);
  if (orphans.length === 0) return;
  yield* createAdoptionCheck({ owner: set, ownerKind: statefulSetKind })();
  for (const revision of orphans) yield* adoptRevision(set, statefulSetKind, revision);
}

/** Updates pods, status and history: UpdateStatefulSet (1.36, pkg/controller/statefulset/stateful_set_control.go). */
function* updateSet(access: Access, set: StatefulSet, pods: readonly Pod[], now: number): Steps<StatefulSetStatus> {
  const history = sortRevisions(listRevisions(access.cache, set, statefulSetKind, set.spec.selector));
  let revisions: Revisions | undefined;
  let status: StatefulSetStatus;
  try {
    revisions = yield* resolveRevisions(set, history);
    status = yield* updatePodsAndStatus(access, set, pods, revisions, now);
  } catch (failure) {
    const truncation = yield* catchFailure(truncateHistory(set, pods, history, revisions));
    throw truncation && isFailure(failure) ? aggregateErrors([failure, truncation]) : failure;
  }
  yield* truncateHistory(set, pods, history, revisions);
  return status;
}

function* updatePodsAndStatus(
  access: Access,
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: Revisions,
  now: number,
): Steps<StatefulSetStatus> {
  const result = yield* updateStatefulSet({ set, pods, revisions, access, now });
  const status = completeRollingUpdate(set, result.status);
  try {
    yield* updateStatus(access, set, status);
  } catch (error) {
    throw result.failure ?? error;
  }
  if (result.failure !== undefined) throw result.failure;
  return status;
}
