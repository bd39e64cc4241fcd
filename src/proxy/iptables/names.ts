import { createHash } from '../hash.ts';

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
