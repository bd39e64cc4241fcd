import type { Steps } from './effects.ts';
import type { LoadBalancerSettings } from './gates.ts';
import { updateHosts } from './hosts.ts';
import type { Looks, SyncMemory } from './looks.ts';
import { chooseNodes, fingerprint } from './nodes.ts';
import type { BalancedNode, BalancedService } from './objects.ts';
import { wantsOne } from './wants.ts';

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
