import type { Steps } from '../../controller/controller.ts';
import { printGoJson } from '../../go/json.ts';
import { createRevision, deleteRevision, renumberRevision } from '../history/history.ts';
import { type ControllerRevision, createRevisionObject, isEqualRevision } from '../history/revision.ts';
import { createTemplatePatch, printTemplate } from '../history/template.ts';
import type { Pod, PodTemplate } from '../types.ts';
import { revisionNameOf } from './identity.ts';
import { type StatefulSet, statefulSetKind } from './objects.ts';

/** The revisions that a sync works with. */
export interface Revisions {
  readonly current: ControllerRevision;
  readonly update: ControllerRevision;
  readonly collisionCount: number;
}

/**
 * Finds the current revision, and finds, renumbers or creates that of the template: getStatefulSetRevisions
 * (1.36, pkg/controller/statefulset/stateful_set_control.go). `revisions` are sorted.
 */
export function* resolveRevisions(set: StatefulSet, revisions: readonly ControllerRevision[]): Steps<Revisions> {
  const proposed = proposeRevision(set, (revisions.at(-1)?.revision ?? 0) + 1);
  const { update, collisionCount } = yield* findUpdateRevision(set, revisions, proposed);
  const current = revisions.find(({ metadata }) => metadata.name === (set.status?.currentRevision ?? '')) ?? update;
  return { current, update, collisionCount };
}

function* findUpdateRevision(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  proposed: ControllerRevision,
): Steps<Pick<Revisions, 'update' | 'collisionCount'>> {
  const collisionCount = set.status?.collisionCount ?? 0;
  const last = revisions.at(-1);
  const equal = revisions.findLast((revision) => isEqualRevision(revision, proposed));
  if (last && equal && isEqualRevision(last, equal)) return { update: last, collisionCount };
  if (equal) return { update: yield* renumberRevision(equal, proposed.revision), collisionCount };
  if (last && isTemplateOf(last, set)) return { update: last, collisionCount };
  const created = yield* createRevision(set, proposed, collisionCount);
  return { update: created.revision, collisionCount: created.collisionCount };
}

/** The revision of the template of a StatefulSet, not stored yet: newRevision. */
function proposeRevision(set: StatefulSet, revision: number): ControllerRevision {
  const created = createRevisionObject(set, statefulSetKind, {
    labels: set.spec.template.metadata?.labels ?? {},
    data: createTemplatePatch(set.spec.template),
    revision,
    collisionCount: set.status?.collisionCount ?? 0,
  });
  const { annotations = {} } = set.metadata;
  return Object.keys(annotations).length > 0 ? { ...created, metadata: { ...created.metadata, annotations } } : created;
}

/** Whether a revision restores the template that a StatefulSet has, even if an older release wrote it: setMatchesLatestExistingRevision. */
const isTemplateOf = (revision: ControllerRevision, set: StatefulSet): boolean =>
  printGoJson(createTemplatePatch(templateOf(revision))) === printGoJson(createTemplatePatch(set.spec.template));

/** A StatefulSet with the template of a revision: ApplyRevision. */
export const applyRevision = (set: StatefulSet, revision: ControllerRevision): StatefulSet => ({
  ...set,
  spec: { ...set.spec, template: templateOf(revision) },
});

function templateOf({ data }: ControllerRevision): PodTemplate {
  const { template = {} } = (data as { spec?: { template?: PodTemplate } } | undefined)?.spec ?? {};
  const { $patch: _, ...fields } = template as PodTemplate & { $patch?: string };
  return printTemplate(fields);
}

/**
 * Deletes the oldest revisions that no pod uses and that exceed the limit: truncateHistory (1.36, stateful_set_control.go). Without
 * `live`, because they could not be resolved, only those of the pods are kept.
 */
export function* truncateHistory(
  set: StatefulSet,
  pods: readonly Pod[],
  revisions: readonly ControllerRevision[],
  live: Pick<Revisions, 'current' | 'update'> | undefined,
): Steps {
  const liveNames = new Set([live?.current.metadata.name, live?.update.metadata.name, ...pods.map(revisionNameOf)]);
  const unused = revisions.filter(({ metadata }) => !liveNames.has(metadata.name ?? ''));
  const limit = set.spec.revisionHistoryLimit ?? 10;
  if (limit < 0) return;
  for (const revision of unused.slice(0, Math.max(0, unused.length - limit))) yield* deleteRevision(revision);
}
