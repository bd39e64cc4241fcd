import type { Reader } from 'kube-endpoints/internal';
import type { ApiObject, CallOptions, ClientPort, Resource, SteadyClock } from 'kube-endpoints/port';
import type { EndpointsInput } from 'kube-endpoints/types';
import { callWithin } from '../base/time.ts';
import type { Ownership } from '../election/ownership.ts';
import { OwnershipLost } from './failures.ts';

/** The only place from which the controllers' syncs call the API server: each time only as long as the Service is this replica's. */
export interface Executor {
  /** @throws OwnershipLost, ApiError, or what broke the connection */
  create(key: string, resource: Resource, object: object): Promise<ApiObject>;
  update(key: string, resource: Resource, object: object): Promise<ApiObject>;
  /** Deletes this very object, as it was read. */
  delete(key: string, resource: Resource, object: Doomed): Promise<ApiObject>;
  /**
   * Asks for what no cache can tell.
   * @param about the key of the Service that it is about; where there is none, what ends the question
   * @throws OwnershipLost, what the port does, the signal's reason, or that there was no answer
   */
  ask<T>(about: string | AbortSignal, question: (port: Reader, options: CallOptions) => Promise<T>): Promise<T>;
  /** Ends the writes and questions of Services that are another replica's now. */
  release(): void;
  /** How many writes were answered. */
  readonly written: number;
}

type Doomed = Pick<EndpointsInput, 'metadata'>;

export interface ExecutorOptions {
  readonly port: ClientPort;
  readonly clock: SteadyClock;
  readonly ownership: Ownership;
}

/** Milliseconds after which a call counts as unanswered. What became of a write, the cache will tell. */
const patience = 60_000;

export function createExecutor({ port, clock, ownership }: ExecutorOptions): Executor {
  const late = (): Error => new Error(`no answer within ${patience / 1000} s`);
  const underWay = new Map<AbortController, string>();
  let written = 0;
  const whileOurs = async <T>(key: string, act: (end: AbortController) => Promise<T>): Promise<T> => {
    const end = new AbortController();
    underWay.set(end, key);
    try {
      if (!ownership.owns(key)) throw new OwnershipLost(key);
      return await act(end);
    } finally {
      underWay.delete(end);
    }
  };
  const write = (key: string, act: (signal: AbortSignal) => Promise<ApiObject>): Promise<ApiObject> =>
    whileOurs(key, async (end) => {
      const timer = clock.schedule(() => end.abort(late()), patience);
      try {
        // No deadline ends the wait itself: a write that a port goes on with is under way, and keeps the lease from being given back.
        const answer = await act(end.signal);
        written++;
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
      const object = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
      return write(key, (signal) => port.delete(resource, object, { signal, preconditions }));
    },
    ask(about, question) {
      const ask = (signal: AbortSignal) =>
        callWithin({ clock, milliseconds: patience, late, signal }, (within) => question(port, { signal: within }));
      return typeof about === 'string' ? whileOurs(about, ({ signal }) => ask(signal)) : ask(about);
    },
    release() {
      for (const [end, key] of underWay) if (!ownership.owns(key)) end.abort(new OwnershipLost(key));
    },
    get written() {
      return written;
    },
  };
}
