import { messageOf } from 'kube-endpoints/internal';
import { ApiError, hasReason } from 'kube-endpoints/port';

/**
 * Why a sync did not come to its end:
 * - `stale`: the cache lags behind what this replica has written or knows;
 * - `lagging`: the API server says that the cache lags behind;
 * - `lost`: the Service is another replica's now;
 * - `terminating`: the namespace is going, and takes nothing new;
 * - `unread`: an object in the place of a pod cannot be read, and nothing is known of it;
 * - `outage`: the server did not answer, or could not at the moment;
 * - `refused`: anything else: it will not go better without a change.
 */
export type FailureKind = 'stale' | 'lagging' | 'lost' | 'terminating' | 'unread' | 'outage' | 'refused';

/** The cache is behind; nothing was written. */
export class StaleCache extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'StaleCache';
  }
}

/** The Service is not this replica's any more; nothing was written. */
export class OwnershipLost extends Error {
  constructor(key: string) {
    super(`Service ${key} belongs to another replica`);
    this.name = 'OwnershipLost';
  }
}

/** The objects do not allow for a plan, or for a whole one. It takes a change of one of them. */
export class Unplannable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unplannable';
  }
}

/** Which pods there are is not known. */
export class UnreadWorkload extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadWorkload';
  }
}

/** A sync that has failed in parts. */
export class PartialFailure extends Error {
  readonly errors: readonly unknown[];

  constructor(errors: readonly unknown[]) {
    super(errors.map(messageOf).join(', '));
    this.name = 'PartialFailure';
    this.errors = errors;
  }
}

export function kindOf(error: unknown): FailureKind {
  if (error instanceof StaleCache) return 'stale';
  if (error instanceof OwnershipLost) return 'lost';
  if (error instanceof UnreadWorkload) return 'unread';
  if (error instanceof PartialFailure) return worstOf(error.errors.map(kindOf));
  if (hasReason(error, 'Conflict', 'AlreadyExists', 'NotFound')) return 'lagging';
  if (isTerminating(error)) return 'terminating';
  if (error instanceof ApiError) return error.code === 429 || error.code >= 500 ? 'outage' : 'refused';
  return error instanceof Unplannable ? 'refused' : 'outage';
}

/** Of several, the one that is worth telling most. */
const worstOf = (kinds: readonly FailureKind[]): FailureKind => order.find((kind) => kinds.includes(kind)) ?? 'refused';

const order: readonly FailureKind[] = ['lost', 'refused', 'outage', 'unread', 'lagging', 'stale', 'terminating'];

const isTerminating = (error: unknown): boolean =>
  hasReason(error, 'Forbidden') && (error.status.details?.causes ?? []).some(({ reason }) => reason === 'NamespaceTerminating');
