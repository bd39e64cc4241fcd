import { requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import type { BalancerReference } from 'kube-endpoints/load-balancer';
import type { SteadyClock } from 'kube-endpoints/port';

/** Timeouts (in milliseconds) and limits of the forwarding. */
export interface TcpSettings {
  /** Timeout for connecting to a node; then another node is tried. 2 seconds by default. */
  readonly connectMs: number;
  /** Time for which a node that failed to accept is avoided if there are others. 10 seconds by default. */
  readonly avoidMs: number;
  /** Maximum number of nodes tried per connection. 5 by default. */
  readonly attempts: number;
  /** Time between two health probe rounds, if the Service has a health check node port. 5 seconds by default. */
  readonly probeMs: number;
  /** Timeout of a health probe. 2 seconds by default. */
  readonly probeTimeoutMs: number;
  /** Time for which connections may continue after their load balancer was deleted or lost the port. 30 seconds by default. */
  readonly drainMs: number;
  /** Maximum number of connections of all Services; more are refused. 4,096 by default. */
  readonly maxConnections: number;
  /** Maximum number of clients remembered for a Service's session affinity; the least recent is dropped first. 10,000 by default. */
  readonly maxClients: number;
}

/**
 * Validates the options, and applies defaults to undefined ones.
 * @throws RangeError that names the option
 */
export function createSettings(options: Partial<TcpSettings>): TcpSettings {
  const names = Object.keys(defaultSettings) as (keyof TcpSettings)[];
  const read = (name: keyof TcpSettings): number => requireWholeNumber(name, options[name] ?? defaultSettings[name], minimums[name] ?? 1);
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

/** The minimum is 1 unless listed here. */
const minimums: Partial<Record<keyof TcpSettings, number>> = { avoidMs: 0, drainMs: 0 };

/** Events of the cloud, for logs. */
export type TcpCloudEvent =
  /** A load balancer started to listen, or its address or ports changed. */
  | { readonly kind: 'listening'; readonly reference: BalancerReference; readonly address: string; readonly ports: readonly string[] }
  | { readonly kind: 'deleted'; readonly reference: BalancerReference; readonly connections: number }
  /** A node did not accept a connection, and is avoided for a while. */
  | { readonly kind: 'nodeFailed'; readonly reference: BalancerReference; readonly node: string; readonly problem: string }
  /** The health of a node changed. */
  | { readonly kind: 'health'; readonly reference: BalancerReference; readonly node: string; readonly healthy: boolean }
  /** Nodes without a valid InternalIP, which cannot be reached. */
  | { readonly kind: 'withoutAddress'; readonly reference: BalancerReference; readonly nodes: readonly string[] }
  /** A connection was reset before it reached a node. */
  | { readonly kind: 'refused'; readonly reference: BalancerReference; readonly client: string; readonly reason: RefusalReason };

export type RefusalReason = 'sourceRanges' | 'tooMany' | 'noNode';

export type TcpCloudObserver = (event: TcpCloudEvent) => void;

/** Context that all modules of the cloud share. */
export interface TcpContext {
  readonly clock: SteadyClock;
  readonly settings: TcpSettings;
  readonly onEvent: TcpCloudObserver;
}
