import {
  type BalancedNode,
  type BalancedService,
  type BalancerPort,
  type BalancerReference,
  CloudError,
  type CloudPort,
  type LoadBalancerStatus,
} from 'kube-endpoints/load-balancer';
import type { CloudCall } from '../../src/service-lb/load-balancer-event.ts';

/** A recorded cloud call. */
export interface CloudRequest {
  readonly call: CloudCall;
  /** Name of the Service; empty for `list`. */
  readonly name: string;
  readonly uid: string;
  readonly nodes: readonly string[];
  readonly signal: AbortSignal;
}

/** Returns a replacement for the result of a call, or undefined for the normal result. `work` performs the call normally. */
export type Interceptor = (request: CloudRequest, work: () => unknown) => Promise<unknown> | undefined;

/** A cloud whose faults a test controls. */
export interface TestCloud extends CloudPort {
  readonly balancers: BalancerPort;
  /** The existing load balancers, by uid of the Service. */
  readonly loadBalancers: Map<string, { readonly service: BalancedService; readonly nodes: readonly string[] }>;
  /** The calls since the last `takeCalls`, each as "call name nodes". */
  takeCalls(): string[];
  intercept: Interceptor;
}

/** @param list whether the cloud can list its load balancers */
export function createCloud({ list = true }: { readonly list?: boolean } = {}): TestCloud {
  const loadBalancers: TestCloud['loadBalancers'] = new Map();
  const calls: string[] = [];
  const recordCall: RecordCall = async (call, { service, nodes = [], signal }, work) => {
    const { name, uid } = service?.metadata ?? {};
    const request: CloudRequest = { call, name: name ?? '', uid: uid ?? '', nodes: namesOf(nodes), signal };
    calls.push([call, request.name, ...request.nodes].join(' '));
    return cloud.intercept(request, work) ?? work();
  };
  const cloud: TestCloud = {
    name: 'test',
    loadBalancers,
    takeCalls: () => calls.splice(0),
    intercept: () => undefined,
    balancers: createBalancers(loadBalancers, recordCall, list),
  };
  return cloud;
}

interface Request {
  readonly service?: BalancedService;
  readonly nodes?: readonly BalancedNode[];
  readonly signal: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: a test may return any answer
type RecordCall = (call: CloudCall, request: Request, work: () => unknown) => Promise<any>;

/** Creates the load balancers of a cloud without faults. */
function createBalancers(loadBalancers: TestCloud['loadBalancers'], recordCall: RecordCall, list: boolean): BalancerPort {
  const statusOf = (uid: string): LoadBalancerStatus | undefined =>
    loadBalancers.has(uid) ? { ingress: [{ ip: '192.0.2.1' }] } : undefined;
  const storeLoadBalancer = ({ service = {}, nodes = [] }: Request): LoadBalancerStatus | undefined => {
    loadBalancers.set(uidOf(service), { service, nodes: namesOf(nodes) });
    return statusOf(uidOf(service));
  };
  const listReferences = (): BalancerReference[] =>
    [...loadBalancers].map(([uid, { service }]) => ({
      namespace: service.metadata?.namespace ?? '',
      name: service.metadata?.name ?? '',
      uid,
    }));
  return {
    get: (request) => recordCall('get', request, () => statusOf(uidOf(request.service))),
    ensure: (request) => recordCall('ensure', request, () => storeLoadBalancer(request)),
    update: (request) =>
      recordCall('update', request, () => {
        if (!loadBalancers.has(uidOf(request.service))) throw new CloudError('Failed', 'there is no such load balancer');
        storeLoadBalancer(request);
      }),
    delete: (request) => recordCall('delete', request, () => void loadBalancers.delete(uidOf(request.service))),
    ...(list && { list: (request) => recordCall('list', request, listReferences) }),
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
const namesOf = (nodes: readonly BalancedNode[]): string[] => nodes.map(({ metadata }) => metadata?.name ?? '');

/** Never settles, even if its signal aborts. */
export const hang = (): Promise<never> => new Promise(() => {});

/** Rejects when its signal aborts. */
export const hangUntilAborted = ({ signal }: CloudRequest): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
