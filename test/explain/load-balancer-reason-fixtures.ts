import type { BalancerEvent } from '../../src/load-balancer/explain.ts';
import type { BalancedNode, BalancedService } from '../../src/load-balancer/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import type { ReasonFixture } from './reason-fixtures.ts';

const finalizer = 'service.kubernetes.io/load-balancer-cleanup';

/** A Service of type LoadBalancer with the finalizer of the service controller. */
export const balanced = (spec: BalancedService['spec'] = {}, more: Partial<BalancedService> = {}): BalancedService => {
  const { metadata, spec: plain } = makeService();
  return {
    ...more,
    metadata: { ...metadata, finalizers: [finalizer], ...more.metadata },
    spec: { ...plain, type: 'LoadBalancer', ...spec },
  };
};

export const balancedNode = (name: string, more: BalancedNode['metadata'] = {}): BalancedNode => ({
  metadata: { name, ...more },
  spec: { providerID: `machine://${name}` },
});

/** The Event of the service controller after a failed sync. */
export const failure = (message: string): BalancerEvent => ({
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
    service: balanced({ loadBalancerClass: 'example.com/edge' }, { metadata: { finalizers: [] } }),
    pods,
    severity: 'info',
    message:
      'The load balancer is left to who sees to the class example.com/edge: the service controller passes over a Service with a class.',
    path: 'service.spec.loadBalancerClass',
  },
  {
    code: 'LoadBalancerNotPickedUp',
    service: balanced({}, { metadata: { finalizers: [] } }),
    pods,
    severity: 'warning',
    message: `The Service waits for a load balancer, and no service controller has taken it up: it has no finalizer ${finalizer}.`,
    path: 'service.metadata.finalizers',
  },
  {
    code: 'LoadBalancerFailing',
    service: balanced(),
    pods,
    events: [failure('Error syncing load balancer: failed to ensure load balancer: quota exceeded')],
    severity: 'warning',
    message:
      'The cloud does not bring about what the Service asks of its load balancer; last: Error syncing load balancer: failed to ensure load balancer: quota exceeded.',
    path: 'events',
  },
  {
    code: 'LoadBalancerWithoutNodes',
    service: balanced(),
    pods,
    balancedNodes: [
      balancedNode('a', { labels: { 'node.kubernetes.io/exclude-from-external-load-balancers': '' } }),
      balancedNode('b', { deletionTimestamp: '2026-01-31T12:00:00Z' }),
    ],
    severity: 'warning',
    message: 'No node may be behind the load balancer (nodes there are: 2): a is excluded by its label, b is being deleted.',
    path: 'nodes',
  },
  {
    code: 'LoadBalancerWithoutNodes',
    service: balanced({}, { status: { loadBalancer: { ingress: [{ ip: '10.9.0.1' }] } } }),
    pods,
    balancedNodes: [],
    severity: 'warning',
    message: 'No node may be behind the load balancer (nodes there are: 0).',
    path: 'nodes',
  },
  {
    code: 'LoadBalancerAwaited',
    service: balanced(),
    pods,
    balancedNodes: [balancedNode('a')],
    severity: 'warning',
    message: 'The service controller has taken the Service up, and the cloud has not told of a load balancer yet.',
    path: 'service.status.loadBalancer.ingress',
  },
  {
    code: 'LoadBalancerWithoutNodePorts',
    service: balanced({ allocateLoadBalancerNodePorts: false }),
    pods,
    severity: 'warning',
    message: 'The Service has no node port for http, and a cloud whose load balancers go by node ports cannot forward to it.',
    path: 'service.spec.allocateLoadBalancerNodePorts',
  },
  {
    code: 'LoadBalancerBeingDeleted',
    service: balanced({}, { metadata: { finalizers: [finalizer], deletionTimestamp: '2026-01-31T12:00:00Z' } }),
    pods,
    severity: 'info',
    message: 'The Service is being deleted since 2026-01-31T12:00:00Z, and waits until the cloud has deleted its load balancer.',
    path: 'service.metadata.deletionTimestamp',
  },
  {
    code: 'LoadBalancerCleanupOwed',
    service: balanced({ type: 'NodePort' }),
    pods,
    severity: 'warning',
    message: `The Service wants no load balancer any more, but one may still be there: its finalizer ${finalizer} is not gone.`,
    path: 'service.metadata.finalizers',
  },
];
