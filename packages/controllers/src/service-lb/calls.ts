import { isCloudError } from 'kube-endpoints/internal';
import { splitMetaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import type { BalancedNode, BalancedService, BalancerReference } from 'kube-endpoints/load-balancer';
import { ApiError, type ApiObject, resources, type ScheduledCall, type SteadyClock } from 'kube-endpoints/port';
import { callWithin } from '../base/time.ts';
import { ignoreNotFound, OwnershipLostError } from '../controllers/failures.ts';
import { ControllerStoppingError, isCancellation } from './claims.ts';
import type { CloudCall, CloudOutcome } from './load-balancer-event.ts';
import type { Setup } from './options.ts';
import { createServiceWriter, type ServiceWriter } from './service-writer.ts';

/** The only place that calls the cloud and writes Services. Each call is made only while this replica owns the Service. */
export interface Calls extends Pick<CallRunner, 'cancelUnowned' | 'cancelAll'>, ServiceWriter {
  /**
   * Returns the cloud's answer, unvalidated.
   * @throws OwnershipLostError, ControllerStoppingError, CallTimeoutError, or the error of the cloud
   */
  get(key: string, service: BalancedService): Promise<unknown>;
  ensure(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  update(key: string, service: BalancedService, nodes: readonly BalancedNode[]): Promise<unknown>;
  delete(key: string, service: BalancedService): Promise<unknown>;
  /** Undefined if the cloud cannot list its load balancers. */
  readonly list: (() => Promise<readonly BalancerReference[]>) | undefined;
  /** Reads the Service from the API server, not from the cache. Returns undefined if the Service does not exist. */
  readService(key: string): Promise<ApiObject | undefined>;
}

/** Timeout of a request to the API server, in milliseconds. */
const apiTimeoutMs = 60_000;

export function createCalls(setup: Setup, onInDoubt: OnInDoubt): Calls {
  const { port, balancers, clusterName } = setup;
  const { run, cancelUnowned, cancelAll } = createCallRunner(setup, onInDoubt);
  const callCloud: CloudCaller = async (call, key, execute, options = {}) => {
    const startTime = setup.clock.elapsed();
    let hasStarted = false;
    const onEvent = (outcome: CloudOutcome, details: { readonly error?: unknown } = {}): void => {
      if (hasStarted) setup.onEvent({ kind: 'cloud', call, key, outcome, milliseconds: setup.clock.elapsed() - startTime, ...details });
    };
    const start = (signal: AbortSignal): ReturnType<typeof execute> => {
      hasStarted = true;
      return execute(signal);
    };
    try {
      const answer = await run({ key, milliseconds: setup.cloudTimeout, execute: start, ...options });
      onEvent('answered');
      return answer;
    } catch (error) {
      onEvent(isCancellation(error) ? 'released' : error instanceof CallTimeoutError ? 'late' : 'failed', { error });
      throw error;
    }
  };
  const runWrite = (key: string, service: BalancedService, execute: (signal: AbortSignal) => Promise<ApiObject>): Promise<ApiObject> =>
    run({ key, milliseconds: apiTimeoutMs, execute, changes: service });
  const list = async (signal: AbortSignal): Promise<readonly BalancerReference[]> =>
    requireReferences(await balancers.list?.({ clusterName, signal }));
  return {
    get: (key, service) => callCloud('get', key, async (signal) => balancers.get({ clusterName, service, signal })),
    ensure: (key, service, nodes) =>
      callCloud('ensure', key, async (signal) => balancers.ensure({ clusterName, service, nodes, signal }), { changes: service }),
    update: (key, service, nodes) =>
      callCloud('update', key, async (signal) => balancers.update({ clusterName, service, nodes, signal }), { changes: service }),
    delete: (key, service) =>
      callCloud('delete', key, async (signal) => balancers.delete({ clusterName, service, signal }), { changes: service }),
    list: balancers.list && (() => callCloud('list', '', list, { shared: true })),
    ...createServiceWriter(setup, runWrite),
    async readService(key) {
      const execute = (signal: AbortSignal): Promise<ApiObject> => port.get(resources.services, splitMetaNamespaceKey(key), { signal });
      return run({ key, milliseconds: apiTimeoutMs, execute }).catch(ignoreNotFound);
    },
    cancelUnowned,
    cancelAll,
  };
}

type CloudCaller = <T>(
  call: CloudCall,
  key: string,
  execute: (signal: AbortSignal) => Promise<T>,
  options?: { readonly changes?: BalancedService; readonly shared?: boolean },
) => Promise<T>;

function requireReferences(answer: unknown): readonly BalancerReference[] {
  const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
  const isReference = (reference: Partial<BalancerReference> | null | undefined): boolean =>
    isText(reference?.namespace) && isText(reference?.name) && isText(reference?.uid);
  if (Array.isArray(answer) && answer.every(isReference)) return answer as BalancerReference[];
  throw new TypeError('list: the cloud must return an array of references, each with namespace, name and uid');
}

/** A call to the cloud or the API server. */
export interface Call<T> {
  /** The Service that this replica must own. Ownership is not checked if the call is `shared`. */
  readonly key: string;
  readonly shared?: boolean;
  /** Timeout of the call. */
  readonly milliseconds: number;
  /** The Service whose load balancer or status the call changes; undefined if it only reads. */
  readonly changes?: BalancedService;
  readonly execute: (signal: AbortSignal) => Promise<T>;
}

export interface CallRunner {
  /** @throws OwnershipLostError, ControllerStoppingError, CallTimeoutError, or the error of the call */
  run<T>(call: Call<T>): Promise<T>;
  /** Aborts the calls for Services that this replica no longer owns. */
  cancelUnowned(): void;
  /** Aborts all calls and rejects new ones. */
  cancelAll(): void;
}

/** Receives a call that makes a change and ended without an answer. It is unknown whether and when it takes effect. */
export type OnInDoubt = (key: string, service: BalancedService, call: Promise<unknown>) => void;

/** The call timed out. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError';

  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds / 1000} s`);
  }
}

export function createCallRunner({ clock, ownership }: Pick<Setup, 'clock' | 'ownership'>, onInDoubt: OnInDoubt): CallRunner {
  const inFlight = new Map<AbortController, { readonly key: string; readonly shared: boolean }>();
  let isStopped = false;
  return {
    async run({ key, milliseconds, execute, changes, shared = false }) {
      if (isStopped) throw new ControllerStoppingError();
      if (!shared && !ownership.owns(key)) throw new OwnershipLostError(key);
      const controller = new AbortController();
      inFlight.set(controller, { key, shared });
      const deadline = { clock, milliseconds, signal: controller.signal, createTimeoutError: () => new CallTimeoutError(milliseconds) };
      let callInProgress: Promise<unknown> | undefined;
      try {
        return await callWithin(deadline, (signal) => {
          const call = execute(signal);
          callInProgress = call;
          return call;
        });
      } catch (error) {
        if (callInProgress && changes && !isDefiniteAnswer(error)) onInDoubt(key, changes, callInProgress);
        throw error;
      } finally {
        inFlight.delete(controller);
      }
    },
    cancelUnowned() {
      for (const [controller, { key, shared }] of inFlight)
        if (!shared && !ownership.owns(key)) controller.abort(new OwnershipLostError(key));
    },
    cancelAll() {
      isStopped = true;
      for (const controller of inFlight.keys()) controller.abort(new ControllerStoppingError());
    },
  };
}

/** After any other error, such as a lost connection, it is unknown whether the request was applied. */
const isDefiniteAnswer = (error: unknown): boolean => isCloudError(error) || error instanceof ApiError;

/**
 * Calls that make a change and ended without an answer. Each may still take effect, even after its abort. So its Service is checked after a
 * tenth of the timeout, after the whole timeout, and when the call succeeds late.
 */
export interface InDoubtCalls {
  add(key: string, service: BalancedService, call: Promise<unknown>): void;
  /** Number of Services with a scheduled check. */
  readonly size: number;
  stop(): void;
}

export interface InDoubtCallsOptions {
  readonly clock: Pick<SteadyClock, 'schedule'>;
  /** Milliseconds after which an unanswered call is assumed to have no further effect. */
  readonly timeoutMs: number;
  /** Checks whether the Service still needs its load balancer, and whether the load balancer is up to date. */
  readonly recheck: (key: string, service: BalancedService) => void;
}

export function createInDoubtCalls({ clock, timeoutMs, recheck }: InDoubtCallsOptions): InDoubtCalls {
  const timers = new Map<string, ScheduledCall>();
  let stopped = false;
  const schedule = (id: string, milliseconds: number, callback: () => void): void => {
    timers.get(id)?.cancel();
    timers.set(id, clock.schedule(callback, milliseconds));
  };
  return {
    add(key, service, call) {
      if (stopped) return;
      const id = service.metadata?.uid ?? key;
      const recheckNow = (): void => {
        if (!stopped) recheck(key, service);
      };
      const recheckLast = (): void => {
        timers.delete(id);
        recheck(key, service);
      };
      const recheckFirst = (): void => {
        recheck(key, service);
        schedule(id, timeoutMs - firstRecheckMs(timeoutMs), recheckLast);
      };
      schedule(id, firstRecheckMs(timeoutMs), recheckFirst);
      call.then(recheckNow, () => undefined);
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

const firstRecheckMs = (timeoutMs: number): number => Math.ceil(timeoutMs / 10);
