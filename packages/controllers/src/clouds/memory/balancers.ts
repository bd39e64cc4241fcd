import { plainCopy } from 'kube-endpoints/internal';
import type { BalancedService, BalancerReference, BalancerRequest, HostsRequest, LoadBalancerStatus } from 'kube-endpoints/load-balancer';
import { type AddressPool, createAddressPool } from '../addresses.ts';
import { missing, portText, readDemand, referenceOf } from '../demand.ts';

/** A load balancer that the cloud holds. */
export interface HeldBalancer {
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
  readonly all: Iterable<HeldBalancer>;
  get(request: BalancerRequest): LoadBalancerStatus | undefined;
  ensure(request: HostsRequest): LoadBalancerStatus;
  update(request: HostsRequest): void;
  delete(request: BalancerRequest): void;
  list(clusterName: string): BalancerReference[];
  /** Returns whether it existed. */
  lose(uid: string): boolean;
}

export function createBalancers(range: string): Balancers {
  const pool = createAddressPool({ range, foreign: true });
  const held = new Map<string, HeldBalancer>();
  const find = (request: BalancerRequest): HeldBalancer | undefined => {
    const found = held.get(referenceOf(request.service).uid);
    return found?.clusterName === request.clusterName ? found : undefined;
  };
  const drop = (balancer: HeldBalancer | undefined): boolean => {
    if (!balancer) return false;
    pool.hold(readDemand(balancer.service), []);
    return held.delete(balancer.reference.uid);
  };
  return {
    all: { [Symbol.iterator]: () => held.values() },
    get: (request) => plainCopy(find(request)?.status),
    ensure(request) {
      const balancer = make(request, pool);
      held.set(balancer.reference.uid, balancer);
      return plainCopy(balancer.status);
    },
    update(request) {
      const found = find(request);
      if (!found) throw missing(referenceOf(request.service));
      held.set(found.reference.uid, { ...found, nodes: namesOf(request) });
    },
    delete: (request) => void drop(find(request)),
    list: (clusterName) => [...held.values()].filter((each) => each.clusterName === clusterName).map(({ reference }) => ({ ...reference })),
    lose: (uid) => drop(held.get(uid)),
  };
}

function make(request: HostsRequest, pool: AddressPool): HeldBalancer {
  const demand = readDemand(request.service);
  const ip = pool.find(demand);
  pool.hold(demand, [{ address: ip, ports: demand.ports.map(portText) }]);
  return {
    clusterName: request.clusterName,
    reference: demand.reference,
    service: plainCopy(request.service),
    nodes: namesOf(request),
    status: { ingress: [{ ip }] },
  };
}

const namesOf = ({ nodes }: HostsRequest): string[] => nodes.map(({ metadata }) => metadata?.name ?? '');
