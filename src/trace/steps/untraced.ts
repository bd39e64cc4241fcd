import { nameOf, objectKey, parseIP, printIP, readCanonicalIP } from '../../apimachinery/index.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceObjects } from '../objects.ts';
import { createNote, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createSkippedStep, createStep, type StepResult, type TraceNote } from '../trace.ts';

/**
 * Creates the Service step if the target is neither a Service nor a pod: an error if its address belongs to the cluster but has no owner.
 */
export function createUntracedStep(
  destination: Extract<Destination, { kind: 'outside' | 'unknown' }>,
  { host, port }: Target,
  cluster: Cluster,
): StepResult {
  if (destination.kind === 'outside') {
    const { loadBalancerService: service } = destination;
    if (!service) return createSkippedStep('service', 'Service');
    const finding = createNote(
      'LoadBalancerNotTraced',
      { address: host, service: objectKey(service) },
      'service.status.loadBalancer.ingress[].ipMode',
    );
    return createStep('service', `Service ${objectKey(service)}`, { notes: [finding] });
  }
  const { address, node } = destination;
  const [finding, isError] = node === undefined ? noteUnknownAddress(address, cluster) : noteUnknownPort(address, node, port, cluster);
  return createStep('service', 'No Service', {
    outcome: isError ? 'error' : 'warning',
    notes: [finding],
    cause: removeFullStop(finding.message),
  });
}

type AddressFinding = readonly [note: TraceNote, isError: boolean];

/**
 * Creates the note for an address without owner: an error if it is in a range of cluster IPs or pods, so that it belongs to the cluster.
 */
function noteUnknownAddress(address: string, { objects }: Cluster): AddressFinding {
  const { nodes = [], serviceCIDRs = [] } = objects;
  const cidr = serviceCIDRs.flatMap(({ spec }) => spec?.cidrs ?? []).find((each) => isInRanges(address, [each]));
  const range = cidr ?? findRangeOfUsedIPs(address, objects);
  if (range !== undefined) return [createNote('ClusterIPUnused', { address, range }, 'service.spec.clusterIPs'), true];
  const node = nodes.find(({ spec }) => isInRanges(address, spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : [])));
  return node
    ? [createNote('PodIPUnused', { address, node: nameOf(node) }, 'pod.status.podIPs'), true]
    : [createNote('AddressUnknown', { address }), false];
}

/** The lowest and the highest cluster IP of the Services, if the address is between them: without ServiceCIDRs, they are all of one range. */
function findRangeOfUsedIPs(address: string, { services, standIns, serviceCIDRs = [] }: TraceObjects): string | undefined {
  if (serviceCIDRs.length > 0) return undefined;
  const { family, value } = readCanonicalIP(address);
  const used = services
    .filter((service) => !standIns?.has(objectKey(service)))
    .flatMap(({ spec }) => [spec?.clusterIP, ...(spec?.clusterIPs ?? [])])
    .flatMap((text) => (text ? (parseIP(text) ?? []) : []))
    .filter((ip) => ip.family === family)
    .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0));
  const [lowest, highest] = [used[0], used.at(-1)];
  return lowest && highest && lowest.value < value && value < highest.value ? `${printIP(lowest)} to ${printIP(highest)}` : undefined;
}

/**
 * Creates the note for a node address without a matching node port: an error without a port, or in the node port range unless a health
 * check uses the port.
 */
function noteUnknownPort(address: string, node: string, port: string | undefined, { objects: { services } }: Cluster): AddressFinding {
  if (port === undefined) return [createNote('AddressOfNode', { address, node }), true];
  const isHealthCheckPort = services.some(({ spec }) => spec?.healthCheckNodePort && String(spec.healthCheckNodePort) === port);
  const isNodePort = Number(port) >= firstNodePort && Number(port) <= lastNodePort;
  return [createNote('NodePortNotFound', { address, node, port }, 'service.spec.ports[].nodePort'), isNodePort && !isHealthCheckPort];
}

/** The default of `--service-node-port-range`. */
const firstNodePort = 30_000;
const lastNodePort = 32_767;
