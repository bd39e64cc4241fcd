import { canonicalIP, compareText, type IPFamily, isIPv6 } from '../apimachinery/index.ts';
import { unparsedIP } from '../spec/index.ts';
import { addressesOfFamily, isZeroCIDR, rangesOfFamily, textsOfFamily } from './addresses.ts';
import { type ProxyGates, proxyGatesFor } from './gates.ts';
import type { ProxyService } from './objects.ts';
import type { ServicePortView } from './view.ts';

/** A port of a Service without its endpoints. */
export type ServicePortInfo = Omit<ServicePortView, 'endpoints' | 'cluster' | 'local' | 'reachable' | 'hasAny' | 'hints' | 'chained'>;

/**
 * Returns the ports of a Service that a node serves in a family; empty if the Service is headless, is an ExternalName or has no cluster IP
 * of the family. If two ports have the same name and protocol, the last wins. Fields that an API server defaults (protocol, type, session
 * affinity and its timeout) may be absent.
 *
 * Mirrors serviceToServiceMap (pkg/proxy/servicechangetracker.go) and newBaseServiceInfo (pkg/proxy/serviceport.go) of 1.36.
 */
export function readServicePorts(service: ProxyService, family: IPFamily, gates: ProxyGates = proxyGatesFor()): ServicePortInfo[] {
  const spec = service.spec ?? {};
  if (!spec.clusterIP || spec.clusterIP === 'None' || spec.type === 'ExternalName') return [];
  const clusterIP = clusterIPOf(service, family, gates);
  if (!clusterIP) return [];
  const externalIPs = addressesOfFamily(spec.externalIPs ?? [], family, gates.parsedServiceIPs, gates.checkedAddresses);
  const sharedFields = {
    ...createSharedFields(service, family, canonicalIP(clusterIP) ?? unparsedIP, gates),
    // The ports of a Service with external IPs count as externally accessible even if external IPs get no rules.
    externalIPs: gates.externalIPs ? externalIPs : [],
  };
  const ports = new Map<string, ServicePortInfo>();
  for (const { name, port, protocol, nodePort } of spec.ports ?? []) {
    const portName = name ?? '';
    const externallyAccessible = !!nodePort || sharedFields.loadBalancerVIPs.length > 0 || externalIPs.length > 0;
    const portInfo: ServicePortInfo = {
      ...sharedFields,
      name: nameOfPort(sharedFields, portName, gates),
      portName,
      protocol: protocolOf(protocol),
      port: port ?? 0,
      nodePort: nodePort ?? 0,
      externallyAccessible,
      ...findUsedPolicies(sharedFields, externallyAccessible, gates),
    };
    ports.set(portKey(portName, portInfo.protocol), portInfo);
  }
  return [...ports.values()].sort(compareByNameAndProtocol);
}

type UsedPolicies = Pick<ServicePortInfo, 'usesClusterEndpoints' | 'usesLocalEndpoints'>;

function findUsedPolicies(
  { internalPolicyLocal, externalPolicyLocal }: SharedPortFields,
  externallyAccessible: boolean,
  { separatePolicies, topologyKeys, slicesRead }: ProxyGates,
): UsedPolicies {
  if (separatePolicies)
    return {
      // Even with externalTrafficPolicy Local, traffic from pods to an external address of the Service may use endpoints on all nodes.
      usesClusterEndpoints: !internalPolicyLocal || externallyAccessible,
      usesLocalEndpoints: internalPolicyLocal || (externalPolicyLocal && externallyAccessible),
    };
  const isAllLocal = internalPolicyLocal && !topologyKeys && slicesRead;
  return { usesClusterEndpoints: !isAllLocal, usesLocalEndpoints: isAllLocal || externalPolicyLocal };
}

/** Builds the key "http/TCP", which identifies a port within its Service and among the ports of slices. */
export const portKey = (portName: string, protocol: string): string => `${portName}/${protocol}`;

/** Applies the API server's default. */
export const protocolOf = (protocol: string | null | undefined): ServicePortView['protocol'] =>
  (protocol || 'TCP') as ServicePortView['protocol'];

const nameOfPort = ({ namespace, service }: SharedPortFields, portName: string, { shortPortNames }: ProxyGates): string =>
  portName === '' && shortPortNames ? `${namespace}/${service}` : `${namespace}/${service}:${portName}`;

type SharedPortFields = Omit<
  ServicePortInfo,
  | 'name'
  | 'portName'
  | 'protocol'
  | 'port'
  | 'nodePort'
  | 'externalIPs'
  | 'externallyAccessible'
  | 'usesClusterEndpoints'
  | 'usesLocalEndpoints'
>;

