import { type BalancedNode, type BalancedService, balancedNodes, wantsLoadBalancer } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { History } from '../../harness/history.ts';
import type { Settings } from '../settings.ts';

/** The desired load balancers for the cluster at a version. */
export interface DesiredState {
  service(key: string, version: number): BalancedService | undefined;
  /** Whether a Service needs a load balancer. */
  needsLoadBalancer(service: BalancedService | undefined): boolean;
  /** The names of the nodes that the load balancer of a Service needs. */
  nodesOf(service: BalancedService, version: number): readonly string[];
}

export function createDesiredState(history: History, { version: release }: Settings): DesiredState {
  const options = release === undefined ? {} : { version: release };
  const nodeNames = new Map<string, readonly string[]>();
  return {
    service: (key, version) => history.at(resources.services, key, version) as (ApiObject & BalancedService) | undefined,
    needsLoadBalancer: (service) => service !== undefined && !service.metadata?.deletionTimestamp && wantsLoadBalancer(service, options),
    nodesOf({ spec }, version) {
      const externalTrafficPolicy = spec?.externalTrafficPolicy;
      const cacheKey = `${version} ${externalTrafficPolicy}`;
      // An infinite version means the current state, which must not be cached.
      const cached = nodeNames.get(cacheKey);
      if (cached && version !== Number.POSITIVE_INFINITY) return cached;
      const nodes = history.all(resources.nodes, undefined, version) as (ApiObject & BalancedNode)[];
      const names = balancedNodes(nodes, { ...options, externalTrafficPolicy }).map(({ metadata }) => metadata?.name ?? '');
      nodeNames.set(cacheKey, names);
      return names;
    },
  };
}
