import { apiVersionOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, hasReason, type Resource, resources } from 'kube-endpoints/port';
import { serviceAccount } from './caller.ts';
import { setCondition } from './conditions.ts';
import { listForMetadata, type RegistryContext, storedStrategies, strategyFor } from './context.ts';
import { removeCollection } from './delete.ts';
import { isBeingDeleted } from './metadata.ts';
import { contentFinalizer, specFinalizersOf } from './namespaces.ts';
import { idOf, type ResourceStrategy } from './strategy.ts';
import { update } from './update.ts';

/**
 * Runs one round of the namespace controller: deletes the content of terminating namespaces, writes their conditions, and finalizes the
 * namespaces that are empty. Objects with a grace period or finalizers delay their namespace to a later round.
 *
 * Mirrors Deleter.Delete (pkg/controller/namespace/deletion/namespaced_resources_deleter.go, 1.36), including that pods are deleted first.
 * @returns number of namespaces removed
 */
export async function finalizeNamespaces(context: RegistryContext): Promise<number> {
  const terminatingNamespaces = context.store
    .list(resources.namespaces)
    .items.filter((each) => isBeingDeleted(each) && specFinalizersOf(each).length > 0);
  let removedCount = 0;
  for (const namespace of terminatingNamespaces) if (await finalizeNamespace(context, namespace)) removedCount += 1;
  return removedCount;
}

