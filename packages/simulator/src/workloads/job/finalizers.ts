import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { Steps } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import type { ConsistencyStore } from '../consistency.ts';
import { controllerOf } from '../owner-references.ts';
import type { Pod } from '../types.ts';
import { trackingFinalizer } from './objects.ts';

export const hasTrackingFinalizer = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

/** Removes the tracking finalizer of a pod. Has no effect if the cached pod has none. @throws ApiError */
export function* removeFinalizer(consistency: ConsistencyStore, pod: Pod): Steps {
  if (!hasTrackingFinalizer(pod)) return;
  const { namespace = '', name = '' } = pod.metadata;
  const patch = { metadata: { '$deleteFromPrimitiveList/finalizers': [trackingFinalizer] } };
  recordPodWrite(consistency, yield* perform<Pod>({ do: 'patch', kind: 'Pod', namespace, name, patch, type: 'strategic' }));
}

/** Records a patch of a pod on behalf of its controller, of whatever kind: the callback OnWrite of RealPodControl. */
export function recordPodWrite(consistency: ConsistencyStore, pod: Pod): void {
  const controller = controllerOf(pod);
  if (!controller) return;
  const { namespace, resourceVersion = '' } = pod.metadata;
  consistency.recordWrite(metaNamespaceKey({ namespace, name: controller.name }), controller.uid, 'Pod', resourceVersion);
}

/**
 * The UIDs of pods whose finalizer a Job has removed, and whose cached state may still have it. Mirrors uidTrackingExpectations (1.36,
 * pkg/controller/job/tracking_utils.go).
 */
export interface FinalizerExpectations {
  expectRemovals(key: string, uids: readonly string[]): void;
  observeRemoval(key: string, uid: string): void;
  /** The awaited UIDs of a Job at this time. */
  awaited(key: string): ReadonlySet<string>;
  delete(key: string): void;
}

export function createFinalizerExpectations(): FinalizerExpectations {
  const uidsByKey = new Map<string, Set<string>>();
  return {
    expectRemovals: (key, uids) => void uidsByKey.set(key, new Set([...(uidsByKey.get(key) ?? []), ...uids])),
    observeRemoval: (key, uid) => void uidsByKey.get(key)?.delete(uid),
    awaited: (key) => new Set(uidsByKey.get(key)),
    delete: (key) => void uidsByKey.delete(key),
  };
}
