import { isCloudError } from 'kube-endpoints/internal';
import type { BalancedNode, BalancedService, BalancerReference } from 'kube-endpoints/load-balancer';
import { ApiError, type ApiObject, hasReason, resources, type ScheduledCall, type SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { OwnershipLost } from '../controllers/failures.ts';
import { Ending, isEnd } from './claims.ts';
import type { CloudCall, CloudOutcome } from './load-balancer-event.ts';
import type { Setup } from './options.ts';

/** The only place from which the cloud is called and Services are written: each time only as long as the Service is this replica's. */
export interface Calls extends Pick<Maker, 'release' | 'end'> {
  /** What the cloud says, unchecked. @throws OwnershipLost, Ending, that there was no answer, or what the cloud does */
  get(key: string, service: BalancedService): Promise<unknown>;
  ensure(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  update(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  delete(key: string, service: BalancedService): Promise<unknown>;
  /** Undefined where the cloud cannot tell. */
  readonly list: (() => Promise<readonly BalancerReference[]>) | undefined;
  /** Writes the status of this very Service, and not of another one that has its name by now. */
  patch(key: string, service: BalancedService, patch: object): Promise<ApiObject>;
  /** The Service of this name as the API server has it, and not a cache. */
  ask(key: string): Promise<ApiObject | undefined>;
}

/** Milliseconds that the API server is waited for. */
const patience = 60_000;

export function createCalls(setup: Setup, onDoubt: OnDoubt): Calls {
  const { port, balancers, clusterName } = setup;
  const { make, release, end } = createMaker(setup, onDoubt);
  const ask: Asker = async (call, key, act, about = {}) => {
    const started = setup.clock.elapsed();
    let made = false;
    const tell = (outcome: CloudOutcome, more: { readonly error?: unknown } = {}): void => {
      if (made) setup.tell({ kind: 'cloud', call, key, outcome, milliseconds: setup.clock.elapsed() - started, ...more });
    };
    const noting = (signal: AbortSignal): ReturnType<typeof act> => {
      made = true;
      return act(signal);
    };
    try {
      const answer = await make({ key, milliseconds: setup.cloudTimeout, act: noting, ...about });
      tell('answered');
      return answer;
    } catch (error) {
      tell(isEnd(error) ? 'released' : error instanceof NoAnswer ? 'late' : 'failed', { error });
      throw error;
    }
  };
  const list = async (signal: AbortSignal): Promise<readonly BalancerReference[]> =>
    readList(await balancers.list?.({ clusterName, signal }));
  return {
    get: (key, service) => ask('get', key, async (signal) => balancers.get({ clusterName, service, signal })),
    ensure: (key, service, nodes) =>
      ask('ensure', key, async (signal) => balancers.ensure({ clusterName, service, nodes, signal }), { changes: service }),
    update: (key, service, nodes) =>
      ask('update', key, async (signal) => balancers.update({ clusterName, service, nodes, signal }), { changes: service }),
    delete: (key, service) =>
      ask('delete', key, async (signal) => balancers.delete({ clusterName, service, signal }), { changes: service }),
    list: balancers.list && (() => ask('list', '', list, { shared: true })),
    patch(key, service, patch) {
      const act = (signal: AbortSignal): Promise<ApiObject> =>
        port.patch(resources.services, nameOf(key), boundTo(service, patch), { type: 'strategic', subresource: 'status', signal });
      return make({ key, milliseconds: patience, act, changes: service });
    },
    async ask(key) {
      const act = (signal: AbortSignal): Promise<ApiObject> => port.get(resources.services, nameOf(key), { signal });
      return make({ key, milliseconds: patience, act }).catch(unlessGone);
    },
    release,
    end,
  };
}

type Asker = <T>(
  call: CloudCall,
  key: string,
  act: (signal: AbortSignal) => Promise<T>,
  about?: { readonly changes?: BalancedService; readonly shared?: boolean },
) => Promise<T>;

function unlessGone(error: unknown): undefined {
  if (!hasReason(error, 'NotFound')) throw error;
}

function nameOf(key: string): { readonly namespace: string; readonly name: string } {
  const slash = key.indexOf('/');
  return { namespace: key.slice(0, slash), name: key.slice(slash + 1) };
}

/**
 * The API server refuses to change a uid, and so a patch of another Service than this one. A patch that takes all finalizers away would
 * take away those that others have added meanwhile: it is for the version that was read.
 */
function boundTo({ metadata }: BalancedService, patch: object): object {
  const { metadata: changed } = patch as { readonly metadata?: { readonly finalizers?: unknown } };
  const { uid, resourceVersion } = metadata ?? {};
  const bound = { ...(uid && { uid }), ...(changed?.finalizers === null && resourceVersion && { resourceVersion }) };
  return { ...patch, metadata: { ...changed, ...bound } };
}

function readList(answer: unknown): readonly BalancerReference[] {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isReference = (each: Partial<BalancerReference> | null | undefined): boolean =>
    isText(each?.namespace) && isText(each?.name) && isText(each?.uid);
  if (Array.isArray(answer) && answer.every(isReference)) return answer as BalancerReference[];
  throw new TypeError('list: the cloud answered with something else than references, each with namespace, name and uid');
}

/** One call of the cloud or the API server. */
export interface Call<T> {
  /** Of the Service that has to be this replica's; nothing of it where the call is `shared`. */
  readonly key: string;
  readonly shared?: boolean;
  /** After which it is given up. */
  readonly milliseconds: number;
  /** What it is to change something for, where it is. */
  readonly changes?: BalancedService;
  readonly act: (signal: AbortSignal) => Promise<T>;
}

export interface Maker {
  /** @throws OwnershipLost, Ending, NoAnswer, or what the call does */
  make<T>(call: Call<T>): Promise<T>;
  /** Ends the calls for Services that are another replica's now. */
  release(): void;
  /** Ends all calls, and lets no new ones begin. */
  end(): void;
}

/** Is told of a call that was to change something and has had no answer: when, and whether, it takes effect is not known. */
export type OnDoubt = (key: string, service: BalancedService, call: Promise<unknown>) => void;

/** There was no answer in time. */
export class NoAnswer extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
    this.name = 'NoAnswer';
  }
}

export function createMaker({ clock, ownership }: Pick<Setup, 'clock' | 'ownership'>, onDoubt: OnDoubt): Maker {
  const underWay = new Map<AbortController, { readonly key: string; readonly shared: boolean }>();
  let ended = false;
  return {
    async make({ key, milliseconds, act, changes, shared = false }) {
      if (ended) throw new Ending();
      if (!shared && !ownership.owns(key)) throw new OwnershipLost(key);
      const end = new AbortController();
      underWay.set(end, { key, shared });
      const deadline = { clock, milliseconds, signal: end.signal, late: () => new NoAnswer(milliseconds) };
      let made: Promise<unknown> | undefined;
      try {
        return await callWithin(deadline, (signal) => {
          const call = act(signal);
          made = call;
          return call;
        });
      } catch (error) {
        if (made && changes && !isAnswer(error)) onDoubt(key, changes, made);
        throw error;
      } finally {
        underWay.delete(end);
      }
    },
    release() {
      for (const [end, { key, shared }] of underWay) if (!shared && !ownership.owns(key)) end.abort(new OwnershipLost(key));
    },
    end() {
      ended = true;
      for (const end of underWay.keys()) end.abort(new Ending());
    },
  };
}

/** What broke on the way may have arrived. */
const isAnswer = (error: unknown): boolean => isCloudError(error) || error instanceof ApiError;

/**
 * Calls that were given up though they change something. They may take effect at any time, even one whose promise was rejected when its
 * signal was aborted: so their Service is looked at again, soon, when they turn out to have been done, and after a long time.
 */
export interface Doubts {
  add(key: string, service: BalancedService, call: Promise<unknown>): void;
  /** How many Services are still to be looked at because of the time. */
  readonly size: number;
  stop(): void;
}

export interface DoubtsOptions {
  readonly clock: Pick<SteadyClock, 'schedule'>;
  /** Milliseconds after which nothing is expected any more of a call that has not been answered. */
  readonly horizon: number;
  /** Looks at what became of it: whether its load balancer is wanted, and as it should be. */
  readonly look: (key: string, service: BalancedService) => void;
}

export function createDoubts({ clock, horizon, look }: DoubtsOptions): Doubts {
  const timers = new Map<string, ScheduledCall>();
  let stopped = false;
  const later = (id: string, milliseconds: number, then: () => void): void => {
    timers.get(id)?.cancel();
    timers.set(id, clock.schedule(then, milliseconds));
  };
  return {
    add(key, service, call) {
      if (stopped) return;
      const id = service.metadata?.uid ?? key;
      const settle = (): void => {
        if (!stopped) look(key, service);
      };
      const last = (): void => {
        timers.delete(id);
        look(key, service);
      };
      const first = (): void => {
        look(key, service);
        later(id, horizon - soon(horizon), last);
      };
      later(id, soon(horizon), first);
      call.then(settle, () => undefined);
    },
    get size() {
      return timers.size;
    },
    stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      timers.clear();
    },
  };
}

const soon = (horizon: number): number => Math.ceil(horizon / 10);
