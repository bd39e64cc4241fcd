import { canonicalIP, nameOf, objectKey } from '../../apimachinery/index.ts';
import type { ServiceExplanation } from '../../explain/index.ts';
import { explainSlices } from '../../explain/slices.ts';
import { isInRanges } from '../../proxy/addresses.ts';
import { explainReadiness } from '../../readiness/index.ts';
import { isPodReady } from '../../spec/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import { item, note, withoutFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, skippedStep, type TraceNote } from '../trace.ts';
import { directStep } from './direct.ts';
import { endpointsStep, findStaleEndpoints, findStaleSlices } from './endpoints.ts';
import { adjustToSlices, podStep, readinessStep } from './pods.ts';
import { policyStep } from './policy.ts';
import type { Port } from './ports.ts';
import { type DestinationWithService, serviceStep } from './service.ts';
import { findViewpoints, type ServiceDestination } from './viewpoints.ts';

type Explain = (service: TraceService) => ServiceExplanation;

/** Creates the steps from the Service to readiness. */
export function followDestination(
  destination: Destination,
  target: Target,
  origin: Origin,
  cluster: Cluster,
  explain: Explain,
): StepResult[] {
  switch (destination.kind) {
    case 'outside':
    case 'unknown':
      return [untracedStep(destination, target, cluster), ...skippedSteps];
    case 'pod':
      return podSteps(destination, cluster);
    case 'nowhere':
      return destination.service
        ? followService(toFollowable(destination.service), target, origin, cluster, explain)
        : [skippedStep('service', 'Service'), ...skippedSteps];
    default:
      return followService(destination, target, origin, cluster, explain);
  }
}

const skippedSteps: readonly StepResult[] = [
  skippedStep('policy', 'Rules of the node'),
  skippedStep('endpoints', 'Endpoints'),
  skippedStep('pod', 'Pods'),
  skippedStep('readiness', 'Readiness'),
];

/** The destination for a Service whose name has no records: its cluster IP, if it has one. */
function toFollowable(service: TraceService): DestinationWithService {
  const { clusterIP = '', type } = service.spec ?? {};
  const address = type === 'ExternalName' ? undefined : canonicalIP(clusterIP ?? '');
  return address === undefined ? { kind: 'nowhere', service } : { kind: 'service', service, address, role: 'cluster' };
}

function followService(
  destination: DestinationWithService,
  target: Target,
  origin: Origin,
  cluster: Cluster,
  explain: Explain,
): StepResult[] {
  const { service } = destination;
  const slices = explainSlices(service, cluster.podsOf(service), { version: cluster.version, nodes: cluster.objects.nodes });
  const explanation = adjustToSlices(explain(service), slices);
  const { result: serviceResult, port } = serviceStep(destination, target, explanation, cluster);
  if (service.spec?.type === 'ExternalName') return [serviceResult, ...skippedSteps];
  const [policy, endpoints] =
    destination.kind === 'service' ? ruleSteps(destination, port, origin, cluster) : directSteps(destination, target, port, cluster);
  const pods = podStep({ explanation, slices, endpoints: endpoints.step, portPath: port && targetPortPath(service, port) });
  return [serviceResult, policy, endpoints, pods, readinessStep(explanation, pods.step.chosen, cluster)];
}

function ruleSteps(destination: ServiceDestination, port: Port | undefined, origin: Origin, cluster: Cluster): [StepResult, StepResult] {
  if (!port) return [skippedStep('policy', 'Rules of the node'), skippedStep('endpoints', 'Endpoints')];
  const { service, address } = destination;
  const viewpoints = findViewpoints(destination, port, origin, cluster);
  if (viewpoints.length === 0) {
    const finding = note('NoRulesForAddress', { service: objectKey(service), address }, 'service.spec.clusterIPs');
    const policy = createStep('policy', 'Rules of the node', {
      outcome: 'error',
      notes: [finding],
      cause: withoutFullStop(finding.message),
    });
    return [policy, skippedStep('endpoints', 'Endpoints')];
  }
  return [
    policyStep(destination, origin, viewpoints),
    endpointsStep(viewpoints, sourceNotes(service, cluster), findStaleSlices(service, cluster)),
  ];
}

function directSteps(
  destination: Exclude<DestinationWithService, ServiceDestination>,
  target: Target,
  port: Port | undefined,
  cluster: Cluster,
): [StepResult, StepResult] {
  const { service } = destination;
  const policy = skippedStep('policy', 'Rules of the node');
  const directInput = {
    slices: cluster.slicesOf(service),
    notes: sourceNotes(service, cluster),
    staleNotes: findStaleSlices(service, cluster),
  };
  return [policy, directStep({ destination, target, port, ...directInput })];
}

