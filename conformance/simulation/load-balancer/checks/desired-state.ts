import { type BalancedNode, type BalancedService, balancedNodes, wantsLoadBalancer } from 'kube-endpoints/load-balancer';
import { type ApiObject, resources } from 'kube-endpoints/port';
import type { Chronicle } from '../../harness/chronicle.ts';
import type { Setting } from '../setting.ts';

/** The desired load balancers for the cluster at a version. */
export interface DesiredState {
  service(key: string, version: number): BalancedService | undefined;
  /** Whether a Service needs a load balancer. */
  wants(service: BalancedService | undefined): boolean;
  /** The names of the nodes that belong to the load balancer of a Service. */
  nodesOf(service: BalancedService, version: number): readonly string[];
}

export function createDesiredState(chronicle: Chronicle, { version: release }: Setting): DesiredState {
  const options = release === undefined ? {} : { version: release };
  const bySort = new Map<string, readonly string[]>();
  return {
    service: (key, version) => chronicle.at(resources.services, key, version) as (ApiObject & BalancedService) | undefined,
    wants: (service) => service !== undefined && !service.metadata?.deletionTimestamp && wantsLoadBalancer(service, options),
    nodesOf({ spec }, version) {
      const externalTrafficPolicy = spec?.externalTrafficPolicy;
      const id = `${version} ${externalTrafficPolicy}`;
      const known = bySort.get(id);
      if (known && version !== Number.POSITIVE_INFINITY) return known;
      const all = chronicle.all(resources.nodes, undefined, version) as (ApiObject & BalancedNode)[];
      const names = balancedNodes(all, { ...options, externalTrafficPolicy }).map(({ metadata }) => metadata?.name ?? '');
      bySort.set(id, names);
      return names;
    },
  };
}
