import type { EventEffect, Steps } from './effects.ts';
import type { BalancedNode, BalancedService } from './objects.ts';

/** What a change of a Service means. */
export interface ServiceChange {
  /** Whether a sync is due. */
  readonly due: boolean;
  /** Events that the comparison itself makes (older releases). */
  readonly events: readonly EventEffect[];
}

/** The rules of the service controller in one release, with its memory: the Services it knows, and the nodes each was last given. */
export interface LoadBalancerPlanner {
  /** The handler of added and updated Services; a deleted one makes no sync due by itself. */
  serviceChanged(old: BalancedService | undefined, service: BalancedService): ServiceChange;
  /**
   * Whether a node that was added, changed or deleted makes a look at the nodes due. Always false up to 1.18, where only time does; from
   * 1.19 to 1.25 both do.
   */
  nodeChanged(old: BalancedNode | undefined, node: BalancedNode | undefined): boolean;
  /** One sync of the Service of a key ("namespace/name"); undefined: there is none. @throws SyncError */
  sync(key: string, service: BalancedService | undefined, nodes: readonly BalancedNode[]): Steps<void>;
  /**
   * A look at the nodes: the keys of the Services to go through by `syncNodes`.
   * Where looks are made by time (`nodeSyncPeriod`) it compares with the look before, and those that failed are among them.
   */
  servicesToUpdate(nodes: readonly BalancedNode[]): readonly string[];
  /** Brings the nodes of one Service's load balancer up to date. True: to be tried again, by a sync or, by time, at the next look. */
  syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean>;
  /** Milliseconds between two looks at the nodes; undefined where nothing but changes of nodes makes them due. */
  readonly nodeSyncPeriod: number | undefined;
  /** Whether Services whose nodes could not be brought up to date are synced by the queue. */
  readonly failuresToQueue: boolean;
  /** Keys of the Services it remembers a load balancer of. */
  readonly keys: Iterable<string>;
  /** Forgets a Service: it is another replica's. */
  forget(key: string): void;
}
