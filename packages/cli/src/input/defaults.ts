import { canonicalIP } from 'kube-endpoints/internal';
import { isMap } from './checks.ts';
import { type ClusterKind, isOfCluster, type Kind } from './rules.ts';

type Fields = Record<string, unknown>;

/** What is known of the cluster that manifests are for. */
export interface ClusterDefaults {
  /** The namespace of objects that name none. */
  readonly namespace: string;
  /** The IP family that Services get where they do not say. */
  readonly family: 'IPv4' | 'IPv6';
  /** Whether pods have addresses of both families. */
  readonly dualStack: boolean;
  /** An address that nothing else has. */
  readonly spareAddress: (family: string) => string;
}

/**
 * An object as the API server would hand it back. One that has been there, and so has a uid, is left as it is, but for a
 * namespace that it does not name.
 */
export function withDefaults(kind: Kind, object: Fields, cluster: ClusterDefaults): Fields {
  if (isOfCluster(kind)) return object;
  const metadata = object['metadata'] as Fields;
  const named = { ...object, metadata: { ...metadata, namespace: metadata['namespace'] || cluster.namespace } };
  return metadata['uid'] ? named : { ...named, ...defaults[kind](named, cluster) };
}

/** The family of the first pod IP there is; IPv4 where there is none. */
export function familyOfPods(pods: readonly Fields[]): ClusterDefaults['family'] {
  for (const pod of pods) {
    const status = pod['status'] as Fields | undefined | null;
    const ip = canonicalIP((status?.['podIP'] as string) || firstIP(status) || '');
    if (ip !== undefined) return ip.includes(':') ? 'IPv6' : 'IPv4';
  }
  return 'IPv4';
}

/** Whether some pod has addresses of both families. */
export const areDualStack = (pods: readonly Fields[]): boolean =>
  pods.some((pod) => {
    const podIPs = (pod['status'] as Fields | undefined | null)?.['podIPs'];
    const ips = Array.isArray(podIPs) ? podIPs.map(({ ip }: { ip?: string }) => canonicalIP(ip ?? '') ?? '') : [];
    return ips.some((ip) => ip.includes(':')) && ips.some((ip) => ip.includes('.') && !ip.includes(':'));
  });

const defaults: Readonly<Record<Exclude<Kind, ClusterKind>, (object: Fields, cluster: ClusterDefaults) => Fields>> = {
  Service: ({ spec }, cluster) => ({ spec: serviceSpec(isMap(spec) ? spec : {}, cluster) }),
  Pod: ({ spec, status }) => ({
    ...(isMap(spec) && { spec: podSpec(spec) }),
    ...(isMap(status) && { status: podStatus(status) }),
  }),
  Endpoints: ({ subsets }) => (Array.isArray(subsets) ? { subsets: subsets.map(withPortProtocols) } : {}),
  Event: () => ({}),
  EndpointSlice: ({ ports }) => (Array.isArray(ports) ? { ports: ports.map(slicePort) } : {}),
};

const slicePort = (port: Fields): Fields => ({ ...withProtocol(port), name: port['name'] ?? '' });

function serviceSpec(spec: Fields, cluster: ClusterDefaults): Fields {
  const type = spec['type'] || 'ClusterIP';
  const ports = spec['ports'];
  const ipFamilies = familiesFor(spec, cluster);
  return {
    ...spec,
    type,
    ...(type !== 'ExternalName' && { ...clusterIPsFor(spec, ipFamilies as readonly string[], cluster), ipFamilies }),
    ...(Array.isArray(ports) && { ports: ports.map(servicePort) }),
  };
}

/** Those it names; else that of its cluster IP or the cluster's, and the other one where it asks for two and can have them. */
function familiesFor(spec: Fields, { family, dualStack }: ClusterDefaults): unknown {
  const named = spec['ipFamilies'];
  const clusterIP = spec['clusterIP'];
  const isAddress = typeof clusterIP === 'string' && clusterIP !== '' && clusterIP !== 'None';
  const first = Array.isArray(named) && named[0] ? named[0] : isAddress ? (clusterIP.includes(':') ? 'IPv6' : 'IPv4') : family;
  const policy = spec['ipFamilyPolicy'];
  const wantsBoth = policy === 'RequireDualStack' || (policy === 'PreferDualStack' && dualStack);
  if (Array.isArray(named) && named.length > (wantsBoth ? 1 : 0)) return named;
  return wantsBoth ? [first, first === 'IPv6' ? 'IPv4' : 'IPv6'] : [first];
}

