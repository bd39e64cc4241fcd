import type { ProxyGates } from '../gates.ts';
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
  firewalled: 'firewall',
  firewallSources: 'firewall-allow',
  emptyServices: 'no-endpoint-services',
  emptyNodePorts: 'no-endpoint-nodeports',
} as const;

export const rejectChain = 'reject-chain';

/** Creates the part of the table that does not depend on Services. Mirrors setupNFTables (1.36, pkg/proxy/nftables/proxier.go). */
export function createNodeFragment(settings: NftablesSettings): Fragment {
  const { addressType, nodePortIPs, gates } = settings;
  const portType = `${addressType} . inet_proto . inet_service`;
  const serviceType = `${portType} : verdict`;
  const nodePortType = 'inet_proto . inet_service : verdict';
  const hairpinType = `${addressType} . ${addressType} . inet_proto . inet_service`;
  const nodePortSet = createContainer(containerNames.nodePortIPs, addressType, 'IPs that accept NodePort traffic');
  return {
    chains: [...createBaseChains(settings), ...createCheckChains(settings), ...createNatChains(settings)],
    sets: [
      ...(gates.clusterIPsCheck ? [createContainer(containerNames.clusterIPs, addressType, 'Active ClusterIPs')] : []),
      ...(gates.firewallChains ? [] : createFirewallSets(portType, addressType)),
      ...(gates.hairpinSet ? [createContainer(containerNames.hairpins, hairpinType, 'service hairpin connections')] : []),
      ...(nodePortIPs ? [nodePortSet] : []),
    ],
    maps: [
      ...(gates.firewallChains ? [createContainer(containerNames.firewalls, serviceType, firewallComment)] : []),
      createContainer(containerNames.emptyNodePorts, nodePortType, 'vmap to drop or reject packets to service nodeports with no endpoints'),
      createContainer(containerNames.emptyServices, serviceType, 'vmap to drop or reject packets to services with no endpoints'),
      createContainer(containerNames.services, serviceType, 'ClusterIP, ExternalIP and LoadBalancer IP traffic'),
      createContainer(containerNames.nodePorts, nodePortType, 'NodePort traffic'),
    ],
    elements: (nodePortIPs ?? []).map((key) => ({ container: containerNames.nodePortIPs, element: { key } })),
  };
}

const firewallComment = 'destinations that are subject to LoadBalancerSourceRanges';

/** Creates the sets that checked source ranges before 1.30. */
const createFirewallSets = (portType: string, addressType: string): NftablesContainer[] => [
  createContainer(containerNames.firewalled, portType, firewallComment),
  {
    ...createContainer(
      containerNames.firewallSources,
      `${portType} . ${addressType}`,
      'destinations+sources that are allowed by LoadBalancerSourceRanges',
    ),
    flags: ['interval'],
  },
];

const createContainer = (name: string, type: string, comment: string): NftablesContainer => ({ name, type, comment });

const createRule = (text: string, comment?: string): NftablesRule => (comment === undefined ? { text } : { text, comment });

type FilterChain = readonly [name: string, hook: BaseChain['hook'], priority: number, rules: readonly NftablesRule[]];

const jumpIfNew = (chain: string): NftablesRule => createRule(`ct state new jump ${chain}`);

/**
 * Lists the filter chains. The firewall check needs the original destination and runs before DNAT (before 1.30 it ran after it); the
 * endpoint checks run after DNAT, but before 1.34 they ran before it too.
 */
function listFilterChains({ filterAfterDnat, clusterIPsCheck }: ProxyGates): readonly FilterChain[] {
  const [checkNodePorts, checkEndpoints, checkClusterIPs, checkFirewall] = [
    jumpIfNew('nodeport-endpoints-check'),
    jumpIfNew('service-endpoints-check'),
    jumpIfNew('cluster-ips-check'),
    jumpIfNew('firewall-check'),
  ];
  if (filterAfterDnat)
    return [
      ['filter-prerouting-pre-dnat', 'prerouting', -110, [checkFirewall]],
      ['filter-output-pre-dnat', 'output', -110, [checkFirewall]],
      ['filter-input', 'input', 0, [checkNodePorts, checkEndpoints]],
      ['filter-forward', 'forward', 0, [checkEndpoints, checkClusterIPs]],
      ['filter-output', 'output', 0, [checkEndpoints, checkClusterIPs]],
    ];
  if (clusterIPsCheck)
    return [
      ['filter-prerouting', 'prerouting', -110, [checkFirewall]],
      ['filter-input', 'input', -110, [checkNodePorts, checkEndpoints]],
      ['filter-forward', 'forward', -110, [checkEndpoints, checkClusterIPs]],
      ['filter-output', 'output', -110, [checkEndpoints, checkFirewall]],
      ['filter-output-post-dnat', 'output', -90, [checkClusterIPs]],
    ];
  const checkAll = jumpIfNew('endpoints-check');
  return [
    ['filter-input', 'input', -101, [checkAll, checkFirewall]],
    ['filter-forward', 'forward', -101, [checkAll, createRule('jump forward'), checkFirewall]],
    ['filter-output', 'output', -101, [checkAll, checkFirewall]],
  ];
}

function createBaseChains({ gates }: NftablesSettings): NftablesChain[] {
  const createBase = (type: BaseChain['type'], hook: BaseChain['hook'], priority: number): BaseChain => ({ type, hook, priority });
  const services = createRule('jump services');
  return [
    ...listFilterChains(gates).map(([name, hook, priority, rules]) => ({ name, base: createBase('filter', hook, priority), rules })),
    { name: 'nat-prerouting', base: createBase('nat', 'prerouting', -100), rules: [services] },
    { name: 'nat-output', base: createBase('nat', 'output', -100), rules: [services] },
    { name: 'nat-postrouting', base: createBase('nat', 'postrouting', 100), rules: [createRule('jump masquerading')] },
  ];
}

