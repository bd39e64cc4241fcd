import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';

/** The effect of a change of a Service. */
export interface ServiceChange {
  /** Whether to enqueue a sync. */
  readonly due: boolean;
  /** Events that the comparison itself emits (older releases). */
  readonly events: readonly EventEffect[];
}

/** The rules of one release's service controller, and its state: the known Services, and the nodes last passed for each. */
export interface LoadBalancerPlanner {
  /**
   * Handles an added, updated or deleted Service. From 1.16 on a deleted Service requires no sync, because its load balancer was cleaned up
   * before.
   */
  serviceChanged(old: BalancedService | undefined, service: BalancedService | undefined): ServiceChange;
  /**
   * Whether an added, changed or deleted node triggers a node sync. Always false up to 1.18, where only a timer triggers node syncs; in
   * 1.19 to 1.25, both a timer and node changes do.
   */
  nodeChanged(old: BalancedNode | undefined, node: BalancedNode | undefined): boolean;
  /** Syncs the Service with key "namespace/name"; `service` is undefined if it does not exist. @throws SyncError */
  sync(key: string, service: BalancedService | undefined, nodes: readonly BalancedNode[]): Steps<void>;
  /**
   * Starts a node sync: returns the keys of the Services to pass to `syncNodes`. In releases with a timer (`nodeSyncPeriod`), returns
   * all Services if the nodes differ from the previous node sync, else the Services that failed then.
   */
  servicesToUpdate(nodes: readonly BalancedNode[]): readonly string[];
  /**
   * Updates the nodes of one Service's load balancer. Returns true if the update must be retried, by a sync or, with a timer, by the
   * next node sync.
   */
  syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean>;
  /** Milliseconds between node syncs; undefined if only changes of nodes trigger them. */
  readonly nodeSyncPeriod: number | undefined;
  /** Whether Services whose node update failed are enqueued for a sync. */
  readonly failuresToQueue: boolean;
  /** Keys of the Services that may have a load balancer. */
  readonly keys: Iterable<string>;
  /** Forgets a Service that another replica owns now. */
  forget(key: string): void;
}

/** An action that a sync requests and waits for. */
export type Effect =
  /** Result: the status, or undefined if the load balancer does not exist. */
  | { readonly do: 'get'; readonly service: BalancedService }
  /** Result: the status, unvalidated. */
  | { readonly do: 'ensure'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'update'; readonly service: BalancedService; readonly nodes: readonly BalancedNode[] }
  | { readonly do: 'delete'; readonly service: BalancedService }
  /** A strategic merge patch of the status subresource. It may also change finalizers. */
  | { readonly do: 'patch'; readonly service: BalancedService; readonly patch: Readonly<Record<string, unknown>> }
  /**
   * Replaces the status of this version of the Service (up to 1.14). Unless the error is NotFound or Conflict, `statusAttempts` apply before
   * it is passed to the sync.
   */
  | { readonly do: 'updateStatus'; readonly service: BalancedService; readonly status: LoadBalancerStatus }
  | EventEffect;

/** The number of attempts to replace a status, and the milliseconds between them. Mirrors clientRetryCount and clientRetryInterval (1.14). */
export const statusAttempts = { count: 5, intervalMs: 5000 } as const;

/** An Event about the Service; it has no result. */
export interface EventEffect {
  readonly do: 'event';
  readonly service: BalancedService;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/**
 * A sync as a generator: it yields the next effect, and receives the effect's result through `next` or error through `throw`. The only
 * errors that the generator itself throws are SyncErrors.
 */
export type Steps<Result> = Generator<Effect, Result, unknown>;

/** The node sync of a release, with its state. */
export interface NodeSync {
  /** Starts a node sync. Returns the keys of the Services to pass to `syncNodes`. */
  begin(nodes: readonly BalancedNode[]): readonly string[];
  syncNodes(key: string, nodes: readonly BalancedNode[]): Steps<boolean>;
  /** Records that a sync passes these nodes to the load balancer. */
  recordNodes(key: string, nodes: readonly BalancedNode[]): void;
  forget(key: string): void;
}

/** State that node syncs share with syncs. */
export interface SyncState {
  /** The Services that may have a load balancer. */
  readonly knownServices: ReadonlyMap<string, BalancedService>;
  /** Keys of the Services with a sync in progress; the nodes that it passes may be out of date. */
  readonly syncingKeys: ReadonlySet<string>;
}
