import { type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';
import type { Clock } from 'kube-endpoints/port';
import { pause } from '../../base/time.ts';

/** A call in progress. */
export interface PendingCall<T> {
  readonly call: CloudCall;
  readonly signal: AbortSignal;
  /** The effect of the call. Runs synchronously unless a fault delays it, so that calls take effect in order of arrival. */
  readonly effect: () => T;
}

export interface FaultInjectorOptions {
  readonly clock: Clock;
  /** Removes the load balancer of a Service. */
  readonly lose: (uid: string) => void;
}

/** Returns a function that answers a call, with the given fault if it is not undefined. */
export function createFaultInjector({
  clock,
  lose,
}: FaultInjectorOptions): <T>(pendingCall: PendingCall<T>, fault: Fault | undefined) => Promise<T> {
  const applyEffect = createEffectRunner();
  const handlers: Handlers = {
    hang: ({ signal }, { forGood = false }) => (forGood ? new Promise(() => {}) : rejectOnAbort(signal)),
    latency: async (pendingCall, { milliseconds }) => {
      await pause(clock, milliseconds, pendingCall.signal);
      pendingCall.signal.throwIfAborted();
      return applyEffect(pendingCall);
    },
    throw: async (_, fault) => {
      throw 'error' in fault ? fault.error : new CloudError('Failed', 'the cloud cannot be reached');
    },
    elsewhere: async () => {
      throw new CloudError('Elsewhere', 'another controller manages this Service');
    },
    retryAfter: async (_, { milliseconds }) => {
      throw new CloudError('RetryAfter', 'the cloud is busy', { retryAfter: milliseconds });
    },
    failsAfterEffect: async (pendingCall) => {
      applyEffect(pendingCall);
      throw new CloudError('Failed', 'the connection to the cloud broke');
    },
    malformed: async <T>(pendingCall: PendingCall<T>, fault: FaultNamed<'malformed'>) => {
      applyEffect(pendingCall);
      return ('answer' in fault ? fault.answer : { ingress: [{ ip: 'not an address' }] }) as T;
    },
    lose: async (pendingCall) => {
      lose(pendingCall.call.reference?.uid ?? '');
      return applyEffect(pendingCall);
    },
    late: (pendingCall, { milliseconds, unlessSuperseded = false }) => {
      pendingCall.signal.addEventListener('abort', () => applyEffect.applyLater(pendingCall, { clock, milliseconds, unlessSuperseded }), {
        once: true,
      });
      return rejectOnAbort(pendingCall.signal);
    },
    answersTwice: (pendingCall, { second }) =>
      answerTwice(
        runAsync(() => applyEffect(pendingCall)),
        second,
      ),
  };
  return (pendingCall, fault) =>
    fault ? (handlers[fault.fault] as Handler)(pendingCall, fault) : runAsync(() => applyEffect(pendingCall));
}

type FaultNamed<Name extends FaultName> = Extract<Fault, { readonly fault: Name }>;
type Handlers = { readonly [Name in FaultName]: <T>(pendingCall: PendingCall<T>, fault: FaultNamed<Name>) => Promise<T> };
type Handler = <T>(pendingCall: PendingCall<T>, fault: Fault) => Promise<T>;

interface EffectRunner {
  <T>(pendingCall: PendingCall<T>): T;
  applyLater<T>(
    pendingCall: PendingCall<T>,
    options: { readonly clock: Clock; readonly milliseconds: number; readonly unlessSuperseded: boolean },
  ): void;
}

/** Applies the effects of calls, at once or later. Tracks for each late call whether another write took effect first. */
function createEffectRunner(): EffectRunner {
  const lateCalls = new Set<{ readonly call: CloudCall; superseded: boolean }>();
  const applyEffect = <T>({ call, effect }: PendingCall<T>): T => {
    for (const lateCall of lateCalls)
      if (lateCall.call.reference?.uid === call.reference?.uid && writeVerbs.has(call.verb)) lateCall.superseded = true;
    return effect();
  };
  const applyLater: EffectRunner['applyLater'] = (pendingCall, { clock, milliseconds, unlessSuperseded }) => {
    const lateCall = { call: pendingCall.call, superseded: false };
    lateCalls.add(lateCall);
    clock.schedule(() => {
      lateCalls.delete(lateCall);
      // The caller has given up: ignore the result and any error.
      if (!(unlessSuperseded && lateCall.superseded)) void runAsync(() => applyEffect(pendingCall)).catch(() => {});
    }, milliseconds);
  };
  return Object.assign(applyEffect, { applyLater });
}

const writeVerbs: ReadonlySet<string> = new Set(['ensure', 'update', 'delete']);

const runAsync = async <T>(effect: () => T): Promise<T> => effect();

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

/** Calls the fulfilment callback twice, unlike any native promise. */
function answerTwice<T>(answer: Promise<T>, second: unknown): Promise<T> {
  const thenTwice = <A, B>(onFulfilled?: ((value: T) => A) | null, onRejected?: ((reason: unknown) => B) | null): Promise<A | B> =>
    answer.then((value) => {
      const first = onFulfilled?.(value);
      onFulfilled?.(second as T);
      return first as A;
    }, onRejected);
  // biome-ignore lint/suspicious/noThenProperty: imitates a promise that is not native
  return { then: thenTwice, catch: answer.catch.bind(answer), finally: answer.finally.bind(answer) } as unknown as Promise<T>;
}

/** A call to the cloud. */
export interface CloudCall {
  /** Starts at 1. */
  readonly number: number;
  readonly verb: CloudVerb;
  readonly clusterName: string;
  /** The Service of the load balancer; undefined for `list`. */
  readonly reference: BalancerReference | undefined;
  /** Node names of `ensure` and `update`. */
  readonly nodes: readonly string[] | undefined;
}

export type CloudVerb = 'get' | 'ensure' | 'update' | 'delete' | 'list';

/** A fault injected into one call to the cloud. */
export type Fault =
  /** No answer and no effect. Rejects when the call is aborted or, if `forGood`, never. */
  | { readonly fault: 'hang'; readonly forGood?: boolean }
  /** The call arrives after a delay. No effect if it is aborted before. */
  | { readonly fault: 'latency'; readonly milliseconds: number }
  /** No effect. Throws a CloudError `Failed` by default; any value may be thrown. */
  | { readonly fault: 'throw'; readonly error?: unknown }
  /** No effect; throws a CloudError `Elsewhere`. */
  | { readonly fault: 'elsewhere' }
  /** No effect; throws a CloudError `RetryAfter`. */
  | { readonly fault: 'retryAfter'; readonly milliseconds: number }
  /** Takes effect, then throws a CloudError `Failed`. */
  | { readonly fault: 'failsAfterEffect' }
  /** Takes effect and returns this answer; by default a status with an invalid address. */
  | { readonly fault: 'malformed'; readonly answer?: unknown }
  /** The load balancer is removed just before the call. */
  | { readonly fault: 'lose' }
  /**
   * No answer until the call is aborted; takes effect `milliseconds` after the abort. If `unlessSuperseded`, only if no later
   * write took effect first.
   */
  | { readonly fault: 'late'; readonly milliseconds: number; readonly unlessSuperseded?: boolean }
  /** Takes effect; the promise calls its callback twice, the second time with this value. */
  | { readonly fault: 'answersTwice'; readonly second?: unknown };

export type FaultName = Fault['fault'];
