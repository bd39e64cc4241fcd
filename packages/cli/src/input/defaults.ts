import { canonicalIP } from 'kube-endpoints/internal/apimachinery';
import { isMap } from './checks.ts';
import { isClusterScoped, type Kind } from './rules.ts';

type Fields = Record<string, unknown>;

/** Cluster settings that defaults depend on. */
export interface ClusterDefaults {
  /** The namespace of objects without one. */
  readonly namespace: string;
  /** The IP family of Services that set none. */
  readonly family: 'IPv4' | 'IPv6';
  /** True if pods have addresses of both families. */
  readonly dualStack: boolean;
  /** Returns an unused placeholder address. */
  readonly nextSpareAddress: (family: string) => string;
}

/**
 * Applies the API server's defaults to a namespaced object. An object with a uid comes from an API server, so only a missing namespace is
 * filled in. Returns cluster-scoped objects unchanged.
 */
export function applyDefaults(kind: Kind, object: Fields, cluster: ClusterDefaults): Fields {
  if (isClusterScoped(kind)) return object;
  const metadata = object['metadata'] as Fields;
  const namespaced = { ...object, metadata: { ...metadata, namespace: metadata['namespace'] || cluster.namespace } };
  return metadata['uid'] ? namespaced : { ...namespaced, ...completeFields[kind]?.(namespaced, cluster) };
}

/** Returns the IP family of the first pod that has a valid address; IPv4 if no pod has one. */
export function familyOfPods(pods: readonly Fields[]): ClusterDefaults['family'] {
  for (const pod of pods) {
    const status = pod['status'] as Fields | undefined | null;
    const ip = canonicalIP((status?.['podIP'] as string) || firstIP(status) || '');
    if (ip !== undefined) return ip.includes(':') ? 'IPv6' : 'IPv4';
  }
  return 'IPv4';
}

/** True if some pod has addresses of both families. */
export const areDualStack = (pods: readonly Fields[]): boolean =>
  pods.some((pod) => {
    const podIPs = (pod['status'] as Fields | undefined | null)?.['podIPs'];
    const ips = Array.isArray(podIPs) ? podIPs.map(({ ip }: { ip?: string }) => canonicalIP(ip ?? '') ?? '') : [];
    return ips.some((ip) => ip.includes(':')) && ips.some((ip) => ip.includes('.') && !ip.includes(':'));
  });

const completeFields: Partial<Readonly<Record<Kind, (object: Fields, cluster: ClusterDefaults) => Fields>>> = {
  Service: ({ spec }, cluster) => ({ spec: completeServiceSpec(isMap(spec) ? spec : {}, cluster) }),
  Pod: ({ spec, status }) => ({
    ...(isMap(spec) && { spec: completePodSpec(spec) }),
    ...(isMap(status) && { status: completePodStatus(status) }),
  }),
  Endpoints: ({ subsets }) => (Array.isArray(subsets) ? { subsets: subsets.map(addPortProtocols) } : {}),
  EndpointSlice: ({ ports }) => (Array.isArray(ports) ? { ports: ports.map(completeSlicePort) } : {}),
};

const completeSlicePort = (port: Fields): Fields => ({ ...addProtocol(port), name: port['name'] ?? '' });

function completeServiceSpec(spec: Fields, cluster: ClusterDefaults): Fields {
  const type = spec['type'] || 'ClusterIP';
  const ports = spec['ports'];
  const ipFamilies = familiesFor(spec, cluster);
  return {
    ...spec,
    type,
    ...(type !== 'ExternalName' && { ...clusterIPsFor(spec, ipFamilies as readonly string[], cluster), ipFamilies }),
    ...(Array.isArray(ports) && { ports: ports.map(completeServicePort) }),
  };
}

/**
 * Returns the Service's ipFamilies; if unset, the family of the Service's cluster IP or the cluster's default. Adds the second family if the
 * policy is RequireDualStack, or if it is PreferDualStack and pods have addresses of both families.
 */
function familiesFor(spec: Fields, { family, dualStack }: ClusterDefaults): unknown {
  const families = spec['ipFamilies'];
  const clusterIP = spec['clusterIP'];
  const isAddress = typeof clusterIP === 'string' && clusterIP !== '' && clusterIP !== 'None';
  const first = Array.isArray(families) && families[0] ? families[0] : isAddress ? (clusterIP.includes(':') ? 'IPv6' : 'IPv4') : family;
  const policy = spec['ipFamilyPolicy'];
  const needsBoth = policy === 'RequireDualStack' || (policy === 'PreferDualStack' && dualStack);
  if (Array.isArray(families) && families.length > (needsBoth ? 1 : 0)) return families;
  return needsBoth ? [first, first === 'IPv6' ? 'IPv4' : 'IPv6'] : [first];
}

