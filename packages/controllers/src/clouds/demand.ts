import { type BalancedPort, type CIDR, canonicalIP, parseCIDR } from 'kube-endpoints/internal';
import { type BalancedService, type BalancerReference, CloudError } from 'kube-endpoints/load-balancer';

/** The validated requirements of a Service. */
export interface Demand {
  readonly reference: BalancerReference;
  readonly ports: readonly DemandedPort[];
  /** `spec.loadBalancerIP`; undefined allows any address. */
  readonly address: string | undefined;
  /** The address that its status already publishes. */
  readonly previousAddress: string | undefined;
  /** CIDR ranges as given; if empty, all clients are allowed. */
  readonly sourceRanges: readonly string[];
  /** Timeout of the session affinity in milliseconds; undefined without session affinity. */
  readonly affinity: number | undefined;
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
export function readDemand(service: BalancedService): Demand {
  const reference = referenceOf(service);
  const refuse = refusalFor(reference);
  const { spec } = service;
  return {
    reference,
    ports: readPorts(service, refuse),
    address: readAddress(spec?.loadBalancerIP, refuse),
    previousAddress: canonicalIP(service.status?.loadBalancer?.ingress?.[0]?.ip ?? ''),
    sourceRanges: readRanges(service, refuse),
    affinity: spec?.sessionAffinity === 'ClientIP' ? (spec.sessionAffinityConfig?.clientIP?.timeoutSeconds ?? 10_800) * 1000 : undefined,
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

/** Creates the errors of one Service. */
export type Refuse = (problem: string) => CloudError;

export const refusalFor =
  ({ namespace, name }: BalancerReference): Refuse =>
  (problem) =>
    new CloudError('Invalid', `Service ${namespace}/${name}: ${problem}`);

/** The error of `update` if the load balancer does not exist. */
export const missing = ({ namespace, name, uid }: BalancerReference): CloudError =>
  new CloudError('Failed', `Service ${namespace}/${name}: there is no load balancer of the UID ${uid}: ensure it first`);

/** Such as "80/TCP". */
export const portText = ({ port, protocol }: Pick<DemandedPort, 'port' | 'protocol'>): string => `${port}/${protocol}`;

function readPorts({ spec }: BalancedService, refuse: Refuse): DemandedPort[] {
  const specified: readonly BalancedPort[] = spec?.ports ?? [];
  const ports = specified.map(({ port, protocol, nodePort }, i) => ({
    port: port ?? 0,
    protocol: protocol || 'TCP',
    nodePort: nodePort ?? 0,
    path: `spec.ports[${i}]`,
  }));
  if (ports.length === 0) throw refuse('spec.ports is empty: give the ports to forward');
  const taken = new Map<string, string>();
  for (const each of ports) {
    const { port, path } = each;
    if (!(Number.isInteger(port) && port > 0 && port < 65_536))
      throw refuse(`${path}.port ${port} is not a port: give a number from 1 to 65535`);
    const other = taken.get(portText(each));
    if (other !== undefined) throw refuse(`${path} overlaps with ${other}: both are ${portText(each)}, give one of them another port`);
    taken.set(portText(each), path);
  }
  return ports;
}

function readAddress(text: string | null | undefined, refuse: Refuse): string | undefined {
  if (!text) return undefined;
  const address = canonicalIP(text);
  if (address === undefined) throw refuse(`spec.loadBalancerIP ${JSON.stringify(text)} is not an IP address: correct or remove it`);
  return address;
}

/**
 * Mirrors GetLoadBalancerSourceRanges (1.36, staging/src/k8s.io/cloud-provider/service/helpers/helper.go): the spec takes precedence over
 * the annotation.
 */
function readRanges({ metadata, spec }: BalancedService, refuse: Refuse): string[] {
  const fromSpec = spec?.loadBalancerSourceRanges ?? [];
  const annotated = metadata?.annotations?.[rangesAnnotation]?.trim() ?? '';
  const texts = fromSpec.length > 0 || annotated === '' ? fromSpec : annotated.split(',');
  return texts.map((text, i) => {
    const path = fromSpec.length > 0 ? `spec.loadBalancerSourceRanges[${i}]` : `the annotation ${rangesAnnotation}`;
    return readRange(text.trim(), () => refuse(`${path} ${JSON.stringify(text)} is not a CIDR: give one such as "10.0.0.0/8"`)).text;
  });
}

const rangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';

function readRange(text: string, refusal: () => CloudError): CIDR {
  try {
    return parseCIDR(text);
  } catch {
    throw refusal();
  }
}
