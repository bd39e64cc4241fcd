import { type Resource, resources } from 'kube-endpoints/port';

/** What became of the content of a namespace that goes. */
export interface ContentReport {
  /** What went wrong, one text for each resource. */
  readonly failures: readonly string[];
  readonly remaining: readonly Remaining[];
}

/** Objects of one resource that are still there. */
export interface Remaining {
  readonly resource: Resource;
  readonly count: number;
  /** How many of them wait for each finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** `core/v1`'s NamespaceCondition. */
export interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * The conditions of a namespace that goes, as the namespace controller words them; the earlier ones themselves where nothing has changed.
 *
 * Mirrors namespaceConditionUpdater (pkg/controller/namespace/deletion/status_condition_utils.go, 1.36). As long as there are pods, nothing
 * else has been looked at, and nothing is said of what remains.
 */
export function namespaceConditions(
  before: readonly NamespaceCondition[],
  report: ContentReport,
  now: string,
): readonly NamespaceCondition[] {
  const found = [...failures(report), ...(podsRemain(report) ? [] : [...contents(report), ...finalizers(report)])];
  let conditions = before;
  for (const [type, fine] of Object.entries(whenFine)) {
    const next = found.find((each) => each.type === type) ?? { type, status: 'False', ...fine };
    conditions = withCondition(conditions, next, now);
  }
  return conditions;
}

/** Other resources wait until a namespace has no pods any more. */
export const podsRemain = ({ remaining }: ContentReport): boolean =>
  remaining.some(({ resource: { group, plural } }) => group === '' && plural === resources.pods.plural);

const whenFine: Readonly<Record<string, { readonly reason: string; readonly message: string }>> = {
  NamespaceDeletionDiscoveryFailure: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  NamespaceDeletionGroupVersionParsingFailure: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  NamespaceDeletionContentFailure: {
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  NamespaceContentRemaining: { reason: 'ContentRemoved', message: 'All content successfully removed' },
  NamespaceFinalizersRemaining: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
};

function failures({ failures: texts }: ContentReport): NamespaceCondition[] {
  if (texts.length === 0) return [];
  const message = `Failed to delete all resource types, ${texts.length} remaining: ${[...texts].sort().join(', ')}`;
  return [{ type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'ContentDeletionFailed', message }];
}

function contents({ remaining }: ContentReport): NamespaceCondition[] {
  if (remaining.length === 0) return [];
  const texts = remaining.map(({ resource, count }) => `${resource.plural}.${resource.group} has ${count} resource instances`);
  const message = `Some resources are remaining: ${texts.sort().join(', ')}`;
  return [{ type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message }];
}

function finalizers({ remaining }: ContentReport): NamespaceCondition[] {
  const counts = new Map<string, number>();
  for (const each of remaining) {
    for (const [finalizer, count] of each.finalizers) counts.set(finalizer, (counts.get(finalizer) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const texts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`;
  return [{ type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message }];
}

/** The time is that of the last change of status, not of every change. */
function withCondition(conditions: readonly NamespaceCondition[], next: NamespaceCondition, now: string): readonly NamespaceCondition[] {
  const { type, status, reason = '', message = '' } = next;
  const old = conditions.find((each) => each.type === type);
  if (!old) return [...conditions, { type, status, lastTransitionTime: now, reason, message }];
  if (old.status === status && (old.reason ?? '') === reason && (old.message ?? '') === message) return conditions;
  const since = old.status === status ? old.lastTransitionTime : now;
  const changed = { type, status, ...(since && { lastTransitionTime: since }), reason, message };
  return conditions.map((each) => (each === old ? changed : each));
}
