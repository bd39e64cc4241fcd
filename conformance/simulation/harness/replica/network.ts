import type { Selection } from 'kube-endpoints/internal/apimachinery';
import { ApiError, type ApiObject, type ClientPort, type ListOptions, type Resource } from 'kube-endpoints/port';
import { createBrokenConnection } from '../../../../packages/apiserver/src/faults/errors.ts';
import type { Random } from '../../../model/random.ts';
import type { Scheduler } from '../scheduler.ts';
import type { FaultRates } from '../settings.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createStream } from './stream.ts';

/** When a process crashes at a write. */
export type CrashPoint = 'before sending' | 'after sending';

/** The verbs that write. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection';

/** A write as a replica sends it. */
export interface WriteRequest {
  readonly verb: WriteVerb;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The object to write; undefined for a deletion. */
  readonly object: ApiObject | undefined;
}

/** Observes the calls of a replica. */
export interface Monitor {
  /** Called before a write is sent. Returns the crash point if the replica crashes at this write. */
  onSend(request: WriteRequest): CrashPoint | undefined;
  /** Called when the server has committed the write. */
  onCommitted(request: WriteRequest, answer: ApiObject): void;
  /** Called when the replica receives the answer; undefined for a failure. */
  onAnswer(request: WriteRequest, answer: ApiObject | undefined): void;
  /** Called when the replica has received all selected objects of a resource, up to a version. */
  onCached(resource: Pick<Resource, 'plural'>, version: number, selection?: Selection): void;
}

/** The connection of a replica to the server. */
export interface Link {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly lifecycle: Lifecycle;
  readonly monitor: Monitor;
  readonly server: () => ClientPort;
  readonly faultRates: () => FaultRates;
  /** The time until which no message gets through. */
  readonly blockedUntil: () => number;
  readonly watchList: boolean;
  /** All versions of the server. */
  readonly versions: readonly number[];
  /** Counts writes between sender and server. A write may arrive after its sender was killed. */
  readonly countInFlight: (change: 1 | -1) => void;
}

/** Creates the port of one replica, with the latency and losses of its network. */
export function createNetwork(link: Link): ClientPort {
  const write = (request: WriteRequest, signal: AbortSignal | undefined, call: () => Promise<ApiObject>): Promise<ApiObject> => {
    const crashPoint = signal?.aborted ? undefined : link.monitor.onSend(request);
    if (crashPoint === 'before sending') return new Promise(() => undefined);
    const commit = async (): Promise<ApiObject> => {
      const answer = await call();
      link.monitor.onCommitted(request, answer);
      return answer;
    };
    return send(link, { signal, call: commit, onAnswer: (answer) => link.monitor.onAnswer(request, answer), isWrite: true });
  };
  return {
    get: (resource, key, options) =>
      send(link, { signal: options?.signal, call: () => link.server().get(resource, key, withoutSignal(options)) }),
    list: (resource, options = {}) =>
      send(link, {
        signal: options.signal,
        call: () => list(link, resource, options),
        onAnswer: (answer) => {
          // A list of a single object only reads the current version.
          if (answer && !answer.metadata.continue && options.limit !== 1)
            link.monitor.onCached(resource, Number(answer.metadata.resourceVersion), options);
        },
      }),
    watch: (resource, options = {}) => createStream(link, resource, options),
    create: (resource, object, options) =>
      write(toRequest('create', resource, object.metadata, object), options?.signal, () =>
        link.server().create(resource, object, withoutSignal(options)),
      ),
    update: (resource, object, options) =>
      write(toRequest('update', resource, object.metadata, object), options?.signal, () =>
        link.server().update(resource, object, withoutSignal(options)),
      ),
    patch: (resource, key, patch, options) =>
      write(toRequest('patch', resource, key, patch as ApiObject), options.signal, () =>
        link.server().patch(resource, key, patch, { ...withoutSignal(options), type: options.type }),
      ),
    delete: (resource, key, options) =>
      write(toRequest('delete', resource, key), options?.signal, () => link.server().delete(resource, key, withoutSignal(options))),
    deleteCollection: (resource, selection = {}) =>
      Promise.reject(new Error(`unexpected deleteCollection: ${resource.plural} ${JSON.stringify(selection)}`)),
  };
}

