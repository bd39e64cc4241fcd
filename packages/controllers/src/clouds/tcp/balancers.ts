import { createKeyedMutex } from 'kube-endpoints/internal';
import {
  type BalancedNode,
  type BalancerRequest,
  CloudError,
  type HostsRequest,
  type LoadBalancerStatus,
} from 'kube-endpoints/load-balancer';
import type { Clock } from 'kube-endpoints/port';
import type { AddressPool, AddressPorts } from '../addresses.ts';
import { type Demand, missing, portText, readDemand, referenceOf, refusalFor } from '../demand.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import type { Budget, Connections } from './connections.ts';
import { createListeners, type Listeners } from './listeners.ts';
import type { TcpContext } from './settings.ts';

export interface Held extends RunningBalancer {
  readonly clusterName: string;
}

/** All load balancers of the cloud. */
export interface Balancers {
  readonly all: Iterable<Held>;
  /** @throws the signal's reason, or CloudError if the cloud is closed */
  check(signal: AbortSignal): void;
  get(request: BalancerRequest): LoadBalancerStatus | undefined;
  ensure(request: HostsRequest): Promise<LoadBalancerStatus>;
  update(request: HostsRequest): Promise<void>;
  delete(request: BalancerRequest): Promise<void>;
  close(drainMs: number): Promise<void>;
}

export interface BalancersOptions extends TcpContext {
  readonly pool: AddressPool;
  readonly name: string;
}

export function createBalancers(options: BalancersOptions): Balancers {
  const { name, settings } = options;
  const holding = createHolding(options);
  const mutex = createKeyedMutex();
  const budget = { max: settings.maxConnections, used: 0 };
  let closed: Promise<void> | undefined;
  const check = (signal: AbortSignal): void => {
    signal.throwIfAborted();
    if (closed) throw new CloudError('Failed', `the cloud ${name} is closed`);
  };
  /** Runs the calls for one load balancer one after the other. */
  const runSerially = <T>({ service, signal }: BalancerRequest, work: (uid: string) => Promise<T>): Promise<T> => {
    const { uid } = referenceOf(service);
    return mutex.run(uid, async () => {
      check(signal);
      return work(uid);
    });
  };
  return {
    all: holding.all,
    check,
    get: ({ clusterName, service }) => statusOf(holding.find(referenceOf(service).uid, clusterName)),
    ensure: async (request) =>
      runSerially(request, async (uid) => {
        const { clusterName, service, nodes, signal } = request;
        const spec = { demand: readDemand(service), nodes };
        const balancerState = await reconcileBalancer(spec, holding.find(uid), { ...options, budget, check: () => check(signal) });
        const held = { ...balancerState, clusterName };
        holding.set(uid, held);
        return statusOf(held);
      }),
    update: async (request) =>
      runSerially(request, async (uid) => {
        const found = holding.find(uid, request.clusterName);
        if (!found) throw missing(referenceOf(request.service));
        found.balancer.setNodes(request.nodes);
      }),
    delete: async (request) => runSerially(request, async (uid) => holding.end(holding.find(uid, request.clusterName), settings.drainMs)),
    close(drainMs) {
      closed ??= holding.close(drainMs);
      return closed;
    },
  };
}

interface Holding {
  readonly all: Iterable<Held>;
  find(uid: string, clusterName?: string): Held | undefined;
  set(uid: string, held: Held): void;
  end(held: Held | undefined, drainMs: number): void;
  close(drainMs: number): Promise<void>;
}

/** The current load balancers, and the connections of deleted ones. */
function createHolding({ pool, clock, onEvent }: BalancersOptions): Holding {
  const held = new Map<string, Held>();
  const ending = new Set<Connections>();
  const end = ({ balancer, listeners }: Held, drainMs: number): void => {
    const { demand, connections } = balancer;
    listeners.close();
    balancer.stop();
    pool.hold(demand, []);
    held.delete(demand.reference.uid);
    onEvent({ kind: 'deleted', reference: demand.reference, connections: connections.size });
    ending.add(connections);
    connections.drain(undefined, clock, drainMs);
    void connections.idle().then(() => ending.delete(connections));
  };
  return {
    all: { [Symbol.iterator]: () => held.values() },
    find(uid, clusterName) {
      const found = held.get(uid);
      return clusterName === undefined || found?.clusterName === clusterName ? found : undefined;
    },
    set: (uid, each) => void held.set(uid, each),
    end(each, drainMs) {
      if (each) end(each, drainMs);
    },
    async close(drainMs) {
      for (const each of [...held.values()]) end(each, drainMs);
      await Promise.all([...ending].map((connections) => endWithin(connections, clock, drainMs)));
    },
  };
}

