import { canonicalIP, nameOf, objectKey } from '../../apimachinery/index.ts';
import type { ServiceExplanation } from '../../explain/index.ts';
import { explainSlices } from '../../explain/slices.ts';
import { explainReadiness } from '../../readiness/index.ts';
import { isPodReady } from '../../spec/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import { createItem, createNote, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createSkippedStep, createStep, type StepResult, type TraceNote } from '../trace.ts';
import { createDirectStep } from './direct.ts';
import { createEndpointsStep, explainAbsence, findStaleEndpoints, findStaleSlices } from './endpoints.ts';
import { createNetworkStep, directPortOf } from './network.ts';
import { adjustToSlices, createPodStep, createReadinessStep } from './pods.ts';
import { createPolicyStep } from './policy.ts';
import type { Port } from './ports.ts';
import { createServiceStep, type DestinationWithService } from './service.ts';
import { createUntracedStep } from './untraced.ts';
import { findViewpoints, type ServiceDestination } from './viewpoints.ts';

export type ServiceExplainer = (service: TraceService) => ServiceExplanation;

/** Creates the steps from the Service to readiness. */
export function followDestination(
  destination: Destination,
  target: Target,
  origin: Origin,
  cluster: Cluster,
  explain: ServiceExplainer,
): StepResult[] {
  switch (destination.kind) {
    case 'outside':
    case 'unknown':
      return [createUntracedStep(destination, target, cluster), ...skippedSteps];
    case 'pod':
      return withNetworkStep(followPod(destination, cluster), destination, target, origin, cluster);
    case 'nowhere':
      return destination.service
        ? followService(toFollowable(destination.service), target, origin, cluster, explain)
        : [createSkippedStep('service', 'Service'), ...skippedSteps];
    default:
      return followService(destination, target, origin, cluster, explain);
  }
}

const skippedSteps: readonly StepResult[] = [
  createSkippedStep('policy', 'Rules of the node'),
  createSkippedStep('endpoints', 'Endpoints'),
  createSkippedStep('pod', 'Pods'),
  createSkippedStep('readiness', 'Readiness'),
];

/** Returns the destination for a Service whose name has no records: its cluster IP, or "nowhere" if it has none or is an ExternalName. */
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
  explain: ServiceExplainer,
): StepResult[] {
  const { service } = destination;
  const slices = explainSlices(service, cluster.podsOf(service), { ...cluster.release, nodes: cluster.objects.nodes });
  const explanation = adjustToSlices(explain(service), slices);
  const { result: serviceResult, port } = createServiceStep(destination, target, explanation, cluster);
  if (service.spec?.type === 'ExternalName') return [serviceResult, ...skippedSteps];
  const [policy, endpoints] =
    destination.kind === 'service'
      ? createRuleSteps(destination, port, origin, cluster)
      : createDirectSteps(destination, target, port, cluster);
  const pods = createPodStep({ explanation, slices, endpoints: endpoints.step, portPath: port && targetPortPath(service, port) });
  const network = createNetworkStep(
    {
      endpoints: endpoints.step.chosen,
      protocol: port?.protocol ?? target.protocol ?? 'TCP',
      directPort: directPortOf(target, port),
      origin,
      keepsClientAddress: destination.kind !== 'service' || destination.role === 'cluster',
    },
    cluster,
  );
  const readiness = createReadinessStep(explanation, pods.step.chosen, cluster);
  return [serviceResult, policy, endpoints, ...(network ? [network] : []), pods, readiness];
}

function createRuleSteps(
  destination: ServiceDestination,
  port: Port | undefined,
  origin: Origin,
  cluster: Cluster,
): [StepResult, StepResult] {
  if (!port) return [createSkippedStep('policy', 'Rules of the node'), createSkippedStep('endpoints', 'Endpoints')];
  const { service, address } = destination;
  const viewpoints = findViewpoints(destination, port, origin, cluster);
  if (viewpoints.length === 0) {
    const finding = createNote('NoRulesForAddress', { service: objectKey(service), address }, 'service.spec.clusterIPs');
    const policy = createStep('policy', 'Rules of the node', {
      outcome: 'error',
      notes: [finding],
      cause: removeFullStop(finding.message),
    });
    return [policy, createSkippedStep('endpoints', 'Endpoints')];
  }
  return [
    createPolicyStep(destination, origin, viewpoints),
    createEndpointsStep(
      viewpoints,
      createSourceNotes(service, cluster),
      findStaleSlices(service, cluster),
      explainAbsence(service, port, cluster),
    ),
  ];
}

