import { type CallOptions, type ClientPort, type Resource, type SteadyClock, systemClock } from 'kube-endpoints/port';
import type { RateLimiter } from './rate-limiter.ts';

/** A request has waited for the rate limiter, perhaps for 0 milliseconds, or was aborted while it waited. */
export interface ThrottledEvent {
  readonly kind: 'throttled';
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection';
  readonly resource: string;
  readonly milliseconds: number;
}

export interface RateLimitOptions {
  readonly limiter: RateLimiter;
  /** Measures how long requests wait. Defaults to the system clock. */
  readonly clock?: SteadyClock;
  /** Called with each wait. Must not throw. */
  readonly onEvent?: (event: ThrottledEvent) => void;
}

/**
 * Wraps a port so that each request waits for the limiter. A request that is aborted while it waits is not sent.
 *
 * As in client-go (1.37, rest/request.go), watches neither wait nor take a token.
 */
export function rateLimitPort(port: ClientPort, { limiter, clock = systemClock, onEvent }: RateLimitOptions): ClientPort {
  const limit = async <T>(
    verb: ThrottledEvent['verb'],
    { plural: resource }: Resource,
    options: CallOptions | undefined,
    call: () => Promise<T>,
  ): Promise<T> => {
    const startTime = clock.elapsed();
    try {
      await limiter.wait(options?.signal);
    } finally {
      onEvent?.({ kind: 'throttled', verb, resource, milliseconds: clock.elapsed() - startTime });
    }
    return call();
  };
  return {
    get: (resource, key, options) => limit('get', resource, options, () => port.get(resource, key, options)),
    list: (resource, options) => limit('list', resource, options, () => port.list(resource, options)),
    watch: (resource, options) => port.watch(resource, options),
    create: (resource, object, options) => limit('create', resource, options, () => port.create(resource, object, options)),
    update: (resource, object, options) => limit('update', resource, options, () => port.update(resource, object, options)),
    patch: (resource, key, patch, options) => limit('patch', resource, options, () => port.patch(resource, key, patch, options)),
    delete: (resource, key, options) => limit('delete', resource, options, () => port.delete(resource, key, options)),
    deleteCollection: (resource, selection, options) =>
      limit('deleteCollection', resource, mergeSignal(selection, options), () => port.deleteCollection(resource, selection, options)),
  };
}

/** The signal of a deletion may be among the options of its list. */
const mergeSignal = (selection: CallOptions | undefined, options: CallOptions | undefined): CallOptions | undefined =>
  options?.signal ? options : selection;
