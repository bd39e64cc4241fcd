import { canonicalIP, type IPFamily } from '../../apimachinery/index.ts';
import { newest } from '../../versions/index.ts';
import { parseRelease } from '../../versions/releases.ts';
import { compareIPs, containsIP, isInRanges } from '../addresses.ts';
import { checkPort } from '../check.ts';
import { type ProxyGates, type ProxyVersionOptions, proxyGatesFor } from '../gates.ts';
import { readSettings } from '../iptables/settings.ts';
import { isLoopback, readNodeAddresses, readNodePortRanges } from '../node-fields.ts';
import type { ProxyNode } from '../objects.ts';
import type { EndpointView, NodeView, ServicePortView } from '../view.ts';
import { type BlockedAddress, createIptablesRules } from './iptables.ts';
import { type IpvsRules, nameOfSet, type SetName, setTypes, type VirtualServer } from './model.ts';

/**
 * Returns everything that kube-proxy's ipvs mode writes for a node's view: virtual servers, the addresses of kube-ipvs0, ipsets and the
 * iptables rules that match them. Mirrors the first `syncProxyRules` of a node (1.36, pkg/proxy/ipvs/proxier.go).
 * @throws RangeError naming the invalid field of the node or of a Service, if the release is older than 1.24, or for an unknown version
 */
export function ipvsRules(view: NodeView, node: ProxyNode, options: ProxyVersionOptions = {}): IpvsRules {
  const gates = proxyGatesFor(options);
  if (!hasIpvsRules(options))
    throw new RangeError(`the rules of the mode ipvs are specified from 1.${firstIpvsMinor} on: give a later version`);
  return ipvsRulesFor(view, node, gates);
}

/** The first minor release whose mode ipvs was compared with kube-proxy. */
const firstIpvsMinor = 24;

/** Whether the mode ipvs of a release is specified. */
export const hasIpvsRules = ({ version = newest }: ProxyVersionOptions): boolean => parseRelease(version).minor >= firstIpvsMinor;

/** `ipvsRules` for the gates of a release. */
export function ipvsRulesFor(view: NodeView, node: ProxyNode, gates: ProxyGates): IpvsRules {
  const { family } = view;
  const settings = readSettings(node, family, gates);
  const nodeAddresses = readNodeAddresses(node, family).filter((address) => !isLoopback(address) && !isLinkLocal(address));
  const { ipvsScheduler: scheduler = 'rr' } = node;
  if (!/^[a-z]+$/.test(scheduler))
    throw new RangeError(`node.ipvsScheduler: ${JSON.stringify(scheduler)} is not a scheduler such as "rr" or "lc"`);
  const state: State = {
    nodeIP: settings.nodeIP,
    keptAddresses: new Set(gates.nodeAddressesKept ? nodeAddresses : []),
    nodePortIPs: selectNodePortIPs(node, family, nodeAddresses),
    serverFields: { scheduler, ...(scheduler === 'mh' && gates.clientPortHashed && { hashesClientPort: true }) },
    servers: new Map(),
    entries: new Map((Object.keys(setTypes) as SetName[]).map((name) => [name, new Set()])),
    blockedAddresses: [],
  };
  for (const port of view.ports) {
    const servers: State['servers'] = new Map();
    addPort({ ...state, servers }, port);
    // The first port of an address gets it.
    for (const [key, server] of servers) if (!state.servers.has(key)) state.servers.set(key, server);
  }
  const sets = Array.from(state.entries, ([name, entries]) => ({
    name: nameOfSet(name, family),
    type: setTypes[name],
    entries: [...entries].sort(),
  })).slice(0, gates.hostPortsHidden ? undefined : -1);
  return {
    family,
    addresses: [...entriesOf(state, 'IPVS-IPS')].sort(),
    virtualServers: [...state.servers.values()].sort(compareServers),
    sets,
    iptables: createIptablesRules(settings, (name) => entriesOf(state, name).size > 0, state.blockedAddresses),
  };
}

/** What the ports so far have added, and what they depend on. */
interface State {
  /** The first address of the node. */
  readonly nodeIP: string;
  /** The addresses that kube-ipvs0 does not get. */
  readonly keptAddresses: ReadonlySet<string>;
  readonly nodePortIPs: readonly string[];
  readonly serverFields: Pick<VirtualServer, 'scheduler' | 'hashesClientPort'>;
  readonly servers: Map<string, VirtualServer>;
  readonly entries: ReadonlyMap<SetName, Set<string>>;
  readonly blockedAddresses: BlockedAddress[];
}

const entriesOf = ({ entries }: State, name: SetName): Set<string> => entries.get(name) as Set<string>;

/** Selects the addresses that serve node ports: without ranges, those of all interfaces except link-local and loopback addresses. */
function selectNodePortIPs(node: ProxyNode, family: IPFamily, nodeAddresses: readonly string[]): readonly string[] {
  const ranges = readNodePortRanges(node, family);
  if (!ranges) return nodeAddresses;
  return readNodeAddresses(node, family).filter((address) => !isLoopback(address) && ranges.some((range) => containsIP(range, address)));
}

const isLinkLocal = (address: string): boolean => /^fe[89ab]/.test(address);

