import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { AddressPool, Place } from '../addresses.ts';
import { type Demand, portText, refusalFor } from '../demand.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import type { Budget } from './connections.ts';
import { createListeners, type Listeners } from './listeners.ts';
import type { TcpContext } from './settings.ts';

/** A load balancer with what it listens to. */
export interface Listened {
  readonly balancer: Balancer;
  readonly listeners: Listeners;
}

export interface BringOptions extends TcpContext {
  readonly pool: AddressPool;
  readonly budget: Budget;
  /** Throws where it is not to go on. */
  readonly check: () => void;
}

/** What a load balancer is to be. */
export interface Wanted {
  readonly demand: Demand;
  readonly nodes: readonly BalancedNode[];
}

/**
 * Brings a load balancer to what is wanted, or makes it. Connections there are stay; where it fails, all is as it was before.
 * @throws CloudError
 */
export async function bring({ demand, nodes }: Wanted, there: Listened | undefined, options: BringOptions): Promise<Listened> {
  const { pool, check, clock, settings, tell } = options;
  refuseUnforwardable(demand);
  const address = pool.find(demand);
  const next: Place = { address, ports: demand.ports.map(portText) };
  const before = there ? [placeOf(there)] : [];
  pool.hold(demand, [next, ...before]);
  const brought = there ?? make({ demand, nodes }, address, options);
  try {
    const opened = await brought.listeners.open(demand, address, check);
    brought.balancer.set(demand, address);
    brought.balancer.setNodes(nodes);
    const ended = opened.keep();
    brought.balancer.connections.drain(ended, clock, settings.drainMs);
    pool.hold(demand, [next]);
    if (opened.any || ended.size > 0) tell({ kind: 'listening', reference: demand.reference, address, ports: next.ports });
    return brought;
  } catch (error) {
    if (!there) brought.balancer.stop();
    pool.hold(there?.balancer.demand ?? demand, before);
    throw error;
  }
}

function make({ demand, nodes }: Wanted, address: string, options: BringOptions): Listened {
  const balancer = createBalancer({ ...options, demand, address });
  // Known before it listens: whoever comes at once is not turned away.
  balancer.setNodes(nodes);
  return { balancer, listeners: createListeners(balancer.accept) };
}

const placeOf = ({ balancer: { address, demand } }: Listened): Place => ({ address, ports: demand.ports.map(portText) });

function refuseUnforwardable({ reference, ports }: Demand): void {
  const refuse = refusalFor(reference);
  for (const { path, port, protocol, nodePort } of ports) {
    if (protocol !== 'TCP')
      throw refuse(`${path} (${port}/${protocol}) cannot be forwarded: this cloud forwards TCP only, leave the port out`);
    if (!(Number.isInteger(nodePort) && nodePort > 0 && nodePort < 65_536))
      throw refuse(`${path} (${port}/${protocol}) has no nodePort to forward to: set spec.allocateLoadBalancerNodePorts to true`);
  }
}
