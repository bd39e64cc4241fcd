import { messageOf, nameOf } from '../apimachinery/index.ts';
import { isElsewhere, normal, warning, withoutNodes } from './failures.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { chooseNodes, fingerprint } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import type { Looks, Steps, SyncMemory } from './planner.ts';
import { wantsOne } from './wants.ts';

/**
 * From 1.26 on: the nodes of each Service are compared, up to 1.28 with those of the last look, from 1.29 on with those that it was last
 * given, by whatever.
 *
 * Mirrors syncNodes and nodeSyncService (1.36, staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createQueuedLooks({ known, syncing }: SyncMemory, settings: LoadBalancerSettings): Looks {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  /** Most Services have the nodes that were printed last: one text for all of them, which is as long as there are nodes. */
  const printOf = (nodes: readonly BalancedNode[]): string => {
    const print = fingerprint(nodes, settings);
    if (print !== last.print) last.print = print;
    return last.print;
  };
  const sets = new Map<string, string>();
  const last = { nodes: [] as readonly BalancedNode[], before: [] as readonly BalancedNode[], print: noNodes };
  return { begin: settings.nodesByService ? beginWithSets : beginWithAll, goOn, given, forget: (key) => sets.delete(key) };

  function beginWithAll(nodes: readonly BalancedNode[]): readonly string[] {
    last.before = last.nodes;
    last.nodes = [...nodes];
    return [...known.keys()];
  }

  /** All Services have the same nodes here. */
  function beginWithSets(nodes: readonly BalancedNode[]): readonly string[] {
    // those of a Service that is gone are of use to its successor of the same name alone
    if (sets.size > 2 * known.size + spareSets) for (const key of sets.keys()) if (!known.has(key)) sets.delete(key);
    const now = printOf(nodesOf(undefined, nodes));
    return [...known.keys()].filter((key) => syncing.has(key) || setOf(key) !== now);
  }

  function setOf(key: string): string {
    return sets.get(key) ?? noNodes;
  }

  function given(key: string, nodes: readonly BalancedNode[]): void {
    if (settings.nodesByService) sets.set(key, printOf(nodes));
  }

  function* goOn(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = known.get(key);
    if (!service || !wantsOne(service, settings)) return false;
    const hosts = nodesOf(service, nodes);
    const before = settings.nodesByService ? setOf(key) : printOf(nodesOf(service, last.before));
    // whatever becomes of it: where it fails, a sync gives the nodes
    given(key, hosts);
    return printOf(hosts) === before ? false : yield* updateHosts(service, hosts, settings);
  }
}

const spareSets = 1000;

/** What is printed of no nodes at all. */
const noNodes = '[]';

/**
 * Up to 1.25: where the set of nodes is another one than at the last look, all Services are gone through, else those that failed.
 * 1.25.0 to 1.25.2 also compare the nodes of each with those of the last look, and so try nothing again.
 *
 * Mirrors nodeSyncLoop (1.17, pkg/controller/service/controller.go) and nodeSyncInternal (1.25,
 * staging/src/k8s.io/cloud-provider/controllers/service/controller.go).
 */
export function createTimedLooks({ known }: SyncMemory, settings: LoadBalancerSettings): Looks {
  const nodesOf = (service: BalancedService | undefined, nodes: readonly BalancedNode[]): BalancedNode[] =>
    chooseNodes(nodes, service?.spec?.externalTrafficPolicy, settings);
  const setOf = (nodes: readonly BalancedNode[], service?: BalancedService): string => fingerprint(nodesOf(service, nodes), settings);
  /** Services as they were when a look failed for them, and those of them that the look of now tries again. */
  const failures = new Map<string, BalancedService>();
  const again = new Map<string, BalancedService>();
  const last = { nodes: [] as readonly BalancedNode[], before: [] as readonly BalancedNode[] };
  return { begin, goOn, given() {}, forget };

  function forget(key: string): void {
    failures.delete(key);
    again.delete(key);
  }

  function begin(nodes: readonly BalancedNode[]): readonly string[] {
    last.before = last.nodes;
    last.nodes = [...nodes];
    const isSame = setOf(last.before) === setOf(last.nodes);
    again.clear();
    for (const [key, service] of isSame ? failures : []) {
      const tried = settings.failuresByKey ? known.get(key) : service;
      if (tried) again.set(key, tried);
    }
    failures.clear();
    return [...(isSame ? again : known).keys()];
  }

  function* goOn(key: string, nodes: readonly BalancedNode[]): Steps<boolean> {
    const service = again.get(key) ?? known.get(key);
    if (!service || !wantsOne(service, settings)) return false;
    if (settings.nodeSetsTried && setOf(last.before, service) === setOf(nodes, service)) return false;
    const isFailed = yield* updateHosts(service, nodesOf(service, nodes), settings);
    if (isFailed) failures.set(key, service);
    return isFailed;
  }
}

/**
 * Gives the load balancer of a Service its nodes. True where that failed, though the load balancer is there.
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
    if (isElsewhere(error) || (yield* isGone(service))) return false;
    const names = nodes.map(nameOf);
    const told = nodesByService
      ? `${someOf(names)} [node names limited, total number of nodes: ${names.length}], error: ${messageOf(error)}`
      : `map[${names.map((name) => `${name}:{}`).join(' ')}]: ${messageOf(error)}`;
    yield warning(service, 'UpdateLoadBalancerFailed', `Error updating load balancer with new hosts ${told}`);
    return true;
  }
  yield nodes.length === 0 ? withoutNodes(service) : normal(service, 'UpdatedLoadBalancer', 'Updated load balancer with new hosts');
  return false;
}

/** Where even that cannot be told, it is taken for being there. */
function* isGone(service: BalancedService): Steps<boolean> {
  try {
    const answer: unknown = yield { do: 'get', service };
    return answer === undefined || answer === null;
  } catch {
    return false;
  }
}

const shownNames = 20;

const someOf = (names: readonly string[]): string => {
  const more = names.length > shownNames ? [`<${names.length - shownNames} more>`] : [];
  return `[${[...names.slice(0, shownNames), ...more].join(' ')}]`;
};
