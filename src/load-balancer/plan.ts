import { normal } from './failures.ts';
import { type LoadBalancerSettings, type LoadBalancerVersion, loadBalancerSettings } from './gates.ts';
import { createQueuedLooks, createTimedLooks } from './node-sync.ts';
import { nodeMatters } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { LoadBalancerPlanner, ServiceChange, Steps } from './planner.ts';
import { deleteBalancer, syncBalancer } from './sync.ts';
import { changeEvent, isUpdate } from './update.ts';
import { needsCleanup, wantsOne } from './wants.ts';

/**
 * Creates the rules of a release's service controller, with their own state.
 * @throws RangeError if the version is unknown
 *
 * Mirrors Controller (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createLoadBalancerPlanner(options: LoadBalancerVersion = {}): LoadBalancerPlanner {
  const settings = loadBalancerSettings(options);
  const known = new Map<string, BalancedService>();
  const syncing = new Set<string>();
  const looks = (settings.nodeQueue ? createQueuedLooks : createTimedLooks)({ known, syncing }, settings);
  return {
    serviceChanged: (old, service) => changeOf(old, service, settings),
    nodeChanged(old, node) {
      if (!settings.nodeChangesSeen) return false;
      return !old || !node ? old !== node : nodeMatters(old, node, settings);
    },
    *sync(key, service, nodes) {
      syncing.add(key);
      try {
        yield* syncOne(key, service, nodes);
      } finally {
        syncing.delete(key);
      }
    },
    servicesToUpdate: looks.begin,
    syncNodes: looks.goOn,
    nodeSyncPeriod: settings.nodeQueue ? undefined : 100_000,
    failuresToQueue: settings.nodeQueue,
    get keys() {
      return known.keys();
    },
    forget(key) {
      known.delete(key);
      looks.forget(key);
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
    const operation = yield* syncBalancer(service, { settings, nodes, given: (hosts) => looks.given(key, hosts) });
    if (operation === 'delete') known.delete(key);
  }
}

function changeOf(old: BalancedService | undefined, service: BalancedService, settings: LoadBalancerSettings): ServiceChange {
  if (!old) return { due: wantsOne(service, settings) || needsCleanup(service), events: [] };
  const told = changeEvent(old, service, settings);
  return {
    due: isUpdate(old, service, settings) || needsCleanup(service),
    events: told ? [normal(service, told.reason, told.message)] : [],
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
