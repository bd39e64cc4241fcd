import type { ProxyFamily } from '../addresses.ts';
import { isLoopback, markOf, nodeAddresses, readNodeRange, textsOfFamily } from '../node-fields.ts';
import type { ProxyNode } from '../objects.ts';

/** What rules take from the node, and from how kube-proxy runs there, for one address family. */
export interface NftablesSettings {
  readonly family: ProxyFamily;
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
  readonly nodeIP: string | undefined;
}

/**
 * Mirrors what NewProxier (1.36, pkg/proxy/nftables/proxier.go) and NodePortAddresses (pkg/proxy/util/nodeport_addresses.go) make of
 * their arguments.
 * @throws RangeError naming the field of the node
 */
export function nftablesSettings(node: ProxyNode, family: ProxyFamily): NftablesSettings {
  const six = family === 'IPv6';
  const ip = six ? 'ip6' : 'ip';
  const addresses = nodeAddresses(node, family);
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
    nodePortIPs: nodePortIPs(node.nodePortAddresses, addresses, family),
    nodeIP: addresses[0],
  };
}

/** Loopback addresses never: nftables does not serve node ports there. */
function nodePortIPs(given: readonly string[] = [], addresses: readonly string[], family: ProxyFamily): string[] | undefined {
  if (given.length === 1 && given[0] === 'primary') return addresses.slice(0, 1);
  const ranges = given.map((text) => readNodeRange(text, 'nodePortAddresses')).filter((range) => range.family === family);
  if (ranges.length === 0 || ranges.some(({ isZero }) => isZero)) return undefined;
  const reached = addresses.filter((address) => !isLoopback(address) && ranges.some((range) => range.contains(address)));
  return [...new Set(reached)];
}
