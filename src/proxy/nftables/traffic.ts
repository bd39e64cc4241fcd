import type { ServicePortView } from '../view.ts';
import type { PortNames } from './names.ts';

/** A port of a Service with what is known of its traffic. */
export interface PortTraffic {
  readonly port: ServicePortView;
  readonly names: PortNames;
  /** "tcp" */
  readonly protocol: string;
  /** Whether there is anything for traffic to the cluster IP to go to, and for traffic from outside. */
  readonly hasInternal: boolean;
  readonly hasExternal: boolean;
  readonly usesExternal: boolean;
  readonly usesFirewall: boolean;
}

/** Works out what there is for traffic to go to. Mirrors the first half of what syncProxyRules (1.36, pkg/proxy/nftables/proxier.go) does for each port. */
export function trafficOf(port: ServicePortView, names: PortNames): PortTraffic {
  const { hasAny, local = [], internalPolicyLocal, externalPolicyLocal, externallyAccessible } = port;
  return {
    port,
    names,
    protocol: port.protocol.toLowerCase(),
    hasInternal: hasAny && !(internalPolicyLocal && local.length === 0),
    hasExternal: hasAny && !(externalPolicyLocal && local.length === 0),
    usesExternal: hasAny && externallyAccessible,
    usesFirewall: port.loadBalancerVIPs.length > 0 && port.loadBalancerSourceRanges.length > 0,
  };
}
