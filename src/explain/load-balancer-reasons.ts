import type { LoadBalancerCauseCode } from '../types/index.ts';
import type { ReasonRow } from './reason-row.ts';

const cloudRemedy = 'See the Events of the Service and the logs of the service controller.';

/** What keeps a Service from its load balancer, or from being rid of one. */
export const loadBalancerReasons: Readonly<Record<LoadBalancerCauseCode, ReasonRow>> = {
  LoadBalancerOfOtherClass: {
    about: 'service',
    severity: 'info',
    message: 'The load balancer is left to who sees to the class {class}: the service controller passes over a Service with a class.',
    remedy: 'See whether the controller of that class runs; without spec.loadBalancerClass the service controller makes the load balancer.',
  },
  LoadBalancerNotPickedUp: {
    about: 'service',
    severity: 'warning',
    message: 'The Service waits for a load balancer, and no service controller has taken it up: it has no finalizer {finalizer}.',
    remedy: 'Run a service controller with a cloud that has load balancers: a cloud-controller-manager, or kubectl-endpoints run --cloud.',
  },
  LoadBalancerFailing: {
    about: 'service',
    severity: 'warning',
    message: 'The cloud does not bring about what the Service asks of its load balancer; last: {message}.',
    remedy: cloudRemedy,
  },
  LoadBalancerWithoutNodes: {
    about: 'service',
    severity: 'warning',
    message: 'No node may be behind the load balancer (nodes there are: {count}){why}.',
    remedy: 'Add nodes, or take away the label or the taint that keeps them out; in older releases nodes have to be ready, too.',
  },
  LoadBalancerAwaited: {
    about: 'service',
    severity: 'warning',
    message: 'The service controller has taken the Service up, and the cloud has not told of a load balancer yet.',
    remedy: `Wait: clouds take minutes. ${cloudRemedy}`,
  },
  LoadBalancerWithoutNodePorts: {
    about: 'service',
    severity: 'warning',
    message: 'The Service has no node port for {ports}, and a cloud whose load balancers go by node ports cannot forward to it.',
    remedy: 'Set spec.allocateLoadBalancerNodePorts to true, unless the load balancers of the cloud reach pods without node ports.',
  },
  LoadBalancerBeingDeleted: {
    about: 'service',
    severity: 'info',
    message: 'The Service is being deleted since {time}, and waits until the cloud has deleted its load balancer.',
    remedy: `Wait; the finalizer goes when the load balancer is gone. ${cloudRemedy}`,
  },
  LoadBalancerCleanupOwed: {
    about: 'service',
    severity: 'warning',
    message: 'The Service wants no load balancer any more, but one may still be there: its finalizer {finalizer} is not gone.',
    remedy: `Run a service controller with the cloud that made the load balancer. ${cloudRemedy}`,
  },
};
