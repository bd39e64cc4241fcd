import { isInRanges } from '../addresses.ts';
import { checkPort } from '../check.ts';
import type { EndpointView, NodeView, ServicePortView } from '../view.ts';
import { createRule, type IptablesChain, type IptablesRule, type IptablesTable, sharedChains } from './model.ts';
import type { Settings } from './settings.ts';
import { createChainNames, createPortTraffic, type PortTraffic } from './traffic.ts';

/** The rules that a port of a Service adds to a node. */
export interface PortRules {
  readonly portals: readonly PortalRule[];
  /** Chains of the nat table that belong to this port alone. */
  readonly chains: readonly IptablesChain[];
}

/** Creates the rules of a port. @throws RangeError if the port cannot be written as rules */
export type PortRulesFactory = (port: ServicePortView, large: boolean) => PortRules;

export function createPortRulesFactory(settings: Settings): PortRulesFactory {
  const chainsOf = createChainNames();
  return (port, large) => {
    checkPort(port);
    const traffic = createPortTraffic(port, chainsOf(port.name, port.protocol));
    return { portals: portalRules(port, traffic), chains: portChains(port, traffic, settings, large) };
  };
}

/** In a large cluster, the rules of endpoints have no comments, to reduce their size. Mirrors `largeClusterMode`. */
export const isLargeCluster = (endpoints: number): boolean => endpoints > 1000;

/** Number of endpoints, including those without traffic. */
export const countEndpoints = (ports: NodeView['ports']): number => ports.reduce((sum, { endpoints }) => sum + endpoints.length, 0);

/**
 * The chains of a port: for external traffic, source ranges, each policy and each endpoint. Mirrors the second half of the loop over ports
 * in `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go).
 * @param large whether to omit comments on endpoint rules
 */
export function portChains(port: ServicePortView, traffic: PortTraffic, settings: Settings, large: boolean): readonly IptablesChain[] {
  const { chains, cluster, local, internal } = traffic;
  const reachable = port.reachable ?? [];
  const chainsByEndpoint = new Map(reachable.map(({ text }) => [text, chains.endpoint(text)]));
  const chainOf = ({ text }: EndpointView): string => chainsByEndpoint.get(text) ?? chains.endpoint(text);
  const masquerade = traffic.hasInternal ? masqueradeInternal(port, settings) : [];
  const result: IptablesChain[] = [];
  const add = (name: string, rules: readonly IptablesRule[]): void => void result.push({ name, rules });
  const addPolicyChain = (name: string, endpoints: readonly EndpointView[]): void =>
    add(name, [...(internal === name ? masquerade : []), ...createBalancingRules(port, endpoints, chainOf, large)]);
  if (traffic.usesExternal) add(chains.external, externalRules(port, traffic, settings));
  if (traffic.usesFirewall) add(chains.firewall, firewallRules(port, traffic, settings));
  if (cluster.length > 0) addPolicyChain(chains.cluster, cluster);
  if (local.length > 0) addPolicyChain(chains.local, local);
  const rulesOf = endpointRules(port, large);
  for (const endpoint of reachable) add(chainOf(endpoint), rulesOf(endpoint, chainOf(endpoint)));
  return result;
}

/** Replies to cluster IP traffic from outside the pod CIDR may bypass this node unless the traffic is masqueraded. */
function masqueradeInternal(port: ServicePortView, { masqueradeAll, podCIDR }: Settings): readonly IptablesRule[] {
  if (!masqueradeAll && podCIDR === undefined) return [];
  const match = packetTo(port, port.clusterIP);
  return [createRule(`${port.name} cluster IP`, masqueradeAll ? match : `${match} ! -s ${podCIDR}`, sharedChains.markMasquerade)];
}

function externalRules({ name, externalPolicyLocal }: ServicePortView, traffic: PortTraffic, { podCIDR }: Settings): IptablesRule[] {
  const destinations = `${name} external destinations`;
  const { cluster } = traffic.chains;
  const finalRules = traffic.hasExternal ? [createRule(undefined, '', traffic.external)] : [];
  if (!externalPolicyLocal) return [createRule(`masquerade traffic for ${destinations}`, '', sharedChains.markMasquerade), ...finalRules];
  return [
    ...(podCIDR === undefined ? [] : [createRule(`pod traffic for ${destinations}`, `-s ${podCIDR}`, cluster)]),
    createRule(`masquerade LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', sharedChains.markMasquerade),
    createRule(`route LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', cluster),
    ...finalRules,
  ];
}

/**
 * If the source ranges include the node, also allows the load balancer's own addresses, because the node may route them to itself and use
 * them as source.
 */
function firewallRules(port: ServicePortView, { chains }: PortTraffic, { nodeIP }: Settings): IptablesRule[] {
  const allow = (source: string): IptablesRule => createRule(`${port.name} loadbalancer IP`, `-s ${source}`, chains.external);
  const ranges = port.loadBalancerSourceRanges;
  const fromNode = isInRanges(nodeIP, ranges);
  return [
    ...ranges.map(allow),
    ...(fromNode ? port.loadBalancerVIPs.map(allow) : []),
    createRule(`other traffic to ${port.name} will be dropped by ${sharedChains.proxyFirewall}`, '', undefined),
  ];
}

/** Clients with session affinity return to their endpoint; others reach each endpoint with equal probability. */
function createBalancingRules(
  { name, sessionAffinity, stickyMaxAgeSeconds }: ServicePortView,
  endpoints: readonly EndpointView[],
  chainOf: (endpoint: EndpointView) => string,
  large: boolean,
): readonly IptablesRule[] {
  const comment = ({ text }: EndpointView): string | undefined => (large ? undefined : `${name} -> ${text}`);
  const affinityRule = (endpoint: EndpointView): IptablesRule => {
    const chain = chainOf(endpoint);
    return createRule(comment(endpoint), `-m recent --name ${chain} --rcheck --seconds ${stickyMaxAgeSeconds} --reap`, chain);
  };
  const randomRules = endpoints.map((endpoint, index) => {
    const remaining = endpoints.length - index;
    const match = remaining === 1 ? '' : `-m statistic --mode random --probability ${probabilityOf(remaining)}`;
    return createRule(comment(endpoint), match, chainOf(endpoint));
  });
  return sessionAffinity === 'ClientIP' ? [...endpoints.map(affinityRule), ...randomRules] : randomRules;
}

const probabilityOf = (remaining: number): string => probabilities[remaining] ?? (1 / remaining).toFixed(10);

const probabilities: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, remaining) => (1 / remaining).toFixed(10));

