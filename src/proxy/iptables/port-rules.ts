import { isInRanges } from '../addresses.ts';
import type { EndpointView, NodeView, ServicePortView } from '../view.ts';
import { createRule, type IptablesChain, type IptablesRule, type IptablesTable, sharedChains } from './model.ts';
import type { Settings } from './settings.ts';
import type { PortTraffic } from './traffic.ts';

/** The rules that a port of a Service adds to a node. */
export interface PortRules {
  readonly portals: readonly PortalRule[];
  /** Chains of the nat table that belong to this port alone. */
  readonly chains: readonly IptablesChain[];
}

/** Whether the rules of endpoints have no comments, to reduce their size. Mirrors `largeClusterMode`. */
export const isLargeCluster = (endpointCount: number): boolean => endpointCount > 1000;

/** Counts the endpoints of all ports, including endpoints without traffic. */
export const countEndpoints = (ports: NodeView['ports']): number => ports.reduce((sum, { endpoints }) => sum + endpoints.length, 0);

/**
 * Creates the chains of a port: for external traffic, source ranges, each policy and each endpoint. Mirrors the second half of the loop
 * over ports in `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go).
 * @param isLargeCluster whether to omit comments on endpoint rules
 */
export function createPortChains(
  port: ServicePortView,
  traffic: PortTraffic,
  settings: Settings,
  isLargeCluster: boolean,
): readonly IptablesChain[] {
  const { chains, cluster, local, internalChain } = traffic;
  const reachableEndpoints = port.reachable ?? [];
  const chainsByEndpoint = new Map(reachableEndpoints.map(({ text }) => [text, chains.endpoint(text)]));
  const chainOf = ({ text }: EndpointView): string => chainsByEndpoint.get(text) ?? chains.endpoint(text);
  const masqueradeRules = traffic.hasInternalEndpoint ? createMasqueradeRules(port, settings) : [];
  const result: IptablesChain[] = [];
  const commentFor = ({ text }: EndpointView): string | undefined => (isLargeCluster ? undefined : `${port.name} -> ${text}`);
  const add = (name: string, rules: readonly IptablesRule[]): void => void result.push({ name, rules });
  const addPolicyChain = (name: string, endpoints: readonly EndpointView[]): void =>
    add(name, [...(internalChain === name ? masqueradeRules : []), ...createBalancingRules(port, endpoints, chainOf, commentFor)]);
  if (traffic.usesExternalChain) add(chains.external, createExternalRules(port, traffic, settings));
  if (traffic.usesFirewallChain) add(chains.firewall, createFirewallRules(port, traffic, settings));
  if (cluster.length > 0) addPolicyChain(chains.cluster, cluster);
  if (local.length > 0) addPolicyChain(chains.local, local);
  if (traffic.marksDrops)
    add(chains.local, [
      ...(internalChain === chains.local ? masqueradeRules : []),
      createRule(`${port.name} has no local endpoints`, '', sharedChains.markDrop),
    ]);
  const rulesOf = createEndpointRulesFactory(port, isLargeCluster ? undefined : port.name);
  for (const endpoint of reachableEndpoints) add(chainOf(endpoint), rulesOf(endpoint, chainOf(endpoint)));
  return result;
}

/**
 * Masquerades cluster IP traffic from outside the pod CIDR, or all of it if configured, because replies might otherwise bypass this node.
 */
function createMasqueradeRules(port: ServicePortView, { masqueradeAll, podCIDR }: Settings): readonly IptablesRule[] {
  if (!masqueradeAll && podCIDR === undefined) return [];
  const match = formatPacketMatch(port, port.clusterIP);
  return [createRule(`${port.name} cluster IP`, masqueradeAll ? match : `${match} ! -s ${podCIDR}`, sharedChains.markMasquerade)];
}

function createExternalRules({ name, externalPolicyLocal }: ServicePortView, traffic: PortTraffic, { podCIDR }: Settings): IptablesRule[] {
  const destinations = `${name} external destinations`;
  const { cluster } = traffic.chains;
  const finalRules = traffic.hasExternalEndpoint ? [createRule(undefined, '', traffic.externalChain)] : [];
  if (!externalPolicyLocal) return [createRule(`masquerade traffic for ${destinations}`, '', sharedChains.markMasquerade), ...finalRules];
  return [
    ...(podCIDR === undefined ? [] : [createRule(`pod traffic for ${destinations}`, `-s ${podCIDR}`, cluster)]),
    createRule(`masquerade LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', sharedChains.markMasquerade),
    createRule(`route LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', cluster),
    ...finalRules,
  ];
}

/**
 * Allows the source ranges. If the ranges include the node, also allows the load balancer's own addresses as sources: the node may route
 * traffic for such an address
 * to itself, with that address as its source.
 */
function createFirewallRules(port: ServicePortView, { chains }: PortTraffic, { nodeIP, gates }: Settings): IptablesRule[] {
  const allow = (source: string): IptablesRule => createRule(`${port.name} loadbalancer IP`, `-s ${source}`, chains.external);
  const ranges = port.loadBalancerSourceRanges;
  const allowsNode = isInRanges(nodeIP, ranges);
  if (!gates.firewallInFilter)
    return port.loadBalancerVIPs.flatMap((ip) => [
      ...ranges.map(allow),
      ...(allowsNode ? [allow(ip)] : []),
      createRule(`${port.name} loadbalancer IP`, '', sharedChains.markDrop),
    ]);
  return [
    ...ranges.map(allow),
    ...(allowsNode ? port.loadBalancerVIPs.map(allow) : []),
    ...(gates.firewallComment
      ? [createRule(`other traffic to ${port.name} will be dropped by ${sharedChains.proxyFirewall}`, '', undefined)]
      : []),
  ];
}

/**
 * Distributes traffic: clients with session affinity return to their endpoint; other clients reach each endpoint with equal probability.
 */
export function createBalancingRules(
  { sessionAffinity, stickyMaxAgeSeconds }: ServicePortView,
  endpoints: readonly EndpointView[],
  chainOf: (endpoint: EndpointView) => string,
  commentFor: (endpoint: EndpointView, index: number) => string | undefined,
  affinityCommentFor: (endpoint: EndpointView, index: number) => string | undefined = commentFor,
  stickyEndpoints: readonly EndpointView[] = endpoints,
): readonly IptablesRule[] {
  const affinityRule = (endpoint: EndpointView, index: number): IptablesRule => {
    const chain = chainOf(endpoint);
    return createRule(
      affinityCommentFor(endpoint, index),
      `-m recent --name ${chain} --rcheck --seconds ${stickyMaxAgeSeconds} --reap`,
      chain,
    );
  };
  const randomRules = endpoints.map((endpoint, index) => {
    const remaining = endpoints.length - index;
    const match = remaining === 1 ? '' : `-m statistic --mode random --probability ${probabilityOf(remaining)}`;
    return createRule(commentFor(endpoint, index), match, chainOf(endpoint));
  });
  return sessionAffinity === 'ClientIP' ? [...stickyEndpoints.map(affinityRule), ...randomRules] : randomRules;
}

const probabilityOf = (remaining: number): string => probabilities[remaining] ?? (1 / remaining).toFixed(10);

const probabilities: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, remaining) => (1 / remaining).toFixed(10));

