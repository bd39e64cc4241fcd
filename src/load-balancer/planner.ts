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

/** One thing that a sync wants done, before it goes on. */
export type Effect =
  /** Answered with the status, or undefined where there is no load balancer. */
  | { readonly do: 'get'; readonly service: BalancedService }
  /** Answered with the status, which has yet to be checked. */
  | { readonly do: 'ensure'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'update'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'delete'; readonly service: BalancedService }
  /** A strategic merge patch of the status subresource, finalizers included. */
  | { readonly do: 'patch'; readonly service: BalancedService; readonly patch: Readonly<Record<string, unknown>> }
  | EventEffect;

/** An Event about the Service; nothing to wait for. */
export interface EventEffect {
  readonly do: 'event';
  readonly service: BalancedService;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * A sync as a plan that goes step by step: gives the next effect, and is given its answer by `next`, or its error by `throw`.
 * What it throws itself is a SyncError.
 */
export type Steps<Result> = Generator<Effect, Result, unknown>;

/** The looks at the nodes, and what they remember. */
export interface Looks {
  begin(nodes: readonly BalancedNode[]): readonly string[];
  goOn(key: string, nodes: readonly BalancedNode[]): Steps<boolean>;
  /** A sync gives a load balancer these nodes. */
  given(key: string, nodes: readonly BalancedNode[]): void;
  forget(key: string): void;
}

/** What looks share with syncs. */
export interface SyncMemory {
  /** The Services that may have a load balancer. */
  readonly known: ReadonlyMap<string, BalancedService>;
  /** Those that a sync is under way for, with nodes that may be others by now. */
  readonly syncing: ReadonlySet<string>;
}