function createSharedFields(service: ProxyService, family: IPFamily, clusterIP: string, gates: ProxyGates): SharedPortFields {
  const spec = service.spec ?? {};
  const externalPolicyLocal = isExternallyAccessible(service, gates) && spec.externalTrafficPolicy === 'Local';
  const hasAffinity = spec.sessionAffinity === 'ClientIP';
  return {
    namespace: service.metadata?.namespace ?? '',
    service: service.metadata?.name ?? '',
    clusterIP,
    loadBalancerVIPs: findVIPs(service, family, gates),
    loadBalancerSourceRanges: readSourceRanges(service, family, gates),
    sessionAffinity: hasAffinity ? 'ClientIP' : 'None',
    stickyMaxAgeSeconds: hasAffinity ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? defaultAffinityTimeoutSeconds) : 0,
    healthCheckNodePort: spec.type === 'LoadBalancer' && externalPolicyLocal ? (spec.healthCheckNodePort ?? 0) : 0,
    externalPolicyLocal,
    // Before 1.24, it has no effect with externalTrafficPolicy Local.
    internalPolicyLocal: gates.internalPolicy && spec.internalTrafficPolicy === 'Local' && (gates.separatePolicies || !externalPolicyLocal),
    ...(gates.topologyKeys && gates.slicesRead && !externalPolicyLocal && { topologyKeys: spec.topologyKeys ?? [] }),
    ...(gates.hintsByDefault || allowsHints(service, gates) ? {} : { ignoresHints: true }),
  };
}

/** The API server's default timeout: 3 hours. */
const defaultAffinityTimeoutSeconds = 10_800;

/** Mirrors GetClusterIPByFamily (1.36, pkg/proxy/util/utils.go). */
function clusterIPOf({ spec }: ProxyService, family: IPFamily, { clusterIPs }: ProxyGates): string | undefined {
  const families = (clusterIPs ? spec?.ipFamilies : undefined) ?? [];
  if (families.length > 0) return spec?.clusterIPs?.[families.indexOf(family)];
  const clusterIP = spec?.clusterIP ?? '';
  return isIPv6(clusterIP) === (family === 'IPv6') ? clusterIP : undefined;
}

/** Mirrors ExternallyAccessible (1.36, pkg/api/v1/service/util.go). */
function isExternallyAccessible({ spec }: ProxyService, { externalIPsPolicy }: ProxyGates): boolean {
  const type = spec?.type || 'ClusterIP';
  return (
    type === 'LoadBalancer' || type === 'NodePort' || (externalIPsPolicy && type === 'ClusterIP' && (spec?.externalIPs ?? []).length > 0)
  );
}

/**
 * Returns the load balancer addresses of ipMode VIP. A load balancer of ipMode Proxy opens its own connections instead of forwarding
 * packets.
 */
function findVIPs({ status }: ProxyService, family: IPFamily, gates: ProxyGates): string[] {
  const ingress = status?.loadBalancer?.ingress ?? [];
  const ips = ingress.flatMap(({ ip, ipMode }) => (ip && (!gates.ipModes || (ipMode ?? 'VIP') === 'VIP') ? ip : []));
  return gates.balancerIPsOfFamily ? addressesOfFamily(ips, family, gates.parsedServiceIPs, gates.checkedAddresses) : ips;
}

/** Whether an annotation enables hints. */
function allowsHints({ metadata }: ProxyService, { anyHintsMode, capitalAuto }: ProxyGates): boolean {
  const { [deprecatedHintsAnnotation]: deprecated, [hintsAnnotation]: mode = '' } = metadata?.annotations ?? {};
  if (!anyHintsMode) return deprecated === 'auto' || (capitalAuto && deprecated === 'Auto');
  return !['', 'disabled', 'Disabled'].includes(deprecated ?? mode);
}

const deprecatedHintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const hintsAnnotation = 'service.kubernetes.io/topology-mode';

/** Returns the source ranges of the family; from 1.34 on, empty if one range covers the whole family and so allows any source. */
function readSourceRanges({ spec }: ProxyService, family: IPFamily, gates: ProxyGates): string[] {
  if (!gates.checkedAddresses) return textsOfFamily(spec?.loadBalancerSourceRanges ?? [], family, gates.trimmedRanges);
  const ranges = rangesOfFamily(spec?.loadBalancerSourceRanges ?? [], family, gates.rangeFamilyOfAddress);
  return gates.zeroRangesAllowAny && ranges.some(isZeroCIDR)
    ? []
    : ranges.map(({ text, source }) => (gates.parsedServiceIPs ? text : source));
}

const compareByNameAndProtocol = (a: ServicePortInfo, b: ServicePortInfo): number =>
  compareText(a.portName, b.portName) || compareText(a.protocol, b.protocol);
