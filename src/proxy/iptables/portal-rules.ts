import type { ServicePortView } from '../view.ts';
import { sharedChains } from './chains.ts';
import type { IptablesRule, IptablesTable } from './model.ts';
import { ruleOf } from './rule.ts';
import type { PortTraffic } from './traffic.ts';

/** A rule of a chain that all Services share. */
export interface PortalRule {
  readonly table: IptablesTable;
  readonly chain: string;
  readonly rule: IptablesRule;
}

/**
 * The rules that catch the traffic of a port of a Service, at each of its addresses, and lead it to chains of its own or refuse it.
 * Mirrors the rules that `syncProxyRules` (1.36, pkg/proxy/iptables/proxier.go) calls capturing.
 */
export function portalRules(port: ServicePortView, traffic: PortTraffic): readonly PortalRule[] {
  return [
    clusterPortal(port, traffic),
    ...port.externalIPs.flatMap((ip) => externalPortal(port, traffic, ip, 'external IP', traffic.chains.external)),
    ...port.loadBalancerVIPs.flatMap((ip) => [
      ...externalPortal(port, traffic, ip, 'loadbalancer IP', traffic.balanced),
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

function clusterPortal(port: ServicePortView, { internal, refusedInternal }: PortTraffic): PortalRule {
  const chain = sharedChains.services;
  const match = packetTo(port, port.clusterIP);
  if (refusedInternal) return { table: 'filter', chain, rule: ruleOf(refusedInternal.comment, match, refusedInternal.target) };
  return { table: 'nat', chain, rule: ruleOf(`${port.name} cluster IP`, match, internal) };
}

/** Where no node has endpoints traffic is refused; where only this one has none, what this node or its pods send is still let through. */
function externalPortal(
  port: ServicePortView,
  { refusedExternal: refusal }: PortTraffic,
  ip: string,
  kind: string,
  target: string,
): readonly PortalRule[] {
  const match = packetTo(port, ip);
  const portals: PortalRule[] = [];
  if (port.hasAny) {
    portals.push({ table: 'nat', chain: sharedChains.services, rule: ruleOf(`${port.name} ${kind}`, match, target) });
  }
  if (refusal) {
    portals.push({ table: 'filter', chain: sharedChains.externalServices, rule: ruleOf(refusal.comment, match, refusal.target) });
  }
  return portals;
}

/** What comes to the end of the firewall's chain was sent to no endpoint, and still has the address of the load balancer. */
const firewallPortal = (port: ServicePortView, { chains }: PortTraffic, ip: string): PortalRule => ({
  table: 'filter',
  chain: sharedChains.proxyFirewall,
  rule: ruleOf(`${port.name} traffic not accepted by ${chains.firewall}`, packetTo(port, ip), 'DROP'),
});

function nodePortal(port: ServicePortView, { chains, refusedExternal: refusal }: PortTraffic): readonly PortalRule[] {
  const name = port.protocol.toLowerCase();
  const match = `-m ${name} -p ${name} --dport ${port.nodePort}`;
  const portals: PortalRule[] = [];
  if (port.hasAny) portals.push({ table: 'nat', chain: sharedChains.nodePorts, rule: ruleOf(port.name, match, chains.external) });
  if (refusal) {
    const rule = ruleOf(refusal.comment, `-m addrtype --dst-type LOCAL ${match}`, refusal.target);
    portals.push({ table: 'filter', chain: sharedChains.externalServices, rule });
  }
  return portals;
}

const healthPortal = ({ name, healthCheckNodePort }: ServicePortView): PortalRule => ({
  table: 'filter',
  chain: sharedChains.nodePorts,
  rule: ruleOf(`${name} health check node port`, `-m tcp -p tcp --dport ${healthCheckNodePort}`, 'ACCEPT'),
});
