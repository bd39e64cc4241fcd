import type { Node, ObjectMeta, Optional, Service, ServicePort } from '../types/index.ts';

/** `corev1.ServicePort`, with the node port that a load balancer may forward to. */
export interface BalancedPort extends ServicePort {
  readonly nodePort?: Optional<number>;
}

/** `corev1.Service` with all fields that a load balancer depends on. */
export interface BalancedService extends Service {
  readonly metadata?: Optional<ObjectMeta & { readonly finalizers?: Optional<readonly string[]> }>;
  readonly spec?: Optional<
    Omit<NonNullable<Service['spec']>, 'ports'> & {
      readonly ports?: Optional<readonly BalancedPort[]>;
      readonly sessionAffinity?: Optional<string>;
      readonly sessionAffinityConfig?: Optional<{ readonly clientIP?: Optional<{ readonly timeoutSeconds?: Optional<number> }> }>;
      readonly externalIPs?: Optional<readonly string[]>;
      readonly externalTrafficPolicy?: Optional<string>;
      readonly healthCheckNodePort?: Optional<number>;
      readonly loadBalancerClass?: Optional<string>;
      readonly loadBalancerIP?: Optional<string>;
      readonly loadBalancerSourceRanges?: Optional<readonly string[]>;
      readonly allocateLoadBalancerNodePorts?: Optional<boolean>;
    }
  >;
  readonly status?: Optional<{ readonly loadBalancer?: Optional<LoadBalancerStatus> }>;
}

/** `corev1.Node` with the fields that a load balancer depends on. */
export interface BalancedNode extends Node {
  readonly spec?: Optional<{
    readonly providerID?: Optional<string>;
    readonly unschedulable?: Optional<boolean>;
    readonly taints?: Optional<readonly NodeTaint[]>;
  }>;
  readonly status?: Optional<
    NonNullable<Node['status']> & { readonly addresses?: Optional<readonly { readonly type: string; readonly address: string }[]> }
  >;
}

export interface NodeTaint {
  readonly key?: Optional<string>;
  readonly value?: Optional<string>;
  readonly effect?: Optional<string>;
}

/** `corev1.LoadBalancerStatus`. */
export interface LoadBalancerStatus {
  readonly ingress?: Optional<readonly LoadBalancerIngress[]>;
}

/** `corev1.LoadBalancerIngress`: an address or a host name. */
export interface LoadBalancerIngress {
  readonly ip?: Optional<string>;
  readonly hostname?: Optional<string>;
  /** "VIP" or "Proxy". */
  readonly ipMode?: Optional<string>;
  readonly ports?: Optional<readonly { readonly port: number; readonly protocol: string; readonly error?: Optional<string> }[]>;
}
