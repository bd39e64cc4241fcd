import type { BalancedService, BalancerPort, BalancerRequest, HostsRequest } from 'kube-endpoints/load-balancer';
import type { CloudVerb } from '../../../../packages/controllers/src/clouds/memory/answer.ts';
import type { Random } from '../../../model/random.ts';
import type { Life } from '../../harness/replica/life.ts';
import type { Scheduler } from '../../harness/scheduler.ts';
import type { CloudWeather } from '../setting.ts';

/** A cloud call as a process makes it. */
export interface Asked {
  readonly verb: CloudVerb;
  /** Undefined for `list`. */
  readonly service: BalancedService | undefined;
  /** The node names. */
  readonly nodes: readonly string[] | undefined;
}

/** When a process dies during a cloud call. */
export type Fate = 'dies' | 'dies and sends' | 'dies of the answer';

/** Observes the cloud calls of a process. */
export interface CloudWitness {
  asks(asked: Asked): Fate | undefined;
  /** The process receives an answer. */
  hears(asked: Asked, answer: { readonly value: unknown } | { readonly error: unknown }): void;
  /** The process has aborted the call. */
  drops(asked: Asked): void;
}

export interface CloudLinkParts {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly life: Life;
  readonly cloud: Required<BalancerPort>;
  readonly weather: () => CloudWeather;
  /** The time until which no message gets through. */
  readonly blockedUntil: () => number;
  /** Whether the cloud can list load balancers. */
  readonly lists: boolean;
  /** Whether calls end at once with their sender. */
  readonly isPrompt: boolean;
  /** The maximum duration of an abandoned call, in milliseconds. */
  readonly horizon: number;
  readonly witness: CloudWitness;
  readonly kill: () => void;
}

/** The connection of one process to the cloud. */
export interface CloudLink {
  readonly balancers: BalancerPort;
  /** The process was killed or paused: its calls continue for a limited time. */
  loosen(): void;
}

export function createCloudLink(parts: CloudLinkParts): CloudLink {
  const { cloud, random, scheduler, isPrompt, lists } = parts;
  const open = new Set<AbortController>();
  const carryOne = createCarrier(parts, open);
  const carry = <T>(verb: CloudVerb, request: Request, act: Act<T>): Promise<T> => {
    const asked: Asked = { verb, service: request.service, nodes: request.nodes?.map(({ metadata }) => metadata?.name ?? '') };
    const answer = carryOne(asked, request.signal, act);
    return random.chance(parts.weather().twice) ? twice(answer) : answer;
  };
  return {
    balancers: {
      get: (request) => carry('get', request, (signal) => cloud.get({ ...request, signal })),
      ensure: (request) => carry('ensure', request, (signal) => cloud.ensure({ ...request, signal })),
      update: (request) => carry('update', request, (signal) => cloud.update({ ...request, signal })),
      delete: (request) => carry('delete', request, (signal) => cloud.delete({ ...request, signal })),
      ...(lists && { list: (request) => carry('list', request, (signal) => cloud.list({ ...request, signal })) }),
    },
    loosen() {
      for (const end of open) {
        if (isPrompt || random.chance(0.5)) end.abort(broken());
        else scheduler.schedule(() => end.abort(broken()), random.below(parts.horizon * 0.5));
      }
    },
  };
}

type Request = Pick<BalancerRequest, 'signal'> & Partial<Pick<HostsRequest, 'service' | 'nodes'>>;

type Act<T> = (signal: AbortSignal) => Promise<T>;

/** Carries calls to the cloud and back. An aborted call, or one whose sender is gone, may still arrive. */
function createCarrier(parts: CloudLinkParts, open: Set<AbortController>) {
  const { scheduler, random, life, witness, isPrompt } = parts;
  return <T>(asked: Asked, signal: AbortSignal, act: Act<T>): Promise<T> => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const fate = witness.asks(asked);
    if (fate === 'dies') return never();
    return new Promise((resolve, reject) => {
      const atCloud = new AbortController();
      let over = false;
      let arrived = false;
      const end = (settle: () => void): void => {
        if (over) return;
        over = true;
        signal.removeEventListener('abort', abort);
        settle();
      };
      const abort = (): void => {
        witness.drops(asked);
        if (arrived) atCloud.abort(signal.reason);
        end(() => reject(signal.reason));
      };
      signal.addEventListener('abort', abort);
      const answer = (result: { readonly value: T } | { readonly error: unknown }): void => {
        open.delete(atCloud);
        const reach = (): void => {
          if (fate === 'dies of the answer') parts.kill();
          else
            end(() => {
              witness.hears(asked, result);
              if ('value' in result) resolve(result.value);
              else reject(result.error);
            });
        };
        travel(parts, () => life.enter('message', reach));
      };
      const arrive = (): void => {
        const isLoose = over || life.state === 'gone';
        if (isLoose && (isPrompt || !random.chance(0.5))) return;
        arrived = true;
        open.add(atCloud);
        if (isLoose) scheduler.schedule(() => atCloud.abort(broken()), random.below(parts.horizon * 0.3));
        act(atCloud.signal).then(
          (value) => answer({ value }),
          (error: unknown) => answer({ error }),
        );
      };
      travel(parts, arrive);
    });
  };
}

/** Carries a message one way; it waits while the network is blocked. */
function travel({ scheduler, random, weather, blockedUntil }: CloudLinkParts, arrive: () => void): void {
  const delay = (): number => (random.below(1000) / 1000) ** 2 * weather().latency;
  const knock = (): void => {
    const blocked = blockedUntil() - scheduler.time;
    if (blocked <= 0) arrive();
    else scheduler.schedule(knock, blocked + delay());
  };
  scheduler.schedule(knock, delay());
}

const never = <T>(): Promise<T> => new Promise(() => undefined);

const broken = (): Error => new Error('the connection to the cloud broke');

/** Calls back twice, which no native promise does. */
function twice<T>(answer: Promise<T>): Promise<T> {
  const call = <A, B>(take?: ((value: T) => A) | null, refuse?: ((reason: unknown) => B) | null): Promise<A | B> => {
    const takeTwice = (value: T): A => {
      take?.(value);
      return take?.(value) as A;
    };
    return Promise.prototype.then.call(answer, takeTwice as never, refuse) as Promise<A | B>;
  };
  // biome-ignore lint/suspicious/noThenProperty: a promise of another make
  return { then: call, catch: answer.catch.bind(answer), finally: answer.finally.bind(answer) } as unknown as Promise<T>;
}
