import { isIP } from 'node:net';
import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { SteadyClock } from 'kube-endpoints/port';
import type { Target } from './forward.ts';

/** A node that connections can be forwarded to. */
export interface TargetNode {
  readonly name: string;
  readonly address: string;
}

/** The nodes for connections of one Service, and their state. */
export interface Targets {
  readonly nodes: readonly TargetNode[];
  set(targetSet: TargetSet): void;
  /** Picks the next node for a client, round robin; nodes that failed recently come last. Undefined if there is no other node. */
  pick(options: PickOptions): Target | undefined;
  recordConnection(client: string, target: Target): void;
  recordFailure(target: Target): void;
  isAvoided(target: Target): boolean;
}

export interface TargetSet {
  readonly nodes: readonly TargetNode[];
  readonly nodePorts: readonly number[];
  /** Timeout of the session affinity in milliseconds; undefined without session affinity. */
  readonly affinityMs: number | undefined;
}

export interface PickOptions {
  readonly client: string;
  readonly nodePort: number;
  /** Names of the nodes already tried for this connection. */
  readonly triedNodes: ReadonlySet<string>;
  /** Whether a node may receive connections; undefined if not yet known. */
  readonly isHealthy: (node: TargetNode) => boolean | undefined;
}

export interface TargetsOptions {
  readonly clock: SteadyClock;
  /** How long a target is avoided after a failed connection. */
  readonly avoidMs: number;
  /** The number of clients whose last node is remembered for session affinity. */
  readonly maxClients: number;
}

export function createTargets({ clock, avoidMs, maxClients }: TargetsOptions): Targets {
  const avoidedTargets = createAvoidedTargets(clock, avoidMs);
  const clientNodes = createClientNodes(clock, maxClients);
  let nodes: readonly TargetNode[] = [];
  let nodesByName = new Map<string, TargetNode>();
  let affinityMs: number | undefined;
  let nextIndex = 0;
  const findNext = (matches: (node: TargetNode) => boolean): TargetNode | undefined => {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[(nextIndex + i) % nodes.length] as TargetNode;
      if (!matches(node)) continue;
      nextIndex = (nextIndex + i + 1) % nodes.length;
      return node;
    }
    return undefined;
  };
  return {
    get nodes() {
      return nodes;
    },
    set(targetSet) {
      nodes = [...targetSet.nodes];
      nodesByName = new Map(nodes.map((node) => [node.name, node]));
      affinityMs = targetSet.affinityMs;
      if (affinityMs === undefined) clientNodes.clear();
      const addresses = new Set(nodes.map(({ address }) => address));
      avoidedTargets.retain(({ address, port }) => addresses.has(address) && targetSet.nodePorts.includes(port));
    },
    pick({ client, nodePort, triedNodes, isHealthy }) {
      const isCandidate = (node: TargetNode, expectedHealth: boolean | undefined): boolean =>
        !triedNodes.has(node.name) && isHealthy(node) === expectedHealth;
      const createAttemptCheck = (expectedHealth: boolean | undefined) => (node: TargetNode) =>
        isCandidate(node, expectedHealth) && avoidedTargets.admitAttempt({ ...node, port: nodePort });
      const affinityNode = affinityMs === undefined ? undefined : nodesByName.get(clientNodes.nodeOf(client, affinityMs) ?? '');
      const node =
        (affinityNode && createAttemptCheck(true)(affinityNode) ? affinityNode : undefined) ??
        findNext(createAttemptCheck(true)) ??
        findNext(createAttemptCheck(undefined)) ??
        // If all candidates failed recently, uses one of them.
        findNext((node) => isCandidate(node, true) || isCandidate(node, undefined));
      return node && { node: node.name, address: node.address, port: nodePort };
    },
    recordConnection(client, target) {
      avoidedTargets.clear(target);
      if (affinityMs !== undefined) clientNodes.set(client, target.node);
    },
    recordFailure: (target) => avoidedTargets.add(target),
    isAvoided: (target) => avoidedTargets.has(target),
  };
}

/** Returns the name of a node and its InternalIP, at which its node ports are reached; undefined if it has no valid InternalIP. */
export function toTargetNode({ metadata, status }: BalancedNode): TargetNode | undefined {
  const internalAddress = status?.addresses?.find(({ type, address }) => type === 'InternalIP' && isIP(address) !== 0);
  return internalAddress && { name: metadata?.name ?? '', address: internalAddress.address };
}

type TargetAddress = Pick<Target, 'address' | 'port'>;

/** Tracks the targets that did not accept a connection, and the time until which each is avoided. */
function createAvoidedTargets(clock: SteadyClock, milliseconds: number) {
  const entries = new Map<string, { readonly target: TargetAddress; avoidedUntil: number }>();
  const keyOf = ({ address, port }: TargetAddress): string => `${address} ${port}`;
  return {
    has: (target: TargetAddress): boolean => (entries.get(keyOf(target))?.avoidedUntil ?? 0) > clock.elapsed(),
    /**
     * Returns whether a connection may try the target. After the avoided time, one connection may. The others avoid the target for the same
     * time again, unless that connection succeeds.
     */
    admitAttempt(target: TargetAddress): boolean {
      const entry = entries.get(keyOf(target));
      if (!entry) return true;
      if (entry.avoidedUntil > clock.elapsed()) return false;
      entry.avoidedUntil = clock.elapsed() + milliseconds;
      return true;
    },
    add: (target: TargetAddress): void => void entries.set(keyOf(target), { target, avoidedUntil: clock.elapsed() + milliseconds }),
    clear: (target: TargetAddress): void => void entries.delete(keyOf(target)),
    retain(isCurrent: (target: TargetAddress) => boolean): void {
      for (const [key, { target }] of entries) if (!isCurrent(target)) entries.delete(key);
    },
  };
}

/** The last node of each client, for session affinity; least recently used first. */
function createClientNodes(clock: SteadyClock, maxClients: number) {
  const lastNodes = new Map<string, { readonly node: string; readonly time: number }>();
  return {
    nodeOf(client: string, milliseconds: number): string | undefined {
      const entry = lastNodes.get(client);
      return entry && clock.elapsed() - entry.time < milliseconds ? entry.node : undefined;
    },
    set(client: string, node: string): void {
      lastNodes.delete(client);
      lastNodes.set(client, { node, time: clock.elapsed() });
      const [oldest] = lastNodes.keys();
      if (lastNodes.size > maxClients && oldest !== undefined) lastNodes.delete(oldest);
    },
    clear: (): void => lastNodes.clear(),
  };
}
