import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { hasReason } from 'kube-endpoints/port';
import type { EventEffect, Steps } from '../../controller/controller.ts';
import { defaultBackoff, retryOnConflict } from '../retry.ts';
import type { Pod } from '../types.ts';
import { type Access, areClaimOwnersUpToDate, createClaims, updateClaimOwners, write } from './claim-control.ts';
import { isStorageMatching, setStorage } from './claims.ts';
import { isIdentityMatching, setIdentity } from './identity.ts';
import type { StatefulSet } from './objects.ts';

/** Creates the missing claims of a pod, then the pod: CreateStatefulPod (1.36, pkg/controller/statefulset/stateful_pod_control.go). */
export function* createPod(access: Access, set: StatefulSet, pod: Pod): Steps {
  yield* reportFailure(set, pod, 'Create', createClaims(access, set, pod));
  let failure: unknown;
  try {
    yield* write(access, set, { do: 'create', kind: 'Pod', object: pod });
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) throw error;
    failure = error;
  }
  yield* reportFailure(set, pod, 'Update', updateClaimOwners(access, set, pod));
  yield podEvent(set, pod, 'Create', failure);
  if (failure !== undefined) throw failure;
}

/** Repairs the identity, the volumes and the claims of a pod: UpdateStatefulPod (1.36, stateful_pod_control.go). */
export function* updatePod(access: Access, set: StatefulSet, original: Pod): Steps {
  let pod = original;
  let hasAttempted = false;
  function* attempt(): Steps {
    const isIdentified = isIdentityMatching(set, pod);
    if (!isIdentified) pod = setIdentity(set, pod);
    const isStored = isStorageMatching(set, pod);
    if (!isStored) {
      pod = setStorage(set, pod);
      yield* reportFailure(set, pod, 'Update', createClaims(access, set, pod));
    }
    const isOwned = areClaimOwnersUpToDate(access, set, pod);
    if (!isOwned) yield* reportFailure(set, pod, 'Update', updateClaimOwners(access, set, pod));
    if (isIdentified && isStored && isOwned) return;
    hasAttempted = true;
    try {
      yield* write(access, set, { do: 'update', kind: 'Pod', object: pod });
    } catch (error) {
      pod = (access.cache.get('Pod', set.metadata.namespace ?? '', pod.metadata.name ?? '') as Pod | undefined) ?? pod;
      throw error;
    }
  }
  try {
    yield* retryOnConflict(defaultBackoff, attempt);
  } catch (error) {
    if (hasAttempted) yield podEvent(set, pod, 'Update', error);
    throw error;
  }
  if (hasAttempted) yield podEvent(set, pod, 'Update');
}

/** Deletes a pod. A pod that is gone counts as deleted: DeleteStatefulPod (1.36, stateful_pod_control.go). */
export function* deletePod(set: StatefulSet, pod: Pod): Steps {
  const { namespace = '', name = '' } = pod.metadata;
  try {
    yield { do: 'delete', kind: 'Pod', namespace, name };
  } catch (error) {
    if (!hasReason(error, 'NotFound')) {
      yield podEvent(set, pod, 'Delete', error);
      throw error;
    }
  }
  yield podEvent(set, pod, 'Delete');
}

/** Creates the missing claims of a pod, and sets the owners of the others: createMissingPersistentVolumeClaims (1.36). */
export function* createMissingClaims(access: Access, set: StatefulSet, pod: Pod): Steps {
  yield* createClaims(access, set, pod);
  yield* reportFailure(set, pod, 'Update', updateClaimOwners(access, set, pod));
}

/** Emits an Event if a plan fails. */
function* reportFailure(set: StatefulSet, pod: Pod, verb: Verb, plan: Steps): Steps {
  try {
    yield* plan;
  } catch (error) {
    yield podEvent(set, pod, verb, error);
    throw error;
  }
}

type Verb = 'Create' | 'Update' | 'Delete';

function podEvent(set: StatefulSet, pod: Pod, verb: Verb, error?: unknown): EventEffect {
  const subject = `${verb} Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
  return error === undefined
    ? { do: 'event', object: set, type: 'Normal', reason: `Successful${verb}`, message: `${subject} successful` }
    : { do: 'event', object: set, type: 'Warning', reason: `Failed${verb}`, message: `${subject} failed error: ${messageOf(error)}` };
}
