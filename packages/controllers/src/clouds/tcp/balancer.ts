import { BlockList, isIPv6, type Socket } from 'node:net';
import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { Demand } from '../demand.ts';
import { type Budget, type Connections, createConnections } from './connections.ts';
import { type ForwardedConnection, forward } from './forward.ts';
import { createProber, type Prober } from './probe.ts';
import type { RefusalReason, TcpContext } from './settings.ts';
import { createTargets, type TargetNode, type Targets, toTargetNode } from './targets.ts';

/** Forwards the incoming connections of one load balancer. Its listeners are separate. */
export interface Balancer {
  readonly demand: Demand;
  readonly address: string;
  readonly connections: Connections;
  readonly nodes: readonly NodeView[];
  /** Sets the requirements and the address for new connections; existing connections stay with their nodes. */
  setDemand(demand: Demand, address: string): void;
  setNodes(nodes: readonly BalancedNode[]): void;
  /** Accepts a connection that came in on one of the ports. */
  accept(client: Socket, listener: string, port: number): void;
  /** Stops probing and forwarding. Existing connections continue. */
  stop(): void;
}

/** The state of a node behind a load balancer. */
export interface NodeView {
  readonly name: string;
  readonly address: string;
  /** The result of its last health check; undefined before the first result; true if the Service has no health check node port. */
  readonly healthy: boolean | undefined;
  /** Whether it recently failed to accept a connection. */
  readonly avoided: boolean;
  readonly connections: number;
}

export interface BalancerOptions extends TcpContext {
  readonly budget: Budget;
  readonly demand: Demand;
  readonly address: string;
}

export function createBalancer(options: BalancerOptions): Balancer {
  const { clock, settings, onEvent, budget } = options;
  const state: State = { ...options, isAllowed: createSourceFilter(options.demand), targetNodes: [], stopped: false };
  const { reference } = options.demand;
  const connections = createConnections(budget);
  const targets = createTargets({ clock, ...settings });
  const onHealthChange = (node: string, healthy: boolean): void => onEvent({ kind: 'health', reference, node, healthy });
  const prober = createProber({ clock, ...settings, onChange: onHealthChange });
  const applyChange = (): void => applyState(state, { targets, prober });
  return {
    connections,
    get demand() {
      return state.demand;
    },
    get address() {
      return state.address;
    },
    get nodes() {
      return createNodeViews(state, { targets, prober, connections });
    },
    setDemand(demand, address) {
      Object.assign(state, { demand, address, isAllowed: createSourceFilter(demand) });
      applyChange();
    },
    setNodes(nodes) {
      state.targetNodes = toTargetNodes(nodes, (names) => onEvent({ kind: 'withoutAddress', reference, nodes: names }));
      applyChange();
    },
    accept(client, listener, port) {
      const reason = findRefusalReason(client, port, state, connections);
      if (reason) refuse(client, reason, options);
      else forwardConnection({ client, listener, port }, { ...options, state, targets, prober, connections });
    },
    stop() {
      state.stopped = true;
      prober.stop();
    },
  };
}

interface State {
  demand: Demand;
  address: string;
  isAllowed: (client: string) => boolean;
  targetNodes: readonly TargetNode[];
  stopped: boolean;
}

interface BalancerComponents {
  readonly targets: Targets;
  readonly prober: Prober;
}

function applyState({ demand, targetNodes, stopped }: State, { targets, prober }: BalancerComponents): void {
  if (stopped) return;
  targets.set({ nodes: targetNodes, nodePorts: demand.ports.map(({ nodePort }) => nodePort), affinityMs: demand.affinityMs });
  prober.set(targetNodes, demand.healthPort);
}

function createNodeViews(
  { demand, targetNodes }: State,
  { targets, prober, connections }: BalancerComponents & { readonly connections: Connections },
): NodeView[] {
  const counts = connections.countByNode();
  return targetNodes.map(({ name, address }) => ({
    name,
    address,
    healthy: prober.healthOf(name),
    avoided: demand.ports.some(({ nodePort }) => targets.isAvoided({ node: name, address, port: nodePort })),
    connections: counts.get(name) ?? 0,
  }));
}

function toTargetNodes(nodes: readonly BalancedNode[], onWithoutAddress: (names: readonly string[]) => void): TargetNode[] {
  const targetNodes = nodes.map(toTargetNode);
  const namesWithoutAddress = nodes.flatMap(({ metadata }, i) => (targetNodes[i] ? [] : [metadata?.name ?? '']));
  if (namesWithoutAddress.length > 0) onWithoutAddress(namesWithoutAddress);
  return targetNodes.filter((target) => target !== undefined);
}

/** Returns why a connection is refused; undefined if it is allowed. `noNode` also if the load balancer has stopped or lost the port. */
function findRefusalReason(
  client: Socket,
  port: number,
  { demand, isAllowed, stopped }: State,
  connections: Connections,
): RefusalReason | undefined {
  if (stopped || !demand.ports.some((servicePort) => servicePort.port === port)) return 'noNode';
  if (!isAllowed(client.remoteAddress ?? '')) return 'sourceRanges';
  return connections.hasRoom ? undefined : 'tooMany';
}

function refuse(client: Socket, reason: RefusalReason, { demand, onEvent }: Pick<BalancerOptions, 'demand' | 'onEvent'>): void {
  onEvent({ kind: 'refused', reference: demand.reference, client: client.remoteAddress ?? '', reason });
  client.on('error', () => {});
  client.resetAndDestroy();
}

interface IncomingConnection {
  readonly client: Socket;
  readonly listener: string;
  readonly port: number;
}

function forwardConnection(
  { client, listener, port }: IncomingConnection,
  options: BalancerOptions & BalancerComponents & { state: State; connections: Connections },
): void {
  const { clock, settings, onEvent, state, targets, prober, connections } = options;
  const { reference } = state.demand;
  const clientAddress = client.remoteAddress ?? '';
  const triedNodes = new Set<string>();
  const pickNextTarget = () => {
    const nodePort = state.demand.ports.find((servicePort) => servicePort.port === port)?.nodePort;
    if (state.stopped || nodePort === undefined || triedNodes.size >= settings.attempts) return undefined;
    const target = targets.pick({ client: clientAddress, nodePort, triedNodes, isHealthy: ({ name }) => prober.healthOf(name) });
    if (target) triedNodes.add(target.node);
    return target;
  };
  const connection: ForwardedConnection = forward({
    client,
    pickNextTarget,
    clock,
    connectMs: settings.connectMs,
    onConnected: (target) => targets.recordConnection(clientAddress, target),
    onFailed(target, error) {
      // A lack of local resources is not a failure of the node.
      if (!localErrorCodes.has((error as NodeJS.ErrnoException).code ?? '')) targets.recordFailure(target);
      onEvent({ kind: 'nodeFailed', reference, node: target.node, problem: error.message });
    },
    onRefused: () => onEvent({ kind: 'refused', reference, client: clientAddress, reason: 'noNode' }),
    onEnded: () => connections.delete(connection),
  });
  connections.add(connection, listener);
}

const localErrorCodes: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EADDRNOTAVAIL']);

function createSourceFilter({ sourceRanges }: Demand): (client: string) => boolean {
  if (sourceRanges.length === 0) return () => true;
  const ranges = new BlockList();
  for (const range of sourceRanges) {
    const [network = '', prefix] = range.split('/');
    ranges.addSubnet(network, Number(prefix), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return (client) => ranges.check(client, isIPv6(client) ? 'ipv6' : 'ipv4');
}
