import { compareText, type Labels } from 'kube-endpoints/internal/apimachinery';
import type { ApiObject } from 'kube-endpoints/port';
import { encodeHash, fnv32, utf8 } from '../../go/hash.ts';
import { printGoJson } from '../../go/json.ts';
import { createControllerReference, type OwnerKind } from '../owner-references.ts';

/** A ControllerRevision. */
export interface ControllerRevision extends ApiObject {
  readonly data?: unknown;
  readonly revision: number;
}

/** The label with the hash of a revision's data. */
export const revisionHashLabel = 'controller.kubernetes.io/hash';

/** The name of a revision: ControllerRevisionName (1.36, pkg/controller/history/controller_history.go). */
export const nameRevision = (prefix: string, hash: string): string => `${prefix.slice(0, 223)}-${hash}`;

/** Hashes the data of a revision and a collision count: HashControllerRevision (1.36, pkg/controller/history/controller_history.go). */
export const hashRevision = ({ data }: Pick<ControllerRevision, 'data'>, collisionCount?: number): string =>
  encodeHash(fnv32(utf8(`${data === undefined ? '' : printGoJson(data)}${collisionCount ?? ''}`)));

/** Creates a revision of a controller's template, which is not stored yet: NewControllerRevision (1.36, pkg/controller/history). */
export function createRevisionObject(
  parent: ApiObject,
  kind: OwnerKind,
  { labels, data, revision, collisionCount }: RevisionContent,
): ControllerRevision {
  const hash = hashRevision({ data }, collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: nameRevision(parent.metadata.name ?? '', hash),
      namespace: parent.metadata.namespace ?? '',
      labels: { ...labels, [revisionHashLabel]: hash },
      ownerReferences: [{ ...createControllerReference(parent, kind) }],
    },
    data,
    revision,
  };
}

/** What distinguishes one revision from another. */
export interface RevisionContent {
  readonly labels: Labels;
  readonly data: unknown;
  readonly revision: number;
  readonly collisionCount?: number;
}

/**
 * Whether two revisions have equal data: EqualRevision (1.36, pkg/controller/history). Upstream compares the stored bytes, which controllers
 * write with sorted keys; here the order of the keys does not matter.
 */
export const isEqualRevision = (a: ControllerRevision, b: ControllerRevision): boolean => printGoJson(a.data) === printGoJson(b.data);

/** Sorts revisions by number, then by age, then by name: SortControllerRevisions (1.36, pkg/controller/history). */
export const sortRevisions = (revisions: readonly ControllerRevision[]): ControllerRevision[] =>
  [...revisions].sort(
    (a, b) => a.revision - b.revision || createdAt(a) - createdAt(b) || compareText(a.metadata.name ?? '', b.metadata.name ?? ''),
  );

const createdAt = ({ metadata }: ApiObject): number => Date.parse(metadata.creationTimestamp ?? '') || 0;
