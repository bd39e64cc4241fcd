import { type ProxyGates, proxyGatesFor } from '../gates.ts';
import { createHasher } from '../hash.ts';
import type { EndpointView, ServicePortView } from '../view.ts';

/** Names of a port's chains and sets. */
export interface PortNames {
  /** Chain for the policy Cluster. */
  readonly cluster: string;
  /** Chain for the policy Local. */
  readonly local: string;
  /** Entry chain for external traffic. */
  readonly external: string;
  /** Chain that checks source ranges. */
  readonly firewall: string;
  /** An endpoint's chain and its set of clients; used for session affinity only. */
  endpoint(endpoint: EndpointView): { readonly chain: string; readonly affinity: string };
}

/**
 * Creates a function that builds a port's names from a hash and a readable part. The hash keeps truncated names unique. Mirrors
 * servicePortChainNameBase and its siblings (1.36, pkg/proxy/nftables/proxier.go).
 */
export function createPortNamer(): (port: ServicePortView) => PortNames {
  const hash = createHasher();
  const shorten = (name: string): string => {
    const fullName = `${hash(name).slice(0, 8)}-${name}`;
    return fullName.length > maxNameLength ? `${fullName.slice(0, maxNameLength - 3)}...` : fullName;
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
        // nft names cannot contain a colon.
        const endpointName = shorten(`${path}__${ip.replaceAll(':', '.')}/${port}`);
        return { chain: `endpoint-${endpointName}`, affinity: `affinity-${endpointName}` };
      },
    };
  };
}

/** nft's maximum name length, less room for the longest prefix. */
const maxNameLength = 256 - 16;

/** A port of a Service with facts about its traffic. */
export interface PortTraffic {
  readonly port: ServicePortView;
  readonly names: PortNames;
  /** "tcp" */
  readonly protocol: string;
  /** The comment of the port's elements: its name; from 1.37 on, at most 128 characters of it. */
  readonly comment: string;
  /** Whether cluster IP traffic has an endpoint. */
  readonly hasInternalEndpoint: boolean;
  /** Whether external traffic has an endpoint. */
  readonly hasExternalEndpoint: boolean;
  /** Whether the port needs the chain for external traffic. */
  readonly usesExternalChain: boolean;
  /** Whether source ranges limit the load balancer's traffic. */
  readonly usesFirewallChain: boolean;
}

/**
 * Determines which traffic has endpoints. Mirrors the first half of the loop over ports in syncProxyRules (1.36,
 * pkg/proxy/nftables/proxier.go).
 */
export function createPortTraffic(port: ServicePortView, names: PortNames, gates: ProxyGates = proxyGatesFor()): PortTraffic {
  const { hasAny, local = [], internalPolicyLocal, externalPolicyLocal, externallyAccessible } = port;
  return {
    port,
    names,
    protocol: port.protocol.toLowerCase(),
    comment: gates.shortComments ? port.name.slice(0, 128) : port.name,
    hasInternalEndpoint: hasAny && !(internalPolicyLocal && local.length === 0),
    hasExternalEndpoint: hasAny && !(externalPolicyLocal && local.length === 0),
    usesExternalChain: hasAny && externallyAccessible,
    usesFirewallChain: port.loadBalancerVIPs.length > 0 && port.loadBalancerSourceRanges.length > 0,
  };
}
