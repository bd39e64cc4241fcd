import type { Pod, Service } from '../../src/types/index.ts';
import { makePod, makeService } from '../spec/objects.ts';
import {
  makeNode,
  namedPortService,
  podsOverCapacity,
  type ReasonFixture,
  targetPath,
  tolerateAnnotation,
  tolerateAnnotationPath,
  toleratingService,
} from './reason-fixtures.ts';

const terminatingMetadata = { deletionTimestamp: '2026-01-31T12:00:00Z' };
const otherNodeOnly = [makeNode('other', 'a')];
const twoZones = [makeNode('n1', 'a'), makeNode('n2', 'b')];
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const hintsPath = `service.metadata.annotations["${hintsAnnotation}"]`;
const modeAnnotation = 'service.kubernetes.io/topology-mode';
const annotatedService = (value: string, spec: Service['spec'] = {}, annotation = hintsAnnotation): Service =>
  makeService(spec, { annotations: { [annotation]: value } });
const serviceWithDistribution = (trafficDistribution: string): Service => makeService({ trafficDistribution });
const distributionPath = 'service.spec.trafficDistribution';
const podOn = (name: string, nodeName: string, ip: string): Pod => makePod(name, { ip, spec: { nodeName } });
const podsOnBothNodes = [podOn('a', 'n1', '10.0.0.1'), podOn('b', 'n2', '10.0.0.2')];
const podWithSidecarPort = makePod('a', {
  spec: { nodeName: 'n1', initContainers: [{ restartPolicy: 'Always', ports: [{ name: 'web', containerPort: 1, protocol: 'TCP' }] }] },
});

