import { createHash } from '../hash.ts';
import type { EndpointView, ServicePortView } from '../view.ts';

/** The names of what a port of a Service has in the table. */
export interface PortNames {
  /** Where traffic under the policy Cluster goes. */
  readonly cluster: string;
  /** Where traffic under the policy Local goes. */
  readonly local: string;
  /** Where traffic from outside goes first. */
  readonly external: string;
  /** Where source ranges are looked at. */
  readonly firewall: string;
  /** An endpoint's chain and the set of its clients, which there are for session affinity only. */
  endpoint(endpoint: EndpointView): { readonly chain: string; readonly affinity: string };
}

/**
 * Names chains and sets by what they are for, with a hash before it that keeps names unique which had to be cut.
 * Mirrors servicePortChainNameBase and its siblings (1.36, pkg/proxy/nftables/proxier.go).
 */
export function createPortNames(): (port: ServicePortView) => PortNames {
  const hash = createHash();
  const shorten = (name: string): string => {
    const whole = `${hash(name).slice(0, 8)}-${name}`;
    return whole.length > lengthMax ? `${whole.slice(0, lengthMax - 3)}...` : whole;
  };
  return ({ namespace, service, portName, protocol }) => {
    const path = `${namespace}/${service}/${protocol.toLowerCase()}/${portName}`;
    const base = shorten(path);
    return {
      cluster: `service-${base}`,
      local: `local-${base}`,
      external: `external-${base}`,
      firewall: `firewall-${base}`,
      endpoint: ({ ip, port }) => {
        // a colon cannot stand in a name
        const own = shorten(`${path}__${ip.replaceAll(':', '.')}/${port}`);
        return { chain: `endpoint-${own}`, affinity: `affinity-${own}` };
      },
    };
  };
}

/** nft's longest name, without room for the longest of our prefixes. */
const lengthMax = 256 - 16;

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