/** Creates the DNAT rules of endpoints. Masquerades connections of a pod to itself, which would otherwise get direct replies. */
export function createEndpointRulesFactory(
  { protocol, sessionAffinity }: ServicePortView,
  comment: string | undefined,
  formatAddress: (ip: string) => string = (ip) => ip,
): (endpoint: EndpointView, chain: string) => readonly IptablesRule[] {
  const packet = `-m ${protocol.toLowerCase()} -p ${protocol.toLowerCase()}`;
  const isSticky = sessionAffinity === 'ClientIP';
  return ({ ip, text }, chain) => [
    createRule(comment, `-s ${formatAddress(ip)}`, sharedChains.markMasquerade),
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
 * Creates the rules that match a port's traffic at each of its addresses and send the traffic to the port's own chains or refuse it.
 * Mirrors the capturing rules of `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go).
 */
export function createPortalRules(
  port: ServicePortView,
  traffic: PortTraffic,
  { servesNodePorts, gates }: Pick<Settings, 'servesNodePorts' | 'gates'>,
): readonly PortalRule[] {
  return [
    createClusterPortal(port, traffic),
    ...port.externalIPs.flatMap((ip) => createExternalPortals(port, traffic, ip, 'external IP', traffic.chains.external)),
    ...port.loadBalancerVIPs.flatMap((ip) => [
      ...createExternalPortals(port, traffic, ip, 'loadbalancer IP', traffic.loadBalancerTarget),
      ...(traffic.usesFirewallChain && gates.firewallInFilter ? [createFirewallPortal(port, traffic, ip)] : []),
    ]),
    ...(port.nodePort === 0 || !servesNodePorts ? [] : createNodePortals(port, traffic)),
    ...(port.healthCheckNodePort === 0 ? [] : [createHealthPortal(port)]),
  ];
}

/** "-m tcp -p tcp -d 10.96.0.1 --dport 80" */
export function formatPacketMatch({ protocol, port }: ServicePortView, address: string): string {
  const name = protocol.toLowerCase();
  return `-m ${name} -p ${name} -d ${address} --dport ${port}`;
}

function createClusterPortal(port: ServicePortView, { internalChain, internalRefusal }: PortTraffic): PortalRule {
  const chain = sharedChains.services;
  const match = formatPacketMatch(port, port.clusterIP);
  if (internalRefusal) return { table: 'filter', chain, rule: createRule(internalRefusal.comment, match, internalRefusal.target) };
  return { table: 'nat', chain, rule: createRule(`${port.name} cluster IP`, match, internalChain) };
}

/**
 * Creates the rules of an address. If no node has an endpoint, all traffic is refused; if only this node has none, the node's own traffic
 * is still accepted.
 */
function createExternalPortals(
  port: ServicePortView,
  { externalRefusal }: PortTraffic,
  ip: string,
  kind: string,
  target: string,
): readonly PortalRule[] {
  const match = formatPacketMatch(port, ip);
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

/** Drops packets that reach the end of the firewall chain: without DNAT, their destination is still the load balancer's address. */
const createFirewallPortal = (port: ServicePortView, { chains }: PortTraffic, ip: string): PortalRule => ({
  table: 'filter',
  chain: sharedChains.proxyFirewall,
  rule: createRule(`${port.name} traffic not accepted by ${chains.firewall}`, formatPacketMatch(port, ip), 'DROP'),
});

function createNodePortals(port: ServicePortView, { chains, externalRefusal }: PortTraffic): readonly PortalRule[] {
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

export const createHealthPortal = ({ name, healthCheckNodePort }: ServicePortView): PortalRule => ({
  table: 'filter',
  chain: sharedChains.nodePorts,
  rule: createRule(`${name} health check node port`, `-m tcp -p tcp --dport ${healthCheckNodePort}`, 'ACCEPT'),
});
