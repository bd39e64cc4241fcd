import type { DnsConfig } from '../dns/index.ts';
import type { DnsNamespace, DnsService } from '../dns/objects.ts';
import type { Workload } from '../explain/index.ts';
import type { GatewayObjects } from '../gateway/index.ts';
import type { BalancerEvent } from '../load-balancer/explain.ts';
import type { PolicyObjects } from '../policy/index.ts';
import type { ProxyService } from '../proxy/index.ts';
import type { EndpointSliceInput, EndpointsInput, Node, ObjectMeta, Optional, Pod, Service } from '../types/index.ts';
import type { ReleaseOptions } from '../versions/index.ts';

/** `corev1.Service` with all fields that a trace reads. */
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

/** `corev1.Pod` with the fields of its DNS configuration. */
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

/** `corev1.Node` with its addresses and pod CIDRs. */
export interface TraceNode extends Node {
  readonly spec?: Optional<{ readonly podCIDR?: Optional<string>; readonly podCIDRs?: Optional<readonly string[]> }>;
  readonly status?: Optional<
    NonNullable<Node['status']> & {
      readonly addresses?: Optional<readonly { readonly type?: Optional<string>; readonly address?: Optional<string> }[]>;
    }
  >;
}

/** `networkingv1.ServiceCIDR` (served from 1.33 on): ranges of cluster IPs. */
export interface TraceServiceCIDR {
  readonly metadata?: Optional<ObjectMeta>;
  readonly spec?: Optional<{ readonly cidrs?: Optional<readonly string[]> }>;
}

/** The objects of a cluster. May include unrelated namespaces and objects. */
export interface TraceObjects {
  readonly services: readonly TraceService[];
  readonly pods: readonly TracePod[];
  /** Undefined if unknown: the trace then computes the controllers' slices. */
  readonly slices?: readonly EndpointSliceInput[] | undefined;
  /** Used to report outdated Endpoints, to describe Services without a selector, and to mirror these if `slices` is undefined. */
  readonly endpoints?: readonly EndpointsInput[] | undefined;
  /** Undefined if unknown. */
  readonly nodes?: readonly TraceNode[] | undefined;
  /** Undefined or empty if unknown: the namespaces of the objects are used. */
  readonly namespaces?: readonly DnsNamespace[] | undefined;
  /** Keys ("shop/web") of Services whose cluster IP is unknown and replaced by a placeholder address. */
  readonly standIns?: ReadonlySet<string> | undefined;
  /** Undefined or empty if unknown: an address without an owner may then lie outside of the cluster. */
  readonly serviceCIDRs?: readonly TraceServiceCIDR[] | undefined;
  /** Events about Services explain why a load balancer is pending; warnings about pods and workloads are evidence. */
  readonly events?: readonly BalancerEvent[] | undefined;
  /** Workloads explain why a Service has no pods. */
  readonly workloads?: readonly Workload[] | undefined;
  /** Ingresses, Gateways and routes; their `services` and `namespaces` are not read. */
  readonly routes?: GatewayObjects | undefined;
  /** Network policies; their `pods`, `namespaces` and `nodes` are not read. */
  readonly policies?: PolicyObjects | undefined;
  /** Keys ("shop/web") of pods that stand for those of a workload: their addresses are placeholders. */
  readonly templatePods?: ReadonlySet<string> | undefined;
}

/** The question that a trace answers. */
export interface TraceQuestion {
  /**
   * A name, with a port by name or number: "web", "web.shop", "web.shop:http", "web.shop.svc.cluster.local:80",
   * "_http._tcp.web.shop.svc.cluster.local"; an address: "10.96.0.7:80", "[fd00::1]:80"; a URL: "http://web.shop/cart". A protocol may
   * follow: "dns:53/UDP".
   */
  readonly target: string;
  /** The client pod: "pod/frontend-1", "shop/pod/frontend-1". */
  readonly from?: string | undefined;
  /** The client's node; default: the node of the pod in `from`. */
  readonly node?: string | undefined;
  /** The client's namespace, also that of `from` if it names none; default: "default". */
  readonly namespace?: string | undefined;
}

/** The release whose controllers compute endpoints, and its feature gates. */
export interface TraceOptions extends ReleaseOptions {
  /** The configuration of the cluster's DNS. */
  readonly dns?: DnsConfig | undefined;
  /** Whether a regular expression of a route matches all of a text. If absent, such matches are unknown. */
  readonly matchRegex?: ((pattern: string, text: string) => boolean) | undefined;
}

/** Thrown if the question cannot be answered. The message says what is wrong and what to pass instead. */
export class TraceError extends Error {}