const completeServicePort = (port: Fields): Fields => ({ ...addProtocol(port), targetPort: port['targetPort'] || port['port'] });

/**
 * Fills in placeholders for the missing cluster IPs of a Service that is not headless, because the API server would allocate addresses.
 * Endpoints do not depend on the value. Placeholders are recognizable by their ranges.
 */
function clusterIPsFor(spec: Fields, families: readonly string[], { nextSpareAddress }: ClusterDefaults): Fields {
  const clusterIPs = Array.isArray(spec['clusterIPs']) ? (spec['clusterIPs'] as readonly string[]) : [];
  const first = (spec['clusterIP'] as string) || clusterIPs[0];
  if (first === 'None') return { clusterIP: first, clusterIPs: [first] };
  const filledIPs = families.map((family, index) => (index === 0 && first) || clusterIPs[index] || nextSpareAddress(family));
  return { clusterIP: filledIPs[0], clusterIPs: filledIPs };
}

/** True if the Service's cluster IP must be a placeholder. */
export function needsClusterIP({ metadata, spec }: Fields): boolean {
  const { type, clusterIP, clusterIPs } = isMap(spec) ? spec : {};
  const hasClusterIP = Boolean(clusterIP) || (Array.isArray(clusterIPs) && clusterIPs.length > 0);
  return !hasClusterIP && type !== 'ExternalName' && !(metadata as Fields)['uid'];
}

const completePodSpec = (spec: Fields): Fields => ({
  ...spec,
  restartPolicy: spec['restartPolicy'] || 'Always',
  ...completeContainers(spec, 'containers'),
  ...completeContainers(spec, 'initContainers'),
});

const completeContainers = (spec: Fields, key: string): Fields =>
  Array.isArray(spec[key]) ? { [key]: spec[key].map(addPortProtocols) } : {};

function completePodStatus(status: Fields): Fields {
  const { podIP, podIPs } = status;
  const hasPodIPs = Array.isArray(podIPs) && podIPs.length > 0;
  if (podIP && !hasPodIPs) return { ...status, podIPs: [{ ip: podIP }] };
  return !podIP && firstIP(status) ? { ...status, podIP: firstIP(status) } : status;
}

const firstIP = (status: Fields | undefined | null): string | undefined => {
  const podIPs = status?.['podIPs'];
  return Array.isArray(podIPs) ? (podIPs[0] as { ip?: string } | undefined)?.ip : undefined;
};

const addPortProtocols = (parent: Fields): Fields =>
  Array.isArray(parent['ports']) ? { ...parent, ports: parent['ports'].map(addProtocol) } : parent;

const addProtocol = (port: Fields): Fields => ({ ...port, protocol: port['protocol'] || 'TCP' });

/**
 * Creates a function that returns an address that no Service of the input has, a different address at each call. IPv4: from the
 * documentation ranges, then from the benchmark range; IPv6: from 2001:db8::/32. Deterministic for the same input.
 */
export function createSpareAddressGenerator(services: readonly Record<string, unknown>[]): (family: string) => string {
  const usedAddresses = new Set(services.flatMap(addressesOf));
  const generators: Record<string, Generator<string>> = { IPv4: spareIPv4(), IPv6: spareIPv6() };
  return (family) => {
    for (;;) {
      const { value } = (generators[family === 'IPv6' ? 'IPv6' : 'IPv4'] as Generator<string, string>).next();
      if (!usedAddresses.has(value)) return value;
    }
  };
}

function addressesOf({ spec }: Record<string, unknown>): readonly unknown[] {
  if (!isMap(spec)) return [];
  const { clusterIP, clusterIPs } = spec;
  return [clusterIP, ...(Array.isArray(clusterIPs) ? clusterIPs : [])];
}

/**
 * Yields hosts 1 to 254 of the three documentation ranges, then the addresses from 198.18.0.1 upwards. The end of that last range is not
 * checked, so some 15 million addresses later the values are invalid.
 */
function* spareIPv4(): Generator<string, string> {
  for (const range of ['192.0.2', '198.51.100', '203.0.113']) {
    for (let host = 1; host < 255; host++) yield `${range}.${host}`;
  }
  for (let index = 1; ; index++) yield `198.${18 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
}

function* spareIPv6(): Generator<string, string> {
  for (let index = 1; ; index++)
    yield index > 0xffff ? `2001:db8::${(index >> 16).toString(16)}:${(index & 0xffff).toString(16)}` : `2001:db8::${index.toString(16)}`;
}
