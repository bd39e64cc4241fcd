import type { ApiObject, ClientPort, Resource } from '../../port/index.ts';
import type { EndpointsInput } from '../../types/index.ts';
import type { RuntimeClock } from '../clock.ts';
import type { Ownership } from '../election/ownership.ts';
import { OwnershipLost } from './failures.ts';

/** The only place from which the controllers write. Each write is made only as long as the Service is this replica's. */
export interface Executor {
  /** @throws OwnershipLost, ApiError, or what broke the connection */
  create(key: string, resource: Resource, object: object): Promise<ApiObject>;
  update(key: string, resource: Resource, object: object): Promise<ApiObject>;
  /** Deletes this very object, as it was read. */
  delete(key: string, resource: Resource, object: Doomed): Promise<ApiObject>;
  /** Ends the writes of Services that are another replica's now. */
  release(): void;
  /** How many writes were answered. */
  readonly written: number;
}

type Doomed = Pick<EndpointsInput, 'metadata'>;

export interface ExecutorOptions {
  readonly port: ClientPort;
  readonly clock: RuntimeClock;
  readonly ownership: Ownership;
}

/** Milliseconds after which a write counts as unanswered. What became of it, the cache will tell. */
const patience = 60_000;

export function createExecutor({ port, clock, ownership }: ExecutorOptions): Executor {
  const underWay = new Map<string, AbortController>();
  let written = 0;
  const write = async (key: string, act: (signal: AbortSignal) => Promise<ApiObject>): Promise<ApiObject> => {
    const end = new AbortController();
    const late = clock.schedule(() => end.abort(new Error(`no answer within ${patience / 1000} s`)), patience);
    underWay.set(key, end);
    try {
      if (!ownership.owns(key)) throw new OwnershipLost(key);
      const answer = await act(end.signal);
      written++;
      return answer;
    } finally {
      late.cancel();
      underWay.delete(key);
    }
  };
  return {
    create: (key, resource, object) => write(key, (signal) => port.create(resource, object as ApiObject, { signal })),
    update: (key, resource, object) => write(key, (signal) => port.update(resource, object as ApiObject, { signal })),
    delete(key, resource, { metadata }) {
      const { uid, resourceVersion } = metadata ?? {};
      const preconditions = { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) };
      const object = { namespace: metadata?.namespace ?? '', name: metadata?.name ?? '' };
      return write(key, (signal) => port.delete(resource, object, { signal, preconditions }));
    },
    release() {
      for (const [key, end] of underWay) if (!ownership.owns(key)) end.abort(new OwnershipLost(key));
    },
    get written() {
      return written;
    },
  };
}
