import type { IPFamily } from '../../apimachinery/index.ts';
import { containsIP } from '../addresses.ts';
import { type ProxyGates, proxyGatesFor } from '../gates.ts';
import { cidrsOfFamily, findPrimaryAddress, isLoopback, markOf, readNodeAddresses, readNodePortRanges } from '../node-fields.ts';
import type { ProxyNode } from '../objects.ts';

/** The settings of the node and its kube-proxy that rules depend on, for one address family. */
export interface NftablesSettings {
  readonly gates: ProxyGates;
  readonly family: IPFamily;
  /** nft's names for the family: "ip", "ipv4_addr". */
  readonly ip: 'ip' | 'ip6';
  readonly addressType: 'ipv4_addr' | 'ipv6_addr';
  readonly masqueradeAll: boolean;
  /** "0x00004000" */
  readonly mark: string;
  /** Matches packets from the cluster's pods; undefined if the pod CIDR is unknown. */
  readonly fromPods: string | undefined;
  readonly notFromPods: string | undefined;
  /** Joined by commas; "" if none are known. */
  readonly serviceCIDRs: string;
  /** The node's addresses that serve node ports; undefined means all of them. */
  readonly nodePortIPs: readonly string[] | undefined;
  /** The first address of the node; a loopback address if the node has none of this family. */
  readonly nodeIP: string;
}

/**
 * Reads the settings from a node's fields. Mirrors the argument handling of NewProxier (1.36, pkg/proxy/nftables/proxier.go).
 * @throws RangeError naming the invalid field of the node, or if the release has no mode nftables
 */
export function readNftablesSettings(node: ProxyNode, family: IPFamily, gates: ProxyGates = proxyGatesFor()): NftablesSettings {
  if (!gates.nftablesMode) throw new RangeError('kube-proxy has the mode nftables since 1.29: use the mode iptables or a later version');
  const isIPv6 = family === 'IPv6';
  const ip = isIPv6 ? 'ip6' : 'ip';
  const podCIDR = cidrsOfFamily(node.podCIDRs, 'podCIDRs', family)[0];
  return {
    gates,
    family,
    ip,
    addressType: isIPv6 ? 'ipv6_addr' : 'ipv4_addr',
    masqueradeAll: node.masqueradeAll ?? false,
    mark: markOf(node),
    fromPods: podCIDR && `${ip} saddr ${podCIDR}`,
    notFromPods: podCIDR && `${ip} saddr != ${podCIDR}`,
    serviceCIDRs: cidrsOfFamily(node.serviceCIDRs, 'serviceCIDRs', family).join(','),
    nodePortIPs: selectNodePortIPs(node, family, gates),
    nodeIP: findPrimaryAddress(node, family),
  };
}

/** Selects the addresses that serve node ports, except loopback addresses, on which nftables mode does not serve them. */
function selectNodePortIPs(node: ProxyNode, family: IPFamily, { primaryNodePorts, primaryKeyword }: ProxyGates): string[] | undefined {
  const ranges = readNodePortRanges(node, family, primaryNodePorts && !primaryKeyword);
  if (!ranges) return undefined;
  const addresses = readNodeAddresses(node, family).filter(
    (address) => !isLoopback(address) && ranges.some((range) => containsIP(range, address)),
  );
  return [...new Set(addresses)];
}
