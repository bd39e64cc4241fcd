/** The service load-balancer controller: works with any client port and any cloud. */
export type { LoadBalancerEvent } from './load-balancer-event.ts';
export type { ServiceLoadBalancerOptions } from './options.ts';
export { createServiceLoadBalancer, type ServiceLoadBalancer } from './service-lb.ts';
