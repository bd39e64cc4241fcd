import type { BaseChain, Fragment, NftablesChain, NftablesContainer, NftablesRule } from './model.ts';
import type { NftablesSettings } from './settings.ts';

/** The sets and maps that Services share. */
export const containerNames = {
  clusterIPs: 'cluster-ips',
  nodePortIPs: 'nodeport-ips',
  hairpins: 'hairpin-connections',
  services: 'service-ips',
  nodePorts: 'service-nodeports',
  firewalls: 'firewall-ips',
  emptyServices: 'no-endpoint-services',
  emptyNodePorts: 'no-endpoint-nodeports',
} as const;

export const rejectChain = 'reject-chain';

/** Creates the part of the table that does not depend on Services. Mirrors setupNFTables (1.36, pkg/proxy/nftables/proxier.go). */
export function createNodeFragment(settings: NftablesSettings): Fragment {
  const { addressType, nodePortIPs } = settings;
  const serviceType = `${addressType} . inet_proto . inet_service : verdict`;
  const nodePortType = 'inet_proto . inet_service : verdict';
  const hairpinType = `${addressType} . ${addressType} . inet_proto . inet_service`;
  const nodePortSet = createContainer(containerNames.nodePortIPs, addressType, 'IPs that accept NodePort traffic');
  return {
    chains: [...createBaseChains(), ...createCheckChains(settings), ...createNatChains(settings)],
    sets: [
      createContainer(containerNames.clusterIPs, addressType, 'Active ClusterIPs'),
      createContainer(containerNames.hairpins, hairpinType, 'service hairpin connections'),
      ...(nodePortIPs ? [nodePortSet] : []),
    ],
    maps: [
      createContainer(containerNames.firewalls, serviceType, 'destinations that are subject to LoadBalancerSourceRanges'),
      createContainer(containerNames.emptyNodePorts, nodePortType, 'vmap to drop or reject packets to service nodeports with no endpoints'),
      createContainer(containerNames.emptyServices, serviceType, 'vmap to drop or reject packets to services with no endpoints'),
      createContainer(containerNames.services, serviceType, 'ClusterIP, ExternalIP and LoadBalancer IP traffic'),
      createContainer(containerNames.nodePorts, nodePortType, 'NodePort traffic'),
    ],
    elements: (nodePortIPs ?? []).map((key) => ({ container: containerNames.nodePortIPs, element: { key } })),
  };
}

const createContainer = (name: string, type: string, comment: string): NftablesContainer => ({ name, type, comment });

const createRule = (text: string, comment?: string): NftablesRule => (comment === undefined ? { text } : { text, comment });

/** Creates the base chains. The firewall check needs the original destination and runs before DNAT; the endpoint checks run after DNAT. */
function createBaseChains(): NftablesChain[] {
  const jumpIfNew = (chain: string): NftablesRule => createRule(`ct state new jump ${chain}`);
  const createBase = (type: BaseChain['type'], hook: BaseChain['hook'], priority: number): BaseChain => ({ type, hook, priority });
  const [checkEndpoints, checkClusterIPs, checkFirewall] = [
    jumpIfNew('service-endpoints-check'),
    jumpIfNew('cluster-ips-check'),
    jumpIfNew('firewall-check'),
  ];
  const services = createRule('jump services');
  return [
    { name: 'filter-prerouting-pre-dnat', base: createBase('filter', 'prerouting', -110), rules: [checkFirewall] },
    { name: 'filter-output-pre-dnat', base: createBase('filter', 'output', -110), rules: [checkFirewall] },
    { name: 'filter-input', base: createBase('filter', 'input', 0), rules: [jumpIfNew('nodeport-endpoints-check'), checkEndpoints] },
    { name: 'filter-forward', base: createBase('filter', 'forward', 0), rules: [checkEndpoints, checkClusterIPs] },
    { name: 'filter-output', base: createBase('filter', 'output', 0), rules: [checkEndpoints, checkClusterIPs] },
    { name: 'nat-prerouting', base: createBase('nat', 'prerouting', -100), rules: [services] },
    { name: 'nat-output', base: createBase('nat', 'output', -100), rules: [services] },
    { name: 'nat-postrouting', base: createBase('nat', 'postrouting', 100), rules: [createRule('jump masquerading')] },
  ];
}

/**
 * Creates the chains that refuse packets: no endpoints, an unknown port of a cluster IP, or a source outside the load balancer's ranges.
 */
function createCheckChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, serviceCIDRs, nodePortIPs } = settings;
  const unallocatedRule = createRule(`${ip} daddr { ${serviceCIDRs} } drop`, 'Drop traffic to unallocated ClusterIPs');
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containerNames.nodePortIPs}` : excludeLoopback(settings);
  const emptyNodePortsRule = createRule(`${toNodePorts} meta l4proto . th dport vmap @${containerNames.emptyNodePorts}`);
  return [
    {
      name: 'cluster-ips-check',
      rules: [
        createRule(`${ip} daddr @${containerNames.clusterIPs} reject`, 'Reject traffic to invalid ports of ClusterIPs'),
        ...(serviceCIDRs === '' ? [] : [unallocatedRule]),
      ],
    },
    { name: rejectChain, comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports', rules: [createRule('reject')] },
    { name: 'service-endpoints-check', rules: [createRule(`${formatDestination(ip)} vmap @${containerNames.emptyServices}`)] },
    { name: 'nodeport-endpoints-check', rules: [emptyNodePortsRule] },
    { name: 'firewall-check', rules: [createRule(`${formatDestination(ip)} vmap @${containerNames.firewalls}`)] },
  ];
}

/** Creates the chains that forward packets to Services and masquerade packets whose replies must return through this node. */
function createNatChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, mark, nodePortIPs } = settings;
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containerNames.nodePortIPs}` : `fib daddr type local ${excludeLoopback(settings)}`;
  const hairpin = `${ip} saddr . ${ip} daddr . meta l4proto . th dport @${containerNames.hairpins}`;
  return [
    {
      name: 'services',
      rules: [
        ...createMasqueradeRules(settings),
        createRule(`${formatDestination(ip)} vmap @${containerNames.services}`),
        createRule(`${toNodePorts} meta l4proto . th dport vmap @${containerNames.nodePorts}`),
      ],
    },
    {
      name: 'masquerading',
      rules: [
        createRule(`mark and ${mark} != 0 mark set mark xor ${mark} masquerade fully-random`),
        createRule(`ct status dnat ${hairpin} masquerade fully-random`),
      ],
    },
  ];
}

function createMasqueradeRules({ ip, mark, masqueradeAll, notFromPods }: NftablesSettings): NftablesRule[] {
  const toServices = `${ip} daddr @${containerNames.clusterIPs}`;
  if (masqueradeAll) return [createRule(`${toServices} ${formatMarkStatement(mark)}`, 'masquerade all clusterIP traffic')];
  if (notFromPods === undefined) return [];
  return [createRule(`${toServices} ${notFromPods} ${formatMarkStatement(mark)}`, 'masquerade clusterIP traffic from outside cluster')];
}

/** Formats the statement that marks a packet for masquerading. */
export const formatMarkStatement = (mark: string): string => `mark set mark or ${mark}`;

const formatDestination = (ip: string): string => `${ip} daddr . meta l4proto . th dport`;

const excludeLoopback = ({ ip }: NftablesSettings): string => (ip === 'ip' ? 'ip daddr != 127.0.0.0/8' : 'ip6 daddr != ::1');
