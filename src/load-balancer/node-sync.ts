import { messageOf, nameOf } from '../apimachinery/index.ts';
import { createNoNodesEvent, createNormalEvent, createWarningEvent, isElsewhereError } from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes, createFingerprint } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { NodeSync, Steps, SyncState } from './planner.ts';
import { wantsLoadBalancerForSettings } from './wants.ts';

/**
 * Creates the node sync from 1.26 on. It compares the nodes of each Service: up to 1.28 with the nodes of the last node sync, from 1.29 on
 * with the nodes last passed to the cloud for that Service.
 *
 * Mirrors syncNodes and nodeSyncService (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createQueuedNodeSync({ knownServices, syncingKeys }: SyncState, settings: LoadBalancerSettings): NodeSync {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  /**
   * Reuses the last fingerprint if it is equal, to save memory. Most Services have the same nodes, and the text grows with their number.
   */
  const shareFingerprint = (nodes: readonly BalancedNode[]): string => {
    const newFingerprint = createFingerprint(nodes, settings);
    if (newFingerprint !== lastSync.fingerprint) lastSync.fingerprint = newFingerprint;
    return lastSync.fingerprint;
  };
  const fingerprints = new Map<string, string>();
  const lastSync = { nodes: [] as readonly BalancedNode[], previousNodes: [] as readonly BalancedNode[], fingerprint: noNodesFingerprint };
  return {
    begin: settings.nodesByService ? beginWithChangedServices : beginWithAllServices,
    syncNodes,
    recordNodes,
    forget: (key) => fingerprints.delete(key),
  };

  function beginWithAllServices(nodes: readonly BalancedNode[]): readonly string[] {
    lastSync.previousNodes = lastSync.nodes;
    lastSync.nodes = [...nodes];
    return [...knownServices.keys()];
  }

  /** Returns the Services whose nodes changed or that are syncing. All Services have the same nodes in these releases. */
  function beginWithChangedServices(nodes: readonly BalancedNode[]): readonly string[] {
    // The entry of a deleted Service matters only if a Service of the same name is created.
    if (fingerprints.size > 2 * knownServices.size + spareFingerprints)
      for (const key of fingerprints.keys()) if (!knownServices.has(key)) fingerprints.delete(key);
    const currentFingerprint = shareFingerprint(nodesOf(undefined, nodes));
    return [...knownServices.keys()].filter((key) => syncingKeys.has(key) || fingerprintOf(key) !== currentFingerprint);
  }

  function fingerprintOf(key: string): string {
    return fingerprints.get(key) ?? noNodesFingerprint;
  }

  function recordNodes(key: string, nodes: readonly BalancedNode[]): void {
    if (settings.nodesByService) fingerprints.set(key, shareFingerprint(nodes));
  }

  function* syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = knownServices.get(key);
    if (!service || !wantsLoadBalancerForSettings(service, settings)) return false;
    const hosts = nodesOf(service, nodes);
    const previousFingerprint = settings.nodesByService ? fingerprintOf(key) : shareFingerprint(nodesOf(service, lastSync.previousNodes));
    // Record the nodes even if the update fails: the Service is then queued for a sync, which passes the nodes again.
    recordNodes(key, hosts);
    return shareFingerprint(hosts) === previousFingerprint ? false : yield* updateHosts(service, hosts, settings);
  }
}

/** The number of fingerprints of deleted Services that are kept in any case. */
const spareFingerprints = 1000;

/** The fingerprint of an empty list. */
const noNodesFingerprint = '[]';