const toRequest = (verb: WriteVerb, resource: Resource, { namespace, name }: ApiObject['metadata'], object?: ApiObject): WriteRequest => ({
  verb,
  resource,
  namespace,
  name,
  object,
});

interface SendOptions<T> {
  readonly signal: AbortSignal | undefined;
  readonly call: () => Promise<T>;
  /** Called with the answer; undefined for a failure. */
  readonly onAnswer?: (answer: T | undefined) => void;
  readonly isWrite?: boolean;
}

/** Sends a call to the server and delivers the answer. A call may still arrive after it was aborted or its sender was killed. */
function send<T>(link: Link, { signal, call, onAnswer, isWrite = false }: SendOptions<T>): Promise<T> {
  const { random, lifecycle } = link;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    let isSettled = false;
    const end = (settle: () => void): void => {
      if (isSettled) return;
      isSettled = true;
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort);
    const answer = (settle: () => void, value?: T): void =>
      deliver(link, 0, () =>
        lifecycle.run('message', () =>
          end(() => {
            onAnswer?.(value);
            settle();
          }),
        ),
      );
    const isLost = random.chance(isWrite ? link.faultRates().lostAnswer : 0);
    const arrive = (): void => {
      if (isWrite) link.countInFlight(-1);
      if ((isSettled || lifecycle.state === 'killed') && !random.chance(0.5)) return;
      call().then(
        (value) => (isLost ? answer(() => reject(createBrokenConnection())) : answer(() => resolve(value), value)),
        (error: unknown) => answer(() => reject(error)),
      );
    };
    if (isWrite) link.countInFlight(1);
    deliver(link, random.chance(link.faultRates().slowCall) ? 500 + random.below(20_000) : 0, arrive);
  });
}

/** Delivers a message in one direction, after the network is no longer blocked. */
export function deliver(link: Link, extraDelayMs: number, arrive: () => void): void {
  const { scheduler, random } = link;
  const tryDelivery = (): void => {
    const blockedMs = link.blockedUntil() - scheduler.time;
    if (blockedMs <= 0) arrive();
    else scheduler.schedule(tryDelivery, blockedMs + latencyOf(link.faultRates().maxLatencyMs, random));
  };
  scheduler.schedule(tryDelivery, extraDelayMs + latencyOf(link.faultRates().maxLatencyMs, random));
}

const latencyOf = (maxMs: number, random: Random): number => (random.below(1000) / 1000) ** 2 * maxMs;

/** Lists objects. A list that accepts an old version sometimes gets an old version, as from a server with a stale cache. */
async function list(link: Link, resource: Resource, options: ListOptions): ReturnType<ClientPort['list']> {
  const { random, versions } = link;
  const { resourceVersion = '', resourceVersionMatch, limit, ...rest } = withoutSignal(options);
  const allowsOldVersion = resourceVersion === '0' || (resourceVersionMatch === 'NotOlderThan' && resourceVersion !== '');
  if (allowsOldVersion && random.chance(link.faultRates().staleList)) {
    const oldVersion = versions[versions.length - 1 - random.below(Math.min(versions.length, 60))];
    if (oldVersion !== undefined && oldVersion > Number(resourceVersion)) {
      try {
        return await link.server().list(resource, { ...rest, resourceVersion: String(oldVersion), resourceVersionMatch: 'Exact' });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 410) throw error;
      }
    }
  }
  return link.server().list(resource, withoutSignal(options));
}

/** Removes the signal, because aborting a call does not stop a request that was already sent. */
function withoutSignal<O extends { readonly signal?: AbortSignal }>(options: O | undefined): Omit<O, 'signal'> {
  const { signal: _, ...rest } = options ?? ({} as O);
  return rest;
}
