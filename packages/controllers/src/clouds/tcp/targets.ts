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
  set(next: TargetSet): void;
  /** Picks the next node for a client, round robin; nodes that failed recently come last. Undefined if none is left. */
  pick(choice: Choice): Target | undefined;
  connected(client: string, target: Target): void;
  failed(target: Target): void;
  isAvoided(target: Target): boolean;
}

export interface TargetSet {
  readonly nodes: readonly TargetNode[];
  readonly nodePorts: readonly number[];
  /** Timeout of the session affinity in milliseconds; undefined without session affinity. */
  readonly affinity: number | undefined;
}

export interface Choice {
  readonly client: string;
  readonly nodePort: number;
  /** Names of the nodes already tried for this connection. */
  readonly tried: ReadonlySet<string>;
  /** Whether a node may receive connections; undefined if not yet known. */
  readonly healthy: (node: TargetNode) => boolean | undefined;
}

export interface TargetsOptions {
  readonly clock: SteadyClock;
  readonly avoidMs: number;
  readonly maxClients: number;
}

export function createTargets({ clock, avoidMs, maxClients }: TargetsOptions): Targets {
  const avoided = createAvoided(clock, avoidMs);
  const clients = createClients(clock, maxClients);
  let nodes: readonly TargetNode[] = [];
  let byName = new Map<string, TargetNode>();
  let affinity: number | undefined;
  let nextIndex = 0;
  const find = (fits: (node: TargetNode) => boolean): TargetNode | undefined => {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[(nextIndex + i) % nodes.length] as TargetNode;
      if (!fits(node)) continue;
      nextIndex = (nextIndex + i + 1) % nodes.length;
      return node;
    }
    return undefined;
  };
  return {
    get nodes() {
      return nodes;
    },
    set(next) {
      nodes = [...next.nodes];
      byName = new Map(nodes.map((node) => [node.name, node]));
      affinity = next.affinity;
      if (affinity === undefined) clients.clear();
      const addresses = new Set(nodes.map(({ address }) => address));
      avoided.keep(({ address, port }) => addresses.has(address) && next.nodePorts.includes(port));
    },
    pick({ client, nodePort, tried, healthy }) {
      const may = (node: TargetNode, known: boolean | undefined): boolean => !tried.has(node.name) && healthy(node) === known;
      const good = (known: boolean | undefined) => (node: TargetNode) => may(node, known) && avoided.mayTry({ ...node, port: nodePort });
      const own = affinity === undefined ? undefined : byName.get(clients.nodeOf(client, affinity) ?? '');
      const node =
        (own && good(true)(own) ? own : undefined) ??
        find(good(true)) ??
        find(good(undefined)) ??
        // A node that failed recently is better than none.
        find((each) => may(each, true) || may(each, undefined));
      return node && { node: node.name, address: node.address, port: nodePort };
    },
    connected(client, target) {
      avoided.clear(target);
      if (affinity !== undefined) clients.set(client, target.node);
    },
    failed: (target) => avoided.add(target),
    isAvoided: (target) => avoided.has(target),
  };
}

/** The InternalIP of a node, through which its node ports are reached; undefined if it has none. */
export function targetNode({ metadata, status }: BalancedNode): TargetNode | undefined {
  const found = status?.addresses?.find(({ type, address }) => type === 'InternalIP' && isIP(address) !== 0);
  return found && { name: metadata?.name ?? '', address: found.address };
}

type TargetAddress = Pick<Target, 'address' | 'port'>;

/** Tracks places that did not accept a connection, and until when to avoid them. */
function createAvoided(clock: SteadyClock, milliseconds: number) {
  const until = new Map<string, { readonly target: TargetAddress; time: number }>();
  const keyOf = ({ address, port }: TargetAddress): string => `${address} ${port}`;
  return {
    has: (target: TargetAddress): boolean => (until.get(keyOf(target))?.time ?? 0) > clock.elapsed(),
    /** After that time, one connection may try the target; others keep avoiding it until that one succeeds. */
    mayTry(target: TargetAddress): boolean {
      const entry = until.get(keyOf(target));
      if (!entry) return true;
      if (entry.time > clock.elapsed()) return false;
      entry.time = clock.elapsed() + milliseconds;
      return true;
    },
    add: (target: TargetAddress): void => void until.set(keyOf(target), { target, time: clock.elapsed() + milliseconds }),
    clear: (target: TargetAddress): void => void until.delete(keyOf(target)),
    keep(isOurs: (target: TargetAddress) => boolean): void {
      for (const [key, { target }] of until) if (!isOurs(target)) until.delete(key);
    },
  };
}

/** The last node of each client and its time, least recent first. */
function createClients(clock: SteadyClock, maxClients: number) {
  const seen = new Map<string, { readonly node: string; readonly time: number }>();
  return {
    nodeOf(client: string, milliseconds: number): string | undefined {
      const entry = seen.get(client);
      return entry && clock.elapsed() - entry.time < milliseconds ? entry.node : undefined;
    },
    set(client: string, node: string): void {
      seen.delete(client);
      seen.set(client, { node, time: clock.elapsed() });
      const [oldest] = seen.keys();
      if (seen.size > maxClients && oldest !== undefined) seen.delete(oldest);
    },
    clear: (): void => seen.clear(),
  };
}
