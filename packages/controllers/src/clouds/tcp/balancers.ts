import { createKeyedMutex } from 'kube-endpoints/internal/apimachinery';
import {
  type BalancedNode,
  type BalancerRequest,
  CloudError,
  type HostsRequest,
  type LoadBalancerStatus,
} from 'kube-endpoints/load-balancer';
import type { Clock } from 'kube-endpoints/port';
import { callWithin } from '../../base/time.ts';
import type { AddressPool, AddressPorts } from '../addresses.ts';
import { createInvalidErrorFactory, createNotFoundError, type Demand, formatPort, parseDemand, referenceOf } from '../demand.ts';
import { type Balancer, createBalancer } from './balancer.ts';
import type { Budget, Connections } from './connections.ts';
import { createListeners, type Listeners } from './listeners.ts';
import type { TcpContext } from './settings.ts';

export interface RegisteredBalancer extends RunningBalancer {
  readonly clusterName: string;
}

/** All load balancers of the cloud. */
export interface Balancers {
  readonly all: Iterable<RegisteredBalancer>;
  /** @throws the signal's reason, or CloudError if the cloud is closed */
  throwIfStopped(signal: AbortSignal): void;
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
  const registry = createRegistry(options);
  const mutex = createKeyedMutex();
  const budget = { max: settings.maxConnections, used: 0 };
  let closePromise: Promise<void> | undefined;
  const throwIfStopped = (signal: AbortSignal): void => {
    signal.throwIfAborted();
    if (closePromise) throw new CloudError('Failed', `the cloud ${name} is closed`);
  };
  /** Runs the calls for one load balancer one after the other. */
  const runSerially = <T>({ service, signal }: BalancerRequest, work: (uid: string) => Promise<T>): Promise<T> => {
    const { uid } = referenceOf(service);
    return mutex.run(uid, async () => {
      throwIfStopped(signal);
      return work(uid);
    });
  };
  return {
    all: registry.all,
    throwIfStopped,
    get: ({ clusterName, service }) => statusOf(registry.find(referenceOf(service).uid, clusterName)),
    ensure: async (request) =>
      runSerially(request, async (uid) => {
        const { clusterName, service, nodes, signal } = request;
        const spec = { demand: parseDemand(service), nodes };
        const running = await reconcileBalancer(spec, registry.find(uid), {
          ...options,
          budget,
          throwIfStopped: () => throwIfStopped(signal),
        });
        const registered = { ...running, clusterName };
        registry.set(uid, registered);
        return statusOf(registered);
      }),
    update: async (request) =>
      runSerially(request, async (uid) => {
        const registered = registry.find(uid, request.clusterName);
        if (!registered) throw createNotFoundError(referenceOf(request.service));
        registered.balancer.setNodes(request.nodes);
      }),
    delete: async (request) =>
      runSerially(request, async (uid) => registry.remove(registry.find(uid, request.clusterName), settings.drainMs)),
    close(drainMs) {
      closePromise ??= registry.close(drainMs);
      return closePromise;
    },
  };
}

/** Creates a registry of the current load balancers, and of the connections of deleted ones. */
function createRegistry({ pool, clock, onEvent }: BalancersOptions) {
  const balancers = new Map<string, RegisteredBalancer>();
  const drainingConnections = new Set<Connections>();
  const remove = ({ balancer, listeners }: RegisteredBalancer, drainMs: number): void => {
    const { demand, connections } = balancer;
    listeners.close();
    balancer.stop();
    pool.hold(demand, []);
    balancers.delete(demand.reference.uid);
    onEvent({ kind: 'deleted', reference: demand.reference, connections: connections.size });
    drainingConnections.add(connections);
    connections.drain(undefined, clock, drainMs);
    void connections.waitUntilIdle().then(() => drainingConnections.delete(connections));
  };
  return {
    all: { [Symbol.iterator]: () => balancers.values() },
    find(uid: string, clusterName?: string): RegisteredBalancer | undefined {
      const registered = balancers.get(uid);
      return clusterName === undefined || registered?.clusterName === clusterName ? registered : undefined;
    },
    set: (uid: string, registered: RegisteredBalancer): void => void balancers.set(uid, registered),
    remove(registered: RegisteredBalancer | undefined, drainMs: number): void {
      if (registered) remove(registered, drainMs);
    },
    async close(drainMs: number): Promise<void> {
      for (const registered of [...balancers.values()]) remove(registered, drainMs);
      await Promise.all([...drainingConnections].map((connections) => drainAndDestroy(connections, clock, drainMs)));
    },
  };
}

