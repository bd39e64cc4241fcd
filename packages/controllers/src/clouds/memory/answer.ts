import { type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';
import type { Clock } from 'kube-endpoints/port';

/** A call on its way. */
export interface Going<T> {
  readonly call: CloudCall;
  readonly signal: AbortSignal;
  /** What it does. Runs at once where nothing delays it, so that calls take effect in the order they come. */
  readonly effect: () => T;
}

export interface AnsweringOptions {
  readonly clock: Clock;
  /** Takes the load balancer of a Service away. */
  readonly lose: (uid: string) => void;
}

/** Answers calls, with what goes wrong on the way. */
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

/** Lets calls take effect, at once or later, and remembers of the later ones whether another came first. */
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
      // Nobody waits for the answer any more, nor for the error.
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

/** Who waits is called back twice, which no promise of the language does. */
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

/** One call that the cloud was asked. */
export interface CloudCall {
  /** From 1. */
  readonly number: number;
  readonly verb: CloudVerb;
  readonly clusterName: string;
  /** Whose load balancer; of `list` undefined. */
  readonly reference: BalancerReference | undefined;
  /** Names, of `ensure` and `update`. */
  readonly nodes: readonly string[] | undefined;
}

export type CloudVerb = 'get' | 'ensure' | 'update' | 'delete' | 'list';

/** What goes wrong with one call of the cloud. */
export type Fault =
  /** No answer, and nothing done: until the call is aborted or, for good, not even then. */
  | { readonly fault: 'hang'; readonly forGood?: boolean }
  /** The call takes that long to arrive. Nothing is done where it is aborted before. */
  | { readonly fault: 'latency'; readonly milliseconds: number }
  /** Nothing is done. By default a CloudError `Failed`; any value may be thrown. */
  | { readonly fault: 'throw'; readonly error?: unknown }
  /** Nothing is done: a CloudError `Elsewhere`. */
  | { readonly fault: 'elsewhere' }
  /** Nothing is done: a CloudError `RetryAfter`. */
  | { readonly fault: 'retryAfter'; readonly milliseconds: number }
  /** It is done, and then a CloudError `Failed`. */
  | { readonly fault: 'failsAfterEffect' }
  /** It is done, and answered with this; by default a status whose address is none. */
  | { readonly fault: 'malformed'; readonly answer?: unknown }
  /** The load balancer disappears just before. */
  | { readonly fault: 'lose' }
  /** No answer until the call is aborted; it is done that much later. Where `unlessSuperseded`, only if no call after it was. */
  | { readonly fault: 'late'; readonly milliseconds: number; readonly unlessSuperseded?: boolean }
  /** It is done, and the answer calls back twice: the second time with this. */
  | { readonly fault: 'answersTwice'; readonly second?: unknown };

export type FaultName = Fault['fault'];
