import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, hasReason } from 'kube-endpoints/port';

/**
 * Why a sync failed:
 * - `stale`: the cache is older than this replica's writes or its reads from the API server;
 * - `lagging`: the API server rejected a write because the cache is out of date;
 * - `lost`: another replica owns the Service now;
 * - `terminating`: the namespace is being deleted and accepts no new objects;
 * - `unconverted`: the caller's `toPod` failed for a workload, and no earlier result for it is known;
 * - `outage`: the server did not answer, or answered 429 or 5xx; also any unexpected error;
 * - `refused`: the server rejected the request for another reason, or no plan is possible; a retry fails unless an object changes.
 */
export type FailureKind = 'stale' | 'lagging' | 'lost' | 'terminating' | 'unconverted' | 'outage' | 'refused';

/** The cache is out of date; nothing was written. */
export class StaleCacheError extends Error {
  override readonly name = 'StaleCache';
}

/** This replica no longer owns the Service; nothing was written. */
export class OwnershipLostError extends Error {
  override readonly name = 'OwnershipLost';

  constructor(key: string) {
    super(`Service ${key} belongs to another replica`);
  }
}

/** The objects allow no plan, or only part of one. Only a change of an object can resolve this. */
export class UnplannableError extends Error {
  override readonly name = 'Unplannable';
}

/** toPod failed for a workload, so the pods of its namespace are not completely known. */
export class UnconvertedWorkloadError extends Error {
  override readonly name = 'UnconvertedWorkload';
}

/** Several writes of a sync have failed. */
export class PartialFailureError extends Error {
  override readonly name = 'PartialFailure';
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super(errors.map(messageOf).join(', '));
    this.errors = errors;
  }
}

/** Handles a rejection: returns undefined if the object does not exist. @throws all other errors */
export function ignoreNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof StaleCacheError) return 'stale';
  if (error instanceof OwnershipLostError) return 'lost';
  if (error instanceof UnconvertedWorkloadError) return 'unconverted';
  if (error instanceof PartialFailureError) return pickMostImportant(error.errors.map(classifyFailure));
  if (hasReason(error, 'Conflict', 'AlreadyExists', 'NotFound')) return 'lagging';
  if (isTerminating(error)) return 'terminating';
  if (error instanceof ApiError) return error.code === 429 || error.code >= 500 ? 'outage' : 'refused';
  return error instanceof UnplannableError ? 'refused' : 'outage';
}

const pickMostImportant = (kinds: readonly FailureKind[]): FailureKind =>
  kindsByImportance.find((kind) => kinds.includes(kind)) ?? 'refused';

const kindsByImportance: readonly FailureKind[] = ['lost', 'refused', 'outage', 'unconverted', 'lagging', 'stale', 'terminating'];

const isTerminating = (error: unknown): boolean =>
  hasReason(error, 'Forbidden') && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