const servicePort = (port: Fields): Fields => ({ ...withProtocol(port), targetPort: port['targetPort'] || port['port'] });

/**
 * The API server allocates them, so that the Service is not headless. Which ones they are cannot be seen in Endpoints; those that stand
 * for them are told from others by their ranges.
 */
function clusterIPsFor(spec: Fields, families: readonly string[], { spareAddress }: ClusterDefaults): Fields {
  const given = Array.isArray(spec['clusterIPs']) ? (spec['clusterIPs'] as readonly string[]) : [];
  const first = (spec['clusterIP'] as string) || given[0];
  if (first === 'None') return { clusterIP: first, clusterIPs: [first] };
  const all = families.map((family, at) => (at === 0 && first) || given[at] || spareAddress(family));
  return { clusterIP: all[0], clusterIPs: all };
}

/** Whether a Service's cluster IP is one that stands for another. */
export function needsAddress({ metadata, spec }: Fields): boolean {
  const { type, clusterIP, clusterIPs } = isMap(spec) ? spec : {};
  const isTold = Boolean(clusterIP) || (Array.isArray(clusterIPs) && clusterIPs.length > 0);
  return !isTold && type !== 'ExternalName' && !(metadata as Fields)['uid'];
}

const podSpec = (spec: Fields): Fields => ({
  ...spec,
  restartPolicy: spec['restartPolicy'] || 'Always',
  ...withContainers(spec, 'containers'),
  ...withContainers(spec, 'initContainers'),
});

const withContainers = (spec: Fields, key: string): Fields => (Array.isArray(spec[key]) ? { [key]: spec[key].map(withPortProtocols) } : {});

function podStatus(status: Fields): Fields {
  const { podIP, podIPs } = status;
  const listed = Array.isArray(podIPs) && podIPs.length > 0;
  if (podIP && !listed) return { ...status, podIPs: [{ ip: podIP }] };
  return !podIP && firstIP(status) ? { ...status, podIP: firstIP(status) } : status;
}

const firstIP = (status: Fields | undefined | null): string | undefined => {
  const podIPs = status?.['podIPs'];
  return Array.isArray(podIPs) ? (podIPs[0] as { ip?: string } | undefined)?.ip : undefined;
};

const withPortProtocols = (holder: Fields): Fields =>
  Array.isArray(holder['ports']) ? { ...holder, ports: holder['ports'].map(withProtocol) } : holder;

const withProtocol = (port: Fields): Fields => ({ ...port, protocol: port['protocol'] || 'TCP' });

/**
 * Hands out addresses that no Service of the input has: IPv4 addresses of the ranges for documentation and, beyond those, of the one for
 * benchmarks; IPv6 addresses of 2001:db8::/32. The same input gets the same ones.
 */
export function createSpareAddresses(services: readonly Record<string, unknown>[]): (family: string) => string {
  const taken = new Set(services.flatMap(addressesOf));
  const next: Record<string, Generator<string>> = { IPv4: spareIPv4(), IPv6: spareIPv6() };
  return (family) => {
    for (;;) {
      const { value } = (next[family === 'IPv6' ? 'IPv6' : 'IPv4'] as Generator<string, string>).next();
      if (!taken.has(value)) return value;
    }
  };
}

function addressesOf({ spec }: Record<string, unknown>): readonly unknown[] {
  if (!isMap(spec)) return [];
  const { clusterIP, clusterIPs } = spec;
  return [clusterIP, ...(Array.isArray(clusterIPs) ? clusterIPs : [])];
}

/** 192.0.2.1 to 192.0.2.254, the two other ranges likewise, then 198.18.0.1 on; it ends where an address would be none. */
function* spareIPv4(): Generator<string, string> {
  for (const range of ['192.0.2', '198.51.100', '203.0.113']) {
    for (let last = 1; last < 255; last++) yield `${range}.${last}`;
  }
  for (let at = 1; ; at++) yield `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
}

function* spareIPv6(): Generator<string, string> {
  for (let at = 1; ; at++)
    yield at > 0xffff ? `2001:db8::${(at >> 16).toString(16)}:${(at & 0xffff).toString(16)}` : `2001:db8::${at.toString(16)}`;
}
