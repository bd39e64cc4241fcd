import type { Selection } from 'kube-endpoints/internal';
import { ApiError, type ApiObject, type ClientPort, type ListOptions, type Resource } from 'kube-endpoints/port';
import { brokenConnection } from '../../../../packages/apiserver/src/faults/errors.ts';
import type { Random } from '../../../model/random.ts';
import type { Scheduler } from '../scheduler.ts';
import type { Weather } from '../setting.ts';
import type { Life } from './life.ts';
import { createStream } from './stream.ts';

/** The verbs that write. */
export type WriteVerb = 'create' | 'update' | 'patch' | 'delete' | 'deleteCollection';

/** A write as a replica sends it. */
export interface Sent {
  readonly verb: WriteVerb;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The object to write; undefined for a deletion. */
  readonly object: ApiObject | undefined;
}

/** Observes the calls of a replica. */
export interface Witness {
  /** A write leaves the replica. Returns whether the replica dies before the write is sent or right after it. */
  sends(sent: Sent): 'dies' | 'dies and sends' | undefined;
  /** The server has committed the write. */
  lands(sent: Sent, answer: ApiObject): void;
  /** The replica has received the answer; undefined for a failure. */
  learns(sent: Sent, answer: ApiObject | undefined): void;
  /** The replica has received all selected objects of a resource, up to a version. */
  sees(resource: Resource, version: number, selection?: Selection): void;
}

export interface Link {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly life: Life;
  readonly witness: Witness;
  readonly server: () => ClientPort;
  readonly weather: () => Weather;
  /** The time until which no message gets through. */
  readonly blockedUntil: () => number;
  readonly watchList: boolean;
  /** All versions of the server. */
  readonly versions: readonly number[];
  /** A write was sent, arrived or got lost. It may arrive after its sender is gone. */
  readonly underWay: (change: 1 | -1) => void;
}

/** The port of one replica, with the latency and losses of its network. */
export function createNetwork(link: Link): ClientPort {
  const write = (sent: Sent, signal: AbortSignal | undefined, act: () => Promise<ApiObject>): Promise<ApiObject> => {
    const fate = signal?.aborted ? undefined : link.witness.sends(sent);
    if (fate === 'dies') return new Promise(() => undefined);
    const landing = async (): Promise<ApiObject> => {
      const answer = await act();
      link.witness.lands(sent, answer);
      return answer;
    };
    return carry(link, { signal, act: landing, hear: (answer) => link.witness.learns(sent, answer), isWrite: true });
  };
  const sent = (verb: WriteVerb, resource: Resource, { namespace, name }: ApiObject['metadata'], object?: ApiObject): Sent => ({
    verb,
    resource,
    namespace,
    name,
    object,
  });
  return {
    get: (resource, key, options) => carry(link, { signal: options?.signal, act: () => link.server().get(resource, key, bare(options)) }),
    list: (resource, options = {}) =>
      carry(link, {
        signal: options.signal,
        act: () => list(link, resource, options),
        hear: (answer) => {
          if (answer && !answer.metadata.continue) link.witness.sees(resource, Number(answer.metadata.resourceVersion), options);
        },
      }),
    watch: (resource, options = {}) => createStream(link, resource, options),
    create: (resource, object, options) =>
      write(sent('create', resource, object.metadata, object), options?.signal, () =>
        link.server().create(resource, object, bare(options)),
      ),
    update: (resource, object, options) =>
      write(sent('update', resource, object.metadata, object), options?.signal, () =>
        link.server().update(resource, object, bare(options)),
      ),
    patch: (resource, key, patch, options) =>
      write(sent('patch', resource, key, patch as ApiObject), options.signal, () =>
        link.server().patch(resource, key, patch, { ...bare(options), type: options.type }),
      ),
    delete: (resource, key, options) =>
      write(sent('delete', resource, key), options?.signal, () => link.server().delete(resource, key, bare(options))),
    deleteCollection: (resource, selection = {}) =>
      Promise.reject(new Error(`unexpected deleteCollection: ${resource.plural} ${JSON.stringify(selection)}`)),
  };
}

interface Carried<T> {
  readonly signal: AbortSignal | undefined;
  readonly act: () => Promise<T>;
  /** Called with the answer; undefined for a failure. */
  readonly hear?: (answer: T | undefined) => void;
  readonly isWrite?: boolean;
}

/** Carries a call to the server and back. An aborted call, or one whose sender is gone, may still arrive. */
function carry<T>(link: Link, { signal, act, hear, isWrite = false }: Carried<T>): Promise<T> {
  const { random, life } = link;
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    let over = false;
    const end = (settle: () => void): void => {
      if (over) return;
      over = true;
      signal?.removeEventListener('abort', abort);
      settle();
    };
    const abort = (): void => end(() => reject(signal?.reason));
    signal?.addEventListener('abort', abort);
    const answer = (settle: () => void, value?: T): void =>
      travel(link, 0, () =>
        life.enter('message', () =>
          end(() => {
            hear?.(value);
            settle();
          }),
        ),
      );
    const isLost = random.chance(isWrite ? link.weather().lost : 0);
    const arrive = (): void => {
      if (isWrite) link.underWay(-1);
      if ((over || life.state === 'gone') && !random.chance(0.5)) return;
      act().then(
        (value) => (isLost ? answer(() => reject(brokenConnection())) : answer(() => resolve(value), value)),
        (error: unknown) => answer(() => reject(error)),
      );
    };
    if (isWrite) link.underWay(1);
    travel(link, random.chance(link.weather().slow) ? 500 + random.below(20_000) : 0, arrive);
  });
}

/** Carries a message one way; it waits while the network is blocked. */
export function travel(link: Link, more: number, arrive: () => void): void {
  const { scheduler, random } = link;
  const knock = (): void => {
    const blocked = link.blockedUntil() - scheduler.time;
    if (blocked <= 0) arrive();
    else scheduler.schedule(knock, blocked + latencyOf(link.weather().latency, random));
  };
  scheduler.schedule(knock, more + latencyOf(link.weather().latency, random));
}

const latencyOf = (maxMs: number, random: Random): number => (random.below(1000) / 1000) ** 2 * maxMs;

/** A list that accepts any version sometimes gets an old one, as from a server with a stale cache. */
async function list(link: Link, resource: Resource, options: ListOptions): ReturnType<ClientPort['list']> {
  const { random, versions } = link;
  const { resourceVersion = '', resourceVersionMatch, limit, ...rest } = bare(options);
  const mayBeOld = resourceVersion === '0' || (resourceVersionMatch === 'NotOlderThan' && resourceVersion !== '');
  if (mayBeOld && random.chance(link.weather().stale)) {
    const old = versions[versions.length - 1 - random.below(Math.min(versions.length, 60))];
    if (old !== undefined && old > Number(resourceVersion)) {
      try {
        return await link.server().list(resource, { ...rest, resourceVersion: String(old), resourceVersionMatch: 'Exact' });
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 410) throw error;
      }
    }
  }
  return link.server().list(resource, bare(options));
}

/** The options that are sent to the server. */
function bare<O extends { readonly signal?: AbortSignal }>(options: O | undefined): Omit<O, 'signal'> {
  const { signal: _, ...rest } = options ?? ({} as O);
  return rest;
}
