import { messageOf } from '../apimachinery/index.ts';
import {
  createNoNodesEvent,
  createNormalEvent,
  createSyncError,
  createWarningEvent,
  isElsewhereError,
  isNotFoundError,
  SyncError,
} from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes } from './nodes.ts';
import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';
import type { Steps } from './planner.ts';
import { isSameStatus, readStatus } from './status.ts';
import { cleanupFinalizer, hasCleanupFinalizer, needsCleanup, wantsLoadBalancerForSettings } from './wants.ts';

/** The operation that a sync performed on the load balancer. */
export type Operation = 'ensure' | 'delete';

export interface SyncContext {
  readonly settings: LoadBalancerSettings;
  readonly nodes: readonly BalancedNode[];
  /** Called with the nodes before they are passed to the cloud. */
  readonly recordNodes: (nodes: readonly BalancedNode[]) => void;
}

/**
 * Updates a Service's load balancer, finalizer and status to the desired state.
 * @throws SyncError, after emitting an Event
 *
 * Mirrors syncLoadBalancerIfNeeded (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* syncBalancer(service: BalancedService, context: SyncContext): Steps<Operation> {
  try {
    if (!wantsLoadBalancerForSettings(service, context.settings) || needsCleanup(service)) {
      yield* cleanUp(service, context.settings);
      yield* writeStatus(service, {});
      return 'delete';
    }
    const status = yield* ensureBalancer(service, context);
    if (status) yield* writeStatus(service, status);
    return 'ensure';
  } catch (error) {
    yield createWarningEvent(service, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${messageOf(error)}`);
    throw error;
  }
}

/**
 * Deletes the load balancer of a Service that was deleted without cleanup.
 * @throws SyncError, after emitting an Event
 *
 * Mirrors processLoadBalancerDelete (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* deleteBalancer(service: BalancedService, settings: LoadBalancerSettings): Steps<void> {
  if (!wantsLoadBalancerForSettings(service, settings)) return;
  yield createNormalEvent(service, 'DeletingLoadBalancer', 'Deleting load balancer');
  try {
    yield { do: 'delete', service };
  } catch (error) {
    yield createWarningEvent(service, 'DeleteLoadBalancerFailed', `Error deleting load balancer: ${messageOf(error)}`);
    throw createSyncError('', error, settings);
  }
  yield createNormalEvent(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

/** Deletes the load balancer if it exists. Removes the finalizer last, so that the Service exists as long as its load balancer. */
function* cleanUp(service: BalancedService, settings: LoadBalancerSettings): Steps<void> {
  let answer: unknown;
  try {
    answer = yield { do: 'get', service };
  } catch (error) {
    throw createSyncError('failed to check if load balancer exists before cleanup', error, undefined);
  }
  if (answer !== undefined && answer !== null) {
    yield createNormalEvent(service, 'DeletingLoadBalancer', 'Deleting load balancer');
    try {
      yield { do: 'delete', service };
    } catch (error) {
      const isTolerated = settings.implementedElsewhereTolerated && isElsewhereError(error);
      if (!isTolerated) throw createSyncError('failed to delete load balancer', error, undefined);
    }
  }
  if (hasCleanupFinalizer(service)) {
    const otherFinalizers = finalizersOf(service).filter((finalizer) => finalizer !== cleanupFinalizer);
    try {
      yield { do: 'patch', service, patch: createFinalizersPatch(service, otherFinalizers) };
    } catch (error) {
      throw createSyncError('failed to remove load balancer cleanup finalizer', error, undefined);
    }
  }
  yield createNormalEvent(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

/**
 * Creates or updates the load balancer. Adds the finalizer first, so that the Service cannot disappear before its load balancer is deleted.
 * Returns undefined if another controller manages this Service.
 */
function* ensureBalancer(service: BalancedService, { settings, nodes, recordNodes }: SyncContext): Steps<LoadBalancerStatus | undefined> {
  yield createNormalEvent(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
  if (!hasCleanupFinalizer(service)) {
    try {
      yield { do: 'patch', service, patch: createFinalizersPatch(service, [...finalizersOf(service), cleanupFinalizer]) };
    } catch (error) {
      throw createSyncError('failed to add load balancer cleanup finalizer', error, undefined);
    }
  }
  const hosts = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (hosts.length === 0) yield createNoNodesEvent(service);
  recordNodes(hosts);
  let answer: unknown;
  let status: LoadBalancerStatus = {};
  try {
    answer = yield { do: 'ensure', service, nodes: hosts };
    if (answer !== undefined && answer !== null) status = readStatus(answer);
  } catch (error) {
    if (isElsewhereError(error)) return undefined;
    throw createSyncError('failed to ensure load balancer', error, settings);
  }
  if (answer === undefined || answer === null) throw new SyncError('service status returned by EnsureLoadBalancer is nil');
  yield createNormalEvent(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  return status;
}

/** Writes the status if it differs from that of the Service. Ignores NotFound: a deleted Service needs no status. */
function* writeStatus(service: BalancedService, status: LoadBalancerStatus): Steps<void> {
  if (isSameStatus(service.status?.loadBalancer, status)) return;
  try {
    yield { do: 'patch', service, patch: createStatusPatch(service, status) };
  } catch (error) {
    if (!isNotFoundError(error)) throw createSyncError('failed to update load balancer status', error, undefined);
  }
}

export type ServicePatch = Readonly<Record<string, unknown>>;

/**
 * The strategic merge patch that changes a Service's finalizers.
 *
 * Mirrors PatchService (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go).
 */
export const createFinalizersPatch = (service: BalancedService, finalizers: readonly string[]): ServicePatch => ({
  metadata: createListPatch('finalizers', finalizersOf(service), finalizers),
});

/** The strategic merge patch that changes a Service's load balancer status. */
export function createStatusPatch(service: BalancedService, { ingress }: LoadBalancerStatus): ServicePatch {
  const finalizers = finalizersOf(service);
  const metadata = createListPatch('finalizers', finalizers, finalizers);
  return {
    ...(Object.keys(metadata).length > 0 && { metadata }),
    status: { loadBalancer: { ingress: ingress?.length ? ingress : null } },
  };
}

export const finalizersOf = ({ metadata }: BalancedService): readonly string[] => metadata?.finalizers ?? [];

/**
 * The patch of a merged list of strings. A list that is not sorted gets a $setElementOrder directive even if unchanged, because upstream
 * compares it with a sorted copy.
 *
 * Mirrors diffLists (1.36, staging/src/k8s.io/apimachinery/pkg/util/strategicpatch/patch.go) for lists of strings.
 */
function createListPatch(name: string, from: readonly string[], to: readonly string[]): Record<string, unknown> {
  if (from.length === 0) return to.length > 0 ? { [name]: to } : {};
  if (to.length === 0) return { [name]: null };
  const added = subtract(to, from);
  const removed = [...new Set(subtract(from, to))].sort();
  const isOrdered = removed.length === 0 && isSame([...from].sort(), to);
  return {
    ...(removed.length > 0 && { [`$deleteFromPrimitiveList/${name}`]: removed }),
    ...(!isOrdered && { [`$setElementOrder/${name}`]: to }),
    ...(added.length > 0 && { [name]: added }),
  };
}

/** Multiset difference: each occurrence in `others` cancels one in `texts`. */
function subtract(texts: readonly string[], others: readonly string[]): string[] {
  const remaining = [...others];
  return texts.filter((text) => {
    const index = remaining.indexOf(text);
    if (index >= 0) remaining.splice(index, 1);
    return index < 0;
  });
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((text, index) => text === b[index]);