/** Every reason about a pod in slices, or about a Service without slices: it applies to one of `pods`, or to the Service. */
export const sliceFixtures: readonly ReasonFixture[] = [
  {
    code: 'SlicesNotSpecified',
    version: '1.16',
    message: 'EndpointSlices are computed from 1.17 on, the first release with discovery.k8s.io/v1beta1.',
    path: 'endpointslice.apiVersion',
    until: '1.16',
  },
  {
    code: 'SliceControllerNotStarted',
    version: '1.17',
    message: 'The feature gate EndpointSlice is off, so kube-controller-manager does not run the EndpointSlice controller.',
    path: 'featureGates.EndpointSlice',
    until: '1.17',
  },
  {
    code: 'PodTerminatingServed',
    pods: [makePod('a', { metadata: terminatingMetadata })],
    message:
      'The pod is being deleted, with the deadline 2026-01-31T12:00:00Z: until then, slices list it as terminating and serving; Endpoints no longer list it.',
    path: 'pod.metadata.deletionTimestamp',
    since: '1.22',
  },
  {
    code: 'PodTerminatingServed',
    version: '1.22',
    pods: [makePod('a', { metadata: terminatingMetadata, ready: false })],
    message:
      'The pod is being deleted, with the deadline 2026-01-31T12:00:00Z: until then, slices list it as terminating and not serving; Endpoints no longer list it.',
    path: 'pod.metadata.deletionTimestamp',
    since: '1.22',
  },
  {
    code: 'PodEnded',
    version: '1.24.1',
    pods: [makePod('a', { spec: { nodeName: 'n1', restartPolicy: 'Never' }, status: { phase: 'Failed' } })],
    message: 'The pod has ended with phase Failed and is not restarted (restartPolicy Never); slices do not list it, ready or not.',
    path: 'pod.status.phase',
    until: '1.24.1',
  },
  {
    code: 'PodWithoutPorts',
    service: namedPortService,
    message: "The pod has none of the Service's ports: slices list it as an endpoint without ports, Endpoints do not list it.",
    path: 'service.spec.ports',
  },
  {
    code: 'PodWithoutPorts',
    service: makeService({ ports: [] }),
    message: "The pod has none of the Service's ports: slices list it as an endpoint without ports, Endpoints do not list it.",
    path: 'service.spec.ports',
  },
  {
    code: 'SidecarPortInEndpointsOnly',
    version: '1.32',
    service: namedPortService,
    pods: [podWithSidecarPort],
    message: 'For Endpoints, the Service port http is found in a sidecar; for slices, this release does not search sidecars.',
    path: targetPath,
    since: '1.32',
    until: '1.32',
  },
  {
    code: 'PodOfOtherFamilyOnly',
    service: makeService({ ipFamilies: ['IPv6', 'IPv4'] }),
    message: 'The pod has no IPv6 address, which Endpoints require: only slices list it.',
    path: 'pod.status.podIPs',
    since: '1.21',
  },
  {
    code: 'PodNotCutFromSlices',
    pods: podsOverCapacity,
    message: "Endpoints are truncated to 1000 addresses, without the pod's; slices list the pod.",
    path: 'endpoints.subsets',
    since: '1.22',
  },
  {
    code: 'AnnotationNotReadForSlices',
    version: '1.23',
    service: toleratingService('true'),
    pods: [makePod('a', { ready: false })],
    message: `Endpoints publish the pod because of the annotation ${tolerateAnnotation}; slices use only publishNotReadyAddresses.`,
    path: tolerateAnnotationPath,
    until: '1.23',
  },
  {
    code: 'NodeMissing',
    nodes: otherNodeOnly,
    message: 'The pod\'s node "n1" does not exist (nodes in the cluster: 1): no slice lists the pod, and the sync is retried.',
    path: 'pod.spec.nodeName',
    since: '1.25',
  },
  {
    code: 'NodeMissingStopsSync',
    version: '1.24.2',
    nodes: [makeNode('n1', 'a')],
    pods: [podOn('a', 'gone', '10.0.0.1'), podOn('b', 'n1', '10.0.0.2')],
    message: 'The node "gone" of pod a does not exist (nodes in the cluster: 1): no slice of type IPv4 is written, for any pod.',
    path: 'pod.spec.nodeName',
    until: '1.24.2',
  },
  {
    code: 'NodeMissingPublished',
    service: makeService({ publishNotReadyAddresses: true }),
    nodes: otherNodeOnly,
    message:
      'The pod\'s node "n1" does not exist (nodes in the cluster: 1); the pod is listed without a zone, because publishNotReadyAddresses is set.',
    path: 'pod.spec.nodeName',
    since: '1.25',
  },
  {
    code: 'EndpointShared',
    version: '1.25',
    pods: [makePod('a'), makePod('b')],
    message: 'Another pod has the same addresses of type IPv4, and one endpoint represents both.',
    path: 'pod.status.podIPs',
    until: '1.26.2',
  },
  {
    code: 'PodHasNoIPOfFamily',
    service: makeService({ clusterIP: 'None', ipFamilies: null }),
    message: 'The pod has no IPv6 address (podIPs: 10.0.0.1); the Service requires IPv6 (headless, without ipFamilies).',
    path: 'pod.status.podIPs',
    since: '1.21',
  },
  {
    code: 'PodIPInvalid',
    pods: [makePod('a', { ip: '10.0.0.300' })],
    message: 'The pod IP "10.0.0.300" is invalid; it would be written as "<nil>", which the API server rejects.',
    path: 'pod.status.podIPs',
    since: '1.33',
  },
  {
    code: 'PodPublishedNotReady',
    service: makeService({ publishNotReadyAddresses: true }),
    pods: [makePod('a', { ready: false })],
    message: 'The Service publishes pods that are not ready or terminating as ready (publishNotReadyAddresses is true).',
    path: 'service.spec.publishNotReadyAddresses',
  },
  {
    code: 'ServiceHasNoSelector',
    service: makeService({ selector: null }),
    message: 'The Service has no selector, so the endpoints controller does not write its Endpoints.',
    path: 'service.spec.selector',
  },
];