/**
 * Creates the node sync up to 1.25: if the set of nodes differs from the last node sync, it updates all Services, else those that failed.
 * 1.25.0 to 1.25.2 also compare each Service's nodes with those of the last node sync, and therefore retry nothing.
 *
 * Mirrors nodeSyncLoop (1.17, pkg/controller/service/controller.go) and nodeSyncInternal (1.25,
 * staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createTimedNodeSync({ knownServices }: SyncState, settings: LoadBalancerSettings): NodeSync {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  const fingerprintFor = (nodes: readonly BalancedNode[], service?: BalancedService): string =>
    createFingerprint(nodesOf(service, nodes), settings);
  /** The Services whose node sync failed, in their state at that time. `servicesToRetry` has those that the current node sync retries. */
  const failedServices = new Map<string, BalancedService>();
  const servicesToRetry = new Map<string, BalancedService>();
  const lastSync = { nodes: [] as readonly BalancedNode[], previousNodes: [] as readonly BalancedNode[] };
  return { begin, syncNodes, recordNodes() {}, forget };

  function forget(key: string): void {
    failedServices.delete(key);
    servicesToRetry.delete(key);
  }

  function begin(nodes: readonly BalancedNode[]): readonly string[] {
    lastSync.previousNodes = lastSync.nodes;
    lastSync.nodes = [...nodes];
    const hasSameNodes = fingerprintFor(lastSync.previousNodes) === fingerprintFor(lastSync.nodes);
    servicesToRetry.clear();
    for (const [key, service] of hasSameNodes ? failedServices : []) {
      const current = settings.failuresByKey ? knownServices.get(key) : service;
      if (current) servicesToRetry.set(key, current);
    }
    failedServices.clear();
    return [...(hasSameNodes ? servicesToRetry : knownServices).keys()];
  }

  function* syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = servicesToRetry.get(key) ?? knownServices.get(key);
    if (!service || !wantsLoadBalancerForSettings(service, settings)) return false;
    if (settings.nodeSetsComparedEarly && fingerprintFor(lastSync.previousNodes, service) === fingerprintFor(nodes, service)) return false;
    const isFailed = yield* updateHosts(service, nodesOf(service, nodes), settings);
    if (isFailed) failedServices.set(key, service);
    return isFailed;
  }
}

/**
 * Passes the nodes to the load balancer of a Service. Returns true if that fails although the load balancer exists.
 *
 * Mirrors lockedUpdateLoadBalancerHosts (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* updateHosts(service: BalancedService, nodes: readonly BalancedNode[], settings: LoadBalancerSettings): Steps<boolean> {
  try {
    yield { do: 'update', service, nodes };
  } catch (error) {
    if (settings.implementedElsewhereIgnored && isElsewhereError(error)) return false;
    if (yield* isLoadBalancerAbsent(service)) return false;
    const reason = settings.failuresRenamed ? 'UpdateLoadBalancerFailed' : 'LoadBalancerUpdateFailed';
    const details = describeFailedUpdate(nodes.map(nameOf), messageOf(error), settings);
    yield createWarningEvent(service, reason, `Error updating load balancer with new hosts ${details}`);
    return true;
  }
  yield nodes.length === 0
    ? createNoNodesEvent(service, settings)
    : createNormalEvent(service, 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  return false;
}

/** Returns whether a Service has no load balancer. If the lookup fails, the load balancer counts as existing. */
function* isLoadBalancerAbsent(service: BalancedService): Steps<boolean> {
  try {
    const answer: unknown = yield { do: 'get', service };
    return answer === undefined || answer === null;
  } catch {
    return false;
  }
}

function describeFailedUpdate(names: readonly string[], error: string, { nodesByService, nodeNamesAsSet }: LoadBalancerSettings): string {
  if (nodesByService) return `${printNames(names)} [node names limited, total number of nodes: ${names.length}], error: ${error}`;
  return nodeNamesAsSet ? `map[${names.map((name) => `${name}:{}`).join(' ')}]: ${error}` : `[${names.join(' ')}]: ${error}`;
}

const maxShownNames = 20;

const printNames = (names: readonly string[]): string => {
  const more = names.length > maxShownNames ? [`<${names.length - maxShownNames} more>`] : [];
  return `[${[...names.slice(0, maxShownNames), ...more].join(' ')}]`;
};
