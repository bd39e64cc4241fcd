import { checkPort } from '../check.ts';
import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from '../gates.ts';
import type { ProxyNode } from '../objects.ts';
import type { NodeView, ServicePortView } from '../view.ts';
import { createEarlierPortRules } from './earlier-port-rules.ts';
import {
  createRule,
  formatComment,
  type IptablesChain,
  type IptablesJump,
  type IptablesRule,
  type IptablesRules,
  type IptablesTable,
  sharedChains,
} from './model.ts';
import { countEndpoints, createPortalRules, createPortChains, isLargeCluster, type PortRules } from './port-rules.ts';
import { readSettings, type Settings } from './settings.ts';
import { createChainNamer, createPortTraffic } from './traffic.ts';

/**
 * Returns all iptables rules that kube-proxy writes for a node's view. Mirrors a full `syncProxyRules` (1.36,
 * pkg/proxy/iptables/proxier.go).
 * @throws RangeError naming the invalid field of the node or of a Service, or for an unknown version
 */
export const iptablesRules = (view: NodeView, node: ProxyNode, options: ProxyVersionOptions = {}): IptablesRules =>
  iptablesRulesFor(view, node, proxyGatesFor(options));

/** `iptablesRules` for the gates of a release. */
export function iptablesRulesFor(view: NodeView, node: ProxyNode, gates: ProxyGates): IptablesRules {
  const settings = readSettings(node, view.family, gates);
  const rulesOf = createPortRulesFactory(settings);
  const isLarge = isLargeCluster(countEndpoints(view.ports));
  return assembleRules(
    settings,
    view.ports.map((port) => rulesOf(port, isLarge)),
  );
}

/** Creates the rules of a port. @throws RangeError if the port cannot be written as rules */
export type PortRulesFactory = (port: ServicePortView, isLargeCluster: boolean) => PortRules;

export function createPortRulesFactory(settings: Settings): PortRulesFactory {
  const chainsOf = createChainNamer();
  return (port, isLargeCluster) => {
    const { slicesRead, balancerIPsOfFamily } = settings.gates;
    checkPort(port, { slicesRead, balancerFamily: balancerIPsOfFamily ? undefined : settings.family });
    const names = chainsOf(port.name, port.protocol);
    if (!settings.gates.externalChains) return createEarlierPortRules(port, names, settings, isLargeCluster);
    const traffic = createPortTraffic(port, names, settings.gates);
    return { portals: createPortalRules(port, traffic, settings), chains: createPortChains(port, traffic, settings, isLargeCluster) };
  };
}

/** Combines the rules of all ports. */
export function assembleRules(settings: Settings, ports: Iterable<PortRules>): IptablesRules {
  const sharedRules: Record<IptablesTable, Map<string, IptablesRule[]>> = { filter: new Map(), nat: new Map() };
  const portChains: IptablesChain[] = [];
  for (const { portals, chains } of ports) {
    for (const { table, chain, rule } of portals) {
      const rules = sharedRules[table].get(chain);
      if (rules) rules.push(rule);
      else sharedRules[table].set(chain, [rule]);
    }
    for (const chain of chains) portChains.push(chain);
  }
  const { filter, nat } = createFixedRules(settings);
  const addPortRules = (table: IptablesTable, chains: readonly IptablesChain[]): IptablesChain[] =>
    chains.map(({ name, rules }) => ({ name, rules: [...(sharedRules[table].get(name) ?? []), ...rules] }));
  return {
    family: settings.family,
    tables: { filter: addPortRules('filter', filter), nat: addPortRules('nat', nat).concat(portChains) },
    jumps: selectJumps(settings.gates),
  };
}

/**
 * Creates the rules that do not depend on any Service, including empty chains that Services add rules to. Mirrors the beginning and the end
 * of `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go).
 */
export function createFixedRules(settings: Settings): Readonly<Record<IptablesTable, readonly IptablesChain[]>> {
  const { services, externalServices, nodePorts, proxyFirewall, forward, postrouting, markMasquerade, kubeletFirewall } = sharedChains;
  return {
    filter: [
      { name: services, rules: [] },
      { name: externalServices, rules: [] },
      { name: forward, rules: createForwardRules(settings) },
      ...(settings.gates.healthCheckRules ? [{ name: nodePorts, rules: [] }] : []),
      ...(settings.gates.firewallInFilter ? [{ name: proxyFirewall, rules: [] }] : []),
      ...(settings.gates.localnetRule ? [{ name: kubeletFirewall, rules: createLocalnetRules(settings) }] : []),
    ],
    nat: [
      { name: services, rules: createNodePortJumps(settings) },
      { name: nodePorts, rules: [] },
      ...(settings.gates.firewallInFilter || !settings.gates.ensuresMarkDrop ? [] : [{ name: sharedChains.markDrop, rules: [] }]),
      { name: postrouting, rules: createPostroutingRules(settings) },
      { name: markMasquerade, rules: [createMarkRule(settings)] },
    ],
  };
}

/**
 * Creates the last rules of KUBE-SERVICES. Rules of Services come first, because an external IP of a Service may be the node's address,
 * with a port in the node port range.
 */
const createNodePortJumps = ({ nodePortMatches }: Settings): readonly IptablesRule[] =>
  nodePortMatches.map((match) =>
    createRule('kubernetes service nodeports; NOTE: this must be the last rule in this chain', match, sharedChains.nodePorts),
  );

