import { isInRanges } from '../addresses.ts';
import { checkPort } from '../check.ts';
import type { EndpointView, ServicePortView } from '../view.ts';
import type { Fragment, NftablesChain, NftablesContainer, NftablesElement, NftablesRule, PlacedElement } from './model.ts';
import { createPortTraffic, type PortNames, type PortTraffic } from './names.ts';
import { containerNames, formatMarkStatement, rejectChain } from './node-fragment.ts';
import type { NftablesSettings } from './settings.ts';

/**
 * Creates the part of a node's table that belongs to a port of a Service. Mirrors the body of the loop over ports in syncProxyRules (1.36,
 * pkg/proxy/nftables/proxier.go).
 * @throws RangeError if the port cannot be written as rules
 */
export function createPortFragment(port: ServicePortView, settings: NftablesSettings, names: PortNames): Fragment {
  checkPort(port);
  const traffic = createPortTraffic(port, names, settings.gates);
  const hasAffinity = port.sessionAffinity === 'ClientIP';
  const usesEndpointChains = hasAffinity || !settings.gates.dnatMaps;
  return {
    chains: [
      ...(traffic.usesExternalChain ? [createExternalChain(traffic, settings)] : []),
      ...(traffic.usesFirewallChain && settings.gates.firewallChains ? [createFirewallChain(traffic, settings)] : []),
      ...createPolicyChains(traffic, settings),
      ...(usesEndpointChains ? (port.reachable ?? []).map((endpoint) => createEndpointChain(endpoint, traffic, settings)) : []),
    ],
    sets: hasAffinity ? (port.reachable ?? []).map((endpoint) => createAffinitySet(names.endpoint(endpoint).affinity, port, settings)) : [],
    maps: [],
    elements: [...createPortElements(traffic, settings), ...(settings.gates.hairpinSet ? createHairpins(traffic) : [])],
  };
}

/**
 * Creates the chain for external traffic. With the policy Local, traffic from the cluster's pods and from the node itself can use any
 * endpoint (upstream's "short-circuit").
 */
function createExternalChain({ port, names, hasExternalEndpoint }: PortTraffic, settings: NftablesSettings): NftablesChain {
  const { fromPods, gates } = settings;
  const mark = formatMarkStatement(settings);
  const fromNode = 'fib saddr type local';
  const rules: NftablesRule[] = [];
  if (!port.externalPolicyLocal) rules.push({ text: mark, ...(gates.inlineMasquerade && { comment: 'masquerade' }) });
  else {
    if (fromPods !== undefined) rules.push({ text: `${fromPods} goto ${names.cluster}`, comment: 'short-circuit pod traffic' });
    rules.push({ text: `${fromNode} ${mark}`, comment: 'masquerade local traffic' });
    rules.push({ text: `${fromNode} goto ${names.cluster}`, comment: 'short-circuit local traffic' });
  }
  if (hasExternalEndpoint) rules.push({ text: `goto ${port.externalPolicyLocal ? names.local : names.cluster}` });
  return { name: names.external, rules };
}

/**
 * Drops packets from outside the source ranges. If the ranges include the node, also allows the load balancer's addresses, which the node
 * may use as source.
 */
function createFirewallChain({ port, names }: PortTraffic, { ip, nodeIP }: NftablesSettings): NftablesChain {
  const ranges = port.loadBalancerSourceRanges;
  const sources = isInRanges(nodeIP, ranges) ? [...ranges, ...port.loadBalancerVIPs] : ranges;
  return { name: names.firewall, rules: [{ text: `${ip} saddr != { ${sources.join(' , ')} } drop` }] };
}

