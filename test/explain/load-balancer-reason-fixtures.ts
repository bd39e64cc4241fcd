import type { BalancerEvent } from '../../src/load-balancer/explain.ts';
import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import type { ReasonFixture } from './reason-fixtures.ts';

const finalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** A Service of type LoadBalancer with the finalizer of the service controller. */
export const loadBalancerService = (spec: BalancedService['spec'] = {}, overrides: Partial<BalancedService> = {}): BalancedService => {
  const { metadata, spec: baseSpec } = makeService();
  return {
    ...overrides,
    metadata: { ...metadata, finalizers: [finalizer], ...overrides.metadata },
    spec: { ...baseSpec, type: 'LoadBalancer', ...spec },
  };
};

export const loadBalancerNode = (name: string, overrides: BalancedNode['metadata'] = {}): BalancedNode => ({
  metadata: { name, ...overrides },
  spec: { providerID: `machine://${name}` },
});

/** The Event of the service controller after a failed sync. */
export const syncFailedEvent = (message: string): BalancerEvent => ({
  type: 'Warning',
  reason: 'SyncLoadBalancerFailed',
  message,
  lastTimestamp: '2026-01-31T12:00:00Z',
});

export interface LoadBalancerFixture extends ReasonFixture {
  readonly service: BalancedService;
  readonly balancedNodes?: readonly BalancedNode[];
  readonly events?: readonly BalancerEvent[];
}

const pods = [makePod()];

/** Every reason for a pending load balancer or a pending cleanup. */
export const loadBalancerFixtures: readonly LoadBalancerFixture[] = [
  {
    code: 'LoadBalancerOfOtherClass',
    service: loadBalancerService({ loadBalancerClass: 'example.com/edge' }, { metadata: { finalizers: [] } }),
    pods,
    severity: 'warning',
    message: 'The Service waits for the controller of its load balancer class example.com/edge; the service controller ignores this class.',
    path: 'service.spec.loadBalancerClass',
  },
  {
    code: 'LoadBalancerNotPickedUp',
    service: loadBalancerService({}, { metadata: { finalizers: [] } }),
    pods,
    severity: 'warning',
    message: `The Service waits for a load balancer, but no service controller has processed it: the finalizer ${finalizer} is missing.`,
    path: 'service.metadata.finalizers',
  },
  {
    code: 'LoadBalancerFailing',
    service: loadBalancerService(),
    pods,
    events: [syncFailedEvent('Error syncing load balancer: failed to ensure load balancer: quota exceeded')],
    severity: 'warning',
    message:
      'The cloud fails to create or update the load balancer: Error syncing load balancer: failed to ensure load balancer: quota exceeded.',
    path: 'events',
  },
  {
    code: 'LoadBalancerWithoutNodes',
    service: loadBalancerService(),
    pods,
    balancedNodes: [
      loadBalancerNode('a', { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } }),
      loadBalancerNode('b', { deletionTimestamp: '2026-01-31T12:00:00Z' }),
    ],
    severity: 'warning',
    message: 'The load balancer has no eligible node (nodes in the cluster: 2): a is excluded by its label, b is being deleted.',
    path: 'nodes',
  },
  {
    code: 'LoadBalancerWithoutNodes',
    service: loadBalancerService({}, { status: { loadBalancer: { ingress: [{ ip: '10.9.0.1' }] } } }),
    pods,
    balancedNodes: [],
    severity: 'warning',
    message: 'The load balancer has no eligible node (nodes in the cluster: 0).',
    path: 'nodes',
  },
  {
    code: 'LoadBalancerPending',
    service: loadBalancerService(),
    pods,
    balancedNodes: [loadBalancerNode('a')],
    severity: 'warning',
    message: 'The service controller has processed the Service, but the cloud has not reported a load balancer yet.',
    path: 'service.status.loadBalancer.ingress',
  },
  {
    code: 'LoadBalancerWithoutNodePorts',
    service: loadBalancerService({ allocateLoadBalancerNodePorts: false }),
    pods,
    severity: 'warning',
    message: 'The Service has no node port for http, and a cloud whose load balancers forward to node ports cannot reach it.',
    path: 'service.spec.allocateLoadBalancerNodePorts',
  },
  {
    code: 'LoadBalancerBeingDeleted',
    service: loadBalancerService({}, { metadata: { finalizers: [finalizer], deletionTimestamp: '2026-01-31T12:00:00Z' } }),
    pods,
    severity: 'info',
    message: 'The Service has been terminating since 2026-01-31T12:00:00Z, and waits until the cloud has deleted its load balancer.',
    path: 'service.metadata.deletionTimestamp',
  },
  {
    code: 'LoadBalancerCleanupPending',
    service: loadBalancerService({ type: 'NodePort' }),
    pods,
    severity: 'warning',
    message: `The Service no longer needs a load balancer, but one may still exist: its finalizer ${finalizer} is still set.`,
    path: 'service.metadata.finalizers',
  },
];
