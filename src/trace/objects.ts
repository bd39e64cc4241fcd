import type { DnsConfig } from '../dns/index.ts';
import type { DnsNamespace, DnsService } from '../dns/objects.ts';
import type { BalancerEvent } from '../load-balancer/explain.ts';
import type { ProxyService } from '../proxy/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';

/** `corev1.Service` with all that names, rules and endpoints are made of. */
export interface TraceService extends Service {
  readonly spec?: Optional<Omit<NonNullable<DnsService['spec']>, 'ports'> & NonNullable<ProxyService['spec']>>;
  readonly status?: Optional<{
    readonly loadBalancer?: Optional<{
      readonly ingress?: Optional<
        readonly { readonly ip?: Optional<string>; readonly hostname?: Optional<string>; readonly ipMode?: Optional<string> }[]
      >;
    }>;
  }>;
}

/** `corev1.Pod` with what its resolver is configured by. */
export interface TracePod extends Pod {
  readonly spec?: Optional<
    NonNullable<Pod['spec']> & {
      readonly dnsPolicy?: Optional<string>;
      readonly dnsConfig?: Optional<PodDnsConfig>;
      readonly hostAliases?: Optional<readonly { readonly ip?: Optional<string>; readonly hostnames?: Optional<readonly string[]> }[]>;
    }
  >;
}

/** `corev1.PodDNSConfig`. */
export interface PodDnsConfig {
  readonly nameservers?: Optional<readonly string[]>;
  readonly searches?: Optional<readonly string[]>;
  readonly options?: Optional<readonly { readonly name?: Optional<string>; readonly value?: Optional<string> }[]>;
}

/** `corev1.Node` with its addresses, and those of its pods. */
export interface TraceNode extends Node {
  readonly spec?: Optional<{ readonly podCIDR?: Optional<string>; readonly podCIDRs?: Optional<readonly string[]> }>;
  readonly status?: Optional<
    NonNullable<Node['status']> & {
      readonly addresses?: Optional<readonly { readonly type?: Optional<string>; readonly address?: Optional<string> }[]>;
    }
  >;
}

/** `networkingv1.ServiceCIDR`, served from 1.33 on: ranges that cluster IPs are of. */
export interface TraceServiceCIDR {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{ readonly cidrs?: Optional<readonly string[]> }>;
}

/** What a cluster holds. Objects of other namespaces and names may be among them. */
export interface TraceObjects {
  readonly services: readonly TraceService[];
  readonly pods: readonly TracePod[];
  /** Undefined where nothing is known of them: then those that the controllers make are taken. */
  readonly slices?: readonly EndpointSliceInput[] | undefined;
  /** Looked at only to tell where they are behind. */
  readonly endpoints?: readonly EndpointsInput[] | undefined;
  /** Undefined where nothing is known of them. */
  readonly nodes?: readonly TraceNode[] | undefined;
  /** Undefined or empty where nothing is known of them: then those that the objects are in are taken. */
  readonly namespaces?: readonly DnsNamespace[] | undefined;
  /** "shop/web" of Services whose cluster IP is not known, and in whose place another address stands. */
  readonly standIns?: ReadonlySet<string> | undefined;
  /** Undefined or empty where nothing is known of them: then an address that nothing has may be outside of the cluster. */
  readonly serviceCIDRs?: readonly TraceServiceCIDR[] | undefined;
  /** Those about Services tell why a load balancer is pending. */
  readonly events?: readonly BalancerEvent[] | undefined;
}

/** What is asked. */
export interface TraceQuestion {
  /**
   * A name, with a port by name or number: "web", "web.shop", "web.shop:http", "web.shop.svc.cluster.local:80",
   * "_http._tcp.web.shop.svc.cluster.local"; an address: "10.96.0.7:80", "[fd00::1]:80"; a URL: "http://web.shop/cart".
   * A protocol may follow: "dns:53/UDP".
   */
  readonly target: string;
  /** The pod that asks: "pod/frontend-1", "shop/pod/frontend-1". */
  readonly from?: string | undefined;
  /** The node that is asked from; that of the pod, where it is not given. */
  readonly node?: string | undefined;
  /** That of `from`, where it names none, and of whoever asks; "default" by default. */
  readonly namespace?: string | undefined;
}

export interface TraceOptions {
  /** The Kubernetes release whose controllers make endpoints: "1.17" to "1.37", or a patch release of one; the newest by default. */
  readonly version?: string | undefined;
  /** How the cluster's DNS is configured. */
  readonly dns?: DnsConfig | undefined;
}

/** A question that cannot be answered: the message says what is wrong with it, and what to give. */
export class TraceError extends Error {}
