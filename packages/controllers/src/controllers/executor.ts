import type { Reader } from 'kube-endpoints/internal';
import type { ApiObject, CallOptions, ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { callWithin } from '../base/time.ts';
import type { Ownership } from '../election/ownership.ts';
import { OwnershipLostError } from './failures.ts';

/**
 * The only place where syncs call the API server. Calls for a Service are made only while this replica owns it. Writes throw
 * OwnershipLostError, errors of the port, or an Error after the timeout.
 */
export interface Executor {
  create(key: string, resource: Resource, object: object): Promise<ApiObject>;
  update(key: string, resource: Resource, object: object): Promise<ApiObject>;
  /** Deletes the object, with its uid and resourceVersion as preconditions. */
  delete(key: string, resource: Resource, object: DeletableObject): Promise<ApiObject>;
  /**
   * Reads data from the API server that no cache has.
   * @param keyOrSignal the key of the Service to read for; for a read that concerns no Service, a signal that cancels it
   * @throws OwnershipLostError, errors of the port, the signal's reason, an Error after the timeout
   */
  read<T>(keyOrSignal: string | AbortSignal, call: (port: Reader, options: CallOptions) => Promise<T>): Promise<T>;
  /** Cancels the calls for Services that this replica no longer owns. */
  cancelUnowned(): void;
  /** Number of writes that have succeeded. */
  readonly successfulWriteCount: number;
}

type DeletableObject = Pick<EndpointsInput, 'metadata'>;

export interface ExecutorOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly ownership: Ownership;
}

/** Timeout of a call in milliseconds. The cache shows later whether a write took effect nevertheless. */
const timeoutMs = 60_000;

export function createExecutor({ port, clock, ownership }: ExecutorOptions): Executor {
  const createTimeoutError = (): Error => new Error(`no answer within ${timeoutMs / 1000} s`);
  const keysInFlight = new Map<AbortController, string>();
  let successfulWriteCount = 0;
  const callWhileOwned = async <T>(key: string, call: (controller: AbortController) => Promise<T>): Promise<T> => {
    const controller = new AbortController();
    keysInFlight.set(controller, key);
    try {
      if (!ownership.owns(key)) throw new OwnershipLostError(key);
      return await call(controller);
    } finally {
      keysInFlight.delete(controller);
    }
  };
  const write = (key: string, call: (signal: AbortSignal) => Promise<ApiObject>): Promise<ApiObject> =>
    callWhileOwned(key, async (controller) => {
      const timer = clock.schedule(() => controller.abort(createTimeoutError()), timeoutMs);
      try {
        // Waits for the port even after the timeout, because the lease must not be released while the port works on a write.
        const answer = await call(controller.signal);
        successfulWriteCount++;
        return answer;
      } finally {
        timer.cancel();
      }
    });
  return {
    create: (key, resource, object) => write(key, (signal) => port.create(resource, object as ApiObject, { signal })),
    update: (key, resource, object) => write(key, (signal) => port.update(resource, object as ApiObject, { signal })),
    delete(key, resource, { metadata }) {
      const { uid, resourceVersion } = metadata ?? {};
      const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
      const objectKey = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
      return write(key, (signal) => port.delete(resource, objectKey, { signal, preconditions }));
    },
    read(keyOrSignal, call) {
      const read = (signal: AbortSignal) =>
        callWithin({ clock, milliseconds: timeoutMs, createTimeoutError, signal }, (callSignal) => call(port, { signal: callSignal }));
      return typeof keyOrSignal === 'string' ? callWhileOwned(keyOrSignal, ({ signal }) => read(signal)) : read(keyOrSignal);
    },
    cancelUnowned() {
      for (const [controller, key] of keysInFlight) if (!ownership.owns(key)) controller.abort(new OwnershipLostError(key));
    },
    get successfulWriteCount() {
      return successfulWriteCount;
    },
  };
}
