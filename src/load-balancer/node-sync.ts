import { messageOf, nameOf } from '../apimachinery/index.ts';
import { isElsewhere, noNodesEvent, normalEvent, warningEvent } from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes, fingerprint } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { NodeSync, Steps, SyncState } from './planner.ts';
import { wantsLoadBalancerUnder } from './wants.ts';

/**
 * Node sync from 1.26 on. Compares the nodes of each Service: up to 1.28 with the nodes of the last node sync, from 1.29 on with the nodes
 * last passed to the cloud for that Service.
 *
 * Mirrors syncNodes and nodeSyncService (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createQueuedNodeSync({ known, syncing }: SyncState, settings: LoadBalancerSettings): NodeSync {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  /**
   * Reuses the last fingerprint if it is equal, to save memory. Most Services have the same nodes, and the text grows with their number.
   */
  const sharedFingerprint = (nodes: readonly BalancedNode[]): string => {
    const newFingerprint = fingerprint(nodes, settings);
    if (newFingerprint !== last.fingerprint) last.fingerprint = newFingerprint;
    return last.fingerprint;
  };
  const fingerprints = new Map<string, string>();
  const last = { nodes: [] as readonly BalancedNode[], before: [] as readonly BalancedNode[], fingerprint: noNodesFingerprint };
  return {
    begin: settings.nodesByService ? beginWithChangedServices : beginWithAllServices,
    syncNodes,
    recordNodes,
    forget: (key) => fingerprints.delete(key),
  };

  function beginWithAllServices(nodes: readonly BalancedNode[]): readonly string[] {
    last.before = last.nodes;
    last.nodes = [...nodes];
    return [...known.keys()];
  }

  /** All Services have the same nodes in these releases. */
  function beginWithChangedServices(nodes: readonly BalancedNode[]): readonly string[] {
    // The entry of a deleted Service matters only if a Service of the same name is created.
    if (fingerprints.size > 2 * known.size + spareFingerprints)
      for (const key of fingerprints.keys()) if (!known.has(key)) fingerprints.delete(key);
    const currentFingerprint = sharedFingerprint(nodesOf(undefined, nodes));
    return [...known.keys()].filter((key) => syncing.has(key) || fingerprintOf(key) !== currentFingerprint);
  }

  function fingerprintOf(key: string): string {
    return fingerprints.get(key) ?? noNodesFingerprint;
  }

  function recordNodes(key: string, nodes: readonly BalancedNode[]): void {
    if (settings.nodesByService) fingerprints.set(key, sharedFingerprint(nodes));
  }

  function* syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = known.get(key);
    if (!service || !wantsLoadBalancerUnder(service, settings)) return false;
    const hosts = nodesOf(service, nodes);
    const before = settings.nodesByService ? fingerprintOf(key) : sharedFingerprint(nodesOf(service, last.before));
    // Record the nodes even if the update fails: the Service is then queued for a sync, which passes the nodes again.
    recordNodes(key, hosts);
    return sharedFingerprint(hosts) === before ? false : yield* updateHosts(service, hosts, settings);
  }
}

/** The number of fingerprints of deleted Services that are kept in any case. */
const spareFingerprints = 1000;

/** The fingerprint of an empty list. */
const noNodesFingerprint = '[]';

/**
 * Node sync up to 1.25: if the set of nodes differs from the last node sync, updates all Services, else those that failed. 1.25.0 to 1.25.2
 * also compare each Service's nodes with those of the last node sync, and therefore retry nothing.
 *
 * Mirrors nodeSyncLoop (1.17, pkg/controller/service/controller.go) and nodeSyncInternal (1.25,
 * staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createTimedNodeSync({ known }: SyncState, settings: LoadBalancerSettings): NodeSync {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  const fingerprintFor = (nodes: readonly BalancedNode[], service?: BalancedService): string =>
    fingerprint(nodesOf(service, nodes), settings);
  /** The Services whose node sync failed, in their state at that time. `toRetry` has those that the current node sync retries. */
  const failures = new Map<string, BalancedService>();
  const toRetry = new Map<string, BalancedService>();
  const last = { nodes: [] as readonly BalancedNode[], before: [] as readonly BalancedNode[] };
  return { begin, syncNodes, recordNodes() {}, forget };

  function forget(key: string): void {
    failures.delete(key);
    toRetry.delete(key);
  }

  function begin(nodes: readonly BalancedNode[]): readonly string[] {
    last.before = last.nodes;
    last.nodes = [...nodes];
    const isSame = fingerprintFor(last.before) === fingerprintFor(last.nodes);
    toRetry.clear();
    for (const [key, service] of isSame ? failures : []) {
      const current = settings.failuresByKey ? known.get(key) : service;
      if (current) toRetry.set(key, current);
    }
    failures.clear();
    return [...(isSame ? toRetry : known).keys()];
  }

  function* syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = toRetry.get(key) ?? known.get(key);
    if (!service || !wantsLoadBalancerUnder(service, settings)) return false;
    if (settings.nodeSetsComparedEarly && fingerprintFor(last.before, service) === fingerprintFor(nodes, service)) return false;
    const isFailed = yield* updateHosts(service, nodesOf(service, nodes), settings);
    if (isFailed) failures.set(key, service);
    return isFailed;
  }
}

/**
 * Passes the nodes to the load balancer of a Service. Returns true if that fails although the load balancer exists.
 *
 * Mirrors lockedUpdateLoadBalancerHosts (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function* updateHosts(
  service: BalancedService,
  nodes: readonly BalancedNode[],
  { nodesByService }: LoadBalancerSettings,
): Steps<boolean> {
  try {
    yield { do: 'update', service, nodes };
  } catch (error) {
    if (isElsewhere(error) || (yield* isLoadBalancerAbsent(service))) return false;
    const names = nodes.map(nameOf);
    const details = nodesByService
      ? `${printNames(names)} [node names limited, total number of nodes: ${names.length}], error: ${messageOf(error)}`
      : `map[${names.map((name) => `${name}:{}`).join(' ')}]: ${messageOf(error)}`;
    yield warningEvent(service, 'UpdateLoadBalancerFailed', `Error updating load balancer with new hosts ${details}`);
    return true;
  }
  yield nodes.length === 0 ? noNodesEvent(service) : normalEvent(service, 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  return false;
}

/** If the lookup fails, the load balancer counts as existing. */
function* isLoadBalancerAbsent(service: BalancedService): Steps<boolean> {
  try {
    const answer: unknown = yield { do: 'get', service };
    return answer === undefined || answer === null;
  } catch {
    return false;
  }
}

const maxShownNames = 20;

const printNames = (names: readonly string[]): string => {
  const more = names.length > maxShownNames ? [`<${names.length - maxShownNames} more>`] : [];
  return `[${[...names.slice(0, maxShownNames), ...more].join(' ')}]`;
};
