import type { BalancedService, BalancerPort, BalancerRequest, HostsRequest } from 'kube-endpoints/load-balancer';
import type { CloudVerb } from '../../../../packages/controllers/src/clouds/memory/answer.ts';
import type { Random } from '../../../model/random.ts';
import type { Lifecycle } from '../../harness/replica/lifecycle.ts';
import type { Scheduler } from '../../harness/scheduler.ts';
import type { CloudFaultRates } from '../settings.ts';

/** A cloud call as its monitor sees it. */
export interface ObservedCall {
  readonly verb: CloudVerb;
  /** Undefined for `list`. */
  readonly service: BalancedService | undefined;
  /** The node names. */
  readonly nodes: readonly string[] | undefined;
}

/** When a process crashes during a cloud call. */
export type CrashPoint = 'before sending' | 'after sending' | 'on the answer';

/** Observes the cloud calls of a process. */
export interface CloudMonitor {
  onCall(observedCall: ObservedCall): CrashPoint | undefined;
  /** Called when the process receives an answer. */
  onAnswer(observedCall: ObservedCall, answer: { readonly value: unknown } | { readonly error: unknown }): void;
  /** Called when the process aborts the call. */
  onAborted(observedCall: ObservedCall): void;
}

export interface CloudLinkOptions {
  readonly scheduler: Scheduler;
  readonly random: Random;
  readonly lifecycle: Lifecycle;
  readonly cloud: Required<BalancerPort>;
  readonly faultRates: () => CloudFaultRates;
  /** The time until which no message gets through. */
  readonly blockedUntil: () => number;
  /** Whether the cloud can list load balancers. */
  readonly canList: boolean;
  /** Whether calls end at once if their sender is killed. */
  readonly hasPromptCalls: boolean;
  /** The maximum duration of a call whose sender was killed. */
  readonly maxOrphanedCallMs: number;
  readonly monitor: CloudMonitor;
  readonly kill: () => void;
}

/** The connection of one process to the cloud. */
export interface CloudLink {
  readonly balancers: BalancerPort;
  /** Call when the process was killed or paused. Its open calls continue for a limited time. */
  endOpenCalls(): void;
}

export function createCloudLink(options: CloudLinkOptions): CloudLink {
  const { cloud, random, scheduler, hasPromptCalls, canList } = options;
  const openCalls = new Set<AbortController>();
  const sendOnce = createSender(options, openCalls);
  const send = <T>(verb: CloudVerb, request: Request, callCloud: CallCloud<T>): Promise<T> => {
    const observedCall: ObservedCall = {
      verb,
      service: request.service,
      nodes: request.nodes?.map(({ metadata }) => metadata?.name ?? ''),
    };
    const answer = sendOnce(observedCall, request.signal, callCloud);
    return random.chance(options.faultRates().duplicateAnswer) ? resolveTwice(answer) : answer;
  };
  return {
    balancers: {
      get: (request) => send('get', request, (signal) => cloud.get({ ...request, signal })),
      ensure: (request) => send('ensure', request, (signal) => cloud.ensure({ ...request, signal })),
      update: (request) => send('update', request, (signal) => cloud.update({ ...request, signal })),
      delete: (request) => send('delete', request, (signal) => cloud.delete({ ...request, signal })),
      ...(canList && { list: (request) => send('list', request, (signal) => cloud.list({ ...request, signal })) }),
    },
    endOpenCalls() {
      for (const controller of openCalls) {
        if (hasPromptCalls || random.chance(0.5)) controller.abort(connectionError());
        else scheduler.schedule(() => controller.abort(connectionError()), random.below(options.maxOrphanedCallMs * 0.5));
      }
    },
  };
}

type Request = Pick<BalancerRequest, 'signal'> & Partial<Pick<HostsRequest, 'service' | 'nodes'>>;

type CallCloud<T> = (signal: AbortSignal) => Promise<T>;

/** Sends calls to the cloud and delivers the answers. A call may still arrive after it was aborted or its sender was killed. */
function createSender(options: CloudLinkOptions, openCalls: Set<AbortController>) {
  const { scheduler, random, lifecycle, monitor, hasPromptCalls } = options;
  return <T>(observedCall: ObservedCall, signal: AbortSignal, callCloud: CallCloud<T>): Promise<T> => {
    if (signal.aborted) return Promise.reject(signal.reason);
    const crashPoint = monitor.onCall(observedCall);
    if (crashPoint === 'before sending') return neverSettles();
    return new Promise((resolve, reject) => {
      const cloudController = new AbortController();
      let isSettled = false;
      let hasArrived = false;
      const end = (settle: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        signal.removeEventListener('abort', abort);
        settle();
      };
      const abort = (): void => {
        monitor.onAborted(observedCall);
        if (hasArrived) cloudController.abort(signal.reason);
        end(() => reject(signal.reason));
      };
      signal.addEventListener('abort', abort);
      const answer = (result: { readonly value: T } | { readonly error: unknown }): void => {
        openCalls.delete(cloudController);
        const receive = (): void => {
          if (crashPoint === 'on the answer') options.kill();
          else
            end(() => {
              monitor.onAnswer(observedCall, result);
              if ('value' in result) resolve(result.value);
              else reject(result.error);
            });
        };
        deliver(options, () => lifecycle.run('message', receive));
      };
      const arrive = (): void => {
        const isSenderGone = isSettled || lifecycle.state === 'killed';
        if (isSenderGone && (hasPromptCalls || !random.chance(0.5))) return;
        hasArrived = true;
        openCalls.add(cloudController);
        if (isSenderGone) scheduler.schedule(() => cloudController.abort(connectionError()), random.below(options.maxOrphanedCallMs * 0.3));
        callCloud(cloudController.signal).then(
          (value) => answer({ value }),
          (error: unknown) => answer({ error }),
        );
      };
      deliver(options, arrive);
    });
  };
}

/** Delivers a message in one direction, after the network is no longer blocked. */
function deliver({ scheduler, random, faultRates, blockedUntil }: CloudLinkOptions, arrive: () => void): void {
  const delay = (): number => (random.below(1000) / 1000) ** 2 * faultRates().maxLatencyMs;
  const tryDelivery = (): void => {
    const blockedMs = blockedUntil() - scheduler.time;
    if (blockedMs <= 0) arrive();
    else scheduler.schedule(tryDelivery, blockedMs + delay());
  };
  scheduler.schedule(tryDelivery, delay());
}

const neverSettles = <T>(): Promise<T> => new Promise(() => undefined);

const connectionError = (): Error => new Error('the connection to the cloud broke');

/** Returns a thenable that calls back twice, unlike a native promise. */
function resolveTwice<T>(answer: Promise<T>): Promise<T> {
  const call = <A, B>(onValue?: ((value: T) => A) | null, onError?: ((reason: unknown) => B) | null): Promise<A | B> => {
    const callTwice = (value: T): A => {
      onValue?.(value);
      return onValue?.(value) as A;
    };
    return Promise.prototype.then.call(answer, callTwice as never, onError) as Promise<A | B>;
  };
  // biome-ignore lint/suspicious/noThenProperty: the simulation needs a thenable that is not a native promise
  return { then: call, catch: answer.catch.bind(answer), finally: answer.finally.bind(answer) } as unknown as Promise<T>;
}
