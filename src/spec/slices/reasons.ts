import type { SlicePlan, SlicePlanCode } from './plan.ts';

/** The message of a code. */
export const messageFor = (code: SlicePlanCode): string => messages[code];

/** The plan that writes nothing, and why. */
export const emptyPlan = (code: SlicePlanCode): SlicePlan => ({
  create: [],
  update: [],
  delete: [],
  events: [],
  retry: false,
  reasons: [{ code, message: messageFor(code) }],
});

/** Every code of a plan for slices, and what it means. */
export const messages: Readonly<Record<SlicePlanCode, string>> = {
  ServiceDeleted: 'The Service is deleted; the garbage collector deletes the slices that it owns.',
  ServiceIsExternalName: 'A Service of type ExternalName gets no slices from this release.',
  ServiceHasNoSelector: 'A Service without a selector keeps the slices that others write.',
  SlicesStale: 'The cache lags behind what was written; sync again when it has caught up.',
  NodeMissing: 'A pod names a node that does not exist.',
  ServiceTerminating: 'The Service is being deleted, so that no new slices are made.',
  SlicesEqual: 'The slices that are there are right.',
  SliceMissing: 'There is no slice for these addresses and ports yet.',
  AddressTypeNotWanted: 'The Service has no addresses of this type any more.',
  SliceOfOtherService: 'A slice belongs to an earlier Service of this name.',
  PortsNotWanted: 'No pod resolves to the ports of a slice any more.',
  EndpointsDiffer: 'Endpoints have changed or gone.',
  EndpointsGone: 'None of the endpoints of a slice is left.',
  LabelsDiffer: "The labels do not follow from the Service's labels.",
  EndpointsAdded: 'Endpoints have no place yet.',
  HintsDiffer: 'Hints are missing, wrong, or not wanted any more.',
  Placeholder: 'There are no endpoints; one slice without any says so.',
  EndpointsMissing: 'There are no Endpoints to mirror.',
  NotMirrored: 'A label or annotation keeps these Endpoints from being mirrored.',
  ServiceMissing: 'There is no Service of this name, so that nothing is mirrored.',
  ServiceHasSelector: 'The Service has a selector, so that its slices come from its pods.',
  MirrorDiffers: 'The mirrored slice does not say what the Endpoints say.',
  MirrorSuperfluous: 'A mirrored slice has no counterpart in the Endpoints.',
  TopologyAnnotationNotObeyed: 'The release does not obey the topology annotation.',
  TopologyAnnotationUnknown: 'The topology annotation asks for hints only with the value Auto or auto.',
  TrafficDistributionNotObeyed: 'The release does not know this trafficDistribution.',
  TrafficDistributionUnknown: 'No release knows this trafficDistribution.',
  TrafficDistributionOverruled: 'The topology annotation goes before trafficDistribution.',
  EndpointWithoutZone: 'A ready endpoint has no zone, because its node has none or is not known.',
  HintsEnabled: 'Endpoints are shared out over the zones.',
  HintsDisabled: 'The annotation that asked for hints is gone.',
  InsufficientNodeInfo: 'The nodes do not tell how the CPU is shared out over the zones.',
  InsufficientNumberOfEndpoints: 'There are fewer ready endpoints than zones.',
  MinAllocationExceedsOverloadThreshold: 'There are too few ready endpoints to give each zone its share without overload.',
  NodeWithoutZone: 'A ready node has no label topology.kubernetes.io/zone.',
  NodeWithoutCPU: 'A ready node tells no allocatable CPU.',
  NodesReadyInFewZones: 'There are ready nodes in fewer than two zones.',
};