/** Without masquerading, a pod that reaches itself through its Service would reply to itself directly. */
function endpointRules(
  { name, protocol, sessionAffinity }: ServicePortView,
  large: boolean,
): (endpoint: EndpointView, chain: string) => readonly IptablesRule[] {
  const comment = large ? undefined : name;
  const packet = `-m ${protocol.toLowerCase()} -p ${protocol.toLowerCase()}`;
  const isSticky = sessionAffinity === 'ClientIP';
  return ({ ip, text }, chain) => [
    createRule(comment, `-s ${ip}`, sharedChains.markMasquerade),
    createRule(comment, isSticky ? `-m recent --name ${chain} --set ${packet}` : packet, 'DNAT', `--to-destination ${text}`),
  ];
}

/** A rule in a chain that all Services share. */
export interface PortalRule {
  readonly table: IptablesTable;
  readonly chain: string;
  readonly rule: IptablesRule;
}

/**
 * The rules that match a port's traffic at each of its addresses and send it to the port's own chains or reject it. Mirrors the capturing
 * rules of `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go).
 */
export function portalRules(port: ServicePortView, traffic: PortTraffic): readonly PortalRule[] {
  return [
    clusterPortal(port, traffic),
    ...port.externalIPs.flatMap((ip) => externalPortal(port, traffic, ip, 'external IP', traffic.chains.external)),
    ...port.loadBalancerVIPs.flatMap((ip) => [
      ...externalPortal(port, traffic, ip, 'loadbalancer IP', traffic.loadBalancerTarget),
      ...(traffic.usesFirewall ? [firewallPortal(port, traffic, ip)] : []),
    ]),
    ...(port.nodePort === 0 ? [] : nodePortal(port, traffic)),
    ...(port.healthCheckNodePort === 0 ? [] : [healthPortal(port)]),
  ];
}

/** "-m tcp -p tcp -d 10.96.0.1 --dport 80" */
export function packetTo({ protocol, port }: ServicePortView, address: string): string {
  const name = protocol.toLowerCase();
  return `-m ${name} -p ${name} -d ${address} --dport ${port}`;
}

function clusterPortal(port: ServicePortView, { internal, internalRefusal }: PortTraffic): PortalRule {
  const chain = sharedChains.services;
  const match = packetTo(port, port.clusterIP);
  if (internalRefusal) return { table: 'filter', chain, rule: createRule(internalRefusal.comment, match, internalRefusal.target) };
  return { table: 'nat', chain, rule: createRule(`${port.name} cluster IP`, match, internal) };
}

/** Without any endpoint, traffic is refused. If only local endpoints are missing, traffic from this node or its pods is still accepted. */
function externalPortal(
  port: ServicePortView,
  { externalRefusal }: PortTraffic,
  ip: string,
  kind: string,
  target: string,
): readonly PortalRule[] {
  const match = packetTo(port, ip);
  const portals: PortalRule[] = [];
  if (port.hasAny) {
    portals.push({ table: 'nat', chain: sharedChains.services, rule: createRule(`${port.name} ${kind}`, match, target) });
  }
  if (externalRefusal) {
    portals.push({
      table: 'filter',
      chain: sharedChains.externalServices,
      rule: createRule(externalRefusal.comment, match, externalRefusal.target),
    });
  }
  return portals;
}

/** A packet that reaches the end of the firewall chain had no DNAT, and still has the load balancer's address as destination. */
const firewallPortal = (port: ServicePortView, { chains }: PortTraffic, ip: string): PortalRule => ({
  table: 'filter',
  chain: sharedChains.proxyFirewall,
  rule: createRule(`${port.name} traffic not accepted by ${chains.firewall}`, packetTo(port, ip), 'DROP'),
});

function nodePortal(port: ServicePortView, { chains, externalRefusal }: PortTraffic): readonly PortalRule[] {
  const name = port.protocol.toLowerCase();
  const match = `-m ${name} -p ${name} --dport ${port.nodePort}`;
  const portals: PortalRule[] = [];
  if (port.hasAny) portals.push({ table: 'nat', chain: sharedChains.nodePorts, rule: createRule(port.name, match, chains.external) });
  if (externalRefusal) {
    const rule = createRule(externalRefusal.comment, `-m addrtype --dst-type LOCAL ${match}`, externalRefusal.target);
    portals.push({ table: 'filter', chain: sharedChains.externalServices, rule });
  }
  return portals;
}

const healthPortal = ({ name, healthCheckNodePort }: ServicePortView): PortalRule => ({
  table: 'filter',
  chain: sharedChains.nodePorts,
  rule: createRule(`${name} health check node port`, `-m tcp -p tcp --dport ${healthCheckNodePort}`, 'ACCEPT'),
});
