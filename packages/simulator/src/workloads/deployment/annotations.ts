import type { Deployment, ReplicaSet } from '../types.ts';
import { maxSurge } from './strategy.ts';

/** Annotations of Deployments and their ReplicaSets. Mirrors pkg/controller/deployment/util/deployment_util.go of 1.36. */

export const revisionAnnotation = 'deployment.kubernetes.io/revision';
const historyAnnotation = 'deployment.kubernetes.io/revision-history';
/** The `spec.replicas` of the Deployment when the ReplicaSet was last scaled: if it has changed, the Deployment is being scaled. */
export const desiredAnnotation = 'deployment.kubernetes.io/desired-replicas';
/** The largest number of Pods, with the surge, at that time. */
const maxAnnotation = 'deployment.kubernetes.io/max-replicas';
export const rollbackAnnotation = 'deprecated.deployment.rollback.to';

/** Annotations that are not copied from a Deployment to its ReplicaSet. */
const ownAnnotations: readonly string[] = [
  'kubectl.kubernetes.io/last-applied-configuration',
  revisionAnnotation,
  historyAnnotation,
  desiredAnnotation,
  maxAnnotation,
  rollbackAnnotation,
];

type Annotations = Readonly<Record<string, string>>;

/** Annotations, and whether they differ from the previous ones. */
interface AnnotationUpdate {
  readonly annotations: Annotations;
  readonly isChanged: boolean;
}

const maxHistoryLength = 2000;

/**
 * The annotations of the new ReplicaSet: those of the Deployment, its revision, and the revisions that it had before:
 * `SetNewReplicaSetAnnotations`.
 */
export function updateAnnotations(deployment: Deployment, current: Annotations, newRevision: number): AnnotationUpdate {
  const copied = Object.entries(deployment.metadata.annotations ?? {}).filter(
    ([name, value]) => !ownAnnotations.includes(name) && current[name] !== value,
  );
  const annotations = { ...current, ...Object.fromEntries(copied) };
  const oldRevision = current[revisionAnnotation];
  const old = parseInteger(oldRevision || '0');
  if (old === undefined) return { annotations, isChanged: false };
  if (old >= newRevision) return { annotations, isChanged: copied.length > 0 };
  const history = oldRevision === undefined ? undefined : appendRevision(current[historyAnnotation] ?? '', oldRevision);
  return {
    annotations: {
      ...annotations,
      [revisionAnnotation]: String(newRevision),
      ...(history !== undefined && { [historyAnnotation]: history }),
    },
    isChanged: true,
  };
}

/** Appends a revision to a history; drops the oldest ones if it is too long. Undefined if that does not help. */
function appendRevision(history: string, revision: string): string | undefined {
  const revisions = history.split(',');
  if (revisions[0] === '') return revision;
  let length = history.length + revision.length + 1;
  let start = 0;
  for (; length > maxHistoryLength && start < revisions.length; start++) length -= (revisions[start] as string).length + 1;
  return length <= maxHistoryLength ? [...revisions.slice(start), revision].join(',') : undefined;
}

/** The annotations that a scaled ReplicaSet has: `SetReplicasAnnotations`. */
export const scaleAnnotations = (deployment: Deployment): Annotations => ({
  [desiredAnnotation]: String(deployment.spec.replicas),
  [maxAnnotation]: String(deployment.spec.replicas + maxSurge(deployment)),
});

export const needsScaleAnnotations = (deployment: Deployment, { metadata }: ReplicaSet): boolean =>
  Object.entries(scaleAnnotations(deployment)).some(([name, value]) => metadata.annotations?.[name] !== value);

/** The desired-replicas annotation; undefined if it is not a number of 32 bits. */
export const desiredReplicasOf = (replicaSet: ReplicaSet): number | undefined => readCount(replicaSet, desiredAnnotation);

/** The max-replicas annotation; undefined if it is not a number of 32 bits. */
export const maxReplicasOf = (replicaSet: ReplicaSet): number | undefined => readCount(replicaSet, maxAnnotation);

function readCount({ metadata }: ReplicaSet, name: string): number | undefined {
  const text = metadata.annotations?.[name] ?? '';
  return /^\d+$/.test(text) && Number(text) < 2 ** 31 ? Number(text) : undefined;
}

/** The revision of a ReplicaSet; 0 if it has none, undefined if it is invalid. */
export const revisionOf = ({ metadata }: ReplicaSet): number | undefined => parseInteger(metadata.annotations?.[revisionAnnotation] ?? '0');

/** The highest revision; 0 without a valid revision. */
export const maxRevision = (replicaSets: readonly ReplicaSet[]): number =>
  Math.max(0, ...replicaSets.map((replicaSet) => revisionOf(replicaSet) ?? 0));

/** The second highest revision; 0 without a second valid revision. */
export function lastRevision(replicaSets: readonly ReplicaSet[]): number {
  let [max, second] = [0, 0];
  for (const replicaSet of replicaSets) {
    const revision = revisionOf(replicaSet);
    if (revision === undefined) continue;
    if (revision >= max) [max, second] = [revision, max];
    else if (revision > second) second = revision;
  }
  return second;
}

/** The annotations of a Deployment after a rollback to a ReplicaSet: `SetDeploymentAnnotationsTo`. */
export const annotationsAfterRollback = (deployment: Deployment, { metadata }: ReplicaSet): Annotations => ({
  ...filterAnnotations(deployment.metadata.annotations, (name) => ownAnnotations.includes(name)),
  ...filterAnnotations(metadata.annotations, (name) => !ownAnnotations.includes(name)),
});

const filterAnnotations = (annotations: Annotations | undefined, matches: (name: string) => boolean): Annotations =>
  Object.fromEntries(Object.entries(annotations ?? {}).filter(([name]) => matches(name)));

/** A decimal number as strconv.ParseInt reads it, as far as it is exact. */
export const parseInteger = (text: string): number | undefined => (/^[+-]?\d+$/.test(text) ? Number(text) : undefined);
