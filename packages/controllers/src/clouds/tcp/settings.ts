import { requireWholeNumber } from 'kube-endpoints/internal';
import type { BalancerReference } from 'kube-endpoints/load-balancer';
import type { SteadyClock } from 'kube-endpoints/port';

/** Milliseconds and counts by which the forwarding goes. */
export interface TcpSettings {
  /** How long a node may take to accept a connection; then another is tried. 2 seconds by default. */
  readonly connectMs: number;
  /** How long a node that did not accept is avoided as long as there are others. 10 seconds by default. */
  readonly avoidMs: number;
  /** How many nodes are tried for one connection. 5 by default. */
  readonly attempts: number;
  /** Between two looks at the health of the nodes, where the Service has a health check node port. 5 seconds by default. */
  readonly probeMs: number;
  /** How long a node may take to tell its health. 2 seconds by default. */
  readonly probeTimeoutMs: number;
  /** How long connections may go on after their load balancer was deleted, or has lost the port. 30 seconds by default. */
  readonly drainMs: number;
  /** How many connections there may be, of all Services; more are refused. 4,096 by default. */
  readonly maxConnections: number;
  /** How many clients a Service's session affinity remembers; those that came longest ago are forgotten first. 10,000 by default. */
  readonly maxClients: number;
}

/**
 * Options that are there but undefined are those by default.
 * @throws RangeError that names the option
 */
export function settingsFrom(options: Partial<TcpSettings>): TcpSettings {
  const names = Object.keys(defaultSettings) as (keyof TcpSettings)[];
  const read = (name: keyof TcpSettings): number => requireWholeNumber(name, options[name] ?? defaultSettings[name], leastOf[name] ?? 1);
  return Object.fromEntries(names.map((name) => [name, read(name)])) as unknown as TcpSettings;
}

const defaultSettings: TcpSettings = {
  connectMs: 2000,
  avoidMs: 10_000,
  attempts: 5,
  probeMs: 5000,
  probeTimeoutMs: 2000,
  drainMs: 30_000,
  maxConnections: 4096,
  maxClients: 10_000,
};

/** 1 where nothing else is said. */
const leastOf: Partial<Record<keyof TcpSettings, number>> = { avoidMs: 0, drainMs: 0 };

/** What the cloud tells of itself, for logs. */
export type TcpHappening =
  /** A load balancer listens, at first or to something else than before. */
  | { readonly kind: 'listening'; readonly reference: BalancerReference; readonly address: string; readonly ports: readonly string[] }
  | { readonly kind: 'deleted'; readonly reference: BalancerReference; readonly connections: number }
  /** A node did not accept a connection, and is avoided for a while. */
  | { readonly kind: 'nodeFailed'; readonly reference: BalancerReference; readonly node: string; readonly problem: string }
  /** A node tells that its health has changed. */
  | { readonly kind: 'health'; readonly reference: BalancerReference; readonly node: string; readonly healthy: boolean }
  /** Nodes cannot be reached: they have no InternalIP. */
  | { readonly kind: 'withoutAddress'; readonly reference: BalancerReference; readonly nodes: readonly string[] }
  /** A connection was reset before it reached a node. */
  | { readonly kind: 'refused'; readonly reference: BalancerReference; readonly client: string; readonly because: Refused };

export type Refused = 'sourceRanges' | 'tooMany' | 'noNode';

export type TellTcp = (happening: TcpHappening) => void;

/** What all parts of the cloud share. */
export interface TcpContext {
  readonly clock: SteadyClock;
  readonly settings: TcpSettings;
  readonly tell: TellTcp;
}
