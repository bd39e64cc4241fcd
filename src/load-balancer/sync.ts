import { messageOf } from '../apimachinery/index.ts';
import type { Steps } from './effects.ts';
import { failed, isElsewhere, isNotFound, normal, warning, withoutNodes } from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes } from './nodes.ts';
import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';
import { finalizersOf, finalizersPatch, statusPatch } from './patch.ts';
import { readStatus, sameStatus } from './status.ts';
import { SyncError } from './sync-error.ts';
import { cleanupFinalizer, hasCleanupFinalizer, needsCleanup, wantsOne } from './wants.ts';

/** What a sync made of a load balancer. */
export type Operation = 'ensure' | 'delete';

export interface SyncContext {
  readonly settings: LoadBalancerSettings;
  readonly nodes: readonly BalancedNode[];
  /** Told of the nodes before they are given to the cloud. */
  readonly given: (nodes: readonly BalancedNode[]) => void;
}

/**
 * Brings the load balancer of a Service, its finalizer and its status to what they should be.
 * @throws SyncError, after an Event of it
 *
 * Mirrors syncLoadBalancerIfNeeded (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* syncBalancer(service: BalancedService, context: SyncContext): Steps<Operation> {
  try {
    if (!wantsOne(service, context.settings) || needsCleanup(service)) {
      yield* cleanUp(service, context.settings);
      yield* writeStatus(service, {});
      return 'delete';
    }
    const status = yield* ensure(service, context);
    if (status) yield* writeStatus(service, status);
    return 'ensure';
  } catch (error) {
    yield warning(service, 'SyncLoadBalancerFailed', `Error syncing load balancer: ${messageOf(error)}`);
    throw error;
  }
}

/**
 * Deletes the load balancer of a Service that went without being cleaned up.
 * @throws SyncError, after an Event of it
 *
 * Mirrors processLoadBalancerDelete (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* deleteBalancer(service: BalancedService, settings: LoadBalancerSettings): Steps<void> {
  if (!wantsOne(service, settings)) return;
  yield normal(service, 'DeletingLoadBalancer', 'Deleting load balancer');
  try {
    yield { do: 'delete', service };
  } catch (error) {
    yield warning(service, 'DeleteLoadBalancerFailed', `Error deleting load balancer: ${messageOf(error)}`);
    throw failed('', error, settings);
  }
  yield normal(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

/** The finalizer goes last, so that a Service is never gone before its load balancer. */
function* cleanUp(service: BalancedService, settings: LoadBalancerSettings): Steps<void> {
  let answer: unknown;
  try {
    answer = yield { do: 'get', service };
  } catch (error) {
    throw failed('failed to check if load balancer exists before cleanup', error, undefined);
  }
  if (answer !== undefined && answer !== null) {
    yield normal(service, 'DeletingLoadBalancer', 'Deleting load balancer');
    try {
      yield { do: 'delete', service };
    } catch (error) {
      if (!settings.elsewhereIsClean || !isElsewhere(error)) throw failed('failed to delete load balancer', error, undefined);
    }
  }
  if (hasCleanupFinalizer(service)) {
    const others = finalizersOf(service).filter((finalizer) => finalizer !== cleanupFinalizer);
    try {
      yield { do: 'patch', service, patch: finalizersPatch(service, others) };
    } catch (error) {
      throw failed('failed to remove load balancer cleanup finalizer', error, undefined);
    }
  }
  yield normal(service, 'DeletedLoadBalancer', 'Deleted load balancer');
}

/** The finalizer comes first, for the same reason. Undefined: another controller sees to this Service. */
function* ensure(service: BalancedService, { settings, nodes, given }: SyncContext): Steps<LoadBalancerStatus | undefined> {
  yield normal(service, 'EnsuringLoadBalancer', 'Ensuring load balancer');
  if (!hasCleanupFinalizer(service)) {
    try {
      yield { do: 'patch', service, patch: finalizersPatch(service, [...finalizersOf(service), cleanupFinalizer]) };
    } catch (error) {
      throw failed('failed to add load balancer cleanup finalizer', error, undefined);
    }
  }
  const hosts = chooseNodes(nodes, service.spec?.externalTrafficPolicy, settings);
  if (hosts.length === 0) yield withoutNodes(service);
  given(hosts);
  let answer: unknown;
  let status: LoadBalancerStatus = {};
  try {
    answer = yield { do: 'ensure', service, nodes: hosts };
    if (answer !== undefined && answer !== null) status = readStatus(answer);
  } catch (error) {
    if (isElsewhere(error)) return undefined;
    throw failed('failed to ensure load balancer', error, settings);
  }
  if (answer === undefined || answer === null) throw new SyncError('service status returned by EnsureLoadBalancer is nil');
  yield normal(service, 'EnsuredLoadBalancer', 'Ensured load balancer');
  return status;
}

/** A Service that is gone by now needs none. */
function* writeStatus(service: BalancedService, status: LoadBalancerStatus): Steps<void> {
  if (sameStatus(service.status?.loadBalancer, status)) return;
  try {
    yield { do: 'patch', service, patch: statusPatch(service, status) };
  } catch (error) {
    if (!isNotFound(error)) throw failed('failed to update load balancer status', error, undefined);
  }
}
