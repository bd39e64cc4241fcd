import { safeObserver } from 'kube-endpoints/internal';
import type { BalancerPort, BalancerReference, CloudPort } from 'kube-endpoints/load-balancer';
import { type SteadyClock, systemClock } from 'kube-endpoints/port';
import { createAddressPool } from '../addresses.ts';
import { portText } from '../demand.ts';
import type { NodeView } from './balancer.ts';
import { createBalancers, type Held } from './balancers.ts';
import { settingsFrom, type TcpHappening, type TcpSettings } from './settings.ts';

/** A cloud whose load balancers forward TCP connections to node ports, in this process. */
export interface TcpCloud extends CloudPort {
  readonly balancers: Required<BalancerPort>;
  /** What it forwards now. */
  readonly held: readonly TcpBalancerView[];
  /** Takes no more connections and calls, lets the connections there are go on for so many milliseconds (none by default), and ends. */
  close(options?: { readonly drainMs?: number }): Promise<void>;
}

/** A load balancer as it is now. */
export interface TcpBalancerView {
  readonly clusterName: string;
  readonly reference: BalancerReference;
  readonly address: string;
  /** "80/TCP" */
  readonly ports: readonly string[];
  readonly nodes: readonly NodeView[];
  readonly connections: number;
}

export interface TcpCloudOptions extends Partial<TcpSettings> {
  /** The range its load balancers have their addresses from: IPv4, of this machine, "127.0.77.0/24" by default. */
  readonly addresses?: string;
  readonly clock?: SteadyClock;
  readonly tell?: (happening: TcpHappening) => void;
  /** "tcp" by default. */
  readonly name?: string;
}

/**
 * Listens on addresses of its own, by default of the loopback network, and forwards what comes to the nodes' InternalIP and node port.
 * @throws RangeError where `addresses` is no such range, or a number none that it can be
 */
export function createTcpCloud(options: TcpCloudOptions = {}): TcpCloud {
  const { addresses = '127.0.77.0/24', clock = systemClock, name = 'tcp', tell } = options;
  const pool = createAddressPool({ range: addresses });
  const balancers = createBalancers({ clock, pool, settings: settingsFrom(options), tell: safeObserver(tell), name });
  return {
    name,
    balancers: {
      get: async (request) => {
        balancers.check(request.signal);
        return balancers.get(request);
      },
      ensure: balancers.ensure,
      update: balancers.update,
      delete: balancers.delete,
      list: async ({ clusterName, signal }) => {
        balancers.check(signal);
        return [...balancers.all].flatMap((held) => (held.clusterName === clusterName ? [{ ...held.balancer.demand.reference }] : []));
      },
    },
    get held() {
      return [...balancers.all].map(viewOf);
    },
    close: ({ drainMs = 0 } = {}) => balancers.close(drainMs),
  };
}

function viewOf({ clusterName, balancer: { demand, address, nodes, connections } }: Held): TcpBalancerView {
  const { reference, ports } = demand;
  return { clusterName, reference: { ...reference }, address, ports: ports.map(portText), nodes, connections: connections.size };
}