function statusOf(registered: RegisteredBalancer): LoadBalancerStatus;
function statusOf(registered: RegisteredBalancer | undefined): LoadBalancerStatus | undefined;
function statusOf(registered: RegisteredBalancer | undefined): LoadBalancerStatus | undefined {
  return registered && { ingress: [{ ip: registered.balancer.address }] };
}

async function drainAndDestroy(connections: Connections, clock: Clock, milliseconds: number): Promise<void> {
  const idle = connections.waitUntilIdle();
  if (milliseconds > 0) await callWithin({ clock, milliseconds }, () => idle).catch(() => undefined);
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
  readonly throwIfStopped: () => void;
}

/** The desired state of a load balancer. */
export interface BalancerSpec {
  readonly demand: Demand;
  readonly nodes: readonly BalancedNode[];
}

/**
 * Creates a load balancer, or changes it to the desired state. Connections of removed ports are drained, all others continue. If an error is
 * thrown, the previous state is restored.
 * @throws CloudError
 */
export async function reconcileBalancer(
  { demand, nodes }: BalancerSpec,
  existing: RunningBalancer | undefined,
  options: ReconcileOptions,
): Promise<RunningBalancer> {
  const { pool, throwIfStopped, clock, settings, onEvent } = options;
  requireForwardable(demand);
  const address = pool.find(demand);
  const nextPorts = addressPortsOf({ address, demand });
  const previousPorts = existing ? [addressPortsOf(existing.balancer)] : [];
  // Holds the old and the new ports until the change has succeeded.
  pool.hold(demand, [nextPorts, ...previousPorts]);
  const running = existing ?? createRunningBalancer({ demand, nodes }, address, options);
  try {
    const opened = await running.listeners.open(demand, address, throwIfStopped);
    running.balancer.setDemand(demand, address);
    running.balancer.setNodes(nodes);
    const closedListeners = opened.closeObsoletePorts();
    running.balancer.connections.drain(closedListeners, clock, settings.drainMs);
    pool.hold(demand, [nextPorts]);
    if (opened.hasNewPorts || closedListeners.size > 0)
      onEvent({ kind: 'listening', reference: demand.reference, address, ports: nextPorts.ports });
    return running;
  } catch (error) {
    if (!existing) running.balancer.stop();
    pool.hold(existing?.balancer.demand ?? demand, previousPorts);
    throw error;
  }
}

function createRunningBalancer({ demand, nodes }: BalancerSpec, address: string, options: ReconcileOptions): RunningBalancer {
  const balancer = createBalancer({ ...options, demand, address });
  // Set the nodes before listening, so that the first connections are not refused.
  balancer.setNodes(nodes);
  return { balancer, listeners: createListeners(balancer.accept) };
}

const addressPortsOf = ({ address, demand }: Pick<Balancer, 'address' | 'demand'>): AddressPorts => ({
  address,
  ports: demand.ports.map(formatPort),
});

/** @throws CloudError `Invalid` if a port is not TCP or has no node port */
function requireForwardable({ reference, ports }: Demand): void {
  const invalidError = createInvalidErrorFactory(reference);
  for (const { path, port, protocol, nodePort } of ports) {
    if (protocol !== 'TCP')
      throw invalidError(`${path} (${port}/${protocol}) cannot be forwarded: this cloud forwards TCP only, leave the port out`);
    if (!(Number.isInteger(nodePort) && nodePort > 0 && nodePort < 65_536))
      throw invalidError(`${path} (${port}/${protocol}) has no nodePort to forward to: set spec.allocateLoadBalancerNodePorts to true`);
  }
}
