import type { BalancedPort } from 'kube-endpoints/internal';
import { type CIDR, canonicalIP, parseCIDR } from 'kube-endpoints/internal/apimachinery';
import { type BalancedService, type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';

/** The validated requirements of a Service. */
export interface Demand {
  readonly reference: BalancerReference;
  readonly ports: readonly DemandedPort[];
  /** `spec.loadBalancerIP`; undefined allows any address. */
  readonly address: string | undefined;
  /** The address that the status of the Service already publishes. */
  readonly previousAddress: string | undefined;
  /** CIDR ranges as given; if empty, all clients are allowed. */
  readonly sourceRanges: readonly string[];
  /** Timeout of the session affinity in milliseconds; undefined without session affinity. */
  readonly affinityMs: number | undefined;
  /** The health check node port; undefined if all nodes receive traffic. */
  readonly healthPort: number | undefined;
}

export interface DemandedPort {
  readonly port: number;
  readonly protocol: string;
  /** 0 if absent. */
  readonly nodePort: number;
  /** The path of the field in the Service, for errors. */
  readonly path: string;
}

/** @throws CloudError `Invalid` that names the Service, the field and what to do */
export function parseDemand(service: BalancedService): Demand {
  const reference = referenceOf(service);
  const createInvalidError = createInvalidErrorFactory(reference);
  const { spec } = service;
  return {
    reference,
    ports: parsePorts(service, createInvalidError),
    address: parseAddress(spec?.loadBalancerIP, createInvalidError),
    previousAddress: canonicalIP(service.status?.loadBalancer?.ingress?.[0]?.ip ?? ''),
    sourceRanges: parseRanges(service, createInvalidError),
    affinityMs: spec?.sessionAffinity === 'ClientIP' ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800) * 1000 : undefined,
    healthPort: spec?.externalTrafficPolicy === 'Local' ? spec.healthCheckNodePort || undefined : undefined,
  };
}

/** Identifies the load balancer of a Service. @throws CloudError `Invalid` */
export function referenceOf({ metadata }: BalancedService): BalancerReference {
  const { namespace, name, uid } = metadata ?? {};
  if (!namespace || !name || !uid)
    throw new CloudError(
      'Invalid',
      `Service ${namespace ?? ''}/${name ?? ''}: it needs metadata.namespace, metadata.name and metadata.uid`,
    );
  return { namespace, name, uid };
}

/** A function that creates a CloudError `Invalid` for one Service. */
export type InvalidErrorFactory = (problem: string) => CloudError;

export const createInvalidErrorFactory =
  ({ namespace, name }: BalancerReference): InvalidErrorFactory =>
  (problem) =>
    new CloudError('Invalid', `Service ${namespace}/${name}: ${problem}`);

/** Creates the error of `update` for a load balancer that does not exist. */
export const createNotFoundError = ({ namespace, name, uid }: BalancerReference): CloudError =>
  new CloudError('Failed', `Service ${namespace}/${name}: there is no load balancer of the UID ${uid}: ensure it first`);

/** Formats a port, such as "80/TCP". */
export const formatPort = ({ port, protocol }: Pick<DemandedPort, 'port' | 'protocol'>): string => `${port}/${protocol}`;

function parsePorts({ spec }: BalancedService, createInvalidError: InvalidErrorFactory): DemandedPort[] {
  const specPorts: readonly BalancedPort[] = spec?.ports ?? [];
  const ports = specPorts.map(({ port, protocol, nodePort }, i) => ({
    port: port ?? 0,
    protocol: protocol || 'TCP',
    nodePort: nodePort ?? 0,
    path: `spec.ports[${i}]`,
  }));
  if (ports.length === 0) throw createInvalidError('spec.ports is empty: give the ports to forward');
  const pathByPort = new Map<string, string>();
  for (const demandedPort of ports) {
    const { port, path } = demandedPort;
    if (!(Number.isInteger(port) && port > 0 && port < 65_536))
      throw createInvalidError(`${path}.port ${port} is not a port: give a number from 1 to 65535`);
    const otherPath = pathByPort.get(formatPort(demandedPort));
    if (otherPath !== undefined)
      throw createInvalidError(`${path} overlaps with ${otherPath}: both are ${formatPort(demandedPort)}, give one of them another port`);
    pathByPort.set(formatPort(demandedPort), path);
  }
  return ports;
}

function parseAddress(text: string | null | undefined, createInvalidError: InvalidErrorFactory): string | undefined {
  if (!text) return undefined;
  const address = canonicalIP(text);
  if (address === undefined)
    throw createInvalidError(`spec.loadBalancerIP ${JSON.stringify(text)} is not an IP address: correct or remove it`);
  return address;
}

/**
 * Parses the source ranges; the spec takes precedence over the annotation.
 *
 * Mirrors GetLoadBalancerSourceRanges (Kubernetes 1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go).
 */
function parseRanges({ metadata, spec }: BalancedService, createInvalidError: InvalidErrorFactory): string[] {
  const specRanges = spec?.loadBalancerSourceRanges ?? [];
  const annotation = metadata?.annotations?.[rangesAnnotation]?.trim() ?? '';
  const texts = specRanges.length > 0 || annotation === '' ? specRanges : annotation.split(',');
  return texts.map((text, i) => {
    const path = specRanges.length > 0 ? `spec.loadBalancerSourceRanges[${i}]` : `the annotation ${rangesAnnotation}`;
    return parseRange(text.trim(), () => createInvalidError(`${path} ${JSON.stringify(text)} is not a CIDR: give one such as "10.0.0.0/8"`))
      .text;
  });
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function parseRange(text: string, createError: () => CloudError): CIDR {
  try {
    return parseCIDR(text);
  } catch {
    throw createError();
  }
}
