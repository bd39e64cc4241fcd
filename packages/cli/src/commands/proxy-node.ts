import { canonicalIP } from 'kube-endpoints/internal';
import type { ProxyNode } from 'kube-endpoints/proxy';
import type { IPFamily, Node, Optional } from 'kube-endpoints/types';
import type { Inventory } from '../input/collection.ts';
import { UsageError } from '../io.ts';
import { printable } from '../print/text.ts';
import type { ProxyFlags, RuleFlags } from '../program-proxy.ts';

/** A node with what kube-proxy reads of it. */
interface ProxyingNode extends Node {
  readonly spec?: Optional<{ readonly podCIDR?: Optional<string>; readonly podCIDRs?: Optional<readonly string[]> }>;
  readonly status?: Optional<
    NonNullable<Node['status']> & {
      readonly addresses?: Optional<readonly { readonly type?: Optional<string>; readonly address?: Optional<string> }[]>;
    }
  >;
}

/** The node that a command line names. @throws UsageError where the input has other nodes, but not this one */
export function proxyNode({ nodes }: Pick<Inventory, 'nodes'>, flags: ProxyFlags & Partial<RuleFlags>): ProxyNode {
  const found = nodes?.find(({ metadata }) => metadata?.name === flags.node);
  if (nodes && !found) {
    const names = nodes.map(({ metadata }) => metadata?.name ?? '').sort();
    throw new UsageError(`--node: no Node ${JSON.stringify(flags.node)} in the input: there ${enumerate(names)}`);
  }
  const { metadata, spec, status } = (found ?? {}) as ProxyingNode;
  const own = spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : []);
  const ports = flags.nodePortAddresses ?? (flags.mode === 'nftables' ? ['primary'] : []);
  return {
    name: flags.node,
    labels: metadata?.labels,
    addresses: addressesOf(status?.addresses ?? []),
    podCIDRs: flags.clusterCidr ?? own,
    serviceCIDRs: flags.serviceCidr ?? [],
    masqueradeAll: flags.masqueradeAll ?? false,
    localhostNodePorts: flags.localhostNodePorts ?? true,
    randomFully: true,
    nodePortAddresses: ports,
    ...(flags.masqueradeBit !== undefined && { masqueradeBit: flags.masqueradeBit }),
  };
}

/** The family that was asked for, else that of the node's first address. */
export const familyFor = ({ addresses: [first] }: ProxyNode, { family }: ProxyFlags): IPFamily =>
  family ?? (first?.includes(':') ? 'IPv6' : 'IPv4');

/** What is not known without Nodes. */
export const nodeHint = ({ nodes }: Pick<Inventory, 'nodes'>): readonly string[] =>
  nodes ? [] : ['The input holds no Nodes, so that labels, addresses and pod CIDRs of the node are not known: give nodes, too.'];

/** Internal addresses before external ones. Mirrors GetNodeHostIPs (1.36, pkg/util/node/node.go). */
function addressesOf(given: NonNullable<NonNullable<ProxyingNode['status']>['addresses']>): readonly string[] {
  const ofType = (wanted: string): string[] =>
    (given ?? []).flatMap(({ type, address }) => (type === wanted ? [canonicalIP(address ?? '') ?? ''] : [])).filter((ip) => ip !== '');
  return [...ofType('InternalIP'), ...ofType('ExternalIP')];
}

const longestList = 8;

function enumerate(names: readonly string[]): string {
  if (names.length === 0) return 'are none';
  const shown = names.slice(0, longestList).map(printable).join(', ');
  return names.length > longestList
    ? `are ${shown} and ${names.length - longestList} more`
    : `${names.length === 1 ? 'is' : 'are'} ${shown}`;
}
