import { createHash } from '../hash.ts';
import type { EndpointView, ServicePortView } from '../view.ts';

/** Where a node sends the traffic of a port of a Service. */
export interface PortTraffic {
  readonly chains: PortChains;
  /** The chain of traffic to the cluster IP, and whether there is anything for it to go to. */
  readonly internal: string;
  readonly hasInternal: boolean;
  /** What becomes of traffic to the cluster IP where there is nothing. */
  readonly refusedInternal: Refusal | undefined;
  /** The chain behind "KUBE-EXT-...", and whether there is anything for traffic from outside to go to. */
  readonly external: string;
  readonly hasExternal: boolean;
  readonly refusedExternal: Refusal | undefined;
  /** The chain of traffic to the load balancer's addresses. */
  readonly balanced: string;
  readonly usesExternal: boolean;
  readonly usesFirewall: boolean;
  /** What the chains of the policies lead to; nothing where there is no such chain. */
  readonly cluster: readonly EndpointView[];
  readonly local: readonly EndpointView[];
}

/** A verdict, and why it is given. */
export interface Refusal {
  readonly target: 'REJECT' | 'DROP';
  readonly comment: string;
}

/** Mirrors the first half of what `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go) does for each port of a Service. */
export function trafficOf(port: ServicePortView, chains: PortChains): PortTraffic {
  const { hasAny, cluster = [], local = [], internalPolicyLocal, externalPolicyLocal } = port;
  const hasInternal = hasAny && !(internalPolicyLocal && local.length === 0);
  const hasExternal = hasAny && !(externalPolicyLocal && local.length === 0);
  const usesFirewall = hasAny && port.loadBalancerVIPs.length > 0 && port.loadBalancerSourceRanges.length > 0;
  const refusal = refusalOf(port);
  return {
    chains,
    internal: internalPolicyLocal ? chains.local : chains.cluster,
    hasInternal,
    refusedInternal: hasInternal ? undefined : refusal,
    external: externalPolicyLocal ? chains.local : chains.cluster,
    hasExternal,
    refusedExternal: hasExternal ? undefined : refusal,
    balanced: usesFirewall ? chains.firewall : chains.external,
    usesExternal: hasAny && port.externallyAccessible,
    usesFirewall,
    cluster: port.usesClusterEndpoints ? cluster : [],
    local: port.usesLocalEndpoints ? local : [],
  };
}

/** Nobody has endpoints: a client is told. Only this node has none: others may, so that a client is to try again. */
const refusalOf = ({ hasAny, name }: ServicePortView): Refusal =>
  hasAny ? { target: 'DROP', comment: `${name} has no local endpoints` } : { target: 'REJECT', comment: `${name} has no endpoints` };

/** The chains of a port of a Service. */
export interface PortChains {
  /** Where traffic under the policy Cluster goes: "KUBE-SVC-..." */
  readonly cluster: string;
  /** Where traffic under the policy Local goes: "KUBE-SVL-..." */
  readonly local: string;
  /** Where traffic from outside goes first: "KUBE-EXT-..." */
  readonly external: string;
  /** Where source ranges are looked at: "KUBE-FW-..." */
  readonly firewall: string;
  /** Where an endpoint's traffic gets its destination: "KUBE-SEP-..." */
  endpoint(text: string): string;
}

/**
 * Names chains by a hash of what they are for, as a name has room for 28 characters only.
 * Mirrors `servicePortPolicyClusterChain` and its siblings (1.36, pkg/proxy/iptables/proxier.go).
 */
export function createChainNames(): (name: string, protocol: string) => PortChains {
  const hash = createHash();
  return (name, protocol) => {
    const key = name + protocol.toLowerCase();
    const suffix = hash(key);
    return {
      cluster: `KUBE-SVC-${suffix}`,
      local: `KUBE-SVL-${suffix}`,
      external: `KUBE-EXT-${suffix}`,
      firewall: `KUBE-FW-${suffix}`,
      endpoint: (text) => `KUBE-SEP-${hash(key + text)}`,
    };
  };
}
