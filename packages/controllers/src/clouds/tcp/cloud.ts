import { safeObserver } from 'kube-endpoints/internal/apimachinery';
import type { BalancerPort, BalancerReference, CloudPort } from 'kube-endpoints/load-balancer';
import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { createAddressPool } from '../addresses.ts';
import { formatPort } from '../demand.ts';
import type { NodeView } from './balancer.ts';
import { createBalancers, type RegisteredBalancer } from './balancers.ts';
import { createSettings, type TcpCloudEvent, type TcpSettings } from './settings.ts';

/** A cloud whose load balancers forward TCP connections to node ports, in this process. */
export interface TcpCloud extends CloudPort {
  readonly balancers: Required<BalancerPort>;
  /** The current load balancers. */
  readonly held: readonly TcpBalancerView[];
  /** Accepts no more connections and calls, waits up to `drainMs` milliseconds (0 by default) for existing connections, then closes. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** The current state of a load balancer. */
export interface TcpBalancerView {
  readonly clusterName: string;
  readonly reference: BalancerReference;
  readonly address: string;
  /** Such as "80/TCP". */
  readonly ports: readonly string[];
  readonly nodes: readonly NodeView[];
  readonly connections: number;
}

export interface TcpCloudOptions extends Partial<TcpSettings> {
  /** The range of its load balancers' addresses: IPv4 addresses of this machine; "127.0.77.0/24" by default. */
  readonly addresses?: string;
  readonly clock?: SteadyClock;
  readonly onEvent?: (event: TcpCloudEvent) => void;
  /** "tcp" by default. */
  readonly name?: string;
}

/**
 * Creates a cloud that listens on addresses of this machine, by default loopback.
 * It forwards connections to the node port at the InternalIP of each node.
 * @throws RangeError if `addresses` or a number is invalid
 */
export function createTcpCloud(options: TcpCloudOptions = {}): TcpCloud {
  const { addresses = '127.0.77.0/24', clock = systemClock, name = 'tcp', onEvent } = options;
  const pool = createAddressPool({ range: addresses });
  const balancers = createBalancers({ clock, pool, settings: createSettings(options), onEvent: safeObserver(onEvent), name });
  return {
    name,
    balancers: {
      get: async (request) => {
        balancers.throwIfStopped(request.signal);
        return balancers.get(request);
      },
      ensure: balancers.ensure,
      update: balancers.update,
      delete: balancers.delete,
      list: async ({ clusterName, signal }) => {
        balancers.throwIfStopped(signal);
        return [...balancers.all].flatMap((each) => (each.clusterName === clusterName ? [{ ...each.balancer.demand.reference }] : []));
      },
    },
    get held() {
      return [...balancers.all].map(createView);
    },
    close: ({ drainMs = 0 } = {}) => balancers.close(drainMs),
  };
}

function createView({ clusterName, balancer: { demand, address, nodes, connections } }: RegisteredBalancer): TcpBalancerView {
  const { reference, ports } = demand;
  return { clusterName, reference: { ...reference }, address, ports: ports.map(formatPort), nodes, connections: connections.size };
}
