import { normalEvent } from './failures.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import { createQueuedNodeSync, createTimedNodeSync } from './node-sync.ts';
import { triggersNodeSync } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { LoadBalancerPlanner, ServiceChange, Steps } from './planner.ts';
import { deleteBalancer, syncBalancer } from './sync.ts';
import { changeEvent, isUpdate } from './update.ts';
import { needsCleanup, wantsLoadBalancerUnder } from './wants.ts';

/**
 * Creates the rules of a release's service controller, with their own state.
 * @throws RangeError if the version is unknown
 *
 * Mirrors Controller (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createLoadBalancerPlanner(options: LoadBalancerVersion = {}): LoadBalancerPlanner {
  const settings = loadBalancerSettings(options);
  /** The Services that may have a load balancer, as of their last sync, by key. */
  const known = new Map<string, BalancedService>();
  const syncing = new Set<string>();
  const nodeSync = (settings.nodeQueue ? createQueuedNodeSync : createTimedNodeSync)({ known, syncing }, settings);
  return {
    serviceChanged: (old, service) => describeChange(old, service, settings),
    nodeChanged(old, node) {
      if (!settings.nodeChangesTriggerSync) return false;
      return !old || !node ? old !== node : triggersNodeSync(old, node, settings);
    },
    *sync(key, service, nodes) {
      syncing.add(key);
      try {
        yield* syncOne(key, service, nodes);
      } finally {
        syncing.delete(key);
      }
    },
    servicesToUpdate: nodeSync.begin,
    syncNodes: nodeSync.syncNodes,
    nodeSyncPeriod: settings.nodeQueue ? undefined : 100_000,
    failuresToQueue: settings.nodeQueue,
    get keys() {
      return known.keys();
    },
    forget(key) {
      known.delete(key);
      nodeSync.forget(key);
    },
  };

  /** Mirrors syncService and processServiceCreateOrUpdate. */
  function* syncOne(key: string, service: BalancedService | undefined, nodes: readonly BalancedNode[]): Steps<void> {
    const before = known.get(key);
    // The previous Service was deleted unobserved, and possibly re-created: only this cache still knows it.
    if (before && (!service || uidOf(before) !== uidOf(service))) yield* deleteBalancer(before, settings);
    if (!service) {
      known.delete(key);
      return;
    }
    known.set(key, service);
    const operation = yield* syncBalancer(service, { settings, nodes, recordNodes: (hosts) => nodeSync.recordNodes(key, hosts) });
    if (operation === 'delete') known.delete(key);
  }
}

function describeChange(old: BalancedService | undefined, service: BalancedService, settings: LoadBalancerSettings): ServiceChange {
  if (!old) return { due: wantsLoadBalancerUnder(service, settings) || needsCleanup(service), events: [] };
  const event = changeEvent(old, service, settings);
  return {
    due: isUpdate(old, service, settings) || needsCleanup(service),
    events: event ? [normalEvent(service, event.reason, event.message)] : [],
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
