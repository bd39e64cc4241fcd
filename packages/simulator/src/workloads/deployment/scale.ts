import type { Steps } from '../../controller/controller.ts';
import { emit, perform } from '../../controller/effects.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import { desiredAnnotation, maxReplicasOf, needsScaleAnnotations, parseInteger, scaleAnnotations } from './annotations.ts';
import type { DeploymentSync } from './context.ts';
import { byCreation, countReplicas, filterActive } from './replica-sets.ts';
import { isRollingUpdate, maxSurge } from './strategy.ts';

/**
 * Adapts the ReplicaSets to a changed `spec.replicas`: the only active one gets all Pods; in the middle of a rollout, all active ones change
 * in proportion to their sizes. Mirrors scale (1.36, pkg/controller/deployment/sync.go).
 * @throws ApiError
 */
export function* scale({ deployment }: DeploymentSync, newReplicaSet: ReplicaSet | undefined, oldReplicaSets: ReplicaSet[]): Steps {
  const only = findActiveOrLatest(newReplicaSet, oldReplicaSets);
  if (only) {
    yield* scaleReplicaSet(deployment, only, deployment.spec.replicas);
    return;
  }
  const newestFirst = oldReplicaSets.toSorted(byCreation).reverse();
  if (isSaturated(deployment, newReplicaSet)) {
    for (const old of filterActive(newestFirst)) yield* scaleReplicaSet(deployment, old, 0);
    return;
  }
  if (isRollingUpdate(deployment)) yield* scaleInProportion(deployment, filterActive([...newestFirst, newReplicaSet]));
}

/** The only active ReplicaSet, or the newest one if none is active. Undefined if several are. */
function findActiveOrLatest(newReplicaSet: ReplicaSet | undefined, oldReplicaSets: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = filterActive([...oldReplicaSets, newReplicaSet]);
  return active.length === 0 ? (newReplicaSet ?? oldReplicaSets.toSorted(byCreation).at(-1)) : active.length === 1 ? active[0] : undefined;
}

/** Whether the new ReplicaSet has all Pods of the Deployment, and all are available. */
function isSaturated({ spec }: Deployment, replicaSet: ReplicaSet | undefined): boolean {
  return (
    replicaSet !== undefined &&
    replicaSet.spec.replicas === spec.replicas &&
    parseInteger(replicaSet.metadata.annotations?.[desiredAnnotation] ?? '') === spec.replicas &&
    (replicaSet.status?.availableReplicas ?? 0) === spec.replicas
  );
}

/** The largest ReplicaSet gets what rounding leaves; of equal ones, the newest when growing, and the oldest when shrinking. */
function* scaleInProportion(deployment: Deployment, active: readonly ReplicaSet[]): Steps {
  const { replicas } = deployment.spec;
  const toAdd = (replicas > 0 ? replicas + maxSurge(deployment) : 0) - countReplicas(active);
  const bySize = (a: ReplicaSet, b: ReplicaSet): number =>
    b.spec.replicas - a.spec.replicas || (toAdd > 0 ? byCreation(b, a) : byCreation(a, b));
  const sorted = toAdd === 0 ? active : active.toSorted(bySize);
  let added = 0;
  const sizes = sorted.map((replicaSet) => {
    const share = proportionOf(deployment, replicaSet, toAdd, added);
    added += share;
    return replicaSet.spec.replicas + share;
  });
  for (const [i, replicaSet] of sorted.entries()) {
    const size = sizes[i] as number;
    yield* scaleReplicaSet(deployment, replicaSet, i === 0 ? Math.max(size + toAdd - added, 0) : size, { updateAnnotations: true });
  }
}

/** The Pods that a ReplicaSet gets, or loses if negative: `GetReplicaSetProportion`. */
function proportionOf(deployment: Deployment, replicaSet: ReplicaSet, toAdd: number, added: number): number {
  if (toAdd === added) return 0;
  const fraction = fractionOf(deployment, replicaSet);
  return toAdd > 0 ? Math.min(fraction, toAdd - added) : Math.max(fraction, toAdd - added);
}

function fractionOf(deployment: Deployment, replicaSet: ReplicaSet): number {
  const { replicas: size } = replicaSet.spec;
  if (deployment.spec.replicas === 0) return -size;
  // Without the annotation, the current size of the Deployment.
  const maxBefore = maxReplicasOf(replicaSet) || (deployment.status?.replicas ?? 0);
  if (maxBefore === 0) return 0;
  return Math.floor((size * (deployment.spec.replicas + maxSurge(deployment))) / maxBefore + 0.5) - size;
}

export interface ScaleOptions {
  /** Updates the annotations even if the size is right. */
  readonly updateAnnotations?: boolean;
}

export interface ScaleResult {
  readonly isScaled: boolean;
  readonly replicaSet: ReplicaSet;
}

/** Changes the size of a ReplicaSet. Mirrors scaleReplicaSet (1.36, pkg/controller/deployment/sync.go). @throws ApiError */
export function* scaleReplicaSet(
  deployment: Deployment,
  replicaSet: ReplicaSet,
  replicas: number,
  { updateAnnotations = false }: ScaleOptions = {},
): Steps<ScaleResult> {
  const { metadata, spec } = replicaSet;
  const isScaled = spec.replicas !== replicas;
  if (!isScaled && !(updateAnnotations && needsScaleAnnotations(deployment, replicaSet))) return { isScaled, replicaSet };
  const annotations = { ...metadata.annotations, ...scaleAnnotations(deployment) };
  const object = { ...replicaSet, metadata: { ...metadata, annotations }, spec: { ...spec, replicas } };
  const updated = yield* perform<ReplicaSet>({ do: 'update', kind: 'ReplicaSet', object });
  if (isScaled) {
    const message = `Scaled ${spec.replicas < replicas ? 'up' : 'down'} replica set ${metadata.name} from ${spec.replicas} to ${replicas}`;
    yield* emit(deployment, 'Normal', 'ScalingReplicaSet', message);
  }
  return { isScaled, replicaSet: updated };
}
