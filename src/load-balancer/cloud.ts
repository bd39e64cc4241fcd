import type { BalancedNode, BalancedService, LoadBalancerStatus } from './objects.ts';

/**
 * A cloud, as far as the service load-balancer controller needs one.
 *
 * Mirrors Interface (1.36, staging/src/k8s.io/cloud-provider/cloud.go).
 */
export interface CloudPort {
  /** In messages and logs. */
  readonly name: string;
  /** Undefined: a cloud without load balancers. */
  readonly balancers: BalancerPort | undefined;
}

/**
 * The load balancers of a cloud. Each belongs to one Service, told by its UID; every call may be made again.
 * A call that is aborted by its signal may still take effect.
 *
 * Mirrors LoadBalancer (1.36, staging/src/k8s.io/cloud-provider/cloud.go), but for `list`.
 */
export interface BalancerPort {
  /** Undefined where there is none. @throws CloudError, or anything else as a failure to be tried again */
  get(request: BalancerRequest): Promise<LoadBalancerStatus | undefined>;
  /** Makes it, or brings it to what the Service and the nodes ask for. */
  ensure(request: HostsRequest): Promise<LoadBalancerStatus>;
  /** Only the nodes have changed. */
  update(request: HostsRequest): Promise<void>;
  /** None afterwards, also where there was none. */
  delete(request: BalancerRequest): Promise<void>;
  /**
   * All that this cluster has, where the cloud can tell: so those whose Service went unseen are found, and deleted. What is listed under a
   * clusterName has to be this controller's alone.
   */
  list?(request: { readonly clusterName: string; readonly signal: AbortSignal }): Promise<readonly BalancerReference[]>;
}

export interface BalancerRequest {
  /** By which a cloud tells the clusters that share it apart. */
  readonly clusterName: string;
  readonly service: BalancedService;
  /** Aborted when the answer is of no use any more. */
  readonly signal: AbortSignal;
}

export interface HostsRequest extends BalancerRequest {
  /** Sorted by name. */
  readonly nodes: readonly BalancedNode[];
}

/** Whose load balancer. */
export interface BalancerReference {
  readonly namespace: string;
  readonly name: string;
  /** Of the Service. */
  readonly uid: string;
}

/**
 * `Elsewhere`: another controller sees to this Service (ImplementedElsewhere). `RetryAfter`: to be tried again after `retryAfter`
 * milliseconds (api.RetryError). `Invalid`: what the Service asks for cannot be had. `Failed`: anything else.
 */
export type CloudErrorCode = 'Elsewhere' | 'RetryAfter' | 'Invalid' | 'Failed';

/** What a cloud answers instead. */
export class CloudError extends Error {
  override readonly name = 'CloudError';
  readonly code: CloudErrorCode;
  /** Milliseconds; of `RetryAfter`. */
  readonly retryAfter: number | undefined;

  constructor(code: CloudErrorCode, message: string, options: { readonly retryAfter?: number; readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.retryAfter = options.retryAfter;
  }
}

/** Told by its name: a cloud may come with a copy of this package of its own. */
export const isCloudError = (error: unknown): error is CloudError => error instanceof Error && error.name === 'CloudError';
