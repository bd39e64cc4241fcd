import { messageOf, metaNamespaceKey } from '../apimachinery/index.ts';
import { isCloudError } from './cloud.ts';
import type { LoadBalancerSettings } from './gates.ts';
import type { BalancedService } from './objects.ts';
import type { EventEffect } from './planner.ts';

/** Creates the error of a failed step, with the cloud's retry delay if the release honours that. */
export function createSyncError(step: string, error: unknown, settings: LoadBalancerSettings | undefined): SyncError {
  const message = step ? `${step}: ${messageOf(error)}` : messageOf(error);
  return new SyncError(message, { cause: error, retryAfter: settings?.retryAfterHonoured ? retryAfterOf(error) : undefined });
}

export const isElsewhereError = (error: unknown): boolean => isCloudError(error) && error.code === 'Elsewhere';

/** Checks the field, because this module may not import the one that defines ApiError. */
const hasReason = (error: unknown, reason: string): boolean => error instanceof Error && 'reason' in error && error.reason === reason;

/** Whether an API server returned NotFound. */
export const isNotFoundError = (error: unknown): boolean => hasReason(error, 'NotFound');

/** Whether an API server returned Conflict. */
export const isConflictError = (error: unknown): boolean => hasReason(error, 'Conflict');

export const createNormalEvent = (service: BalancedService, reason: string, message: string): EventEffect => ({
  do: 'event',
  service,
  type: 'Normal',
  reason,
  message,
});

export const createWarningEvent = (service: BalancedService, reason: string, message: string): EventEffect => ({
  do: 'event',
  service,
  type: 'Warning',
  reason,
  message,
});

export function createNoNodesEvent(service: BalancedService, { failuresRenamed }: LoadBalancerSettings): EventEffect {
  const name = failuresRenamed ? '' : ` service ${metaNamespaceKey(service.metadata ?? {})}`;
  return createWarningEvent(service, 'UnAvailableLoadBalancer', `There are no available nodes for LoadBalancer${name}`);
}

function retryAfterOf(error: unknown): number | undefined {
  if (!isCloudError(error) || error.code !== 'RetryAfter') return undefined;
  const delay = error.retryAfter;
  return typeof delay === 'number' && Number.isFinite(delay) && delay >= 0 ? delay : undefined;
}

/** The error that ends a sync. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  /** Milliseconds until the retry; undefined means the queue's own backoff. */
  readonly retryAfter: number | undefined;

  constructor(message: string, options: { readonly retryAfter?: number | undefined; readonly cause?: unknown } = {}) {
    super(message, options);
    this.retryAfter = options.retryAfter;
  }
}
