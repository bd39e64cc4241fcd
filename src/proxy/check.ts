import { canonicalIP, type IPFamily, ipFamilyOf, parseCIDRSloppy } from '../apimachinery/index.ts';
import type { EndpointView, ServicePortView } from './view.ts';

/** What a release requires of ports. */
interface PortExpectations {
  /** Whether endpoints come from slices; true by default. */
  readonly slicesRead?: boolean;
  /** The family that load balancer addresses must have: before 1.17.4, a view contains those of both families. */
  readonly balancerFamily?: IPFamily | undefined;
}

/**
 * Checks that a port can be written into rules: no name, address or number may be read as other rule syntax. An API server rejects such
 * values, but objects read from a file may contain anything.
 * @throws RangeError naming the Service, the field and the accepted values
 */
export function checkPort(port: ServicePortView, { slicesRead = true, balancerFamily }: PortExpectations = {}): void {
  const { name, namespace, service, portName, protocol, clusterIP, nodePort, stickyMaxAgeSeconds } = port;
  const refuse = (field: string, value: unknown, expected: string): never => {
    throw new RangeError(`Service ${JSON.stringify(name)}: ${field} is ${JSON.stringify(value)}, but has to be ${expected}`);
  };
  if (!namePattern.test(namespace)) refuse('metadata.namespace', namespace, nameCharacters);
  if (!namePattern.test(service)) refuse('metadata.name', service, nameCharacters);
  if (portName !== '' && !namePattern.test(portName)) refuse('spec.ports[].name', portName, nameCharacters);
  if (!protocols.includes(protocol)) refuse('spec.ports[].protocol', protocol, 'TCP, UDP or SCTP');
  if (!isPort(port.port)) refuse('spec.ports[].port', port.port, 'a number from 1 to 65535');
  if (nodePort !== 0 && !isPort(nodePort)) refuse('spec.ports[].nodePort', nodePort, 'a number from 1 to 65535');
  if (!addressPattern.test(clusterIP)) refuse('spec.clusterIPs[]', clusterIP, 'an IP address');
  if (!Number.isSafeInteger(stickyMaxAgeSeconds) || stickyMaxAgeSeconds < 0)
    refuse('spec.sessionAffinityConfig.clientIP.timeoutSeconds', stickyMaxAgeSeconds, 'a number of seconds');
  // Before 1.21, a view contains addresses and ranges that are invalid.
  for (const text of port.externalIPs) if (!canonicalIP(text)) refuse('spec.externalIPs[]', text, 'an IP address');
  for (const text of port.loadBalancerVIPs) {
    const ip = canonicalIP(text);
    if (!ip) refuse('status.loadBalancer.ingress[].ip', text, 'an IP address');
    else if (balancerFamily && ipFamilyOf(ip) !== balancerFamily)
      refuse('status.loadBalancer.ingress[].ip', text, `an ${balancerFamily} address before Kubernetes 1.17.4`);
  }
  if (port.hasAny && port.loadBalancerVIPs.length > 0)
    for (const text of port.loadBalancerSourceRanges) if (!parseCIDRSloppy(text)) refuse('spec.loadBalancerSourceRanges[]', text, 'a CIDR');
  for (const endpoint of port.chained ?? port.reachable ?? []) checkEndpoint(endpoint, name, slicesRead);
}

function checkEndpoint({ ip, port, text }: EndpointView, name: string, slicesRead: boolean): void {
  if (addressPattern.test(ip) && isPort(port)) return;
  const fields = slicesRead
    ? { kind: 'EndpointSlice', port: 'ports[].port', ip: 'endpoints[].addresses[0]' }
    : { kind: 'Endpoints', port: 'subsets[].ports[].port', ip: 'subsets[].addresses[].ip' };
  const [field, expected] = addressPattern.test(ip) ? [fields.port, 'a number from 1 to 65535'] : [fields.ip, 'an IP address'];
  throw new RangeError(`${fields.kind} of Service ${JSON.stringify(name)}: ${field} of ${JSON.stringify(text)} has to be ${expected}`);
}

const namePattern = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const nameCharacters = 'letters, digits, "-", "_" and "."';
const addressPattern = /^[0-9a-f:.]+$/i;
const protocols: readonly string[] = ['TCP', 'UDP', 'SCTP'];
const isPort = (port: number): boolean => Number.isInteger(port) && port >= 1 && port <= 65_535;
