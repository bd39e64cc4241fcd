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
import { clause, item, note } from '../reasons.ts';
import type { Target } from '../target.ts';
import { type Draft, draft, skipped, type TraceNote } from '../trace.ts';
import { directStep } from './direct.ts';
import { endpointsStep, staleEndpoints, staleSlices } from './endpoints.ts';
import { bySlices, podStep, readinessStep } from './pods.ts';
import { policyStep } from './policy.ts';
import type { Port } from './ports.ts';
import { type OfService, serviceStep } from './service.ts';
import { type ByRules, findViewpoints } from './viewpoints.ts';

type Explain = (service: TraceService) => ServiceExplanation;

/** Creates the five steps from the Service on. */
export function follow(destination: Destination, target: Target, origin: Origin, cluster: Cluster, explain: Explain): Draft[] {
  switch (destination.kind) {
    case 'outside':
    case 'unknown':
      return [unfollowedStep(destination, target, cluster), ...rest];
    case 'pod':
      return podSteps(destination, cluster);
    case 'nowhere':
      return destination.service
        ? followService(toFollowable(destination.service), target, origin, cluster, explain)
        : [skipped('service', 'Service'), ...rest];
    default:
      return followService(destination, target, origin, cluster, explain);
  }
}

const rest: readonly Draft[] = [
  skipped('policy', 'Rules of the node'),
  skipped('endpoints', 'Endpoints'),
  skipped('pod', 'Pods'),
  skipped('readiness', 'Readiness'),
];

/** A Service whose name has no records is followed from its cluster IP, if it has one. */
function toFollowable(service: TraceService): OfService {
  const { clusterIP = '', type } = service.spec ?? {};
  const address = type === 'ExternalName' ? undefined : canonicalIP(clusterIP ?? '');
  return address === undefined ? { kind: 'nowhere', service } : { kind: 'service', service, address, role: 'cluster' };
}

function followService(destination: OfService, target: Target, origin: Origin, cluster: Cluster, explain: Explain): Draft[] {
  const { service } = destination;
  const slices = explainSlices(service, cluster.podsOf(service), { version: cluster.version, nodes: cluster.objects.nodes });
  const explained = bySlices(explain(service), slices);
  const { draft: first, port } = serviceStep(destination, target, explained, cluster);
  if (service.spec?.type === 'ExternalName') return [first, ...rest];
  const [policy, endpoints] =
    destination.kind === 'service' ? ruleSteps(destination, port, origin, cluster) : directSteps(destination, target, port, cluster);
  const pods = podStep({ explained, slices, endpoints: endpoints.step, portPath: port && pathOf(service, port) });
  return [first, policy, endpoints, pods, readinessStep(explained, pods.step.chosen, cluster)];
}

function ruleSteps(destination: ByRules, port: Port | undefined, origin: Origin, cluster: Cluster): [Draft, Draft] {
  if (!port) return [skipped('policy', 'Rules of the node'), skipped('endpoints', 'Endpoints')];
  const { service, address } = destination;
  const viewpoints = findViewpoints(destination, port, origin, cluster);
  if (viewpoints.length === 0) {
    const finding = note('NotServedByNodes', { service: objectKey(service), address }, 'service.spec.clusterIPs');
    const policy = draft('policy', 'Rules of the node', { outcome: 'error', notes: [finding], blame: clause(finding.message) });
    return [policy, skipped('endpoints', 'Endpoints')];
  }
  return [
    policyStep(destination, origin, viewpoints),
    endpointsStep(viewpoints, sourceNotes(service, cluster), staleSlices(service, cluster)),
  ];
}

function directSteps(destination: Exclude<OfService, ByRules>, target: Target, port: Port | undefined, cluster: Cluster): [Draft, Draft] {
  const { service } = destination;
  const policy = skipped('policy', 'Rules of the node');
  const known = { slices: cluster.slicesOf(service), notes: sourceNotes(service, cluster), stale: staleSlices(service, cluster) };
  return [policy, directStep({ destination, target, port, ...known })];
}

/** Notes about the source of the endpoints, if it is unusual. */
function sourceNotes(service: TraceService, cluster: Cluster): TraceNote[] {
  const { selector } = service.spec ?? {};
  return [
    ...(selector ? [] : [note('EndpointsByHand', {}, 'service.spec.selector')]),
    ...(cluster.slicesAreComputed ? [note('SlicesComputed', { version: cluster.version })] : []),
    ...staleEndpoints(service, cluster),
  ];
}

