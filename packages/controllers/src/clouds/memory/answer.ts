import { type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';
import type { Clock } from 'kube-endpoints/port';

/** A call in progress. */
export interface Going<T> {
  readonly call: CloudCall;
  readonly signal: AbortSignal;
  /** The effect of the call. Runs synchronously unless a fault delays it, so that calls take effect in order of arrival. */
  readonly effect: () => T;
}

export interface AnsweringOptions {
  readonly clock: Clock;
  /** Removes the load balancer of a Service. */
  readonly lose: (uid: string) => void;
}

/** Answers calls and injects their faults. */
export function createAnswering({ clock, lose }: AnsweringOptions): <T>(going: Going<T>, fault: Fault | undefined) => Promise<T> {
  const take = createTaking();
  const handlers: Handlers = {
    hang: ({ signal }, { forGood = false }) => (forGood ? new Promise(() => {}) : rejectedWhenAborted(signal)),
    latency: (going, { milliseconds }) => wait(clock, milliseconds, going.signal).then(() => take(going)),
    throw: async (_, fault) => {
      throw 'error' in fault ? fault.error : new CloudError('Failed', 'the cloud cannot be reached');
    },
    elsewhere: async () => {
      throw new CloudError('Elsewhere', 'another controller sees to it');
    },
    retryAfter: async (_, { milliseconds }) => {
      throw new CloudError('RetryAfter', 'the cloud is busy', { retryAfter: milliseconds });
    },
    failsAfterEffect: async (going) => {
      take(going);
      throw new CloudError('Failed', 'the connection to the cloud broke');
    },
    malformed: async <T>(going: Going<T>, fault: Named<'malformed'>) => {
      take(going);
      return ('answer' in fault ? fault.answer : { ingress: [{ ip: 'not an address' }] }) as T;
    },
    lose: async (going) => {
      lose(going.call.reference?.uid ?? '');
      return take(going);
    },
    late: (going, { milliseconds, unlessSuperseded = false }) => {
      going.signal.addEventListener('abort', () => take.later(going, { clock, milliseconds, unlessSuperseded }), { once: true });
      return rejectedWhenAborted(going.signal);
    },
    answersTwice: (going, { second }) =>
      answerTwice(
        start(() => take(going)),
        second,
      ),
  };
  return (going, fault) => (fault ? (handlers[fault.fault] as Handler)(going, fault) : start(() => take(going)));
}

type Named<Name extends FaultName> = Extract<Fault, { readonly fault: Name }>;
type Handlers = { readonly [Name in FaultName]: <T>(going: Going<T>, fault: Named<Name>) => Promise<T> };
type Handler = <T>(going: Going<T>, fault: Fault) => Promise<T>;

interface Taking {
  <T>(going: Going<T>): T;
  later<T>(going: Going<T>, options: { readonly clock: Clock; readonly milliseconds: number; readonly unlessSuperseded: boolean }): void;
}

/** Applies the effects of calls, at once or later. Tracks for each later one whether another write came first. */
function createTaking(): Taking {
  const waiting = new Set<{ readonly call: CloudCall; superseded: boolean }>();
  const take = <T>({ call, effect }: Going<T>): T => {
    for (const each of waiting) if (each.call.reference?.uid === call.reference?.uid && writes.has(call.verb)) each.superseded = true;
    return effect();
  };
  const later: Taking['later'] = (going, { clock, milliseconds, unlessSuperseded }) => {
    const each = { call: going.call, superseded: false };
    waiting.add(each);
    clock.schedule(() => {
      waiting.delete(each);
      // The caller has given up: ignore the result and any error.
      if (!(unlessSuperseded && each.superseded)) void start(() => take(going)).catch(() => {});
    }, milliseconds);
  };
  return Object.assign(take, { later });
}

const writes: ReadonlySet<string> = new Set(['ensure', 'update', 'delete']);

const start = async <T>(effect: () => T): Promise<T> => effect();

const rejectedWhenAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

function wait(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      timer.cancel();
      reject(signal.reason);
    };
    const timer = clock.schedule(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, milliseconds);
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Calls the fulfilment callback twice, unlike any native promise. */
function answerTwice<T>(answer: Promise<T>, second: unknown): Promise<T> {
  const twice = <A, B>(onFulfilled?: ((value: T) => A) | null, onRejected?: ((reason: unknown) => B) | null): Promise<A | B> =>
    answer.then((value) => {
      const first = onFulfilled?.(value);
      onFulfilled?.(second as T);
      return first as A;
    }, onRejected);
  // biome-ignore lint/suspicious/noThenProperty: a promise of another make
  return { then: twice, catch: answer.catch.bind(answer), finally: answer.finally.bind(answer) } as unknown as Promise<T>;
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
   * No answer until the call is aborted; takes effect after that delay. If `unlessSuperseded`, only if no later write took effect first.
   */
  | { readonly fault: 'late'; readonly milliseconds: number; readonly unlessSuperseded?: boolean }
  /** Takes effect; the promise calls its callback twice, the second time with this value. */
  | { readonly fault: 'answersTwice'; readonly second?: unknown };

export type FaultName = Fault['fault'];
