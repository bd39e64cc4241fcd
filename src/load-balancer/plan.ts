import { createNormalEvent } from './failures.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import { createQueuedNodeSync, createTimedNodeSync } from './node-sync.ts';
import { triggersNodeSync } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { LoadBalancerPlanner, ServiceChange, Steps } from './planner.ts';
import { deleteBalancer, syncBalancer } from './sync.ts';
import { createChangeEvent, isUpdateNeeded } from './update.ts';
import { needsCleanup, wantsLoadBalancerForSettings } from './wants.ts';

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
  const nodeSync = (settings.nodeQueue ? createQueuedNodeSync : createTimedNodeSync)({ knownServices, syncingKeys }, settings);
  return {
    serviceChanged: (old, service) => describeChange(old, service, settings),
    nodeChanged(old, node) {
      if (!settings.nodeChangesTriggerSync) return false;
      return !old || !node ? old !== node : triggersNodeSync(old, node, settings);
    },
    *sync(key, service, nodes) {
      syncingKeys.add(key);
      try {
        yield* syncOne(key, service, nodes);
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
      knownServices.delete(key);
      nodeSync.forget(key);
    },
  };

  /** Mirrors syncService and processServiceCreateOrUpdate. */
  function* syncOne(key: string, service: BalancedService | undefined, nodes: readonly BalancedNode[]): Steps<void> {
    const knownService = knownServices.get(key);
    // The previous Service was deleted unobserved, and possibly re-created: only this cache still knows it.
    if (knownService && (!service || uidOf(knownService) !== uidOf(service))) yield* deleteBalancer(knownService, settings);
    if (!service) {
      knownServices.delete(key);
      return;
    }
    knownServices.set(key, service);
    const operation = yield* syncBalancer(service, { settings, nodes, recordNodes: (hosts) => nodeSync.recordNodes(key, hosts) });
    if (operation === 'delete') knownServices.delete(key);
  }
}

function describeChange(old: BalancedService | undefined, service: BalancedService, settings: LoadBalancerSettings): ServiceChange {
  if (!old) return { due: wantsLoadBalancerForSettings(service, settings) || needsCleanup(service), events: [] };
  const event = createChangeEvent(old, service, settings);
  return {
    due: isUpdateNeeded(old, service, settings) || needsCleanup(service),
    events: event ? [createNormalEvent(service, event.reason, event.message)] : [],
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
