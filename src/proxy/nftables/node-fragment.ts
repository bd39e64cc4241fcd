import type { BaseChain, Fragment, NftablesChain, NftablesContainer, NftablesRule } from './model.ts';
import type { NftablesSettings } from './settings.ts';

/** The sets and maps that Services share. */
export const containers = {
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

/** The part of the table that does not depend on Services. Mirrors setupNFTables (1.36, pkg/proxy/nftables/proxier.go). */
export function nodeFragment(settings: NftablesSettings): Fragment {
  const { addressType, nodePortIPs } = settings;
  const service = `${addressType} . inet_proto . inet_service : verdict`;
  const nodePort = 'inet_proto . inet_service : verdict';
  const endpoint = `${addressType} . ${addressType} . inet_proto . inet_service`;
  const nodePortSet = createContainer(containers.nodePortIPs, addressType, 'IPs that accept NodePort traffic');
  return {
    chains: [...baseChains(), ...checkChains(settings), ...natChains(settings)],
    sets: [
      createContainer(containers.clusterIPs, addressType, 'Active ClusterIPs'),
      createContainer(containers.hairpins, endpoint, 'service hairpin connections'),
      ...(nodePortIPs ? [nodePortSet] : []),
    ],
    maps: [
      createContainer(containers.firewalls, service, 'destinations that are subject to LoadBalancerSourceRanges'),
      createContainer(containers.emptyNodePorts, nodePort, 'vmap to drop or reject packets to service nodeports with no endpoints'),
      createContainer(containers.emptyServices, service, 'vmap to drop or reject packets to services with no endpoints'),
      createContainer(containers.services, service, 'ClusterIP, ExternalIP and LoadBalancer IP traffic'),
      createContainer(containers.nodePorts, nodePort, 'NodePort traffic'),
    ],
    elements: (nodePortIPs ?? []).map((key) => ({ container: containers.nodePortIPs, element: { key } })),
  };
}

const createContainer = (name: string, type: string, comment: string): NftablesContainer => ({ name, type, comment });

const createRule = (text: string, comment?: string): NftablesRule => (comment === undefined ? { text } : { text, comment });

/** The base chains. The firewall check needs the client's original destination and runs before DNAT; the endpoint checks run after it. */
function baseChains(): NftablesChain[] {
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

/** Chains that refuse packets: no endpoints, an unknown port of a cluster IP, or a source outside the load balancer's ranges. */
function checkChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, serviceCIDRs, nodePortIPs } = settings;
  const unallocated = createRule(`${ip} daddr { ${serviceCIDRs} } drop`, 'Drop traffic to unallocated ClusterIPs');
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containers.nodePortIPs}` : notLoopback(settings);
  const emptyNodePorts = createRule(`${toNodePorts} meta l4proto . th dport vmap @${containers.emptyNodePorts}`);
  return [
    {
      name: 'cluster-ips-check',
      rules: [
        createRule(`${ip} daddr @${containers.clusterIPs} reject`, 'Reject traffic to invalid ports of ClusterIPs'),
        ...(serviceCIDRs === '' ? [] : [unallocated]),
      ],
    },
    { name: rejectChain, comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports', rules: [createRule('reject')] },
    { name: 'service-endpoints-check', rules: [createRule(`${destination(ip)} vmap @${containers.emptyServices}`)] },
    { name: 'nodeport-endpoints-check', rules: [emptyNodePorts] },
    { name: 'firewall-check', rules: [createRule(`${destination(ip)} vmap @${containers.firewalls}`)] },
  ];
}

/** Chains that forward packets to Services and masquerade those whose replies must return through this node. */
function natChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, mark, nodePortIPs } = settings;
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containers.nodePortIPs}` : `fib daddr type local ${notLoopback(settings)}`;
  const hairpin = `${ip} saddr . ${ip} daddr . meta l4proto . th dport @${containers.hairpins}`;
  return [
    {
      name: 'services',
      rules: [
        ...masqueradeRules(settings),
        createRule(`${destination(ip)} vmap @${containers.services}`),
        createRule(`${toNodePorts} meta l4proto . th dport vmap @${containers.nodePorts}`),
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

function masqueradeRules({ ip, mark, masqueradeAll, notFromPods }: NftablesSettings): NftablesRule[] {
  const toServices = `${ip} daddr @${containers.clusterIPs}`;
  if (masqueradeAll) return [createRule(`${toServices} ${markRule(mark)}`, 'masquerade all clusterIP traffic')];
  if (notFromPods === undefined) return [];
  return [createRule(`${toServices} ${notFromPods} ${markRule(mark)}`, 'masquerade clusterIP traffic from outside cluster')];
}

/** Marks a packet for masquerading. */
export const markRule = (mark: string): string => `mark set mark or ${mark}`;

const destination = (ip: string): string => `${ip} daddr . meta l4proto . th dport`;

const notLoopback = ({ ip }: NftablesSettings): string => (ip === 'ip' ? 'ip daddr != 127.0.0.0/8' : 'ip6 daddr != ::1');