/**
 * Creates the chains that refuse packets: no endpoints, an unknown port of a cluster IP, or a source outside the load balancer's ranges.
 */
function createCheckChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, serviceCIDRs, nodePortIPs, gates } = settings;
  const unallocatedRule = createRule(`${ip} daddr { ${serviceCIDRs} } drop`, 'Drop traffic to unallocated ClusterIPs');
  const toOwnAddresses = `${gates.clusterIPsCheck ? '' : 'fib daddr type local '}${excludeLoopback(settings)}`;
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containerNames.nodePortIPs}` : toOwnAddresses;
  const emptyNodePortsRule = createRule(`${toNodePorts} meta l4proto . th dport vmap @${containerNames.emptyNodePorts}`);
  const emptyServicesRule = createRule(`${formatDestination(ip)} vmap @${containerNames.emptyServices}`);
  const clusterIPsRules = [
    createRule(`${ip} daddr @${containerNames.clusterIPs} reject`, 'Reject traffic to invalid ports of ClusterIPs'),
    ...(serviceCIDRs === '' ? [] : [unallocatedRule]),
  ];
  return [
    { name: rejectChain, comment: 'helper for @no-endpoint-services / @no-endpoint-nodeports', rules: [createRule('reject')] },
    ...(gates.clusterIPsCheck
      ? [
          { name: 'cluster-ips-check', rules: clusterIPsRules },
          { name: 'service-endpoints-check', rules: [emptyServicesRule] },
          { name: 'nodeport-endpoints-check', rules: [emptyNodePortsRule] },
        ]
      : [{ name: 'endpoints-check', rules: [emptyServicesRule, emptyNodePortsRule] }]),
    ...(gates.dropsInvalid ? [{ name: 'forward', rules: [createRule('ct state invalid drop')] }] : []),
    ...createFirewallChecks(ip, gates),
  ];
}

/** Creates the chain that checks source ranges, with the chain that it used before 1.30. */
function createFirewallChecks(ip: string, { firewallChains }: ProxyGates): NftablesChain[] {
  const destination = formatDestination(ip);
  if (firewallChains) return [{ name: 'firewall-check', rules: [createRule(`${destination} vmap @${containerNames.firewalls}`)] }];
  const isAllowed = createRule(`${destination} . ${ip} saddr @${containerNames.firewallSources} return`);
  return [
    { name: 'firewall-check', rules: [createRule(`${destination} @${containerNames.firewalled} jump firewall-allow-check`)] },
    { name: 'firewall-allow-check', rules: [isAllowed, createRule('drop')] },
  ];
}

/** Creates the chains that forward packets to Services and masquerade packets whose replies must return through this node. */
function createNatChains(settings: NftablesSettings): NftablesChain[] {
  const { ip, mark, nodePortIPs, gates } = settings;
  const toNodePorts = nodePortIPs ? `${ip} daddr @${containerNames.nodePortIPs}` : `fib daddr type local ${excludeLoopback(settings)}`;
  return [
    {
      name: 'services',
      rules: [
        ...createMasqueradeRules(settings),
        createRule(`${formatDestination(ip)} vmap @${containerNames.services}`),
        createRule(`${toNodePorts} meta l4proto . th dport vmap @${containerNames.nodePorts}`),
      ],
    },
    { name: 'masquerading', rules: createMasqueradingRules(settings) },
    ...(gates.inlineMasquerade ? [] : [{ name: markChain, rules: [createRule(`mark set mark or ${mark}`)] }]),
  ];
}

/** Masquerades packets with the mark and clears it, for packets that traverse the chain a second time. */
function createMasqueradingRules({ ip, mark, gates }: NftablesSettings): NftablesRule[] {
  if (!gates.hairpinSet) {
    return [createRule(`mark and ${mark} == 0 return`), createRule(`mark set mark xor ${mark}`), createRule('masquerade fully-random')];
  }
  const hairpin = `${ip} saddr . ${ip} daddr . meta l4proto . th dport @${containerNames.hairpins}`;
  return [
    createRule(`mark and ${mark} != 0 mark set mark xor ${mark} masquerade fully-random`),
    createRule(`ct status dnat ${hairpin} masquerade fully-random`),
  ];
}

/** Creates the rules that mark traffic to any cluster IP; before 1.36, each port has its own. */
function createMasqueradeRules(settings: NftablesSettings): NftablesRule[] {
  const { ip, masqueradeAll, notFromPods, gates } = settings;
  if (!gates.hairpinSet) return [];
  const toServices = `${ip} daddr @${containerNames.clusterIPs}`;
  if (masqueradeAll) return [createRule(`${toServices} ${formatMarkStatement(settings)}`, 'masquerade all clusterIP traffic')];
  if (notFromPods === undefined) return [];
  return [createRule(`${toServices} ${notFromPods} ${formatMarkStatement(settings)}`, 'masquerade clusterIP traffic from outside cluster')];
}

/** Formats the statement that marks a packet for masquerading. */
export const formatMarkStatement = ({ mark, gates }: NftablesSettings): string =>
  gates.inlineMasquerade ? `mark set mark or ${mark}` : `jump ${markChain}`;

const markChain = 'mark-for-masquerade';

const formatDestination = (ip: string): string => `${ip} daddr . meta l4proto . th dport`;

const excludeLoopback = ({ ip }: NftablesSettings): string => (ip === 'ip' ? 'ip daddr != 127.0.0.0/8' : 'ip6 daddr != ::1');
