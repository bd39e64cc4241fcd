import { isIP } from 'node:net';
import type { BalancedNode } from 'kube-endpoints/load-balancer';
import type { SteadyClock } from 'kube-endpoints/port';
import type { Target } from './forward.ts';

/** A node as connections are forwarded to it. */
export interface TargetNode {
  readonly name: string;
  readonly address: string;
}

/** The nodes that connections of one Service go to, with what is known of them. */
export interface Targets {
  readonly nodes: readonly TargetNode[];
  set(next: TargetSet): void;
  /** The next node to try for a client, in turn; those that failed lately come last. Undefined: none is left. */
  pick(choice: Choice): Target | undefined;
  connected(client: string, target: Target): void;
  failed(target: Target): void;
  isAvoided(target: Target): boolean;
}

export interface TargetSet {
  readonly nodes: readonly TargetNode[];
  readonly nodePorts: readonly number[];
  /** For how many milliseconds a client stays with its node; undefined: not at all. */
  readonly affinity: number | undefined;
}

export interface Choice {
  readonly client: string;
  readonly nodePort: number;
  /** Names of nodes that this connection was already tried with. */
  readonly tried: ReadonlySet<string>;
  /** Whether a node may take connections; undefined: not known yet. */
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
  let turn = 0;
  const find = (fits: (node: TargetNode) => boolean): TargetNode | undefined => {
    for (let i = 0; i < nodes.length; i++) {
      const node = nodes[(turn + i) % nodes.length] as TargetNode;
      if (!fits(node)) continue;
      turn = (turn + i + 1) % nodes.length;
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
        // Better one that failed lately than none.
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

/** The address of a node that its node ports are reached by. */
export function targetNode({ metadata, status }: BalancedNode): TargetNode | undefined {
  const found = status?.addresses?.find(({ type, address }) => type === 'InternalIP' && isIP(address) !== 0);
  return found && { name: metadata?.name ?? '', address: found.address };
}

type Place = Pick<Target, 'address' | 'port'>;

/** Which places did not accept, and until when they are left alone. */
function createAvoided(clock: SteadyClock, milliseconds: number) {
  const until = new Map<string, { readonly place: Place; time: number }>();
  const keyOf = ({ address, port }: Place): string => `${address} ${port}`;
  return {
    has: (place: Place): boolean => (until.get(keyOf(place))?.time ?? 0) > clock.elapsed(),
    /** Once its time is over one connection tries it, and the others go on avoiding it until that was accepted. */
    mayTry(place: Place): boolean {
      const entry = until.get(keyOf(place));
      if (!entry) return true;
      if (entry.time > clock.elapsed()) return false;
      entry.time = clock.elapsed() + milliseconds;
      return true;
    },
    add: (place: Place): void => void until.set(keyOf(place), { place, time: clock.elapsed() + milliseconds }),
    clear: (place: Place): void => void until.delete(keyOf(place)),
    keep(isOurs: (place: Place) => boolean): void {
      for (const [key, { place }] of until) if (!isOurs(place)) until.delete(key);
    },
  };
}

/** Which node each client was with, and when; those that came longest ago first. */
function createClients(clock: SteadyClock, most: number) {
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
      if (seen.size > most && oldest !== undefined) seen.delete(oldest);
    },
    clear: (): void => seen.clear(),
  };
}
