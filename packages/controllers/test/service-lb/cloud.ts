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
  /** "name" of the Service, with its uid if ambiguous. */
  readonly name: string;
  readonly uid: string;
  readonly nodes: readonly string[];
  readonly signal: AbortSignal;
}

/** Replaces the result of a call, or returns undefined for the normal result. `work` performs the call. */
export type Interceptor = (request: CloudRequest, work: () => unknown) => Promise<unknown> | undefined;

/** A cloud whose faults a test controls. */
export interface TestCloud extends CloudPort {
  readonly balancers: BalancerPort;
  /** By uid of the Service. */
  readonly held: Map<string, { readonly service: BalancedService; readonly nodes: readonly string[] }>;
  /** "call name nodes" of the calls since the last query. */
  takeCalls(): string[];
  intercept: Interceptor;
}

/** @param list whether the cloud supports list */
export function createCloud({ list = true }: { readonly list?: boolean } = {}): TestCloud {
  const held: TestCloud['held'] = new Map();
  const calls: string[] = [];
  const ask: Ask = async (call, { service, nodes = [], signal }, work) => {
    const { name, uid } = service?.metadata ?? {};
    const request: CloudRequest = { call, name: name ?? '', uid: uid ?? '', nodes: namesOf(nodes), signal };
    calls.push([call, request.name, ...request.nodes].join(' '));
    return cloud.intercept(request, work) ?? work();
  };
  const cloud: TestCloud = {
    name: 'test',
    held,
    takeCalls: () => calls.splice(0),
    intercept: () => undefined,
    balancers: balancersOf(held, ask, list),
  };
  return cloud;
}

interface Request {
  readonly service?: BalancedService;
  readonly nodes?: readonly BalancedNode[];
  readonly signal: AbortSignal;
}

// biome-ignore lint/suspicious/noExplicitAny: a test may return any answer
type Ask = (call: CloudCall, request: Request, work: () => unknown) => Promise<any>;

/** The result of a call without faults. */
function balancersOf(held: TestCloud['held'], ask: Ask, list: boolean): BalancerPort {
  const statusOf = (uid: string): LoadBalancerStatus | undefined => (held.has(uid) ? { ingress: [{ ip: '192.0.2.1' }] } : undefined);
  const put = ({ service = {}, nodes = [] }: Request): LoadBalancerStatus | undefined => {
    held.set(uidOf(service), { service, nodes: namesOf(nodes) });
    return statusOf(uidOf(service));
  };
  const references = (): BalancerReference[] =>
    [...held].map(([uid, { service }]) => ({ namespace: service.metadata?.namespace ?? '', name: service.metadata?.name ?? '', uid }));
  return {
    get: (request) => ask('get', request, () => statusOf(uidOf(request.service))),
    ensure: (request) => ask('ensure', request, () => put(request)),
    update: (request) =>
      ask('update', request, () => {
        if (!held.has(uidOf(request.service))) throw new CloudError('Failed', 'there is no such load balancer');
        put(request);
      }),
    delete: (request) => ask('delete', request, () => void held.delete(uidOf(request.service))),
    ...(list && { list: (request) => ask('list', request, references) }),
  };
}

const uidOf = ({ metadata }: BalancedService): string => metadata?.uid ?? '';
const namesOf = (nodes: readonly BalancedNode[]): string[] => nodes.map(({ metadata }) => metadata?.name ?? '');

/** Never settles, even if its signal aborts. */
export const hang = (): Promise<never> => new Promise(() => {});

/** Rejects when its signal aborts. */
export const hangUntilAborted = ({ signal }: CloudRequest): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));
