import { requireWholeNumber } from 'kube-endpoints/internal/apimachinery';
import type { BalancedNode, BalancedService, BalancerPort, BalancerReference, CloudPort } from 'kube-endpoints/load-balancer';
import { type Clock, systemClock } from 'kube-endpoints/port';
import { type CloudCall, type CloudVerb, createFaultInjector, type Fault, type FaultName } from './answer.ts';
import { createBalancers, type StoredBalancer } from './balancers.ts';

/** A call with its injected fault. */
export interface RecordedCall extends CloudCall {
  readonly fault: FaultName | undefined;
}

/** A cloud in memory, for tests; its load balancers and calls can be inspected. */
export interface MemoryCloud extends CloudPort {
  readonly balancers: Required<BalancerPort>;
  /** The current load balancers, oldest first. */
  readonly held: readonly StoredBalancer[];
  /** The most recent calls, oldest first. */
  readonly calls: readonly RecordedCall[];
  /** Removes the load balancer of a Service without any notice. Returns false if it does not exist. */
  lose(uid: string): boolean;
}

export interface MemoryCloudOptions {
  /** Used by faults that delay. */
  readonly clock?: Clock;
  /** Called once per call; returns the fault to inject, if any. */
  readonly faults?: (call: CloudCall) => Fault | undefined;
  /** The IPv4 range of its addresses, /16 or smaller; "198.18.0.0/16" by default. A Service may request an address outside of it. */
  readonly addresses?: string;
  /** Number of recorded calls to keep; 1,000 by default. */
  readonly keptCalls?: number;
  /** "memory" by default. */
  readonly name?: string;
}

/**
 * Creates a cloud whose load balancers are entries of a map.
 * @throws RangeError if `addresses` or `keptCalls` is invalid
 */
export function createMemoryCloud(options: MemoryCloudOptions = {}): MemoryCloud {
  const { clock = systemClock, faults, addresses = '198.18.0.0/16', name = 'memory' } = options;
  const keptCalls = requireWholeNumber('keptCalls', options.keptCalls ?? 1000, 0);
  const balancers = createBalancers(addresses);
  const calls: RecordedCall[] = [];
  const answerCall = createFaultInjector({ clock, lose: (uid) => balancers.lose(uid) });
  let callCount = 0;
  const run = <T>(verb: CloudVerb, request: CloudRequest, effect: () => T): Promise<T> => {
    if (request.signal.aborted) return Promise.reject(request.signal.reason);
    callCount += 1;
    const call = createCall(callCount, verb, request);
    const fault = faults?.(call);
    calls.push({ ...call, fault: fault?.fault });
    if (calls.length > keptCalls) calls.shift();
    return answerCall({ call, signal: request.signal, effect }, fault);
  };
  return {
    name,
    balancers: {
      get: (request) => run('get', request, () => balancers.get(request)),
      ensure: (request) => run('ensure', request, () => balancers.ensure(request)),
      update: (request) => run('update', request, () => balancers.update(request)),
      delete: (request) => run('delete', request, () => balancers.delete(request)),
      list: (request) => run('list', request, () => balancers.list(request.clusterName)),
    },
    get held() {
      return [...balancers.all];
    },
    get calls() {
      return [...calls];
    },
    lose: (uid) => balancers.lose(uid),
  };
}

interface CloudRequest {
  readonly clusterName: string;
  readonly signal: AbortSignal;
  readonly service?: BalancedService;
  readonly nodes?: readonly BalancedNode[];
}

const createCall = (number: number, verb: CloudVerb, { clusterName, service, nodes }: CloudRequest): CloudCall => ({
  number,
  verb,
  clusterName,
  reference: service && toReference(service),
  nodes: nodes?.map(({ metadata }) => metadata?.name ?? ''),
});

/** Leaves missing fields empty: the call itself rejects them. */
const toReference = ({ metadata }: BalancedService): BalancerReference => ({
  namespace: metadata?.namespace ?? '',
  name: metadata?.name ?? '',
  uid: metadata?.uid ?? '',
});
