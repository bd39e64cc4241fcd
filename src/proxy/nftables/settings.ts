import type { IPFamily } from '../../apimachinery/index.ts';
import { holdsIP } from '../addresses.ts';
import { isLoopback, markOf, nodeAddresses, nodePortRanges, primaryAddress, textsOfFamily } from '../node-fields.ts';
import type { ProxyNode } from '../objects.ts';

/** What rules take from the node, and from how kube-proxy runs there, for one address family. */
export interface NftablesSettings {
  readonly family: IPFamily;
  /** How nft calls what is of the family: "ip", "ipv4_addr". */
  readonly ip: 'ip' | 'ip6';
  readonly addressType: 'ipv4_addr' | 'ipv6_addr';
  readonly masqueradeAll: boolean;
  /** "0x00004000" */
  readonly mark: string;
  /** What is read of a packet of one of the cluster's pods; undefined where there is no telling. */
  readonly fromPods: string | undefined;
  readonly notFromPods: string | undefined;
  /** Joined by commas; "" for none known. */
  readonly serviceCIDRs: string;
  /** The node's own addresses that node ports are reached at; undefined for all of them. */
  readonly nodePortIPs: readonly string[] | undefined;
  /** Loopback where it has none. */
  readonly nodeIP: string;
}

/**
 * Mirrors what NewProxier (1.36, pkg/proxy/nftables/proxier.go) makes of its arguments.
 * @throws RangeError naming the field of the node
 */
export function nftablesSettings(node: ProxyNode, family: IPFamily): NftablesSettings {
  const six = family === 'IPv6';
  const ip = six ? 'ip6' : 'ip';
  const podCIDR = textsOfFamily(node.podCIDRs, 'podCIDRs', family)[0];
  return {
    family,
    ip,
    addressType: six ? 'ipv6_addr' : 'ipv4_addr',
    masqueradeAll: node.masqueradeAll ?? false,
    mark: markOf(node),
    fromPods: podCIDR && `${ip} saddr ${podCIDR}`,
    notFromPods: podCIDR && `${ip} saddr != ${podCIDR}`,
    serviceCIDRs: textsOfFamily(node.serviceCIDRs, 'serviceCIDRs', family).join(','),
    nodePortIPs: nodePortIPs(node, family),
    nodeIP: primaryAddress(node, family),
  };
}

/** Loopback addresses never: nftables does not serve node ports there. */
function nodePortIPs(node: ProxyNode, family: IPFamily): string[] | undefined {
  const ranges = nodePortRanges(node, family);
  if (!ranges) return undefined;
  const reached = nodeAddresses(node, family).filter((address) => !isLoopback(address) && ranges.some((range) => holdsIP(range, address)));
  return [...new Set(reached)];
}