function pathOf({ spec }: TraceService, { name, protocol }: Port): string {
  const at = (spec?.ports ?? []).findIndex((each) => (each.name ?? '') === name && (each.protocol || 'TCP') === protocol);
  return `service.spec.ports[${at}].targetPort`;
}

/** Steps to a pod by its own address: no Service is involved, and readiness does not affect reachability. */
export function podSteps({ pod, address }: Extract<Destination, { kind: 'pod' }>, { version }: Cluster): Draft[] {
  const name = objectKey(pod);
  const phase = pod.status?.phase || 'Unknown';
  const own = item(`pod/${name}`, `${nameOf(pod)} ${address}`);
  const stopped = phase === 'Running' ? undefined : note('PodNotRunning', { pod: name, phase }, 'pod.status.phase');
  const causes = explainReadiness(pod, { version }).causes.map(({ code }) => code);
  const unready = isPodReady(pod)
    ? undefined
    : note('PodAskedUnready', { pod: name, causes: causes.join(', ') || 'cause unknown' }, 'pod.status.conditions[Ready].status');
  return [
    skipped('service', 'No Service', [note('PodOfAddress', { address, pod: name })]),
    skipped('policy', 'Rules of the node'),
    skipped('endpoints', 'Endpoints'),
    draft('pod', `Pod ${name}`, {
      outcome: stopped ? 'error' : 'ok',
      notes: stopped ? [stopped] : [],
      chosen: stopped ? [] : [own],
      leftOut: stopped ? [{ ...own, notes: [stopped] }] : [],
      blame: stopped && clause(stopped.message),
    }),
    draft('readiness', 'Readiness', {
      outcome: unready ? 'warning' : 'ok',
      notes: [unready ?? note('PodIsReady', { pod: name })],
      chosen: stopped ? [] : [own],
      blame: unready && clause(unready.message),
    }),
  ];
}

/** The step if the target is neither a Service nor a pod; an error only if the address belongs to the cluster and has no owner. */
export function unfollowedStep(
  destination: Extract<Destination, { kind: 'outside' | 'unknown' }>,
  { host, port }: Target,
  cluster: Cluster,
): Draft {
  if (destination.kind === 'outside') {
    const { loadBalancerService: balanced } = destination;
    if (!balanced) return skipped('service', 'Service');
    const left = note(
      'LeftToLoadBalancer',
      { address: host, service: objectKey(balanced) },
      'service.status.loadBalancer.ingress[].ipMode',
    );
    return draft('service', `Service ${objectKey(balanced)}`, { notes: [left] });
  }
  const { address, node } = destination;
  const [finding, isMissed] = node === undefined ? noteUnknownAddress(address, cluster) : noteUnknownPort(address, node, port, cluster);
  return draft('service', 'No Service', { outcome: isMissed ? 'error' : 'warning', notes: [finding], blame: clause(finding.message) });
}

type AddressFinding = readonly [note: TraceNote, isMissed: boolean];

/** An address in a range of cluster IPs or pods belongs to the cluster but currently has no owner. */
function noteUnknownAddress(address: string, { objects: { nodes = [], serviceCIDRs = [] } }: Cluster): AddressFinding {
  const range = serviceCIDRs.flatMap(({ spec }) => spec?.cidrs ?? []).find((cidr) => isInRanges(address, [cidr]));
  if (range !== undefined) return [note('AddressOfNoService', { address, range }, 'service.spec.clusterIPs'), true];
  const node = nodes.find(({ spec }) => isInRanges(address, spec?.podCIDRs ?? (spec?.podCIDR ? [spec.podCIDR] : [])));
  return node
    ? [note('AddressOfNoPod', { address, node: nameOf(node) }, 'pod.status.podIPs'), true]
    : [note('AddressUnknown', { address }), false];
}

/** A node may listen on any port. A port in the node port range without a Service is an error, unless it is a health check node port. */
function noteUnknownPort(address: string, node: string, port: string | undefined, { objects: { services } }: Cluster): AddressFinding {
  if (port === undefined) return [note('AddressOfNode', { address, node }), true];
  const isHealth = services.some(({ spec }) => spec?.healthCheckNodePort && String(spec.healthCheckNodePort) === port);
  const isNodePort = Number(port) >= firstNodePort && Number(port) <= lastNodePort;
  return [note('NodePortNotFound', { address, node, port }, 'service.spec.ports[].nodePort'), isNodePort && !isHealth];
}

/** The default of `--service-node-port-range`. */
const firstNodePort = 30_000;
const lastNodePort = 32_767;
