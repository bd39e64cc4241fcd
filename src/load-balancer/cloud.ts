import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';

/**
 * The part of a cloud provider that the service controller uses.
 *
 * Mirrors Interface (1.36, staging/src/k8s.io/cloud-provider/cloud.go).
 */
export interface CloudPort {
  /** For messages and logs. */
  readonly name: string;
  /** Undefined if the cloud has no load balancers. */
  readonly balancers: BalancerPort | undefined;
}

/**
 * The load balancers of a cloud. Each belongs to one Service, identified by its UID. Every call must be idempotent: a call may
 * still take effect after its signal aborts it.
 *
 * Mirrors LoadBalancer (1.36, staging/src/k8s.io/cloud-provider/cloud.go), except for `list`.
 */
export interface BalancerPort {
  /**
   * The status of the load balancer; undefined if it does not exist.
   * @throws CloudError, or any other error, which counts as a failure to retry
   */
  get(request: BalancerRequest): Promise<LoadBalancerStatus | undefined>;
  /** Creates the load balancer, or updates it to match the Service and the nodes. */
  ensure(request: HostsRequest): Promise<LoadBalancerStatus>;
  /** Updates only the nodes of the load balancer. */
  update(request: HostsRequest): Promise<void>;
  /** Deletes the load balancer; succeeds if it does not exist. */
  delete(request: BalancerRequest): Promise<void>;
  /**
   * Lists all load balancers of this cluster. Optional: lets the controller find and delete load balancers whose Service was deleted
   * unobserved. All load balancers listed under a clusterName must belong to this controller.
   */
  list?(request: { readonly clusterName: string; readonly signal: AbortSignal }): Promise<readonly BalancerReference[]>;
}

export interface BalancerRequest {
  /** Distinguishes clusters that share a cloud. */
  readonly clusterName: string;
  readonly service: BalancedService;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
}

export interface HostsRequest extends BalancerRequest {
  /** Sorted by name. */
  readonly nodes: readonly BalancedNode[];
}

/** Identifies the Service of a load balancer. */
export interface BalancerReference {
  readonly namespace: string;
  readonly name: string;
  /** UID of the Service. */
  readonly uid: string;
}

/**
 * `Elsewhere`: another controller manages this Service (ImplementedElsewhere). `RetryAfter`: retry after `retryAfter` milliseconds
 * (api.RetryError). `Invalid`: the cloud cannot satisfy the Service's spec. `Failed`: any other failure.
 */
export type CloudErrorCode = 'Elsewhere' | 'RetryAfter' | 'Invalid' | 'Failed';

/** A failure reported by a cloud. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;
  /** Milliseconds; set with `RetryAfter`. */
  readonly retryAfter: number | undefined;

  constructor(code: CloudErrorCode, message: string, options: { readonly retryAfter?: number; readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** Checks the name, not the class: a cloud may bundle its own copy of this package. */
export const isCloudError = (error: unknown): error is CloudError => error instanceof Error && error.name === 'CloudError';