function statusOf(held: Held): LoadBalancerStatus;
function statusOf(held: Held | undefined): LoadBalancerStatus | undefined;
function statusOf(held: Held | undefined): LoadBalancerStatus | undefined {
  return held && { ingress: [{ ip: held.balancer.address }] };
}

async function endWithin(connections: Connections, clock: Clock, milliseconds: number): Promise<void> {
  const idle = connections.idle();
  if (milliseconds > 0) {
    await new Promise<void>((resolve) => {
      const timer = clock.schedule(resolve, milliseconds);
      void idle.then(() => {
        timer.cancel();
        resolve();
      });
    });
  }
  connections.destroy();
  await idle;
}

/** A load balancer and its listeners. */
export interface RunningBalancer {
  readonly balancer: Balancer;
  readonly listeners: Listeners;
}

export interface ReconcileOptions extends TcpContext {
  readonly pool: AddressPool;
  readonly budget: Budget;
  /** Throws if the work must stop. */
  readonly check: () => void;
}

/** The desired state of a load balancer. */
export interface BalancerSpec {
  readonly demand: Demand;
  readonly nodes: readonly BalancedNode[];
}

/**
 * Creates or updates a load balancer to the desired state. Existing connections continue. On failure, everything is as before.
 * @throws CloudError
 */
export async function reconcileBalancer(
  { demand, nodes }: BalancerSpec,
  existing: RunningBalancer | undefined,
  options: ReconcileOptions,
): Promise<RunningBalancer> {
  const { pool, check, clock, settings, onEvent } = options;
  refuseUnforwardable(demand);
  const address = pool.find(demand);
  const next: AddressPorts = { address, ports: demand.ports.map(portText) };
  const before = existing ? [addressPortsOf(existing)] : [];
  pool.hold(demand, [next, ...before]);
  const balancerState = existing ?? make({ demand, nodes }, address, options);
  try {
    const opened = await balancerState.listeners.open(demand, address, check);
    balancerState.balancer.set(demand, address);
    balancerState.balancer.setNodes(nodes);
    const ended = opened.keep();
    balancerState.balancer.connections.drain(ended, clock, settings.drainMs);
    pool.hold(demand, [next]);
    if (opened.any || ended.size > 0) onEvent({ kind: 'listening', reference: demand.reference, address, ports: next.ports });
    return balancerState;
  } catch (error) {
    if (!existing) balancerState.balancer.stop();
    pool.hold(existing?.balancer.demand ?? demand, before);
    throw error;
  }
}

function make({ demand, nodes }: BalancerSpec, address: string, options: ReconcileOptions): RunningBalancer {
  const balancer = createBalancer({ ...options, demand, address });
  // Set the nodes before listening, so that the first connections are not refused.
  balancer.setNodes(nodes);
  return { balancer, listeners: createListeners(balancer.accept) };
}

const addressPortsOf = ({ balancer: { address, demand } }: RunningBalancer): AddressPorts => ({
  address,
  ports: demand.ports.map(portText),
});

function refuseUnforwardable({ reference, ports }: Demand): void {
  const refuse = refusalFor(reference);
  for (const { path, port, protocol, nodePort } of ports) {
    if (protocol !== 'TCP')
      throw refuse(`${path} (${port}/${protocol}) cannot be forwarded: this cloud forwards TCP only, leave the port out`);
    if (!(Number.isInteger(nodePort) && nodePort > 0 && nodePort < 65_536))
      throw refuse(`${path} (${port}/${protocol}) has no nodePort to forward to: set spec.allocateLoadBalancerNodePorts to true`);
  }
}
