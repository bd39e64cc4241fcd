import { ApiError, type ApiObject } from 'kube-endpoints/port';

/**
 * A controller of kube-controller-manager without clocks, promises or caches of its own: which changes require which syncs, and which writes a
 * sync makes. A host delivers changes, keeps the queue, performs the writes, and decides how long all of this takes.
 */
export interface Controller {
  /** The name of the controller as in kube-controller-manager, for example "deployment". */
  readonly name: string;
  /**
   * How many keys are synced at a time; 1 by default. Infinity for the originals that handle an item in a goroutine of its own, such as a
   * timer that fires.
   */
  readonly concurrentSyncs?: number;
  readonly queueOptions?: WorkQueueOptions;
  /** The kinds that it watches, for example "Deployment", in the order in which a host fills their caches before the first sync. */
  readonly kinds: readonly string[];
  /** Receives its queue before the first change, if another part of the original adds keys to it. */
  attach?(queue: Queue): void;
  /** Handles a change of its cache, like the event handlers of its informers. */
  handle(change: Change, queue: Queue): void;
  /**
   * One sync of a key ("namespace/name", or "name" of a cluster-wide object). A thrown ApiError or SyncError fails the sync; any other error
   * is a bug and ends the host.
   */
  sync(key: string, queue: Queue): Steps;
  /** Handles a failed sync. By default, the key is added after its back-off. */
  handleFailure?(key: string, error: ApiError | SyncError, queue: Queue): void;
}

/** When the key of a failed sync is added again. */
export interface WorkQueueOptions {
  /** The back-off after the first failure in milliseconds; 5 by default. */
  readonly minBackoff?: number;
  /** The longest back-off in milliseconds; 1,000,000 by default. */
  readonly maxBackoff?: number;
  /** Whether at most 10 failures a second are retried, of all keys, after the first 100; true by default. */
  readonly isLimited?: boolean;
}

/** A failure of a sync that is not an answer of the API server. */
export class SyncError extends Error {}

/** Whether an error fails a sync. All others are bugs. */
export const isFailure = (error: unknown): error is ApiError | SyncError => error instanceof ApiError || error instanceof SyncError;

/** A change of one object in the cache: `previous` is absent if it was added, `current` if it was deleted. */
export interface Change {
  readonly kind: string;
  readonly previous?: ApiObject;
  readonly current?: ApiObject;
}

/** The controller's work queue. */
export interface Queue {
  add(key: string): void;
  /** Adds a key after a delay in milliseconds. */
  addAfter(key: string, delay: number): void;
  /** Adds a key after its back-off. */
  addRateLimited(key: string): void;
  /** Resets the back-off of a key. The host does so after each successful sync. */
  forget(key: string): void;
  /** How often a key was added with back-off since it was forgotten. */
  requeues(key: string): number;
}

/** What a controller reads: the objects in its cache, and the environment. */
export interface ControllerContext {
  readonly cache: Cache;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A random integer from 0 to `bound` - 1, for the draws that the original makes at random. */
  random(bound: number): number;
  /** Emits an Event outside of a sync, for the originals that do so in their event handlers. A host may leave it out. */
  emit?(event: EventEffect): void;
}

/** Read access to the objects that the controller's informers have received. Objects must not be changed. */
export interface Cache {
  get<T extends ApiObject>(kind: string, namespace: string, name: string): T | undefined;
  /** Objects of a namespace, or of all namespaces, in the order of their keys. */
  list<T extends ApiObject>(kind: string, namespace?: string): readonly T[];
  /** Objects of a namespace whose controller has a UID, or that have no controller, in the order of their keys. */
  controlledBy<T extends ApiObject>(kind: string, namespace: string, uid: string | undefined): readonly T[];
  /** The resourceVersion of the newest change of a kind that the cache contains. */
  resourceVersion(kind: string): string;
}

/** Yields one effect after another. The host answers a call with the object of the API server's answer, or throws its ApiError. */
export type Steps<Result = void> = Generator<Effect, Result, ApiObject | undefined>;

/**
 * A call, an Event, a delay before a retry, or calls that the original makes concurrently: the host runs all branches to their end, in any
 * order.
 */
export type Effect = Call | EventEffect | WaitEffect | { readonly do: 'parallel'; readonly branches: readonly Steps[] };

export interface WaitEffect {
  readonly do: 'wait';
  readonly milliseconds: number;
}

export interface EventEffect {
  readonly do: 'event';
  readonly object: ApiObject;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** A call to the API server. */
export type Call =
  | { readonly do: 'create'; readonly kind: string; readonly object: ApiObject }
  | { readonly do: 'update'; readonly kind: string; readonly object: ApiObject; readonly subresource?: 'status' | 'scale' }
  | {
      readonly do: 'patch';
      readonly kind: string;
      readonly namespace: string;
      readonly name: string;
      readonly patch: unknown;
      readonly type: 'strategic' | 'merge';
      readonly subresource?: 'status';
    }
  | { readonly do: 'delete'; readonly kind: string; readonly namespace: string; readonly name: string; readonly uid?: string }
  /** Binds a pod to a node: the subresource "binding". */
  | {
      readonly do: 'bind';
      readonly kind: 'Pod';
      readonly namespace: string;
      readonly name: string;
      readonly uid: string;
      readonly node: string;
    }
  /** An uncached read: controllers make it before they adopt an object. */
  | { readonly do: 'get'; readonly kind: string; readonly namespace: string; readonly name: string };
