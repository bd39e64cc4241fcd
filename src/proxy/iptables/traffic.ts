import { type ProxyGates, proxyGatesFor } from '../gates.ts';
import { createHasher } from '../hash.ts';
import type { EndpointView, ServicePortView } from '../view.ts';

/** The chains and endpoints that a node uses for the traffic of a port. */
export interface PortTraffic {
  readonly chains: PortChains;
  /** The chain for cluster IP traffic. */
  readonly internalChain: string;
  /** Whether cluster IP traffic has an endpoint. */
  readonly hasInternalEndpoint: boolean;
  /** How to refuse cluster IP traffic; undefined if it has an endpoint. */
  readonly internalRefusal: Refusal | undefined;
  /** The policy chain to which "KUBE-EXT-..." sends traffic. */
  readonly externalChain: string;
  /** Whether external traffic has an endpoint. */
  readonly hasExternalEndpoint: boolean;
  readonly externalRefusal: Refusal | undefined;
  /** The chain for traffic to the load balancer's addresses. */
  readonly loadBalancerTarget: string;
  readonly usesExternalChain: boolean;
  readonly usesFirewallChain: boolean;
  /** The endpoints of the policy chains; empty if there is no such chain. */
  readonly cluster: readonly EndpointView[];
  readonly local: readonly EndpointView[];
  /** Before 1.25: whether the chain for the policy Local marks packets to drop. */
  readonly marksDrops: boolean;
}

/** A verdict with its comment. */
export interface Refusal {
  readonly target: 'REJECT' | 'DROP';
  readonly comment: string;
}

/**
 * Determines the chains and endpoints for the traffic of a port. Mirrors the first half of the loop over ports in `syncProxyRules` (1.36,
 * pkg/proxy/iptables/proxier.go).
 */
export function createPortTraffic(
  port: ServicePortView,
  chains: PortChains,
  { dropsInFilter }: Pick<ProxyGates, 'dropsInFilter'> = proxyGatesFor(),
): PortTraffic {
  const { hasAny, cluster = [], local = [], internalPolicyLocal, externalPolicyLocal } = port;
  const isDropped = dropsInFilter && local.length === 0;
  const hasInternalEndpoint = hasAny && !(internalPolicyLocal && isDropped);
  const hasExternalEndpoint = hasAny && !(externalPolicyLocal && isDropped);
  const usesFirewallChain = hasAny && port.loadBalancerVIPs.length > 0 && port.loadBalancerSourceRanges.length > 0;
  const refusal = createRefusal(port);
  return {
    chains,
    internalChain: internalPolicyLocal ? chains.local : chains.cluster,
    hasInternalEndpoint,
    internalRefusal: hasInternalEndpoint ? undefined : refusal,
    externalChain: externalPolicyLocal ? chains.local : chains.cluster,
    hasExternalEndpoint,
    externalRefusal: hasExternalEndpoint ? undefined : refusal,
    loadBalancerTarget: usesFirewallChain ? chains.firewall : chains.external,
    usesExternalChain: hasAny && port.externallyAccessible,
    usesFirewallChain,
    cluster: port.usesClusterEndpoints ? cluster : [],
    local: port.usesLocalEndpoints ? local : [],
    marksDrops: !dropsInFilter && hasAny && port.usesLocalEndpoints && local.length === 0,
  };
}

/** Rejects if no node has an endpoint. If only this node has none, drops instead, so that the client retries and may reach another node. */
const createRefusal = ({ hasAny, name }: ServicePortView): Refusal =>
  hasAny ? { target: 'DROP', comment: `${name} has no local endpoints` } : { target: 'REJECT', comment: `${name} has no endpoints` };

/** The chains of a port of a Service. */
export interface PortChains {
  /** For the policy Cluster: "KUBE-SVC-..." */
  readonly cluster: string;
  /** For the policy Local: "KUBE-SVL-..." */
  readonly local: string;
  /** Before 1.24, for external traffic with the policy Local: "KUBE-XLB-..." */
  readonly balancer: string;
  /** Entry for external traffic: "KUBE-EXT-..." */
  readonly external: string;
  /** Checks source ranges: "KUBE-FW-..." */
  readonly firewall: string;
  /** DNAT to an endpoint: "KUBE-SEP-..." */
  endpoint(text: string): string;
}

/**
 * Creates a function that names a port's chains by a hash, because a name has at most 28 characters. Mirrors
 * `servicePortPolicyClusterChain` and its siblings (1.36, pkg/proxy/iptables/proxier.go).
 */
export function createChainNamer(): (name: string, protocol: string) => PortChains {
  const hash = createHasher();
  return (name, protocol) => {
    const key = name + protocol.toLowerCase();
    const suffix = hash(key);
    return {
      cluster: `KUBE-SVC-${suffix}`,
      local: `KUBE-SVL-${suffix}`,
      balancer: `KUBE-XLB-${suffix}`,
      external: `KUBE-EXT-${suffix}`,
      firewall: `KUBE-FW-${suffix}`,
      endpoint: (text) => `KUBE-SEP-${hash(key + text)}`,
    };
  };
}
