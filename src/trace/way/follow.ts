import { canonicalIP, objectKey } from '../../apimachinery/index.ts';
import { explainSlices, type ServiceExplanation } from '../../explain/index.ts';
import type { Cluster } from '../cluster.ts';
import type { Destination } from '../destination.ts';
import { clause, note } from '../note.ts';
import type { TraceService } from '../objects.ts';
import type { Origin } from '../origin.ts';
import { type Draft, draft, skipped } from '../step.ts';
import type { Target } from '../target.ts';
import type { TraceNote } from '../trace.ts';
import { directStep } from './direct.ts';
import { endpointsStep } from './endpoints.ts';
import { type ByRules, placesFor } from './places.ts';
import { podStep } from './pods.ts';
import { policyStep } from './policy.ts';
import type { Port } from './ports.ts';
import { readinessStep } from './readiness.ts';
import { type OfService, serviceStep } from './service.ts';
import { singlePod } from './single-pod.ts';
import { bySlices } from './sliced.ts';
import { staleEndpoints, staleSlices } from './stale.ts';
import { unfollowed } from './unfollowed.ts';

type Explain = (service: TraceService) => ServiceExplanation;

/** The five steps from the Service on. */
export function follow(destination: Destination, target: Target, origin: Origin, cluster: Cluster, explain: Explain): Draft[] {
  switch (destination.kind) {
    case 'outside':
    case 'unknown':
      return [unfollowed(destination, target, cluster), ...rest];
    case 'pod':
      return singlePod(destination, cluster);
    case 'nowhere':
      return destination.service
        ? followService(meant(destination.service), target, origin, cluster, explain)
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

/** A Service that its name does not lead to is followed from its address on, where it has one. */
function meant(service: TraceService): OfService {
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
    destination.kind === 'service' ? byRules(destination, port, origin, cluster) : directly(destination, target, port, cluster);
  const pods = podStep({ explained, slices, endpoints: endpoints.step, portPath: port && pathOf(service, port) });
  return [first, policy, endpoints, pods, readinessStep(explained, pods.step.chosen, cluster)];
}

function byRules(destination: ByRules, port: Port | undefined, origin: Origin, cluster: Cluster): [Draft, Draft] {
  if (!port) return [skipped('policy', 'Rules of the node'), skipped('endpoints', 'Endpoints')];
  const { service, address } = destination;
  const places = placesFor(destination, port, origin, cluster);
  if (places.length === 0) {
    const told = note('NotServedByNodes', { service: objectKey(service), address }, 'service.spec.clusterIPs');
    const policy = draft('policy', 'Rules of the node', { outcome: 'error', notes: [told], blame: clause(told.message) });
    return [policy, skipped('endpoints', 'Endpoints')];
  }
  return [policyStep(destination, origin, places), endpointsStep(places, sourceNotes(service, cluster), staleSlices(service, cluster))];
}

function directly(destination: Exclude<OfService, ByRules>, target: Target, port: Port | undefined, cluster: Cluster): [Draft, Draft] {
  const { service } = destination;
  const policy = skipped('policy', 'Rules of the node');
  const known = { slices: cluster.slicesOf(service), notes: sourceNotes(service, cluster), stale: staleSlices(service, cluster) };
  return [policy, directStep({ destination, target, port, ...known })];
}

/** Where endpoints are from, as far as that is worth knowing. */
function sourceNotes(service: TraceService, cluster: Cluster): TraceNote[] {
  const { selector } = service.spec ?? {};
  return [
    ...(selector ? [] : [note('EndpointsByHand', {}, 'service.spec.selector')]),
    ...(cluster.areComputed ? [note('SlicesComputed', { version: cluster.version })] : []),
    ...staleEndpoints(service, cluster),
  ];
}

function pathOf({ spec }: TraceService, { name, protocol }: Port): string {
  const at = (spec?.ports ?? []).findIndex((each) => (each.name ?? '') === name && (each.protocol || 'TCP') === protocol);
  return `service.spec.ports[${at}].targetPort`;
}
