import { headlessLabel } from '../spec/index.ts';
import type { EndpointSliceInput, ObjectMeta, Optional, Service, ServicePort, StringMap } from '../types/index.ts';

/** `corev1.Service` with all that a node's rules are made of. */
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
    }
  >;
  readonly status?: Optional<{
    readonly loadBalancer?: Optional<{
      readonly ingress?: Optional<readonly { readonly ip?: Optional<string>; readonly ipMode?: Optional<string> }[]>;
    }>;
  }>;
}

/** The node that rules are for, and how its kube-proxy is configured. */
export interface ProxyNode {
  readonly name: string;
  readonly labels?: Optional<StringMap>;
  /** Its own addresses, of both families, the primary first. */
  readonly addresses: readonly string[];
  /** `--cluster-cidr`, or the node's pod CIDRs: traffic from elsewhere is masqueraded. None: no telling. */
  readonly podCIDRs?: readonly string[];
  readonly serviceCIDRs?: readonly string[];
  readonly masqueradeAll?: boolean;
  /** Of iptables: node ports answer on loopback addresses, too. */
  readonly localhostNodePorts?: boolean;
  /** Of iptables: masquerading picks ports at random, as where iptables is 1.6.2 or newer. */
  readonly randomFully?: boolean;
  /** CIDRs of the addresses that node ports are reached at, or "primary". */
  readonly nodePortAddresses?: readonly string[];
  /** The bit of the packet's mark that asks for masquerading; 14 by default. */
  readonly masqueradeBit?: number;
}

/** What a node's rules are made of. */
export interface ProxyObjects {
  readonly services?: Iterable<ProxyService>;
  readonly endpointSlices?: Iterable<EndpointSliceInput>;
}

/** Says that another proxy than kube-proxy serves the Service. */
export const serviceProxyNameLabel = 'service.kubernetes.io/service-proxy-name';

/**
 * Whether kube-proxy looks at a Service or an EndpointSlice at all. It asks the API server for Services that no other proxy is named for
 * and for slices that are not of a headless Service; `createNodeView` takes all that it is given.
 *
 * Mirrors the label selectors of Run (1.36, cmd/kube-proxy/app/server.go).
 */
export function isWatched(
  object: { readonly kind?: Optional<string>; readonly metadata?: Optional<ObjectMeta> },
  kind: Optional<string> = object.kind,
): boolean {
  const labels = object.metadata?.labels ?? {};
  return !Object.hasOwn(labels, kind === 'EndpointSlice' ? headlessLabel : serviceProxyNameLabel);
}