function createDirectSteps(
  destination: Exclude<DestinationWithService, ServiceDestination>,
  target: Target,
  port: Port | undefined,
  cluster: Cluster,
): [StepResult, StepResult] {
  const { service } = destination;
  const policy = createSkippedStep('policy', 'Rules of the node');
  const directInput = {
    slices: cluster.slicesOf(service),
    notes: createSourceNotes(service, cluster),
    staleNotes: findStaleSlices(service, cluster),
  };
  return [policy, createDirectStep({ destination, target, port, ...directInput })];
}

/** Creates notes if users manage the endpoints, if the slices are computed instead of given, or if the Endpoints object is outdated. */
function createSourceNotes(service: TraceService, cluster: Cluster): TraceNote[] {
  const { selector } = service.spec ?? {};
  return [
    ...(selector ? [] : [createNote('EndpointsManagedExternally', {}, 'service.spec.selector')]),
    ...(cluster.slicesAreComputed ? [createNote('SlicesComputed', { version: cluster.release.version })] : []),
    ...findStaleEndpoints(service, cluster),
  ];
}

function targetPortPath({ spec }: TraceService, { name, protocol }: Port): string {
  const index = (spec?.ports ?? []).findIndex((each) => (each.name ?? '') === name && (each.protocol || 'TCP') === protocol);
  return `service.spec.ports[${index}].targetPort`;
}

/** Creates the steps to a pod by its own address: no Service is involved, and readiness does not affect reachability. */
export function followPod({ pod, address }: Extract<Destination, { kind: 'pod' }>, { release }: Cluster): StepResult[] {
  const name = objectKey(pod);
  const phase = pod.status?.phase || 'Unknown';
  const podItem = createItem(`pod/${name}`, `${nameOf(pod)} ${address}`);
  const notRunningNote = phase === 'Running' ? undefined : createNote('PodNotRunning', { pod: name, phase }, 'pod.status.phase');
  const causes = explainReadiness(pod, release).causes.map(({ code }) => code);
  const notReadyNote = isPodReady(pod)
    ? undefined
    : createNote('PodReachableUnready', { pod: name, causes: causes.join(', ') || 'cause unknown' }, 'pod.status.conditions[Ready].status');
  return [
    createSkippedStep('service', 'No Service', [createNote('PodOfAddress', { address, pod: name })]),
    createSkippedStep('policy', 'Rules of the node'),
    createSkippedStep('endpoints', 'Endpoints'),
    createStep('pod', `Pod ${name}`, {
      outcome: notRunningNote ? 'error' : 'ok',
      notes: notRunningNote ? [notRunningNote] : [],
      chosen: notRunningNote ? [] : [podItem],
      leftOut: notRunningNote ? [{ ...podItem, notes: [notRunningNote] }] : [],
      cause: notRunningNote && removeFullStop(notRunningNote.message),
    }),
    createStep('readiness', 'Readiness', {
      outcome: notReadyNote ? 'warning' : 'ok',
      notes: [notReadyNote ?? createNote('PodIsReady', { pod: name })],
      chosen: notRunningNote ? [] : [podItem],
      cause: notReadyNote && removeFullStop(notReadyNote.message),
    }),
  ];
}

/** Inserts what network policies decide before the steps of the pod. */
function withNetworkStep(
  steps: readonly StepResult[],
  { pod, address }: Extract<Destination, { kind: 'pod' }>,
  { port, protocol = 'TCP' }: Target,
  origin: Origin,
  cluster: Cluster,
): StepResult[] {
  const endpoints = [createItem(`pod/${objectKey(pod)}`, `${nameOf(pod)} ${address}:${port ?? ''}`)];
  const network = createNetworkStep({ endpoints, protocol, origin, keepsClientAddress: true }, cluster);
  return [...steps.slice(0, -2), ...(network ? [network] : []), ...steps.slice(-2)];
}
