import { selectorMatches } from 'kube-endpoints/internal/apimachinery';
import { hasReason } from 'kube-endpoints/port';
import { type Steps, SyncError } from '../../controller/controller.ts';
import { perform } from '../../controller/effects.ts';
import { printGoJson } from '../../go/json.ts';
import { deleteRevision } from '../history/history.ts';
import type { ControllerRevision } from '../history/revision.ts';
import { createTemplatePatch } from '../history/template.ts';
import { claimObjects, createControllerReference } from '../owner-references.ts';
import { computeHash } from '../pod-template/hash.ts';
import type { DaemonSetHistory, DaemonSetSync } from './context.ts';
import { type DaemonSet, daemonSetKind, hashLabel } from './objects.ts';
import { claimDaemonPods, groupByNode } from './pods.ts';

/** The revisions of a DaemonSet's template. Mirrors pkg/controller/daemon/update.go of 1.36. */

const kind = 'ControllerRevision';

/**
 * Finds or creates the revision of the current template, deletes its duplicates, and gives it the highest number: constructHistory.
 * @throws ApiError or SyncError if a write failed, or if the name of a new revision is taken
 */
export function* resolveHistory(sync: DaemonSetSync): Steps<DaemonSetHistory> {
  const data = printGoJson(createTemplatePatch(sync.daemonSet.spec.template));
  const currentRevisions: ControllerRevision[] = [];
  const oldRevisions: ControllerRevision[] = [];
  for (const claimed of yield* claimRevisions(sync)) {
    const revision = yield* addHashLabel(claimed);
    (printGoJson(revision.data) === data ? currentRevisions : oldRevisions).push(revision);
  }
  const number = Math.max(0, ...oldRevisions.map(({ revision }) => revision)) + 1;
  // Upstream does not renumber the revision that a creation found.
  if (currentRevisions.length === 0) return { hash: hashOf(yield* createRevision(sync, number)), oldRevisions };
  const current = yield* deleteDuplicates(sync, currentRevisions);
  if (current.revision < number) yield { do: 'update', kind, object: { ...current, revision: number } };
  return { hash: hashOf(current), oldRevisions };
}

const hashOf = ({ metadata }: Pick<ControllerRevision, 'metadata'>): string => metadata.labels?.[hashLabel] ?? '';

/** Adopts and releases revisions: controlledHistories. */
const claimRevisions = ({ context: { cache }, daemonSet }: DaemonSetSync): Steps<ControllerRevision[]> =>
  claimObjects(cache.list<ControllerRevision>(kind, daemonSet.metadata.namespace ?? ''), {
    owner: daemonSet,
    ownerKind: daemonSetKind,
    kind,
    matches: ({ metadata }) => selectorMatches(daemonSet.spec.selector, metadata.labels ?? {}),
  });

/** A revision without the label with the hash gets its name as the hash. */
function* addHashLabel(revision: ControllerRevision): Steps<ControllerRevision> {
  const { labels = {}, name = '' } = revision.metadata;
  if (Object.hasOwn(labels, hashLabel)) return revision;
  const metadata = { ...revision.metadata, labels: { ...labels, [hashLabel]: name } };
  return yield* perform<ControllerRevision>({ do: 'update', kind, object: { ...revision, metadata } });
}

/** Of the revisions of one template, the last one with the highest number stays, and all pods get its hash: dedupCurHistories. */
function* deleteDuplicates(sync: DaemonSetSync, revisions: readonly ControllerRevision[]): Steps<ControllerRevision> {
  const kept = revisions.reduce((best, revision) => (revision.revision >= best.revision ? revision : best));
  if (revisions.length === 1) return kept;
  const labels = { [hashLabel]: hashOf(kept) };
  for (const { metadata } of yield* claimDaemonPods(sync)) {
    if (hashOf({ metadata }) === labels[hashLabel]) continue;
    const { namespace = '', name = '' } = metadata;
    yield { do: 'patch', kind: 'Pod', namespace, name, patch: { metadata: { labels } }, type: 'merge' };
  }
  for (const revision of revisions) if (revision.metadata.name !== kept.metadata.name) yield* deleteRevision(revision);
  return kept;
}

/**
 * Creates the revision of the current template: snapshot. If its name belongs to another template, counts a collision in the status, so that
 * the next sync tries another name.
 */
function* createRevision({ daemonSet }: DaemonSetSync, number: number): Steps<ControllerRevision> {
  const revision = createRevisionObject(daemonSet, number);
  try {
    return yield* perform<ControllerRevision>({ do: 'create', kind, object: revision });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    const { namespace = '', name = '' } = revision.metadata;
    const existing = yield* perform<ControllerRevision>({ do: 'get', kind, namespace, name });
    if (printGoJson(existing.data) === printGoJson(revision.data)) return existing;
    yield* countCollision(daemonSet);
    throw error;
  }
}

function createRevisionObject(daemonSet: DaemonSet, revision: number): ControllerRevision {
  const { name = '', namespace = '', annotations = {} } = daemonSet.metadata;
  const { template } = daemonSet.spec;
  const hash = computeHash(template, daemonSet.status?.collisionCount);
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(Object.keys(annotations).length > 0 && { annotations }),
      ownerReferences: [{ ...createControllerReference(daemonSet, daemonSetKind) }],
    },
    data: createTemplatePatch(template),
    revision,
  };
}

/** @throws SyncError if the cached number of collisions is not up to date */
function* countCollision(daemonSet: DaemonSet): Steps {
  const { namespace = '', name = '' } = daemonSet.metadata;
  const newest = yield* perform<DaemonSet>({ do: 'get', kind: 'DaemonSet', namespace, name });
  const count = newest.status?.collisionCount;
  if (count !== daemonSet.status?.collisionCount) throw new SyncError(`found a stale collision count of DaemonSet "${name}"`);
  const status = { ...newest.status, collisionCount: (count ?? 0) + 1 };
  yield { do: 'update', kind: 'DaemonSet', object: { ...newest, status }, subresource: 'status' };
}

/** Deletes the oldest revisions that no pod uses and that exceed the limit: cleanupHistory. */
export function* cleanUpHistory(sync: DaemonSetSync, oldRevisions: readonly ControllerRevision[]): Steps {
  const podsByNode = groupByNode(yield* claimDaemonPods(sync));
  const liveHashes = new Set([...podsByNode.values()].flat().map(hashOf));
  liveHashes.delete('');
  const surplus = oldRevisions.length - (sync.daemonSet.spec.revisionHistoryLimit ?? 10);
  const unused = oldRevisions.toSorted((a, b) => a.revision - b.revision).filter((revision) => !liveHashes.has(hashOf(revision)));
  for (const revision of unused.slice(0, Math.max(0, surplus))) yield* deleteRevision(revision);
}