/** Drops packets that conntrack considers invalid, which could reset healthy connections. */
const createForwardRules = ({ mark, podCIDR, gates }: Settings): readonly IptablesRule[] => [
  createRule(undefined, '-m conntrack --ctstate INVALID', 'DROP'),
  createRule('kubernetes forwarding rules', `-m mark --mark ${mark}/${mark}`, 'ACCEPT'),
  ...(gates.oneReplyRule ? [createRule('kubernetes forwarding conntrack rule', replies, 'ACCEPT')] : createReplyRules(podCIDR, gates)),
];

const replies = '-m conntrack --ctstate RELATED,ESTABLISHED';

/** The rules for forwarded replies before 1.23. */
function createReplyRules(podCIDR: string | undefined, { repliesOfAnySource }: Settings['gates']): readonly IptablesRule[] {
  const [source, destination] = ['kubernetes forwarding conntrack pod source rule', 'kubernetes forwarding conntrack pod destination rule'];
  if (repliesOfAnySource) return [createRule(source, replies, 'ACCEPT'), createRule(destination, replies, 'ACCEPT')];
  if (podCIDR === undefined) return [];
  return [
    createRule(undefined, `-s ${podCIDR} -m comment --comment ${formatComment(source)} ${replies}`, 'ACCEPT'),
    createRule(destination, `-d ${podCIDR} ${replies}`, 'ACCEPT'),
  ];
}

/** Clears the mark before masquerading, for packets that traverse the chain a second time. */
function createPostroutingRules({ mark, randomFully, gates }: Settings): readonly IptablesRule[] {
  const option = randomFully ? '--random-fully' : '';
  if (!gates.markCleared) return [createRule(masqueradeComment, `-m mark --mark ${mark}/${mark}`, 'MASQUERADE', option)];
  return [
    createRule(undefined, `-m mark ! --mark ${mark}/${mark}`, 'RETURN'),
    createRule(undefined, '', 'MARK', `--xor-mark ${mark}`),
    createRule(masqueradeComment, '', 'MASQUERADE', option),
  ];
}

const masqueradeComment = 'kubernetes service traffic requiring SNAT';

const createMarkRule = ({ mark, gates }: Settings): IptablesRule =>
  createRule(undefined, '', 'MARK', gates.markCleared ? `--or-mark ${mark}` : `--set-xmark ${mark}/${mark}`);

/** If node ports are served on loopback addresses, blocks access to these addresses from other hosts. The kubelet writes the same rule. */
const createLocalnetRules = ({ localhostNodePorts }: Settings): readonly IptablesRule[] =>
  localhostNodePorts
    ? [
        createRule(
          'block incoming localnet connections',
          '-d 127.0.0.0/8 ! -s 127.0.0.0/8 -m conntrack ! --ctstate RELATED,ESTABLISHED,DNAT',
          'DROP',
        ),
      ]
    : [];

const newConnections = '-m conntrack --ctstate NEW';

const createJump = (table: IptablesTable, target: string, chain: string, comment?: string, match = ''): IptablesJump => ({
  table,
  chain,
  comment,
  match,
  target,
});

/** The jumps of a release. */
export const selectJumps = (gates: Settings['gates']): readonly IptablesJump[] =>
  jumps.filter(({ table, chain, target }) => {
    if (target === sharedChains.kubeletFirewall) return gates.localnetRule;
    if (target === sharedChains.proxyFirewall) return gates.firewallInFilter;
    if (target === sharedChains.nodePorts) return gates.healthCheckRules;
    if (target === sharedChains.externalServices) return gates.rejectsForwarded || chain !== 'FORWARD';
    return !gates.rejectsForwarded || `${table} ${chain} ${target}` !== `filter INPUT ${sharedChains.services}`;
  });

/** Mirrors `iptablesJumpChains` and `iptablesKubeletJumpChains`. */
const jumps: readonly IptablesJump[] = [
  createJump('filter', sharedChains.externalServices, 'INPUT', 'kubernetes externally-visible service portals', newConnections),
  createJump('filter', sharedChains.externalServices, 'FORWARD', 'kubernetes externally-visible service portals', newConnections),
  createJump('filter', sharedChains.nodePorts, 'INPUT', 'kubernetes health check service ports'),
  createJump('filter', sharedChains.services, 'FORWARD', 'kubernetes service portals', newConnections),
  createJump('filter', sharedChains.services, 'OUTPUT', 'kubernetes service portals', newConnections),
  createJump('filter', sharedChains.services, 'INPUT', 'kubernetes service portals', newConnections),
  createJump('filter', sharedChains.forward, 'FORWARD', 'kubernetes forwarding rules'),
  createJump('filter', sharedChains.proxyFirewall, 'INPUT', 'kubernetes load balancer firewall', newConnections),
  createJump('filter', sharedChains.proxyFirewall, 'OUTPUT', 'kubernetes load balancer firewall', newConnections),
  createJump('filter', sharedChains.proxyFirewall, 'FORWARD', 'kubernetes load balancer firewall', newConnections),
  createJump('nat', sharedChains.services, 'OUTPUT', 'kubernetes service portals'),
  createJump('nat', sharedChains.services, 'PREROUTING', 'kubernetes service portals'),
  createJump('nat', sharedChains.postrouting, 'POSTROUTING', 'kubernetes postrouting rules'),
  createJump('filter', sharedChains.kubeletFirewall, 'INPUT'),
  createJump('filter', sharedChains.kubeletFirewall, 'OUTPUT'),
];
