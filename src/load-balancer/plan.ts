import { messageOf } from '../apimachinery/index.ts';
import { createNormalEvent, SyncError } from './failures.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import { createQueuedNodeSync, createTimedNodeSync } from './node-sync.ts';
import { triggersNodeSync } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { LoadBalancerPlanner, ServiceChange, Steps } from './planner.ts';
import { deleteBalancer, syncBalancer } from './sync.ts';
import { createChangeEvent, isUpdateNeeded } from './update.ts';
import { needsCleanupForSettings, wantsLoadBalancerForSettings } from './wants.ts';

/**
 * Creates the rules of a release's service controller, with their own state.
 * @throws RangeError if the version is unknown
 *
 * Mirrors Controller (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createLoadBalancerPlanner(options: LoadBalancerVersion = {}): LoadBalancerPlanner {
  const settings = loadBalancerSettings(options);
  /** The Services that may have a load balancer, as of their last sync, by key. */
  const knownServices = new Map<string, BalancedService>();
  const syncingKeys = new Set<string>();
  const retryDelays = createRetryDelays();
  const forget = (key: string): void => {
    knownServices.delete(key);
    retryDelays.reset(key);
  };
  const nodeSync = (settings.nodeQueue ? createQueuedNodeSync : createTimedNodeSync)({ knownServices, syncingKeys }, settings);
  return {
    serviceChanged: (old, service) => describeChange(old, service, settings),
    nodeChanged: (old, node) => settings.nodeChangesTriggerSync && (!old || !node ? old !== node : triggersNodeSync(old, node, settings)),
    *sync(key, service, nodes) {
      syncingKeys.add(key);
      try {
        yield* syncOne(key, service, nodes);
      } catch (error) {
        if (settings.retriesByQueue) throw error;
        throw new SyncError(messageOf(error), { cause: error, retryAfter: retryDelays.next(key, knownServices.has(key)) });
      } finally {
        syncingKeys.delete(key);
      }
    },
    servicesToUpdate: nodeSync.begin,
    syncNodes: nodeSync.syncNodes,
    nodeSyncPeriod: settings.nodeQueue ? undefined : 100_000,
    failuresToQueue: settings.nodeQueue,
    get keys() {
      return knownServices.keys();
    },
    forget(key) {
      forget(key);
      nodeSync.forget(key);
    },
  };

  /** Mirrors syncService and processServiceCreateOrUpdate; up to 1.14, processServiceUpdate. */
  function* syncOne(key: string, service: BalancedService | undefined, nodes: readonly BalancedNode[]): Steps<void> {
    const knownService = knownServices.get(key);
    // The previous Service was deleted unobserved, and possibly re-created: only this cache still knows it.
    if (knownService && (!service || uidOf(knownService) !== uidOf(service))) {
      yield* deleteBalancer(knownService, settings);
      // Up to 1.14, a Service without a load balancer is remembered even after its deletion.
      if (settings.cleanedServicesForgotten ? !service : wantsLoadBalancerForSettings(knownService, settings)) forget(key);
    }
    if (!service) return;
    if (settings.cleanedServicesForgotten || !knownService || knownServices.has(key)) knownServices.set(key, service);
    const operation = yield* syncBalancer(service, { settings, nodes, recordNodes: (hosts) => nodeSync.recordNodes(key, hosts) });
    if (operation === 'giveUp') return;
    retryDelays.reset(key);
    if (operation === 'delete' && settings.cleanedServicesForgotten) knownServices.delete(key);
    else knownServices.set(key, service);
  }
}

/** The delays of retries in 1.9, in milliseconds. Mirrors nextRetryDelay (1.9, pkg/controller/service/service_controller.go). */
function createRetryDelays(): { next(key: string, isKnown: boolean): number; reset(key: string): void } {
  const delays = new Map<string, number>();
  return {
    next(key, isKnown) {
      const delay = Math.min(Math.max(2 * (delays.get(key) ?? 0), 5000), 300_000);
      if (isKnown) delays.set(key, delay);
      return delay;
    },
    reset: (key) => delays.delete(key),
  };
}

function describeChange(
  old: BalancedService | undefined,
  service: BalancedService | undefined,
  settings: LoadBalancerSettings,
): ServiceChange {
  if (!service) return { due: !settings.finalizerAdded, events: [] };
  const isCleanupDue = needsCleanupForSettings(service, settings);
  if (!old) return { due: !settings.otherServicesSkipped || isCleanupDue || wantsLoadBalancerForSettings(service, settings), events: [] };
  const event = createChangeEvent(old, service, settings);
  return {
    due: isUpdateNeeded(old, service, settings) || isCleanupDue,
    events: event ? [createNormalEvent(service, event.reason, event.message)] : [],
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
