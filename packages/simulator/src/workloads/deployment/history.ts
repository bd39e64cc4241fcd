import type { Steps } from '../../controller/controller.ts';
import { performIgnoring } from '../../controller/effects.ts';
import { sortInPlace } from '../../go/sort.ts';
import type { Deployment, ReplicaSet } from '../types.ts';
import { revisionOf } from './annotations.ts';
import { byCreation } from './replica-sets.ts';

const unlimited = 2 ** 31 - 1;

/**
 * Deletes the oldest ReplicaSets beyond `revisionHistoryLimit`, except those that still have Pods. Mirrors cleanupDeployment (1.36,
 * pkg/controller/deployment/sync.go).
 * @throws ApiError
 */
export function* cleanUpHistory({ spec }: Deployment, oldReplicaSets: readonly ReplicaSet[]): Steps {
  const { revisionHistoryLimit = unlimited } = spec;
  const candidates = oldReplicaSets.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  if (revisionHistoryLimit === unlimited || candidates.length <= revisionHistoryLimit) return;
  sortInPlace(candidates, isOlderRevision);
  for (const replicaSet of candidates.slice(0, candidates.length - revisionHistoryLimit)) {
    if (!isUnused(replicaSet)) continue;
    const { namespace = '', name = '' } = replicaSet.metadata;
    yield* performIgnoring({ do: 'delete', kind: 'ReplicaSet', namespace, name }, 'NotFound');
  }
}

function isOlderRevision(a: ReplicaSet, b: ReplicaSet): boolean {
  const [first, second] = [revisionOf(a), revisionOf(b)];
  return first === undefined || second === undefined || first === second ? byCreation(a, b) < 0 : first < second;
}

const isUnused = ({ metadata, spec, status }: ReplicaSet): boolean =>
  (status?.replicas ?? 0) === 0 && spec.replicas === 0 && (metadata.generation ?? 0) <= (status?.observedGeneration ?? 0);
