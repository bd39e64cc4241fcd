import type { BalancedNode, BalancedService, BalancerRequest, HostsRequest } from 'kube-endpoints/load-balancer';

type Spec = NonNullable<BalancedService['spec']>;

/** A Service of type LoadBalancer; its UID defaults to its name. */
export const makeService = (name = 'web', spec: Spec = {}, uid = `uid-${name}`): BalancedService => ({
  metadata: { namespace: 'shop', name, uid },
  spec: { type: 'LoadBalancer', ports: [{ port: 18_480, nodePort: 30_080 }], ...spec },
});

export const makeNode = (name: string, address = '127.0.78.1'): BalancedNode => ({
  metadata: { name },
  status: { addresses: [{ type: 'InternalIP', address }] },
});

export const request = (service: BalancedService, signal: AbortSignal = new AbortController().signal): BalancerRequest => ({
  clusterName: 'kubernetes',
  service,
  signal,
});

export const withNodes = (
  service: BalancedService,
  nodes: readonly BalancedNode[] = [makeNode('n1')],
  signal?: AbortSignal,
): HostsRequest => ({
  ...request(service, signal),
  nodes,
});

/** The error that a call throws. */
export const errorOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => {
      throw new Error(`it answered ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
