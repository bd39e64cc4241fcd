import type { AddressType, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { MissingNode } from './desired.ts';
import { sliceApiVersion } from './metadata.ts';

/** A reference to a slice to delete, with the preconditions (UID, resourceVersion) that the API server can check. */
export interface SliceReference {
  readonly apiVersion: EndpointSlice['apiVersion'];
  readonly kind: 'EndpointSlice';
  readonly metadata: { readonly name: string; readonly namespace: string; readonly uid?: string; readonly resourceVersion?: string };
}

/** An Event that the controller records on the Service or the Endpoints. */
export interface SliceEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
}

/** Why a plan for slices has its writes, and why endpoints have no hints although the Service requests them. */
export type SlicePlanCode = keyof typeof messageTable;

export interface SliceReason {
  readonly code: SlicePlanCode;
  readonly message: string;
  /** Set if the reason concerns one address type only, such as reasons about hints. */
  readonly addressType?: AddressType;
  /** The node that is the cause; absent if no single node is. */
  readonly node?: string;
}

/** The minimal writes that bring a Service's slices to the state the release's controller wants. Plain data; nothing is executed. */
export interface SlicePlan {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: SliceReference[];
  /** The Events that the controller records. */
  readonly events: SliceEvent[];
  /** Whether the sync must be repeated even after these writes: the cache lags behind, or it lacks a pod's node. */
  readonly retry: boolean;
  readonly reasons: SliceReason[];
}

/** Creates a reference to a slice to delete. */
export function referenceTo({ metadata }: EndpointSliceInput, profile: Profile): SliceReference {
  const { name, namespace, uid, resourceVersion } = metadata ?? {};
  return {
    apiVersion: sliceApiVersion(profile),
    kind: 'EndpointSlice',
    metadata: { name: name ?? '', namespace: namespace ?? '', ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
  };
}

/** Returns the message of a code. */
export const messageFor = (code: SlicePlanCode): string => messages[code];

/** Creates a plan without writes, with its reason. */
export const createEmptyPlan = (code: SlicePlanCode): SlicePlan => ({
  create: [],
  update: [],
  delete: [],
  events: [],
  retry: false,
  reasons: [{ code, message: messageFor(code) }],
});

const messageTable = {
  ServiceDeleted: 'The Service is deleted; the garbage collector deletes the slices that it owns.',
  ServiceIsExternalName: 'A Service of type ExternalName gets no slices from this release.',
  ServiceHasNoSelector: 'The Service has no selector, so the controller does not change its slices.',
  SlicesStale: 'The cached slices are older than the last writes; sync again when the cache is up to date.',
  NodeMissing: 'A pod names a node that does not exist.',
  ServiceTerminating: 'The Service is being deleted, so no new slices are created.',
  SlicesEqual: 'The existing slices are up to date.',
  SliceMissing: 'No slice exists for these addresses and ports yet.',
  AddressTypeNotWanted: 'The Service no longer has addresses of this type.',
  SliceOfOtherService: 'A slice belongs to an earlier Service of this name.',
  PortsNotWanted: 'No pod resolves to the ports of a slice.',
  EndpointsDiffer: 'Endpoints were changed or removed.',
  EndpointsGone: 'All endpoints of a slice were removed.',
  LabelsDiffer: "The labels do not match the Service's labels.",
  EndpointsAdded: 'Endpoints are not in any slice yet.',
  HintsDiffer: 'Hints are missing, wrong or no longer requested.',
  Placeholder: 'The Service has no endpoints; one empty slice represents that.',
  EndpointsMissing: 'The Endpoints to mirror do not exist.',
  NotMirrored: 'A label or annotation of the Endpoints prevents mirroring.',
  ServiceMissing: 'No Service of this name exists, so nothing is mirrored.',
  ServiceHasSelector: 'The Service has a selector, so its slices come from its pods.',
  MirrorDiffers: 'The mirrored slice differs from the Endpoints.',
  MirrorSuperfluous: 'A mirrored slice has no counterpart in the Endpoints.',
  TopologyAnnotationIgnored: 'The release ignores the topology annotation.',
  TopologyAnnotationUnknown: 'The topology annotation requests hints only with the value Auto or auto.',
  TrafficDistributionIgnored: 'The release does not support this trafficDistribution.',
  TrafficDistributionUnknown: 'No release supports this trafficDistribution.',
  TrafficDistributionOverridden: 'The topology annotation takes precedence over trafficDistribution.',
  EndpointWithoutZone: 'A ready endpoint has no zone, because its node has no zone or is unknown.',
  HintsEnabled: 'Endpoints are allocated to the zones.',
  HintsDisabled: 'The annotation that requested hints was removed.',
  InsufficientNodeInfo: 'The nodes do not provide the CPU per zone.',
  InsufficientNumberOfEndpoints: 'The Service has fewer ready endpoints than the cluster has zones.',
  MinAllocationExceedsOverloadThreshold: 'The Service has too few ready endpoints to give each zone its share without overload.',
  NodeWithoutZone: 'A ready node has no label topology.kubernetes.io/zone.',
  NodeWithoutCPU: 'A ready node reports no allocatable CPU.',
  NodesReadyInFewZones: 'Fewer than two zones have ready nodes.',
} as const;

/** The message of every plan code. */
export const messages: Readonly<Record<SlicePlanCode, string>> = messageTable;

/** Returns the controller's errors about missing nodes: one per pod or, in releases where the first error ends the sync, only the first. */
export function describeMissingNodes(service: Service, missingNodes: readonly MissingNode[], profile: Profile): string[] {
  const { namespace, name } = service.metadata ?? {};
  if (profile.missingNodeSkipped) {
    return missingNodes.map(({ pod, node }) => `skipping Pod ${pod} for Service ${namespace ?? ''}/${name ?? ''}: Node ${node} Not Found`);
  }
  return missingNodes.slice(0, 1).map(({ node }) => `node "${node}" not found`);
}

/** Creates the Event about a sync that failed in part. Mirrors syncService over utilerrors.NewAggregate (apimachinery). */
export function createFailureEvent(service: Service, messages: ReadonlySet<string>): SliceEvent {
  const { namespace, name } = service.metadata ?? {};
  const text = messages.size === 1 ? [...messages][0] : `[${[...messages].join(', ')}]`;
  return {
    type: 'Warning',
    reason: 'FailedToUpdateEndpointSlices',
    message: `Error updating Endpoint Slices for Service ${namespace ?? ''}/${name ?? ''}: ${text}`,
  };
}