/** Every reason about hints, for Services with one address type. */
export const hintsFixtures: readonly ReasonFixture[] = [
  {
    code: 'TopologyAnnotationIgnored',
    version: '1.23',
    service: annotatedService('Auto'),
    nodes: twoZones,
    message: 'The release ignores the topology annotation.',
    path: hintsPath,
    until: '1.23',
  },
  {
    code: 'TopologyAnnotationUnknown',
    service: annotatedService('auTo', {}, modeAnnotation),
    message: 'The topology annotation requests hints only with the value Auto or auto.',
    path: `service.metadata.annotations["${modeAnnotation}"]`,
  },
  {
    code: 'TrafficDistributionIgnored',
    version: '1.33',
    service: serviceWithDistribution('PreferSameNode'),
    message: 'The release does not support this trafficDistribution.',
    path: distributionPath,
  },
  {
    code: 'TrafficDistributionUnknown',
    service: serviceWithDistribution('Nearest'),
    message: 'No release supports this trafficDistribution.',
    path: distributionPath,
  },
  {
    code: 'TrafficDistributionOverridden',
    service: annotatedService('Auto', { trafficDistribution: 'PreferClose' }),
    message: 'The topology annotation takes precedence over trafficDistribution.',
    path: distributionPath,
    since: '1.31',
  },
  {
    code: 'EndpointWithoutZone',
    service: annotatedService('Auto', { publishNotReadyAddresses: true }),
    nodes: twoZones,
    pods: [podOn('a', 'n1', '10.0.0.1'), podOn('b', 'gone', '10.0.0.2')],
    message: 'A ready endpoint has no zone, because its node has no zone or is unknown.',
    path: 'endpointslice.endpoints[].zone',
    since: '1.24',
  },
  {
    code: 'HintsEnabled',
    service: annotatedService('Auto'),
    nodes: twoZones,
    pods: podsOnBothNodes,
    message: 'Endpoints are allocated to the zones.',
    path: hintsPath,
    since: '1.24',
  },
  {
    code: 'InsufficientNumberOfEndpoints',
    service: annotatedService('auto', {}, modeAnnotation),
    nodes: twoZones,
    message: 'The Service has fewer ready endpoints than the cluster has zones.',
    path: 'endpointslice.endpoints',
    since: '1.24',
  },
  {
    code: 'MinAllocationExceedsOverloadThreshold',
    service: annotatedService('Auto'),
    nodes: [makeNode('n1', 'a', '1'), makeNode('n2', 'b', '10')],
    pods: podsOnBothNodes,
    message: 'The Service has too few ready endpoints to give each zone its share without overload.',
    path: 'endpointslice.endpoints',
    since: '1.24',
  },
  {
    code: 'NodeWithoutZone',
    service: annotatedService('Auto'),
    nodes: [makeNode('n1', 'a'), makeNode('n2', '')],
    message: 'A ready node has no label topology.kubernetes.io/zone (node n2).',
    path: 'node.metadata.labels["topology.kubernetes.io/zone"]',
    since: '1.24',
  },
  {
    code: 'NodeWithoutCPU',
    service: annotatedService('Auto'),
    nodes: [makeNode('n1', 'a'), makeNode('n2', 'b', '')],
    message: 'A ready node reports no allocatable CPU (node n2).',
    path: 'node.status.allocatable.cpu',
    since: '1.24',
  },
  {
    code: 'NodesReadyInFewZones',
    service: annotatedService('Auto'),
    nodes: [makeNode('n1', 'a')],
    message: 'Fewer than two zones have ready nodes.',
    path: 'node.status.conditions[Ready].status',
    since: '1.24',
  },
  {
    code: 'NodesUnknown',
    service: annotatedService('Auto'),
    message: 'No nodes are given, so zones are unknown and hints cannot be computed.',
    path: 'nodes',
    since: '1.24',
  },
  {
    code: 'HintsByDistribution',
    service: serviceWithDistribution('PreferClose'),
    nodes: twoZones,
    pods: podsOnBothNodes,
    message: 'Ready endpoints with a hint for their own zone: 2 of 2.',
    path: distributionPath,
    since: '1.31',
  },
  {
    code: 'HintsByDistribution',
    service: serviceWithDistribution('PreferSameNode'),
    nodes: twoZones,
    pods: podsOnBothNodes,
    message: 'Ready endpoints with a hint for their own node: 2 of 2.',
    path: distributionPath,
    since: '1.31',
  },
  {
    code: 'EndpointsWithoutHints',
    service: serviceWithDistribution('PreferClose'),
    nodes: [makeNode('n1', 'a'), makeNode('n2', '')],
    pods: podsOnBothNodes,
    message: 'Ready endpoints without a zone, and therefore without a hint: 1 of 2.',
    path: distributionPath,
    since: '1.33',
  },
  {
    code: 'HintForZoneWithoutName',
    version: '1.32',
    service: serviceWithDistribution('PreferClose'),
    nodes: [makeNode('n1', 'a'), makeNode('n2', '')],
    pods: podsOnBothNodes,
    message: 'Ready endpoints without a zone, whose hint is for a zone with an empty name: 1 of 2.',
    path: distributionPath,
    since: '1.31',
    until: '1.32',
  },
];