async function finalizeNamespace(context: RegistryContext, namespace: ApiObject): Promise<boolean> {
  const { name = '' } = namespace.metadata;
  const report = await deleteContent(context, namespace);
  try {
    await writeConditions(context, name, report);
    if (report.failureMessages.length > 0 || report.remainingResources.length > 0) return false;
    await updateNamespace(context, name, 'finalize', removeContentFinalizer);
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
  return true;
}

/** Deletes the pods, and other objects only after all pods are gone, so that a pod does not outlive the objects that it uses. */
async function deleteContent(context: RegistryContext, namespace: ApiObject): Promise<ContentReport> {
  const strategies = storedStrategies(context).filter(({ resource }) => resource.namespaced);
  const isPods = ({ resource }: ResourceStrategy): boolean => idOf(resource) === idOf(resources.pods);
  const podReport = await deleteResources(context, namespace, strategies.filter(isPods));
  if (hasRemainingPods(podReport)) return podReport;
  const otherReport = await deleteResources(
    context,
    namespace,
    strategies.filter((strategy) => !isPods(strategy)),
  );
  return {
    failureMessages: [...podReport.failureMessages, ...otherReport.failureMessages],
    remainingResources: otherReport.remainingResources,
  };
}

async function deleteResources(
  context: RegistryContext,
  namespace: ApiObject,
  strategies: readonly ResourceStrategy[],
): Promise<ContentReport> {
  const failureMessages: string[] = [];
  const remainingResources: RemainingObjects[] = [];
  const { name = '' } = namespace.metadata;
  const caller = { user: serviceAccount('namespace-controller') };
  for (const strategy of strategies) {
    const isInGracePeriod = isWithinGracePeriod(context, namespace, strategy);
    try {
      await removeCollection(context, strategy, { namespace: name }, { propagationPolicy: 'Background', ...caller });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      failureMessages.push(error.message);
      continue;
    }
    const remainingObjects = findRemainingObjects(context, strategy, name);
    if (!remainingObjects) continue;
    remainingResources.push(remainingObjects);
    if (!isInGracePeriod && remainingObjects.finalizers.size === 0) {
      failureMessages.push(`unexpected items still remain in namespace: ${name} for gvr: ${formatResource(strategy.resource)}`);
    }
  }
  return { failureMessages, remainingResources };
}

function findRemainingObjects(context: RegistryContext, strategy: ResourceStrategy, namespace: string): RemainingObjects | undefined {
  const { resource } = strategy;
  const items = listForMetadata(context, strategy, { namespace });
  if (items.length === 0) return undefined;
  const finalizers = new Map<string, number>();
  for (const { metadata } of items) {
    for (const finalizer of metadata.finalizers ?? []) finalizers.set(finalizer, (finalizers.get(finalizer) ?? 0) + 1);
  }
  return { resource, count: items.length, finalizers };
}

/**
 * True while pods may still be in their grace period, that is, until the longest of their grace periods has passed since the deletion of
 * the namespace.
 */
function isWithinGracePeriod(context: RegistryContext, { metadata }: ApiObject, strategy: ResourceStrategy): boolean {
  if (!strategy.gracePeriod) return false;
  const { name = '', deletionTimestamp = '' } = metadata;
  const items = listForMetadata(context, strategy, { namespace: name });
  const maxGraceSeconds = Math.max(0, ...items.map((pod) => graceSecondsOf(pod)));
  return context.clock.now() - Date.parse(deletionTimestamp) < maxGraceSeconds * 1000;
}

function graceSecondsOf({ spec, status }: ApiObject): number {
  const { phase } = (status ?? {}) as { readonly phase?: string };
  if (phase === 'Succeeded' || phase === 'Failed') return 0;
  return (spec as { readonly terminationGracePeriodSeconds?: number } | undefined)?.terminationGracePeriodSeconds ?? 0;
}

function writeConditions(context: RegistryContext, name: string, report: ContentReport): Promise<ApiObject> {
  return updateNamespace(context, name, 'status', (namespace) => {
    const status = (namespace['status'] ?? {}) as { readonly conditions?: readonly NamespaceCondition[] };
    const current = status.conditions ?? [];
    const conditions = updateNamespaceConditions(current, report, context.timestamp());
    return conditions === current ? namespace : { ...namespace, status: { ...status, conditions } };
  });
}

function updateNamespace(
  context: RegistryContext,
  name: string,
  subresource: 'finalize' | 'status',
  transform: (namespace: ApiObject) => ApiObject,
): Promise<ApiObject> {
  const caller = { user: serviceAccount('namespace-controller'), fieldManager: 'kube-controller-manager' };
  const strategy = strategyFor(context, resources.namespaces);
  return update(context, strategy, { name }, (current) => transform(current as ApiObject), { subresource, ...caller });
}

function removeContentFinalizer(namespace: ApiObject): ApiObject {
  const finalizers = specFinalizersOf(namespace).filter((finalizer) => finalizer !== contentFinalizer);
  return { ...namespace, spec: { ...(namespace['spec'] as object | undefined), finalizers } };
}

/** Formats a GroupVersionResource as Go does. */
const formatResource = (resource: Resource): string => {
  const apiVersion = apiVersionOf(resource);
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Resource=${resource.plural}`;
};

/** Result of deleting the content of a namespace. */
export interface ContentReport {
  /** Error messages, one per failed resource. */
  readonly failureMessages: readonly string[];
  readonly remainingResources: readonly RemainingObjects[];
}

/** Remaining objects of one resource. */
interface RemainingObjects {
  readonly resource: Resource;
  readonly count: number;
  /** Number of objects per finalizer. */
  readonly finalizers: ReadonlyMap<string, number>;
}

/** `core/v1`'s NamespaceCondition. */
interface NamespaceCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Returns the updated conditions of a terminating namespace, or `current` itself if nothing changed.
 *
 * Mirrors namespaceConditionUpdater (pkg/controller/namespace/deletion/status_condition_utils.go, 1.36). While pods remain, other resources
 * are not checked and the conditions do not report them.
 */
export function updateNamespaceConditions(
  current: readonly NamespaceCondition[],
  report: ContentReport,
  now: string,
): readonly NamespaceCondition[] {
  const problems = [
    ...createFailureConditions(report),
    ...(hasRemainingPods(report) ? [] : [...createContentConditions(report), ...createFinalizerConditions(report)]),
  ];
  let conditions = current;
  for (const [type, success] of Object.entries(successConditions)) {
    const next = problems.find((each) => each.type === type) ?? { type, status: 'False', ...success };
    conditions = withCondition(conditions, next, now);
  }
  return conditions;
}

/** True if pods remain. Other resources are deleted only after all pods are gone. */
export const hasRemainingPods = ({ remainingResources }: ContentReport): boolean =>
  remainingResources.some(({ resource: { group, plural } }) => group === '' && plural === resources.pods.plural);

const successConditions: Readonly<Record<string, { readonly reason: string; readonly message: string }>> = {
  NamespaceDeletionDiscoveryFailure: { reason: 'ResourcesDiscovered', message: 'All resources successfully discovered' },
  NamespaceDeletionGroupVersionParsingFailure: { reason: 'ParsedGroupVersions', message: 'All legacy kube types successfully parsed' },
  NamespaceDeletionContentFailure: {
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
  NamespaceContentRemaining: { reason: 'ContentRemoved', message: 'All content successfully removed' },
  NamespaceFinalizersRemaining: { reason: 'ContentHasNoFinalizers', message: 'All content-preserving finalizers finished' },
};

function createFailureConditions({ failureMessages }: ContentReport): NamespaceCondition[] {
  if (failureMessages.length === 0) return [];
  const message = `Failed to delete all resource types, ${failureMessages.length} remaining: ${[...failureMessages].sort().join(', ')}`;
  return [{ type: 'NamespaceDeletionContentFailure', status: 'True', reason: 'ContentDeletionFailed', message }];
}

function createContentConditions({ remainingResources }: ContentReport): NamespaceCondition[] {
  if (remainingResources.length === 0) return [];
  const texts = remainingResources.map(({ resource, count }) => `${resource.plural}.${resource.group} has ${count} resource instances`);
  const message = `Some resources are remaining: ${texts.sort().join(', ')}`;
  return [{ type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message }];
}

function createFinalizerConditions({ remainingResources }: ContentReport): NamespaceCondition[] {
  const counts = new Map<string, number>();
  for (const each of remainingResources) {
    for (const [finalizer, count] of each.finalizers) counts.set(finalizer, (counts.get(finalizer) ?? 0) + count);
  }
  if (counts.size === 0) return [];
  const texts = [...counts].map(([finalizer, count]) => `${finalizer} in ${count} resource instances`);
  const message = `Some content in the namespace has finalizers remaining: ${texts.sort().join(', ')}`;
  return [{ type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message }];
}

/** Sets a condition, unless it is there with the same content. */
function withCondition(conditions: readonly NamespaceCondition[], next: NamespaceCondition, now: string): readonly NamespaceCondition[] {
  const { type, status, reason = '', message = '' } = next;
  const old = conditions.find((each) => each.type === type);
  if (old && old.status === status && (old.reason ?? '') === reason && (old.message ?? '') === message) return conditions;
  return setCondition(conditions, { type, status, lastTransitionTime: now, reason, message });
}
