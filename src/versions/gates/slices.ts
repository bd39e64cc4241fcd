import type { Gate } from './gate.ts';

/** The gates of the EndpointSlice controller. Gates shared with Endpoints are in the Endpoints table. */
export type SlicesGateName =
  | 'slicesAreBeta'
  | 'slicesAreV1'
  | 'sliceNodeName'
  | 'sliceTerminatingPodsExcluded'
  | 'sliceAppProtocolCopied'
  | 'sliceLabelsMirrored'
  | 'sliceOwnersChecked'
  | 'slicesNotCreatedForDeleted'
  | 'staleSlicesRetried'
  | 'missingSlicesStale'
  | 'sliceTrackerForgotten'
  | 'terminatingPodsIncluded'
  | 'endpointKeyedByTarget'
  | 'missingNodeSkipped'
  | 'sliceSidecarPortsFound'
  | 'slicesPendingDeletionIgnored'
  | 'placeholderKept'
  | 'slicePortsNilAsEmpty'
  | 'sliceConditionsCompared'
  | 'sliceUnknownConditionsCompared'
  | 'sliceNodeAndZoneCompared'
  | 'topologyHints'
  | 'hintsForReadyOnly'
  | 'controlPlaneNotCounted'
  | 'zoneHintsKept'
  | 'hintEvents'
  | 'topologyModeAnnotation'
  | 'trafficDistribution'
  | 'trafficDistributionValidated'
  | 'preferSameTrafficDistribution';

