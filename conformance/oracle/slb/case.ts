import type { LoadBalancerIngress } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';

export type CloudOp = 'get' | 'ensure' | 'update' | 'delete';

/** The result of a cloud call: success, a failure, implemented elsewhere, or retry after 7 seconds. */
export type CloudOutcome = 'none' | 'error' | 'elsewhere' | 'retry';

/** The history of one Service and the nodes. */
export interface SlbCase {
  readonly id: string;
  readonly steps: readonly SlbStep[];
}

export interface SlbStep {
  /**
   * A write by another client. While the UID is the same, absent finalizers and status stay unchanged. Null deletes without a watch event.
   */
  readonly service?: BalancedService | null;
  /** All nodes from now on. */
  readonly nodes?: readonly BalancedNode[];
  readonly cloudError?: CloudOutcome | Readonly<Partial<Record<CloudOp, CloudOutcome>>>;
  /** The result of `ensure`; one address by default. */
  readonly ingress?: readonly LoadBalancerIngress[];
  /** Whether the cloud has the load balancer, regardless of previous calls. */
  readonly exists?: boolean;
  /** The API server's answer to every patch. */
  readonly apiError?: 'conflict' | 'notfound';
  /** Restarts the controller. */
  readonly restart?: boolean;
  /** Resends the Service unchanged. */
  readonly resync?: boolean;
}

export interface SlbAnswer {
  readonly id: string;
  readonly steps: readonly SlbStepAnswer[];
}

export interface SlbStepAnswer {
  /** For the previous and the new Service; null unless both exist. */
  readonly needsUpdate: boolean | null;
  readonly needsCleanup: boolean | null;
  /** Whether the handler enqueued the Service. */
  readonly enqueued: boolean;
  /** Events of the handler, for example "Normal Type ClusterIP -> LoadBalancer". */
  readonly events: readonly string[];
  readonly syncs: readonly SlbSync[];
  /** Null if no node change required a node sync. */
  readonly nodeSync: SlbSync | null;
  /** The stored Service; null if it was deleted. */
  readonly service: { readonly finalizers: readonly string[]; readonly ingress: readonly LoadBalancerIngress[] } | null;
  /** Whether the last sync failed. */
  readonly retry: boolean;
}

export interface SlbSync {
  readonly calls: readonly { readonly op: CloudOp; readonly hosts?: readonly string[] }[];
  readonly patches: readonly unknown[];
  /** The load balancer statuses that replace the stored one (up to 1.14); absent if there are none. */
  readonly updates?: readonly unknown[];
  /** The Service after each accepted write, by the original's strategic merge; absent from the library's answers. */
  readonly patched?: readonly BalancedService[];
  readonly events: readonly string[];
  readonly error?: string;
  /** As Go prints it, for example "7s". */
  readonly retryAfter?: string;
}
