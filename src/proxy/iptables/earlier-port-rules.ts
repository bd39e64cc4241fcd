import { canonicalIP } from '../../apimachinery/index.ts';
import { isInRanges } from '../addresses.ts';
import { loopbackRanges } from '../node-fields.ts';
import type { EndpointView, ServicePortView } from '../view.ts';
import { createRule, type IptablesChain, type IptablesRule, type IptablesTable, sharedChains } from './model.ts';
import {
  createBalancingRules,
  createEndpointRulesFactory,
  createHealthPortal,
  formatPacketMatch,
  type PortalRule,
  type PortRules,
} from './port-rules.ts';
import type { Settings } from './settings.ts';
import type { PortChains } from './traffic.ts';

/**
 * Creates the rules of a port before 1.24: the chain "KUBE-SVC-..." serves all traffic, except that "KUBE-XLB-..." serves external traffic
 * with the policy Local. Mirrors the loop over ports in `syncProxyRules` (1.23, pkg/proxy/iptables/proxier.go).
 */
export function createEarlierPortRules(port: ServicePortView, chains: PortChains, settings: Settings, isLargeCluster: boolean): PortRules {
  const draft = createDraft(port, chains, settings);
  addClusterPortal(draft);
  for (const ip of port.externalIPs) addExternalPortals(draft, ip);
  const firewallRules = port.loadBalancerVIPs.flatMap((ip) => addBalancerPortal(draft, ip));
  if (port.nodePort !== 0 && settings.servesNodePorts) addNodePortals(draft);
  const isComplete = port.nodePort === 0 || settings.servesNodePorts || settings.gates.chainsWithoutNodePorts;
  if (port.healthCheckNodePort !== 0 && settings.gates.healthCheckRules && isComplete) draft.portals.push(createHealthPortal(port));
  const result: IptablesChain[] = [];
  const add = (name: string, rules: readonly IptablesRule[]): void => void result.push({ name, rules });
  const endpointChains = createEndpointChains(draft, isLargeCluster);
  if (port.hasAny) add(chains.cluster, [...draft.masqueradeRules, ...(isComplete ? endpointChains.cluster : [])]);
  if (port.externalPolicyLocal)
    add(chains.balancer, port.hasAny && isComplete ? [...createLocalRules(draft), ...endpointChains.local] : []);
  if (firewallRules.length > 0) add(chains.firewall, firewallRules);
  if (port.hasAny && (isComplete || settings.gates.endpointChainsFirst)) result.push(...endpointChains.endpoints);
  return { portals: draft.portals, chains: result };
}

/** The inputs of a port's rules, and the rules so far. */
interface Draft {
  readonly port: ServicePortView;
  readonly chains: PortChains;
  readonly settings: Settings;
  readonly portals: PortalRule[];
  /** The first rules of the port's own chain. */
  readonly masqueradeRules: IptablesRule[];
  add(table: IptablesTable, chain: string, rule: IptablesRule): void;
  /** Adds a rule that masquerades. @param chain the shared chain that contains it before 1.22 */
  masquerade(chain: string, comment: string, match: string): void;
  formatAddress(ip: string): string;
}

function createDraft(port: ServicePortView, chains: PortChains, settings: Settings): Draft {
  const portals: PortalRule[] = [];
  const masqueradeRules: IptablesRule[] = [];
  return {
    port,
    chains,
    settings,
    portals,
    masqueradeRules,
    add: (table, chain, rule) => void portals.push({ table, chain, rule }),
    masquerade(chain, comment, match) {
      const rule = createRule(comment, match, sharedChains.markMasquerade);
      if (settings.gates.masqueradeInChain) masqueradeRules.push(rule);
      else portals.push({ table: 'nat', chain, rule });
    },
    formatAddress: settings.gates.plainAddresses ? (ip) => ip : formatHostRange,
  };
}

/** "10.96.0.1/32". @param ip in any notation */
const formatHostRange = (text: string): string => {
  const ip = canonicalIP(text) ?? text;
  return `${ip}/${ip.includes(':') ? 128 : 32}`;
};

function addRejection({ port, add }: Draft, chain: string, match: string): void {
  add('filter', chain, createRule(`${port.name} has no endpoints`, match, 'REJECT'));
}

function addClusterPortal(draft: Draft): void {
  const { port, chains, settings, add } = draft;
  const { masqueradeAll, podCIDR } = settings;
  const match = formatPacketMatch(port, draft.formatAddress(port.clusterIP));
  const comment = `${port.name} cluster IP`;
  if (!port.hasAny) {
    addRejection(draft, sharedChains.services, match);
    return;
  }
  if (masqueradeAll || podCIDR !== undefined)
    draft.masquerade(sharedChains.services, comment, masqueradeAll ? match : `${match} ! -s ${podCIDR}`);
  add('nat', sharedChains.services, createRule(comment, match, chains.cluster));
}

function addExternalPortals(draft: Draft, ip: string): void {
  const { port, chains, settings, add } = draft;
  const { podCIDR, gates } = settings;
  const { podsReachExternalIPs } = gates;
  const match = formatPacketMatch(port, draft.formatAddress(ip));
  const comment = `${port.name} external IP`;
  if (!port.hasAny) {
    addRejection(draft, sharedChains.externalServices, match);
    return;
  }
  const isLocal = gates.externalIPsLocal && port.externalPolicyLocal;
  const sources = podsReachExternalIPs && podCIDR !== undefined ? ` ! -s ${podCIDR}` : '';
  if (!isLocal) draft.masquerade(sharedChains.services, comment, match + sources);
  for (const extension of podsReachExternalIPs ? [''] : fromOutside)
    add('nat', sharedChains.services, createRule(comment, match + extension, isLocal ? chains.balancer : chains.cluster));
}

