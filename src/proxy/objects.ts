import { headlessLabel } from '../spec/index.ts';
import type { EndpointSliceInput, EndpointsInput, ObjectMeta, Optional, Service, ServicePort, StringMap } from '../types/index.ts';

/** `corev1.Service` with the fields that a node's rules need. */
export interface ProxyService extends Service {
  readonly spec?: Optional<
    Omit<NonNullable<Service['spec']>, 'ports'> & {
      readonly ports?: Optional<readonly (ServicePort & { readonly nodePort?: Optional<number> })[]>;
      readonly clusterIPs?: Optional<readonly string[]>;
      readonly externalIPs?: Optional<readonly string[]>;
      readonly sessionAffinity?: Optional<string>;
      readonly sessionAffinityConfig?: Optional<{ readonly clientIP?: Optional<{ readonly timeoutSeconds?: Optional<number> }> }>;
      readonly internalTrafficPolicy?: Optional<string>;
      readonly externalTrafficPolicy?: Optional<string>;
      readonly healthCheckNodePort?: Optional<number>;
      readonly loadBalancerSourceRanges?: Optional<readonly string[]>;
      /** 1.17 to 1.21, with the feature gate ServiceTopology. */
      readonly topologyKeys?: Optional<readonly string[]>;
    }
  >;
  readonly status?: Optional<{
    readonly loadBalancer?: Optional<{
      readonly ingress?: Optional<readonly { readonly ip?: Optional<string>; readonly ipMode?: Optional<string> }[]>;
    }>;
  }>;
}

/** The node that the rules are for, and the configuration of its kube-proxy. */
export interface ProxyNode {
  readonly name: string;
  readonly labels?: Optional<StringMap>;
  /** The node's own addresses, of both families, the primary first. */
  readonly addresses: readonly string[];
  /** `--cluster-cidr`, or the node's pod CIDRs: traffic from other sources is masqueraded. If absent, pod traffic is not recognized. */
  readonly podCIDRs?: readonly string[];
  readonly serviceCIDRs?: readonly string[];
  readonly masqueradeAll?: boolean;
  /** iptables only: serves node ports on loopback addresses as well. */
  readonly localhostNodePorts?: boolean;
  /** iptables only, before 1.37: masquerades with random ports, which needs iptables 1.6.2 or newer. */
  readonly randomFully?: boolean;
  /** ipvs only: the scheduler of virtual servers; default: "rr". */
  readonly ipvsScheduler?: string;
  /** CIDRs of the node addresses that serve node ports, or "primary". */
  readonly nodePortAddresses?: readonly string[];
  /** The packet mark bit that requests masquerading; default: 14. */
  readonly masqueradeBit?: number;
}

/** The objects that a node's rules are made from. */
export interface ProxyObjects {
  readonly services?: Iterable<ProxyService>;
  /** Not read by releases before 1.19, unless a feature gate is set (gate `slicesRead`). */
  readonly endpointSlices?: Iterable<EndpointSliceInput>;
  /** Read instead of `endpointSlices` by the releases that do not read these. */
  readonly endpoints?: Iterable<EndpointsInput>;
}

/** Marks a Service that a proxy other than kube-proxy serves. */
export const serviceProxyNameLabel = 'service.kubernetes.io/service-proxy-name';

/**
 * Whether kube-proxy watches this Service, EndpointSlice or Endpoints: Services without a label naming another proxy, slices of Services
 * that are not headless, and Endpoints to which both apply. `createNodeView` does not apply this filter.
 *
 * Mirrors the label selectors of Run (1.36 and, for Endpoints, 1.21, cmd/kube-proxy/app/server.go).
 */
export function isWatched(
  object: { readonly kind?: Optional<string>; readonly metadata?: Optional<ObjectMeta> },
  kind: Optional<string> = object.kind,
): boolean {
  const labels = object.metadata?.labels ?? {};
  const isHeadless = Object.hasOwn(labels, headlessLabel);
  const hasOtherProxy = Object.hasOwn(labels, serviceProxyNameLabel);
  if (kind === 'EndpointSlice') return !isHeadless;
  return !hasOtherProxy && !(kind === 'Endpoints' && isHeadless);
}
