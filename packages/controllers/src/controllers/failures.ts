import { messageOf } from 'kube-endpoints/internal/apimachinery';
import { ApiError, hasReason } from 'kube-endpoints/port';

/**
 * Why a sync failed:
 * - `stale`: the cache is older than this replica's writes or its reads from the API server;
 * - `lagging`: the API server rejected a write because the cache is out of date;
 * - `lost`: another replica owns the Service now;
 * - `terminating`: the namespace is being deleted and accepts no new objects;
 * - `unconverted`: toPod failed for a workload, and no earlier version of it is known;
 * - `outage`: the server did not answer, or cannot at the moment;
 * - `refused`: anything else; a retry fails, too, unless something changes.
 */
export type FailureKind = 'stale' | 'lagging' | 'lost' | 'terminating' | 'unconverted' | 'outage' | 'refused';

/** The cache is out of date; nothing was written. */
export class StaleCache extends Error {
  override readonly name = 'StaleCache';
}

/** This replica no longer owns the Service; nothing was written. */
export class OwnershipLost extends Error {
  override readonly name = 'OwnershipLost';

  constructor(key: string) {
    super(`Service ${key} belongs to another replica`);
  }
}

/** The objects allow no plan, or only part of one. Only a change of an object can resolve this. */
export class Unplannable extends Error {
  override readonly name = 'Unplannable';
}

/** A workload could not be read, so the set of pods is unknown. */
export class UnconvertedWorkload extends Error {
  override readonly name = 'UnconvertedWorkload';
}

/** Several writes of a sync have failed. */
export class PartialFailure extends Error {
  override readonly name = 'PartialFailure';
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super(errors.map(messageOf).join(', '));
    this.errors = errors;
  }
}

/** For `catch`: the result is undefined if the object does not exist. @throws all other errors */
export function ignoreNotFound(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

export function classifyFailure(error: unknown): FailureKind {
  if (error instanceof StaleCache) return 'stale';
  if (error instanceof OwnershipLost) return 'lost';
  if (error instanceof UnconvertedWorkload) return 'unconverted';
  if (error instanceof PartialFailure) return mostImportantOf(error.errors.map(classifyFailure));
  if (hasReason(error, 'Conflict', 'AlreadyExists', 'NotFound')) return 'lagging';
  if (isTerminating(error)) return 'terminating';
  if (error instanceof ApiError) return error.code === 429 || error.code >= 500 ? 'outage' : 'refused';
  return error instanceof Unplannable ? 'refused' : 'outage';
}

const mostImportantOf = (kinds: readonly FailureKind[]): FailureKind => kindsByImportance.find((kind) => kinds.includes(kind)) ?? 'refused';

const kindsByImportance: readonly FailureKind[] = ['lost', 'refused', 'outage', 'unconverted', 'lagging', 'stale', 'terminating'];

const isTerminating = (error: unknown): boolean =>
  hasReason(error, 'Forbidden') && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