/** Before 1.21, traffic to an external IP goes to the Service if it comes from neither the node nor a bridge, or if the node has the address. */
const fromOutside: readonly string[] = [' -m physdev ! --physdev-is-in -m addrtype ! --src-type LOCAL', ' -m addrtype --dst-type LOCAL'];

/** Adds the rule of a load balancer address, and returns the rules that its sources pass. */
function addBalancerPortal(draft: Draft, ip: string): readonly IptablesRule[] {
  const { port, chains, settings, add } = draft;
  const { rejectsForwarded } = settings.gates;
  const comment = `${port.name} loadbalancer IP`;
  const address = draft.formatAddress(ip);
  const match = formatPacketMatch(port, address);
  if (!port.hasAny) {
    addRejection(draft, rejectsForwarded ? sharedChains.externalServices : sharedChains.services, match);
    return [];
  }
  add('nat', sharedChains.services, createRule(comment, match, chains.firewall));
  const target = port.externalPolicyLocal ? chains.balancer : chains.cluster;
  const ranges = port.loadBalancerSourceRanges;
  const sources = [...ranges, ...(isInRanges(settings.nodeIP, ranges) ? [address] : [])];
  return [
    ...(port.externalPolicyLocal ? [] : [createRule(comment, '', sharedChains.markMasquerade)]),
    ...(ranges.length === 0 ? [createRule(comment, '', target)] : sources.map((source) => createRule(comment, `-s ${source}`, target))),
    createRule(comment, '', sharedChains.markDrop),
  ];
}

function addNodePortals(draft: Draft): void {
  const { port, chains, add } = draft;
  const name = port.protocol.toLowerCase();
  const match = `-m ${name} -p ${name} --dport ${port.nodePort}`;
  if (!port.hasAny) addRejection(draft, sharedChains.externalServices, `-m addrtype --dst-type LOCAL ${match}`);
  else if (port.externalPolicyLocal) {
    // The cluster IP decides, which may be of the other family or invalid.
    const loopback = loopbackRanges[port.clusterIP.includes(':') ? 'IPv6' : 'IPv4'];
    add('nat', sharedChains.nodePorts, createRule(port.name, `${match} -s ${loopback}`, sharedChains.markMasquerade));
    add('nat', sharedChains.nodePorts, createRule(port.name, match, chains.balancer));
  } else {
    draft.masquerade(sharedChains.nodePorts, port.name, match);
    add('nat', sharedChains.nodePorts, createRule(port.name, match, chains.cluster));
  }
}

/** The first rules for external traffic with the policy Local: traffic of pods and of the node may use endpoints on all nodes. */
function createLocalRules({ port, chains, settings: { podCIDR } }: Draft): readonly IptablesRule[] {
  const fromNode = '-m addrtype --src-type LOCAL';
  return [
    ...(podCIDR === undefined
      ? []
      : [createRule('Redirect pods trying to reach external loadbalancer VIP to clusterIP', `-s ${podCIDR}`, chains.cluster)]),
    createRule(`masquerade LOCAL traffic for ${port.name} LB IP`, fromNode, sharedChains.markMasquerade),
    createRule(`route LOCAL traffic for ${port.name} LB IP to service chain`, fromNode, chains.cluster),
  ];
}

interface EndpointChains {
  readonly cluster: readonly IptablesRule[];
  readonly local: readonly IptablesRule[];
  readonly endpoints: readonly IptablesChain[];
}

function createEndpointChains({ port, chains, settings, formatAddress }: Draft, isLargeCluster: boolean): EndpointChains {
  const { endpointComments, shortBalancingComments, slicesRead } = settings.gates;
  const { name, cluster, local = [], reachable = [], chained } = port;
  const chainOf = ({ text }: EndpointView): string => chains.endpoint(text);
  const comment = isLargeCluster || !endpointComments ? undefined : name;
  const rulesOf = createEndpointRulesFactory(port, comment, formatAddress);
  const localComment = (_: EndpointView, index: number): string | undefined =>
    shortBalancingComments ? comment : `Balancing rule ${index} for ${name}`;
  const endpointChains = (chained ?? reachable).map((endpoint) => ({
    name: chainOf(endpoint),
    rules: rulesOf(endpoint, chainOf(endpoint)),
  }));
  return {
    cluster: createBalancingRules(port, cluster ?? local, chainOf, () => comment, undefined, chained),
    local:
      local.length > 0
        ? createBalancingRules(port, local, chainOf, localComment, () => (shortBalancingComments ? comment : name))
        : [createRule(`${name} has no local endpoints`, '', sharedChains.markDrop)],
    endpoints: slicesRead ? endpointChains : mergeChains(endpointChains),
  };
}

/** Endpoints may contain an address several times. Its chain then has the rules several times. */
const mergeChains = (chains: readonly IptablesChain[]): readonly IptablesChain[] =>
  Array.from(
    Map.groupBy(chains, ({ name }) => name),
    ([name, all]) => ({ name, rules: all.flatMap(({ rules }) => rules) }),
  );
