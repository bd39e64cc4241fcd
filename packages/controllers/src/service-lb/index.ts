/** The service load-balancer controller, over any API that the port reaches and any cloud. */
export type { LoadBalancerEvent } from './load-balancer-event.ts';
export type { ServiceLoadBalancerOptions } from './options.ts';
export { createServiceLoadBalancer, type ServiceLoadBalancer } from './service-lb.ts';
