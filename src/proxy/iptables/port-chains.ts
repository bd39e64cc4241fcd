import { isInRanges } from '../addresses.ts';
import type { EndpointView, ServicePortView } from '../view.ts';
import { sharedChains } from './chains.ts';
import type { IptablesChain, IptablesRule } from './model.ts';
import { packetTo } from './portal-rules.ts';
import { ruleOf } from './rule.ts';
import type { Settings } from './settings.ts';
import type { PortTraffic } from './traffic.ts';

/**
 * The chains of a port of a Service: for traffic from outside, for source ranges, for each policy, and for each endpoint.
 * Mirrors the second half of what `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go) does for each of them.
 * @param large whether there are so many endpoints that their rules go without comments
 */
export function portChains(port: ServicePortView, traffic: PortTraffic, settings: Settings, large: boolean): readonly IptablesChain[] {
  const { chains, cluster, local, internal } = traffic;
  const reachable = port.reachable ?? [];
  const named = new Map(reachable.map(({ text }) => [text, chains.endpoint(text)]));
  const chainOf = ({ text }: EndpointView): string => named.get(text) ?? chains.endpoint(text);
  const masquerade = traffic.hasInternal ? masqueradeInternal(port, settings) : [];
  const made: IptablesChain[] = [];
  const add = (name: string, rules: readonly IptablesRule[]): void => void made.push({ name, rules });
  const spreadTo = (name: string, endpoints: readonly EndpointView[]): void =>
    add(name, [...(internal === name ? masquerade : []), ...spread(port, endpoints, chainOf, large)]);
  if (traffic.usesExternal) add(chains.external, externalRules(port, traffic, settings));
  if (traffic.usesFirewall) add(chains.firewall, firewallRules(port, traffic, settings));
  if (cluster.length > 0) spreadTo(chains.cluster, cluster);
  if (local.length > 0) spreadTo(chains.local, local);
  const rulesOf = endpointRules(port, large);
  for (const endpoint of reachable) add(chainOf(endpoint), rulesOf(endpoint, chainOf(endpoint)));
  return made;
}

/** Traffic to the cluster IP that does not come from a pod of this cluster may not find its way back but through this node. */
function masqueradeInternal(port: ServicePortView, { masqueradeAll, podCIDR }: Settings): readonly IptablesRule[] {
  if (!masqueradeAll && podCIDR === undefined) return [];
  const match = packetTo(port, port.clusterIP);
  return [ruleOf(`${port.name} cluster IP`, masqueradeAll ? match : `${match} ! -s ${podCIDR}`, sharedChains.markMasquerade)];
}

function externalRules({ name, externalPolicyLocal }: ServicePortView, traffic: PortTraffic, { podCIDR }: Settings): IptablesRule[] {
  const destinations = `${name} external destinations`;
  const { cluster } = traffic.chains;
  const last = traffic.hasExternal ? [ruleOf(undefined, '', traffic.external)] : [];
  if (!externalPolicyLocal) return [ruleOf(`masquerade traffic for ${destinations}`, '', sharedChains.markMasquerade), ...last];
  return [
    ...(podCIDR === undefined ? [] : [ruleOf(`pod traffic for ${destinations}`, `-s ${podCIDR}`, cluster)]),
    ruleOf(`masquerade LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', sharedChains.markMasquerade),
    ruleOf(`route LOCAL traffic for ${destinations}`, '-m addrtype --src-type LOCAL', cluster),
    ...last,
  ];
}

/** A node that may reach the load balancer does so from the load balancer's address, where that is routed to the node itself. */
function firewallRules(port: ServicePortView, { chains }: PortTraffic, { nodeIP }: Settings): IptablesRule[] {
  const allow = (source: string): IptablesRule => ruleOf(`${port.name} loadbalancer IP`, `-s ${source}`, chains.external);
  const ranges = port.loadBalancerSourceRanges;
  const fromNode = isInRanges(nodeIP, ranges);
  return [
    ...ranges.map(allow),
    ...(fromNode ? port.loadBalancerVIPs.map(allow) : []),
    ruleOf(`other traffic to ${port.name} will be dropped by ${sharedChains.proxyFirewall}`, '', undefined),
  ];
}

/** Clients that were there before go where they went; others go to any endpoint, each as likely as the others. */
function spread(
  { name, sessionAffinity, stickyMaxAgeSeconds }: ServicePortView,
  endpoints: readonly EndpointView[],
  chainOf: (endpoint: EndpointView) => string,
  large: boolean,
): readonly IptablesRule[] {
  const comment = ({ text }: EndpointView): string | undefined => (large ? undefined : `${name} -> ${text}`);
  const sticky = (endpoint: EndpointView): IptablesRule => {
    const chain = chainOf(endpoint);
    return ruleOf(comment(endpoint), `-m recent --name ${chain} --rcheck --seconds ${stickyMaxAgeSeconds} --reap`, chain);
  };
  const random = endpoints.map((endpoint, at) => {
    const left = endpoints.length - at;
    const match = left === 1 ? '' : `-m statistic --mode random --probability ${probabilityOf(left)}`;
    return ruleOf(comment(endpoint), match, chainOf(endpoint));
  });
  return sessionAffinity === 'ClientIP' ? [...endpoints.map(sticky), ...random] : random;
}

const probabilityOf = (left: number): string => probabilities[left] ?? (1 / left).toFixed(10);

const probabilities: readonly string[] = /* @__PURE__ */ Array.from({ length: 256 }, (_, left) => (1 / left).toFixed(10));

/** A pod that reaches itself through its Service would answer itself directly, were its address not hidden. */
function endpointRules(
  { name, protocol, sessionAffinity }: ServicePortView,
  large: boolean,
): (endpoint: EndpointView, chain: string) => readonly IptablesRule[] {
  const comment = large ? undefined : name;
  const packet = `-m ${protocol.toLowerCase()} -p ${protocol.toLowerCase()}`;
  const isSticky = sessionAffinity === 'ClientIP';
  return ({ ip, text }, chain) => [
    ruleOf(comment, `-s ${ip}`, sharedChains.markMasquerade),
    ruleOf(comment, isSticky ? `-m recent --name ${chain} --set ${packet}` : packet, 'DNAT', `--to-destination ${text}`),
  ];
}
