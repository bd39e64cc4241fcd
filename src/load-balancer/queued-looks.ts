import type { Steps } from './effects.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { updateHosts } from './hosts.ts';
import type { Looks, SyncMemory } from './looks.ts';
import { chooseNodes, fingerprint } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
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