function createPolicyChains(traffic: PortTraffic, settings: NftablesSettings): NftablesChain[] {
  const { port, names } = traffic;
  const { cluster = [], local = [], usesClusterEndpoints, usesLocalEndpoints } = port;
  const hasAffinity = port.sessionAffinity === 'ClientIP';
  const internalChain = port.internalPolicyLocal ? names.local : names.cluster;
  const createChain = (name: string, endpoints: readonly EndpointView[]): NftablesChain => ({
    name,
    rules: [
      ...(name === internalChain && traffic.hasInternalEndpoint ? createClusterMasqueradeRules(traffic, settings) : []),
      ...(hasAffinity || !settings.gates.dnatMaps
        ? createJumpRules(endpoints, names, settings.ip, hasAffinity)
        : [createDnatRule(endpoints, traffic.protocol, settings)]),
    ],
  });
  const chains: NftablesChain[] = [];
  if (usesClusterEndpoints && cluster.length > 0) chains.push(createChain(names.cluster, cluster));
  if (usesLocalEndpoints && local.length > 0) chains.push(createChain(names.local, local));
  return chains;
}

/** Marks traffic to the port's cluster IP from outside the pod CIDR, or all of it if configured; from 1.36 on, one rule serves all ports. */
function createClusterMasqueradeRules({ port, protocol }: PortTraffic, settings: NftablesSettings): NftablesRule[] {
  const { ip, masqueradeAll, notFromPods, gates } = settings;
  if (gates.hairpinSet || !(masqueradeAll || notFromPods !== undefined)) return [];
  const matches = [`${ip} daddr ${port.clusterIP}`, ...(gates.masqueradeByCluster ? [] : [`${protocol} dport ${port.port}`])];
  return [{ text: [...matches, ...(masqueradeAll ? [] : [notFromPods]), formatMarkStatement(settings)].join(' ') }];
}

/** Creates one rule that picks a random endpoint. */
function createDnatRule(endpoints: readonly EndpointView[], protocol: string, { ip, gates }: NftablesSettings): NftablesRule {
  const [first] = endpoints;
  if (gates.singleDnat && first && endpoints.length === 1) return { text: `meta l4proto ${protocol} dnat to ${first.text}` };
  let targets = '';
  for (let i = 0; i < endpoints.length; i++) {
    const endpoint = endpoints[i] as EndpointView;
    targets += `${i === 0 ? '' : ' , '}${i} : ${endpoint.ip} . ${endpoint.port}`;
  }
  const randomIndex = `numgen random mod ${endpoints.length}`;
  return { text: `meta l4proto ${protocol} dnat ${ip} addr . port to ${randomIndex} map { ${targets} }` };
}

/** Creates the rules that go to the chains of endpoints: with session affinity one for recent clients of each, then a random choice. */
function createJumpRules(endpoints: readonly EndpointView[], names: PortNames, ip: string, hasAffinity: boolean): NftablesRule[] {
  const endpointNames = endpoints.map(names.endpoint);
  const targets = endpointNames.map(({ chain }, i) => `${i} : goto ${chain}`).join(' , ');
  return [
    ...(hasAffinity ? endpointNames.map(({ chain, affinity }) => ({ text: `${ip} saddr @${affinity} goto ${chain}` })) : []),
    { text: `numgen random mod ${endpointNames.length} vmap { ${targets} }` },
  ];
}

function createEndpointChain(endpoint: EndpointView, { port, names, protocol }: PortTraffic, settings: NftablesSettings): NftablesChain {
  const { ip, gates } = settings;
  const { chain, affinity } = names.endpoint(endpoint);
  return {
    name: chain,
    rules: [
      ...(gates.hairpinSet ? [] : [{ text: `${ip} saddr ${endpoint.ip} ${formatMarkStatement(settings)}` }]),
      ...(port.sessionAffinity === 'ClientIP' ? [{ text: `update @${affinity} { ${ip} saddr }` }] : []),
      { text: `meta l4proto ${protocol} dnat to ${endpoint.text}` },
    ],
  };
}

const createAffinitySet = (
  name: string,
  { stickyMaxAgeSeconds }: ServicePortView,
  { addressType }: NftablesSettings,
): NftablesContainer => ({
  name,
  type: addressType,
  flags: ['dynamic', 'timeout'],
  timeoutSeconds: stickyMaxAgeSeconds,
});

