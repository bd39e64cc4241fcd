import type { PlacedElement } from './fragment.ts';
import type { NftablesElement } from './model.ts';
import { containers, rejectChain } from './node-fragment.ts';
import type { PortTraffic } from './traffic.ts';

/** What of the shared sets and maps is a port's: where its addresses and its node port lead. */
export function portElements(traffic: PortTraffic): PlacedElement[] {
  const { port, protocol } = traffic;
  const elements: PlacedElement[] = [];
  put(elements, containers.clusterIPs, { key: port.clusterIP });
  const clusterIP = `${port.clusterIP} . ${protocol} . ${port.port}`;
  const chain = port.internalPolicyLocal ? traffic.names.local : traffic.names.cluster;
  if (traffic.hasInternal) put(elements, containers.services, { key: clusterIP, value: `goto ${chain}` });
  else refuse(elements, containers.emptyServices, clusterIP, traffic);
  for (const ip of port.externalIPs) external(elements, `${ip} . ${protocol} . ${port.port}`, traffic);
  for (const ip of port.loadBalancerVIPs) {
    const key = `${ip} . ${protocol} . ${port.port}`;
    external(elements, key, traffic);
    if (traffic.usesFirewall) put(elements, containers.firewalls, { key, value: `goto ${traffic.names.firewall}` });
  }
  if (port.nodePort !== 0) nodePort(elements, `${protocol} . ${port.nodePort}`, traffic);
  return elements;
}

function external(elements: PlacedElement[], key: string, traffic: PortTraffic): void {
  if (traffic.port.hasAny) put(elements, containers.services, { key, value: `goto ${traffic.names.external}` });
  if (!traffic.hasExternal) refuse(elements, containers.emptyServices, key, traffic);
}

/** Source ranges are not looked at for node ports. */
function nodePort(elements: PlacedElement[], key: string, traffic: PortTraffic): void {
  if (traffic.port.hasAny) put(elements, containers.nodePorts, { key, value: `goto ${traffic.names.external}` });
  if (!traffic.hasExternal) refuse(elements, containers.emptyNodePorts, key, traffic);
}

/** Where nobody has endpoints, a client is told; where only this node has none, it is to try again and may come to another node. */
function refuse(elements: PlacedElement[], container: string, key: string, { port }: PortTraffic): void {
  put(elements, container, { key, value: port.hasAny ? 'drop' : `goto ${rejectChain}`, comment: port.name });
}

/** One address may be there twice, as an external IP and as a load balancer's, say: the later counts. */
function put(elements: PlacedElement[], container: string, element: NftablesElement): void {
  const at = elements.findIndex((each) => each.container === container && each.element.key === element.key);
  if (at < 0) elements.push({ container, element });
  else elements[at] = { container, element };
}