/** Notes if the endpoints do not come from the selector, or not from given slices, or if the Endpoints object is outdated. */
function sourceNotes(service: TraceService, cluster: Cluster): TraceNote[] {
  const { selector } = service.spec ?? {};
  return [
    ...(selector ? [] : [note('EndpointsManagedExternally', {}, 'service.spec.selector')]),
    ...(cluster.slicesAreComputed ? [note('SlicesComputed', { version: cluster.version })] : []),
    ...findStaleEndpoints(service, cluster),
  ];
}

function targetPortPath({ spec }: TraceService, { name, protocol }: Port): string {
  const at = (spec?.ports ?? []).findIndex((each) => (each.name ?? '') === name && (each.protocol || 'TCP') === protocol);
  return `service.spec.ports[${at}].targetPort`;
}

/** Creates the steps to a pod by its own address: no Service is involved, and readiness does not affect reachability. */
export function podSteps({ pod, address }: Extract<Destination, { kind: 'pod' }>, { version }: Cluster): StepResult[] {
  const name = objectKey(pod);
  const phase = pod.status?.phase || 'Unknown';
  const podItem = item(`pod/${name}`, `${nameOf(pod)} ${address}`);
  const notRunningNote = phase === 'Running' ? undefined : note('PodNotRunning', { pod: name, phase }, 'pod.status.phase');
  const causes = explainReadiness(pod, { version }).causes.map(({ code }) => code);
  const notReadyNote = isPodReady(pod)
    ? undefined
    : note('PodReachableUnready', { pod: name, causes: causes.join(', ') || 'cause unknown' }, 'pod.status.conditions[Ready].status');
  return [
    skippedStep('service', 'No Service', [note('PodOfAddress', { address, pod: name })]),
    skippedStep('policy', 'Rules of the node'),
    skippedStep('endpoints', 'Endpoints'),
    createStep('pod', `Pod ${name}`, {
      outcome: notRunningNote ? 'error' : 'ok',
      notes: notRunningNote ? [notRunningNote] : [],
      chosen: notRunningNote ? [] : [podItem],
      leftOut: notRunningNote ? [{ ...podItem, notes: [notRunningNote] }] : [],
      cause: notRunningNote && withoutFullStop(notRunningNote.message),
    }),
    createStep('readiness', 'Readiness', {
      outcome: notReadyNote ? 'warning' : 'ok',
      notes: [notReadyNote ?? note('PodIsReady', { pod: name })],
      chosen: notRunningNote ? [] : [podItem],
      cause: notReadyNote && withoutFullStop(notReadyNote.message),
    }),
  ];
}

/** The Service step if the target is neither a Service nor a pod. An error if the address belongs to the cluster but has no owner. */
export function untracedStep(
  destination: Extract<Destination, { kind: 'outside' | 'unknown' }>,
  { host, port }: Target,
  cluster: Cluster,
): StepResult {
  if (destination.kind === 'outside') {
    const { loadBalancerService: service } = destination;
    if (!service) return skippedStep('service', 'Service');
    const finding = note(
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
    cause: withoutFullStop(finding.message),
  });
}

type AddressFinding = readonly [note: TraceNote, isError: boolean];

/** An address in a range of cluster IPs or pods belongs to the cluster but currently has no owner. */
function noteUnknownAddress(address: string, { objects: { nodes = [], serviceCIDRs = [] } }: Cluster): AddressFinding {
  const range = serviceCIDRs.flatMap(({ spec }) => spec?.cidrs ?? []).find((cidr) => isInRanges(address, [cidr]));
  if (range !== undefined) return [note('ClusterIPUnused', { address, range }, 'service.spec.clusterIPs'), true];
  const node = nodes.find(({ spec }) => isInRanges(address, spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : [])));
  return node
    ? [note('PodIPUnused', { address, node: nameOf(node) }, 'pod.status.podIPs'), true]
    : [note('AddressUnknown', { address }), false];
}

/** Any program of a node can listen on a port, so a port is an error only in the node port range, unless it is a health check node port. */
function noteUnknownPort(address: string, node: string, port: string | undefined, { objects: { services } }: Cluster): AddressFinding {
  if (port === undefined) return [note('AddressOfNode', { address, node }), true];
  const isHealth = services.some(({ spec }) => spec?.healthCheckNodePort && String(spec.healthCheckNodePort) === port);
  const isNodePort = Number(port) >= firstNodePort && Number(port) <= lastNodePort;
  return [note('NodePortNotFound', { address, node, port }, 'service.spec.ports[].nodePort'), isNodePort && !isHealth];
}

/** The default of `--service-node-port-range`. */
const firstNodePort = 30_000;
const lastNodePort = 32_767;
