import { messageOf, metaNamespaceKey } from '../apimachinery/index.ts';
import {
  createNoNodesEvent,
  createNormalEvent,
  createSyncError,
  createWarningEvent,
  isConflictError,
  isElsewhereError,
  isNotFoundError,
  SyncError,
} from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes } from './nodes.ts';
import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';
import { createFinalizersPatch, createStatusPatch, finalizersOf } from './patch.ts';
import type { EventEffect, Steps } from './planner.ts';
import { isSameStatus, readStatus } from './status.ts';
import { cleanupFinalizer, hasCleanupFinalizer, needsCleanupForSettings, wantsLoadBalancerForSettings } from './wants.ts';

/** The operation that a sync performed on the load balancer; `giveUp` if the status was not written and, in 1.9, never will be. */
export type Operation = 'ensure' | 'delete' | 'giveUp';

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
  const { settings } = context;
  try {
    const isCleanup = !wantsLoadBalancerForSettings(service, settings) || needsCleanupForSettings(service, settings);
    const status = isCleanup ? yield* cleanUp(service, settings) : yield* ensureBalancer(service, context);
    const isWritten = status ? yield* writeStatus(service, status, settings) : true;
    if (!isWritten) return 'giveUp';
    return isCleanup ? 'delete' : 'ensure';
  } catch (error) {
    yield createFailureEvent(service, error, settings);
    throw error;
  }
}

/** The Event of a failed sync. */
function createFailureEvent(service: BalancedService, error: unknown, settings: LoadBalancerSettings): EventEffect {
  const message = messageOf(error);
  if (settings.failuresRenamed) return createWarningEvent(service, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${message}`);
  return settings.cleanupFailuresNamed && !wantsLoadBalancerForSettings(service, settings)
    ? createWarningEvent(service, 'CleanupLoadBalancerFailed', `Error cleaning up load balancer (will retry): ${message}`)
    : createWarningEvent(service, 'CreatingLoadBalancerFailed', `Error creating load balancer (will retry): ${message}`);
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
    yield settings.failuresRenamed
      ? createWarningEvent(service, 'DeleteLoadBalancerFailed', `Error deleting load balancer: ${messageOf(error)}`)
      : createWarningEvent(service, 'DeletingLoadBalancerFailed', `Error deleting load balancer (will retry): ${messageOf(error)}`);
    throw createSyncError('', error, settings);
  }
  yield createNormalEvent(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

/**
 * Deletes the load balancer if it exists. Removes the finalizer last, so that the Service exists as long as its load balancer. Returns the
 * empty status.
 */
function* cleanUp(service: BalancedService, settings: LoadBalancerSettings): Steps<LoadBalancerStatus> {
  const step = stepNames(service, settings);
  let answer: unknown;
  try {
    answer = yield { do: 'get', service };
  } catch (error) {
    throw createSyncError(step.get, error, undefined);
  }
  const exists = answer !== undefined && answer !== null;
  if (exists) {
    yield createNormalEvent(service, 'DeletingLoadBalancer', 'Deleting load balancer');
    try {
      yield { do: 'delete', service };
    } catch (error) {
      const isTolerated = settings.implementedElsewhereTolerated && isElsewhereError(error);
      if (!isTolerated) throw createSyncError(step.delete, error, undefined);
    }
  }
  if (settings.finalizerRemoved && hasCleanupFinalizer(service)) {
    const otherFinalizers = finalizersOf(service).filter((finalizer) => finalizer !== cleanupFinalizer);
    try {
      yield { do: 'patch', service, patch: createFinalizersPatch(service, otherFinalizers) };
    } catch (error) {
      throw createSyncError('failed to remove load balancer cleanup finalizer', error, undefined);
    }
  }
  if (exists || settings.cleanupAlwaysReported) yield createNormalEvent(service, 'DeletedLoadBalancer', 'Deleted load balancer');
  return {};
}

/** The start of the messages of failed steps, by call of the cloud. */
const stepNames = (
  service: BalancedService,
  { failuresRenamed }: LoadBalancerSettings,
): Readonly<Record<'get' | 'delete' | 'ensure', string>> =>
  failuresRenamed
    ? {
        get: 'failed to check if load balancer exists before cleanup',
        delete: 'failed to delete load balancer',
        ensure: 'failed to ensure load balancer',
      }
    : {
        get: `error getting LB for service ${metaNamespaceKey(service.metadata ?? {})}`,
        delete: '',
        ensure: `failed to ensure load balancer for service ${metaNamespaceKey(service.metadata ?? {})}`,
      };

/**
 * Creates or updates the load balancer. Adds the finalizer first, so that the Service cannot disappear before its load balancer is deleted.
 * Returns undefined if another controller manages this Service.
 */
function* ensureBalancer(service: BalancedService, { settings, nodes, recordNodes }: SyncContext): Steps<LoadBalancerStatus | undefined> {
  yield createNormalEvent(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
  if (settings.finalizerAdded && !hasCleanupFinalizer(service)) {
    try {
      yield { do: 'patch', service, patch: createFinalizersPatch(service, [...finalizersOf(service), cleanupFinalizer]) };
    } catch (error) {
      throw createSyncError('failed to add load balancer cleanup finalizer', error, undefined);
    }
  }
  const hosts = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (hosts.length === 0) yield createNoNodesEvent(service, settings);
  recordNodes(hosts);
  let answer: unknown;
  let status: LoadBalancerStatus = {};
  try {
    answer = yield { do: 'ensure', service, nodes: hosts };
    if (answer !== undefined && answer !== null) status = readStatus(answer);
  } catch (error) {
    if (settings.implementedElsewhereIgnored && isElsewhereError(error)) return undefined;
    throw createSyncError(stepNames(service, settings).ensure, error, settings);
  }
  if (answer === undefined || answer === null) throw new SyncError('service status returned by EnsureLoadBalancer is nil');
  yield createNormalEvent(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  return status;
}

/**
 * Writes the status if it differs from that of the Service. Ignores NotFound: a deleted Service needs no status. Returns false if the sync
 * ends without success because the status is given up.
 */
function* writeStatus(service: BalancedService, status: LoadBalancerStatus, settings: LoadBalancerSettings): Steps<boolean> {
  if (isSameStatus(service.status?.loadBalancer, status)) return true;
  try {
    yield settings.statusPatched
      ? { do: 'patch', service, patch: createStatusPatch(service, status) }
      : { do: 'updateStatus', service, status };
  } catch (error) {
    if (isNotFoundError(error)) return true;
    if (settings.statusPatched) throw createSyncError('failed to update load balancer status', error, undefined);
    return yield* giveUpStatus(service, error, settings);
  }
  return true;
}

/**
 * Handles a failed `updateStatus`. A conflict is retried in newer releases; any other failure never is.
 *
 * Mirrors persistUpdate and createLoadBalancerIfNeeded (1.14, pkg/controller/service/service_controller.go).
 */
function* giveUpStatus(service: BalancedService, error: unknown, settings: LoadBalancerSettings): Steps<boolean> {
  const name = metaNamespaceKey(service.metadata ?? {});
  const conflict = isConflictError(error) && `not persisting update to service '${name}' that has been changed since we received it`;
  if (conflict && settings.statusConflictsRetried) throw createSyncError(conflict, error, undefined);
  if (settings.retriesByQueue) return true;
  const reason = createSyncError(conflict || '', error, undefined).message;
  const message = `failed to persist updated status to apiserver, even after retries. Giving up: ${reason}`;
  yield createWarningEvent(service, 'CreatingLoadBalancerFailed', `Error creating load balancer (will not retry): ${message}`);
  return false;
}
