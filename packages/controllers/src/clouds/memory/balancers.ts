import { plainCopy } from 'kube-endpoints/internal/apimachinery';
import type { BalancedService, BalancerReference, BalancerRequest, HostsRequest, LoadBalancerStatus } from 'kube-endpoints/load-balancer';
import { type AddressPool, createAddressPool } from '../addresses.ts';
import { createNotFoundError, formatPort, parseDemand, referenceOf } from '../demand.ts';

/** A load balancer that the cloud holds. */
export interface StoredBalancer {
  readonly clusterName: string;
  readonly reference: BalancerReference;
  /** The Service at its last `ensure`. */
  readonly service: BalancedService;
  /** Node names, in the order given. */
  readonly nodes: readonly string[];
  readonly status: LoadBalancerStatus;
}

/** The effects of the calls, without injected faults. */
export interface Balancers {
  readonly all: Iterable<StoredBalancer>;
  get(request: BalancerRequest): LoadBalancerStatus | undefined;
  ensure(request: HostsRequest): LoadBalancerStatus;
  update(request: HostsRequest): void;
  delete(request: BalancerRequest): void;
  list(clusterName: string): BalancerReference[];
  /** Deletes a load balancer as if it had failed in the cloud. Returns whether it existed. */
  lose(uid: string): boolean;
}

export function createBalancers(range: string): Balancers {
  const pool = createAddressPool({ range, allowsOutsideRange: true });
  const balancersByUid = new Map<string, StoredBalancer>();
  const find = (request: BalancerRequest): StoredBalancer | undefined => {
    const balancer = balancersByUid.get(referenceOf(request.service).uid);
    return balancer?.clusterName === request.clusterName ? balancer : undefined;
  };
  const remove = (balancer: StoredBalancer | undefined): boolean => {
    if (!balancer) return false;
    pool.hold(parseDemand(balancer.service), []);
    return balancersByUid.delete(balancer.reference.uid);
  };
  return {
    all: { [Symbol.iterator]: () => balancersByUid.values() },
    get: (request) => plainCopy(find(request)?.status),
    ensure(request) {
      const balancer = createStoredBalancer(request, pool);
      balancersByUid.set(balancer.reference.uid, balancer);
      return plainCopy(balancer.status);
    },
    update(request) {
      const balancer = find(request);
      if (!balancer) throw createNotFoundError(referenceOf(request.service));
      balancersByUid.set(balancer.reference.uid, { ...balancer, nodes: nodeNamesOf(request) });
    },
    delete: (request) => void remove(find(request)),
    list: (clusterName) =>
      [...balancersByUid.values()].filter((balancer) => balancer.clusterName === clusterName).map(({ reference }) => ({ ...reference })),
    lose: (uid) => remove(balancersByUid.get(uid)),
  };
}

function createStoredBalancer(request: HostsRequest, pool: AddressPool): StoredBalancer {
  const demand = parseDemand(request.service);
  const ip = pool.find(demand);
  pool.hold(demand, [{ address: ip, ports: demand.ports.map(formatPort) }]);
  return {
    clusterName: request.clusterName,
    reference: demand.reference,
    service: plainCopy(request.service),
    nodes: nodeNamesOf(request),
    status: { ingress: [{ ip }] },
  };
}

const nodeNamesOf = ({ nodes }: HostsRequest): string[] => nodes.map(({ metadata }) => metadata?.name ?? '');
