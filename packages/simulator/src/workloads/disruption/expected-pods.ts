import type { ApiObject } from 'kube-endpoints/port';
import { type Cache, type Steps, SyncError } from '../../controller/controller.ts';
import { performIgnoring } from '../../controller/effects.ts';
import { controllerOf } from '../owner-references.ts';
import { scaleValue } from '../scaled-value.ts';
import type { OwnerReference, Pod } from '../types.ts';
import type { DisruptionBudget } from './objects.ts';

/** How many pods a budget expects and requires. */
export interface ExpectedPods {
  readonly expectedCount: number;
  readonly desiredHealthy: number;
  /** Whether a pod without a controller made the count wrong. */
  readonly hasUnmanagedPods: boolean;
}

/**
 * Computes the number of pods that a budget requires: getExpectedPodCount (1.36, pkg/controller/disruption/disruption.go).
 * @throws SyncError if the scale of a controller is unknown
 */
export function* computeExpectedPods(cache: Cache, { spec = {} }: DisruptionBudget, pods: readonly Pod[]): Steps<ExpectedPods> {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable !== undefined) {
    const { expectedCount, hasUnmanagedPods } = yield* sumScales(cache, pods);
    const desiredHealthy = Math.max(0, expectedCount - scaleValue(maxUnavailable, expectedCount, Math.ceil));
    return { expectedCount, desiredHealthy, hasUnmanagedPods };
  }
  if (typeof minAvailable === 'number') return { expectedCount: pods.length, desiredHealthy: minAvailable, hasUnmanagedPods: false };
  if (minAvailable === undefined) return { expectedCount: 0, desiredHealthy: 0, hasUnmanagedPods: false };
  const { expectedCount, hasUnmanagedPods } = yield* sumScales(cache, pods);
  return { expectedCount, desiredHealthy: scaleValue(minAvailable, expectedCount, Math.ceil), hasUnmanagedPods };
}

/** The sum of the scales of the controllers of pods: getExpectedScale. */
function* sumScales(cache: Cache, pods: readonly Pod[]): Steps<Pick<ExpectedPods, 'expectedCount' | 'hasUnmanagedPods'>> {
  const scales = new Map<string, number>();
  let hasUnmanagedPods = false;
  for (const pod of pods) {
    const owner = controllerOf(pod);
    if (owner === undefined) hasUnmanagedPods = true;
    if (owner === undefined || scales.has(owner.uid)) continue;
    const { namespace = '', name } = pod.metadata;
    const scale = findScaleInCache(cache, namespace, owner) ?? (yield* readScale(namespace, owner));
    if (scale === undefined) throw new SyncError(`found no controllers for pod "${name}"`);
    scales.set(scale.uid, scale.replicas);
  }
  return { expectedCount: [...scales.values()].reduce((sum, replicas) => sum + replicas, 0), hasUnmanagedPods };
}

/** The controller that a pod belongs to in the end, and its scale. */
interface Scale {
  readonly uid: string;
  readonly replicas: number;
}

/** Finds the controller that a reference, or the owner of its ReplicaSet, names. */
function findScaleInCache(cache: Cache, namespace: string, reference: OwnerReference): Scale | undefined {
  const group = groupOf(reference);
  const isInGroup = (...groups: readonly string[]): boolean => groups.includes(group);
  if (reference.kind === 'ReplicationController' && isInGroup('')) return scaleOf(resolve(cache, namespace, reference));
  if (reference.kind === 'StatefulSet' && isInGroup('apps')) return scaleOf(resolve(cache, namespace, reference));
  if (reference.kind !== 'ReplicaSet' || !isInGroup('apps', 'extensions')) return undefined;
  const replicaSet = resolve(cache, namespace, reference);
  const owner = replicaSet && controllerOf(replicaSet);
  if (owner?.kind !== 'Deployment') return scaleOf(replicaSet);
  return ['apps', 'extensions'].includes(groupOf(owner)) ? scaleOf(resolve(cache, namespace, owner)) : undefined;
}

function resolve(cache: Cache, namespace: string, { kind, name, uid }: OwnerReference): ApiObject | undefined {
  const object = cache.get(kind, namespace, name);
  return object?.metadata.uid === uid ? object : undefined;
}

const scaleOf = (object: ApiObject | undefined): Scale | undefined =>
  object && { uid: object.metadata.uid ?? '', replicas: (object['spec'] as { readonly replicas?: number }).replicas ?? 0 };

const groupOf = ({ apiVersion }: OwnerReference): string => (apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '');

/**
 * Reads the scale of a controller uncached: getScaleController. Of the kinds with a subresource scale it knows the built-in ones.
 * @throws SyncError if the kind has no subresource scale
 */
function* readScale(namespace: string, reference: OwnerReference): Steps<Scale | undefined> {
  const { kind, name, apiVersion, uid } = reference;
  const resource = resources[`${groupOf(reference)}/${kind}`];
  if (resource === undefined) throw new SyncError(`no matches for kind "${kind}" in version "${apiVersion}"`);
  if (!resource.isScalable) throw new SyncError(`${resource.name} does not implement the scale subresource`);
  const object = yield* performIgnoring({ do: 'get', kind, namespace, name }, 'NotFound');
  return object && object.metadata.uid === uid ? scaleOf(object) : undefined;
}

/** The built-in kinds that control pods. */
const resources: Readonly<Record<string, { readonly name: string; readonly isScalable: boolean }>> = {
  '/ReplicationController': { name: 'replicationcontrollers', isScalable: true },
  'apps/ReplicaSet': { name: 'replicasets.apps', isScalable: true },
  'apps/StatefulSet': { name: 'statefulsets.apps', isScalable: true },
  'apps/Deployment': { name: 'deployments.apps', isScalable: true },
  'apps/DaemonSet': { name: 'daemonsets.apps', isScalable: false },
  'batch/Job': { name: 'jobs.batch', isScalable: false },
  '/Node': { name: 'nodes', isScalable: false },
};