function addPort(state: State, port: ServicePortView): void {
  checkPort(port);
  addHairpins(state, port);
  const address = formatEntry(port.clusterIP, port);
  entriesOf(state, 'CLUSTER-IP').add(address);
  entriesOf(state, 'IPVS-IPS').add(port.clusterIP);
  addServer(state, port, port.clusterIP, port.port, port.internalPolicyLocal);
  for (const ip of port.externalIPs) {
    entriesOf(state, port.externalPolicyLocal ? 'EXTERNAL-IP-LOCAL' : 'EXTERNAL-IP').add(formatEntry(ip, port));
    addExternalServer(state, port, ip);
  }
  for (const ip of port.loadBalancerVIPs) {
    addLoadBalancerEntries(state, port, ip);
    addExternalServer(state, port, ip);
  }
  const servesNodePort = port.nodePort === 0 || state.nodePortIPs.length > 0;
  if (port.nodePort !== 0) addNodePort(state, port);
  // Without an address for the node port, kube-proxy skips the rest of the port.
  if (servesNodePort && port.healthCheckNodePort !== 0) entriesOf(state, 'HEALTH-CHECK-NODE-PORT').add(`${port.healthCheckNodePort}`);
}

/** Adds entries that masquerade connections of a pod to itself through its Service, so that replies return through the node. */
function addHairpins(state: State, port: ServicePortView): void {
  const entries = entriesOf(state, 'LOOP-BACK');
  for (const { ip, port: number, isLocal } of port.endpoints)
    if (isLocal && ip !== '' && number !== 0) entries.add(`${ip},${port.protocol.toLowerCase()}:${number},${ip}`);
}

/** Adds the entries of a load balancer's address. If the Service has source ranges, the node itself may use it only if they contain its address. */
function addLoadBalancerEntries(state: State, port: ServicePortView, ip: string): void {
  const { protocol, loadBalancerSourceRanges: ranges, externalPolicyLocal } = port;
  const entry = formatEntry(ip, port);
  entriesOf(state, 'LOAD-BALANCER').add(entry);
  if (externalPolicyLocal) entriesOf(state, 'LOAD-BALANCER-LOCAL').add(entry);
  if (ranges.length === 0) return;
  entriesOf(state, 'LOAD-BALANCER-FW').add(entry);
  for (const range of ranges) entriesOf(state, 'LOAD-BALANCER-SOURCE-CIDR').add(`${entry},${range}`);
  if (isInRanges(state.nodeIP, ranges)) entriesOf(state, 'LOAD-BALANCER-SOURCE-IP').add(`${entry},${ip}`);
  else state.blockedAddresses.push({ address: ip, protocol: protocol.toLowerCase(), port: port.port });
}

function addNodePort(state: State, port: ServicePortView): void {
  const { protocol, nodePort } = port;
  const entries = protocol === 'SCTP' ? state.nodePortIPs.map((ip) => `${ip},sctp:${nodePort}`) : [`${nodePort}`];
  if (state.nodePortIPs.length === 0) return;
  const suffix = protocol === 'SCTP' ? 'SCTP-HASH' : protocol;
  for (const entry of entries) {
    entriesOf(state, `NODE-PORT-${suffix}`).add(entry);
    if (port.externalPolicyLocal) entriesOf(state, `NODE-PORT-LOCAL-${suffix}`).add(entry);
  }
  for (const ip of state.nodePortIPs) addServer(state, port, ip, nodePort, port.externalPolicyLocal);
}

/** Adds the virtual server of an external address. kube-ipvs0 gets the address unless another interface of the node has it. */
function addExternalServer(state: State, port: ServicePortView, ip: string): void {
  const address = canonicalIP(ip) ?? ip;
  if (!state.keptAddresses.has(address)) entriesOf(state, 'IPVS-IPS').add(address);
  addServer(state, port, address, port.port, port.externalPolicyLocal);
}

/** Adds a virtual server. It replaces one of the same port of the Service with the same address. */
function addServer(state: State, port: ServicePortView, address: string, number: number, usesLocal: boolean): void {
  const endpoints = usesLocal && port.local && port.local.length > 0 ? port.local : (port.cluster ?? []);
  state.servers.set(`${address} ${number} ${port.protocol}`, {
    protocol: port.protocol,
    address,
    port: number,
    ...state.serverFields,
    ...(port.sessionAffinity === 'ClientIP' && { persistenceSeconds: port.stickyMaxAgeSeconds }),
    realServers: listRealServers(endpoints),
  });
}

const listRealServers = (endpoints: readonly EndpointView[]): VirtualServer['realServers'] =>
  endpoints.map(({ ip, port }) => ({ address: canonicalIP(ip) ?? ip, port })).sort(compareAddresses);

const formatEntry = (ip: string, { protocol, port }: ServicePortView): string => `${ip},${protocol.toLowerCase()}:${port}`;

interface AddressAndPort {
  readonly address: string;
  readonly port: number;
}

const compareAddresses = (a: AddressAndPort, b: AddressAndPort): number => compareIPs(a.address, b.address) || a.port - b.port;

const protocolOrder = ['TCP', 'UDP', 'SCTP'];

const compareServers = (a: VirtualServer, b: VirtualServer): number =>
  protocolOrder.indexOf(a.protocol) - protocolOrder.indexOf(b.protocol) || compareAddresses(a, b);
