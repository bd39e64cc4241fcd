import type { LoadBalancerIngress } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService } from 'kube-endpoints/load-balancer';

export type CloudOp = 'get' | 'ensure' | 'update' | 'delete';

/** What a call of the cloud comes to: nothing wrong, a failure, seen to by another controller, or to be tried again after 7 seconds. */
export type CloudOutcome = 'none' | 'error' | 'elsewhere' | 'retry';

/** A life of one Service and the nodes, step by step. */
export interface SlbCase {
  readonly id: string;
  readonly steps: readonly SlbStep[];
}

export interface SlbStep {
  /** As somebody else writes it; null: gone, and nobody saw it go. What it does not say of finalizers and status stays, while the UID does. */
  readonly service?: BalancedService | null;
  /** All nodes from now on. */
  readonly nodes?: readonly BalancedNode[];
  readonly cloudError?: CloudOutcome | Readonly<Partial<Record<CloudOp, CloudOutcome>>>;
  /** What `ensure` answers; by default one address. */
  readonly ingress?: readonly LoadBalancerIngress[];
  /** Whether the cloud has the load balancer, whatever was done. */
  readonly exists?: boolean;
  /** How the API server answers to every patch. */
  readonly apiError?: 'conflict' | 'notfound';
  /** The controller starts anew. */
  readonly restart?: boolean;
  /** The Service is shown again as it is. */
  readonly resync?: boolean;
}

export interface SlbAnswer {
  readonly id: string;
  readonly steps: readonly SlbStepAnswer[];
}

export interface SlbStepAnswer {
  /** Of the Service before and the new one; null where there are not both. */
  readonly needsUpdate: boolean | null;
  readonly needsCleanup: boolean | null;
  /** By the handler. */
  readonly enqueued: boolean;
  /** Of the handler: "Normal Type ClusterIP -> LoadBalancer". */
  readonly events: readonly string[];
  readonly syncs: readonly SlbSync[];
  /** Null where no node made a look due. */
  readonly nodeSync: SlbSync | null;
  /** What the API server has; null where it is gone. */
  readonly service: { readonly finalizers: readonly string[]; readonly ingress: readonly LoadBalancerIngress[] } | null;
  /** Whether the last sync failed. */
  readonly retry: boolean;
}

export interface SlbSync {
  readonly calls: readonly { readonly op: CloudOp; readonly hosts?: readonly string[] }[];
  readonly patches: readonly unknown[];
  /** The Service after each patch that was not refused, by the original's own strategic merge; the library's answers are without. */
  readonly patched?: readonly BalancedService[];
  readonly events: readonly string[];
  readonly error?: string;
  /** As Go prints it: "7s". */
  readonly retryAfter?: string;
}
