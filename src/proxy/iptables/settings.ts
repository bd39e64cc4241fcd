import type { CIDR, IPFamily } from '../../apimachinery/index.ts';
import { containsIP } from '../addresses.ts';
import { type ProxyGates, proxyGatesFor } from '../gates.ts';
import {
  cidrsOfFamily,
  findPrimaryAddress,
  isLoopback,
  loopbackRanges,
  markOf,
  readAnyNodePortRanges,
  readNodeAddresses,
  readNodePortRanges,
} from '../node-fields.ts';
import type { ProxyNode } from '../objects.ts';

/** The settings of the node and its kube-proxy that rules depend on, for one address family. */
export interface Settings {
  readonly gates: ProxyGates;
  readonly family: IPFamily;
  /** The mark of packets to masquerade: "0x00004000". */
  readonly mark: string;
  readonly masqueradeAll: boolean;
  readonly randomFully: boolean;
  /** The pod CIDR of the node; undefined if unknown. */
  readonly podCIDR: string | undefined;
  /** The first address of the node; a loopback address if the node has none of this family. */
  readonly nodeIP: string;
  /** Whether node ports are served on loopback addresses. */
  readonly localhostNodePorts: boolean;
  /** Matches for packets to the node itself; each jumps to the node ports. */
  readonly nodePortMatches: readonly string[];
  /** Whether node ports have rules. */
  readonly servesNodePorts: boolean;
}

/**
 * Reads the settings from a node's fields. Mirrors the argument handling of `NewProxier` (1.36, pkg/proxy/iptables/proxier.go) and
 * `NodePortAddresses` (pkg/proxy/util/nodeport_addresses.go).
 * @throws RangeError naming the invalid field of the node
 */
export function readSettings(node: ProxyNode, family: IPFamily, gates: ProxyGates = proxyGatesFor()): Settings {
  const addresses = readNodeAddresses(node, family);
  const ranges = gates.nodePortsOfFamily ? readNodePortRanges(node, family) : readAnyNodePortRanges(node, family);
  const servesLoopback = gates.localhostOption
    ? family === 'IPv4' && (node.localhostNodePorts ?? false) && (!ranges || ranges.some(containsLoopback))
    : true;
  const loopback = family === 'IPv4' ? '127.0.0.1' : '::1';
  const [podCIDR] = cidrsOfFamily(node.podCIDRs, 'podCIDRs', family);
  return {
    gates,
    family,
    mark: markOf(node),
    masqueradeAll: node.masqueradeAll ?? false,
    randomFully: gates.alwaysRandomFully || (node.randomFully ?? false),
    podCIDR,
    nodeIP: findPrimaryAddress(node, family),
    localhostNodePorts: servesLoopback,
    nodePortMatches: formatNodePortMatches(ranges, [loopback, ...addresses], family, servesLoopback),
    servesNodePorts:
      gates.unusedNodePorts ||
      !gates.nodePortsOfFamily ||
      !ranges ||
      [loopback, ...addresses].some((address) => ranges.some((range) => containsIP(range, address))),
  };
}

/** Whether a range contains loopback addresses, including 127.0.0.0 itself, because a range may begin with it. */
const containsLoopback = (range: CIDR): boolean =>
  range.family === 'IPv4' && (range.text.startsWith('127.') || containsIP(range, '127.0.0.0'));

function formatNodePortMatches(
  ranges: readonly CIDR[] | undefined,
  addresses: readonly string[],
  family: IPFamily,
  servesLoopback: boolean,
): readonly string[] {
  const exclusion = servesLoopback ? '' : ` ! -d ${loopbackRanges[family]}`;
  if (!ranges) return [`-m addrtype --dst-type LOCAL${exclusion}`];
  const matchingAddresses = addresses.filter(
    (address) => (servesLoopback || !isLoopback(address)) && ranges.some((range) => containsIP(range, address)),
  );
  return [...new Set(matchingAddresses)].sort().map((address) => `-d ${address}`);
}