export const slicesGates: Readonly<Record<SlicesGateName, Gate>> = {
  slicesAreBeta: {
    stage: 'slices',
    since: '1.17.0',
    reference: '#84390',
    summary: 'EndpointSlices have at least the version discovery.k8s.io/v1beta1; before, v1alpha1, which is not computed here.',
  },
  slicesAreV1: {
    stage: 'slices',
    since: '1.21.0',
    reference: '#99870',
    also: ['mirroring'],
    summary:
      'EndpointSlices are discovery.k8s.io/v1, with nodeName and zone; before, v1beta1 with a topology map, and a difference in it causes a write.',
  },
  sliceNodeName: {
    stage: 'slices',
    since: '1.21.0',
    feature: { name: 'EndpointSliceNodeName' },
    reference: '#96440',
    also: ['mirroring'],
    summary: 'Endpoints have a nodeName; before, only the host name in the topology map.',
  },
  sliceTerminatingPodsExcluded: {
    stage: 'slices',
    since: '1.18.0',
    backports: ['1.17.5'],
    reference: '#89056',
    summary:
      'A terminating pod is left out unless the Service publishes not-ready addresses; before, it stayed an endpoint, even a ready one.',
  },
  sliceAppProtocolCopied: {
    stage: 'slices',
    since: '1.18.0',
    reference: '#88503',
    summary: "The Service port's appProtocol is copied, regardless of the feature gate ServiceAppProtocol.",
  },
  sliceLabelsMirrored: {
    stage: 'slices',
    since: '1.20.0',
    reference: '#94443',
    summary: 'Slices have the labels of their Service, and the headless label; before, only the labels of Service name and controller.',
  },
  sliceOwnersChecked: {
    stage: 'slices',
    since: '1.20.0',
    backports: ['1.19.3'],
    reference: '#94730',
    summary: 'A slice of an earlier Service of the same name is deleted; before, it was used like the own slices.',
  },
  slicesNotCreatedForDeleted: {
    stage: 'slices',
    since: '1.19.0',
    backports: ['1.18.9'],
    reference: '#91311',
    summary: 'No slice is created while the Service is being deleted.',
  },
  staleSlicesRetried: {
    stage: 'slices',
    since: '1.21.0',
    backports: ['1.18.17', '1.19.9', '1.20.5'],
    reference: '#99345',
    also: ['mirroring'],
    summary: 'If the cache still returns slices from before the last write, the sync is retried; before, it was planned from these slices.',
  },
  missingSlicesStale: {
    stage: 'slices',
    since: '1.21.0',
    backports: ['1.19.11', '1.20.7'],
    reference: '#100103',
    also: ['mirroring'],
    summary: 'The cache also counts as stale if it lacks a slice that was written.',
  },
  sliceTrackerForgotten: {
    stage: 'slices',
    since: '1.19.0',
    reference: '#92838',
    summary: 'The versions of written slices are forgotten with their Service; before, a new Service of the same name inherited them.',
  },
  terminatingPodsIncluded: {
    stage: 'slices',
    since: '1.22.0',
    feature: { name: 'EndpointSliceTerminatingCondition' },
    reference: '#103596',
    summary: 'A terminating pod stays an endpoint that is not ready; the conditions serving and terminating are written.',
  },
  endpointKeyedByTarget: {
    stage: 'slices',
    since: '1.27.0',
    backports: ['1.26.3'],
    reference: '#115907',
    also: ['mirroring'],
    summary: 'Namespace and name of the target are part of the endpoint key, so two pods with one IP are two endpoints.',
  },
  missingNodeSkipped: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.24.3'],
    reference: '#110639',
    summary:
      'A pod whose node does not exist is skipped and the sync retried, or kept without a zone if the Service publishes not-ready addresses; before, nothing of that address type was written.',
  },
  sliceSidecarPortsFound: {
    stage: 'slices',
    since: '1.33.0',
    reference: '#128850',
    summary: 'A named target port is also searched in init containers with restartPolicy Always, one release later than for Endpoints.',
  },
  slicesPendingDeletionIgnored: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.22.11', '1.23.8', '1.24.2'],
    reference: '#109624',
    summary: 'A terminating slice is ignored; before, it was updated, or the Service was retried until its finalizers were removed.',
  },
  placeholderKept: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.24.3'],
    reference: '#110365',
    summary: 'The one empty slice of a Service without endpoints is kept unchanged; before, it was updated at every sync.',
  },
  slicePortsNilAsEmpty: {
    stage: 'slices',
    since: '1.36.0',
    reference: '#136502',
    also: ['mirroring'],
    summary: 'Absent ports equal an empty list; before, the slices of a Service without ports were rewritten at every sync.',
  },
  sliceConditionsCompared: {
    stage: 'slices',
    since: '1.24.0',
    backports: ['1.21.14', '1.22.11', '1.23.8'],
    reference: '#108078',
    summary: 'A difference in the condition serving or terminating causes a write if both sides have it.',
  },
  sliceUnknownConditionsCompared: {
    stage: 'slices',
    since: '1.26.0',
    reference: '#113351',
    also: ['mirroring'],
    summary: 'A condition serving or terminating that only one side has causes a write, too.',
  },
  sliceNodeAndZoneCompared: {
    stage: 'slices',
    since: '1.24.0',
    reference: '#108123',
    also: ['mirroring'],
    summary: 'A difference only in nodeName or zone causes a write.',
  },
  topologyHints: {
    stage: 'hints',
    since: '1.24.0',
    feature: { name: 'TopologyAwareHints' },
    reference: '#108747',
    summary: 'The annotation service.kubernetes.io/topology-aware-hints: Auto requests zone hints for endpoints.',
  },
  hintsForReadyOnly: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#106510',
    summary: 'Zone hints by annotation are for ready endpoints only; before, for all endpoints.',
  },
  controlPlaneNotCounted: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#104744',
    summary: "Nodes of the control plane do not count for the zones' shares of the CPU.",
  },
  zoneHintsKept: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#105267',
    summary: 'A slice whose hints fit is kept; before, every slice with hints by annotation was updated at every sync.',
  },
  hintEvents: {
    stage: 'hints',
    since: '1.26.0',
    reference: '#113544',
    summary: 'An Event of the Service reports that hints by annotation were enabled, or why they were disabled.',
  },
  topologyModeAnnotation: {
    stage: 'hints',
    since: '1.27.0',
    reference: '#116522',
    summary: 'The annotation service.kubernetes.io/topology-mode: Auto is supported too, unless the older annotation is set.',
  },
  trafficDistribution: {
    stage: 'hints',
    since: '1.31.0',
    feature: { name: 'ServiceTrafficDistribution' },
    reference: '#125838',
    summary: 'trafficDistribution: PreferClose gives every ready endpoint a hint for its own zone.',
  },
  trafficDistributionValidated: {
    stage: 'hints',
    since: '1.33.0',
    reference: '#130844',
    summary: 'With trafficDistribution, an endpoint without a zone gets no hint; before, it got one for the zone with an empty name.',
  },
  preferSameTrafficDistribution: {
    stage: 'hints',
    since: '1.34.0',
    feature: { name: 'PreferSameTrafficDistribution' },
    reference: '#132127',
    summary: 'trafficDistribution may be PreferSameZone, an alias of PreferClose, or PreferSameNode, which adds a hint for the node.',
  },
};