/** Creates elements that masquerade connections of a pod to itself through its Service, so that replies return through the node. */
const createHairpins = ({ port, protocol }: PortTraffic): PlacedElement[] =>
  (port.reachable ?? [])
    .filter(({ isLocal }) => isLocal)
    .map(({ ip, port: number }) => ({ container: containerNames.hairpins, element: { key: `${ip} . ${ip} . ${protocol} . ${number}` } }));

/** Creates the port's elements in the shared sets and maps: the targets of its addresses and its node port. */
export function createPortElements(traffic: PortTraffic, settings: NftablesSettings): PlacedElement[] {
  const { port, protocol } = traffic;
  const elements: PlacedElement[] = [];
  if (settings.gates.clusterIPsCheck) setElement(elements, containerNames.clusterIPs, { key: port.clusterIP });
  const clusterIP = `${port.clusterIP} . ${protocol} . ${port.port}`;
  const chain = port.internalPolicyLocal ? traffic.names.local : traffic.names.cluster;
  if (traffic.hasInternalEndpoint) setElement(elements, containerNames.services, { key: clusterIP, value: `goto ${chain}` });
  else addRefusal(elements, containerNames.emptyServices, clusterIP, traffic);
  for (const ip of port.externalIPs) addExternalElements(elements, `${ip} . ${protocol} . ${port.port}`, traffic);
  for (const ip of port.loadBalancerVIPs) {
    const key = `${ip} . ${protocol} . ${port.port}`;
    addExternalElements(elements, key, traffic);
    if (traffic.usesFirewallChain) addFirewallElements(elements, ip, key, traffic, settings);
  }
  if (port.nodePort !== 0) addNodePortElements(elements, `${protocol} . ${port.nodePort}`, traffic);
  return elements;
}

/** Adds the elements that check the sources of a load balancer's address. */
function addFirewallElements(
  elements: PlacedElement[],
  ip: string,
  key: string,
  { port, names, comment }: PortTraffic,
  { gates, nodeIP }: NftablesSettings,
): void {
  if (gates.firewallChains) {
    const element = { key, value: `goto ${names.firewall}`, ...(!gates.plainFirewallElements && { comment }) };
    setElement(elements, containerNames.firewalls, element);
    return;
  }
  setElement(elements, containerNames.firewalled, { key, comment });
  const ranges = port.loadBalancerSourceRanges;
  for (const range of ranges) setElement(elements, containerNames.firewallSources, { key: `${key} . ${range}`, comment });
  if (isInRanges(nodeIP, ranges)) setElement(elements, containerNames.firewallSources, { key: `${key} . ${ip}` });
}

function addExternalElements(elements: PlacedElement[], key: string, traffic: PortTraffic): void {
  if (traffic.port.hasAny) setElement(elements, containerNames.services, { key, value: `goto ${traffic.names.external}` });
  if (!traffic.hasExternalEndpoint) addRefusal(elements, containerNames.emptyServices, key, traffic);
}

/** Adds the elements of a node port, to which source ranges do not apply. */
function addNodePortElements(elements: PlacedElement[], key: string, traffic: PortTraffic): void {
  if (traffic.port.hasAny) setElement(elements, containerNames.nodePorts, { key, value: `goto ${traffic.names.external}` });
  if (!traffic.hasExternalEndpoint) addRefusal(elements, containerNames.emptyNodePorts, key, traffic);
}

/** Rejects traffic if no node has an endpoint. Drops it if only this node has none, so that clients retry and may reach another node. */
function addRefusal(elements: PlacedElement[], container: string, key: string, { port, comment }: PortTraffic): void {
  setElement(elements, container, { key, value: port.hasAny ? 'drop' : `goto ${rejectChain}`, comment });
}

/**
 * Adds an element or replaces the one with the same key, because an address can occur twice, for example as an external IP and as a load
 * balancer's.
 */
function setElement(elements: PlacedElement[], container: string, element: NftablesElement): void {
  const index = elements.findIndex((each) => each.container === container && each.element.key === element.key);
  if (index < 0) elements.push({ container, element });
  else elements[index] = { container, element };
}
