import type { ApiObject } from 'kube-endpoints/port';

/**
 * A controller of kube-controller-manager without clocks, promises or caches of its own: which changes require which syncs, and which writes a
 * sync makes. A host delivers changes, keeps the queue, performs the writes, and decides how long all of this takes.
 */
export interface Controller {
  /** The name of the controller as in kube-controller-manager, for example "deployment". */
  readonly name: string;
  /** The kinds that it watches, for example "Deployment". */
  readonly kinds: readonly string[];
  /** Handles a change of its cache, like the event handlers of its informers. */
  handle(change: Change, queue: Queue): void;
  /** One sync of a key ("namespace/name", or "name" of a cluster-wide object). A thrown ApiError fails the sync, and the host requeues the key. */
  sync(key: string, queue: Queue): Steps;
}

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
}

/** What a controller reads: the objects in its cache, and the environment. */
export interface ControllerContext {
  readonly cache: Cache;
  /** Milliseconds since the epoch. */
  now(): number;
  /** A random integer from 0 to `bound` - 1, for the draws that the original makes at random. */
  random(bound: number): number;
}

/** Read access to the objects that the controller's informers have received. Objects must not be changed. */
export interface Cache {
  get(kind: string, namespace: string, name: string): ApiObject | undefined;
  /** Objects of a namespace, or of all namespaces, in the order of their keys. */
  list(kind: string, namespace?: string): readonly ApiObject[];
}

/** Yields one effect after another. The host answers a write with the object that the API server stored, or throws its ApiError. */
export type Steps = Generator<Effect, void, ApiObject | undefined>;

/** A call to the API server, or an Event. */
export type Effect =
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
  /** An uncached read: controllers make it before they adopt an object. */
  | { readonly do: 'get'; readonly kind: string; readonly namespace: string; readonly name: string }
  | {
      readonly do: 'event';
      readonly object: ApiObject;
      readonly type: 'Normal' | 'Warning';
      readonly reason: string;
      readonly message: string;
    };
