import type { GateRow } from './gate.ts';

/** The gates of the EndpointSlice controller. Gates shared with Endpoints are in the Endpoints table, those of hints in that of hints. */
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
  | 'sliceNodeAndZoneCompared';

export const slicesGates: Readonly<Record<SlicesGateName, GateRow>> = {
  slicesAreBeta: {
    stage: 'slices',
    since: '1.17.0',
    reference: '#84390',
  },
  slicesAreV1: {
    stage: 'slices',
    since: '1.21.0',
    reference: '#99870',
    also: ['mirroring'],
  },
  sliceNodeName: {
    stage: 'slices',
    since: '1.21.0',
    feature: { name: 'EndpointSliceNodeName' },
    reference: '#96440',
    also: ['mirroring'],
  },
  sliceTerminatingPodsExcluded: {
    stage: 'slices',
    since: '1.18.0',
    backports: ['1.17.5'],
    reference: '#89056',
  },
  sliceAppProtocolCopied: {
    stage: 'slices',
    since: '1.18.0',
    reference: '#88503',
  },
  sliceLabelsMirrored: {
    stage: 'slices',
    since: '1.20.0',
    reference: '#94443',
  },
  sliceOwnersChecked: {
    stage: 'slices',
    since: '1.20.0',
    backports: ['1.19.3'],
    reference: '#94730',
  },
  slicesNotCreatedForDeleted: {
    stage: 'slices',
    since: '1.19.0',
    backports: ['1.18.9'],
    reference: '#91311',
  },
  staleSlicesRetried: {
    stage: 'slices',
    since: '1.21.0',
    backports: ['1.18.17', '1.19.9', '1.20.5'],
    reference: '#99345',
    also: ['mirroring'],
  },
  missingSlicesStale: {
    stage: 'slices',
    since: '1.21.0',
    backports: ['1.19.11', '1.20.7'],
    reference: '#100103',
    also: ['mirroring'],
  },
  sliceTrackerForgotten: {
    stage: 'slices',
    since: '1.19.0',
    reference: '#92838',
  },
  terminatingPodsIncluded: {
    stage: 'slices',
    since: '1.22.0',
    feature: { name: 'EndpointSliceTerminatingCondition' },
    reference: '#103596',
  },
  endpointKeyedByTarget: {
    stage: 'slices',
    since: '1.27.0',
    backports: ['1.26.3'],
    reference: '#115907',
    also: ['mirroring'],
  },
  missingNodeSkipped: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.24.3'],
    reference: '#110639',
  },
  sliceSidecarPortsFound: {
    stage: 'slices',
    since: '1.33.0',
    reference: '#128850',
  },
  slicesPendingDeletionIgnored: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.22.11', '1.23.8', '1.24.2'],
    reference: '#109624',
  },
  placeholderKept: {
    stage: 'slices',
    since: '1.25.0',
    backports: ['1.24.3'],
    reference: '#110365',
  },
  slicePortsNilAsEmpty: {
    stage: 'slices',
    since: '1.36.0',
    reference: '#136502',
    also: ['mirroring'],
  },
  sliceConditionsCompared: {
    stage: 'slices',
    since: '1.24.0',
    backports: ['1.21.14', '1.22.11', '1.23.8'],
    reference: '#108078',
  },
  sliceUnknownConditionsCompared: {
    stage: 'slices',
    since: '1.26.0',
    reference: '#113351',
    also: ['mirroring'],
  },
  sliceNodeAndZoneCompared: {
    stage: 'slices',
    since: '1.24.0',
    reference: '#108123',
    also: ['mirroring'],
  },
};

/** What each gate of this file changes. A table of its own, so that bundles without `gates` do not contain the texts. */
export const slicesSummaries: Readonly<Record<SlicesGateName, string>> = {
  slicesAreBeta: 'EndpointSlices have at least the version discovery.k8s.io/v1beta1; before, v1alpha1, which is not computed here.',
  slicesAreV1:
    'EndpointSlices are discovery.k8s.io/v1, with nodeName and zone; before, v1beta1 with a topology map, and a difference in it causes a write.',
  sliceNodeName: 'Endpoints have a nodeName; before, only the host name in the topology map.',
  sliceTerminatingPodsExcluded:
    'A terminating pod is left out unless the Service publishes not-ready addresses; before, it stayed an endpoint, even a ready one.',
  sliceAppProtocolCopied: "The Service port's appProtocol is copied, regardless of the feature gate ServiceAppProtocol.",
  sliceLabelsMirrored:
    'Slices have the labels of their Service, and the headless label; before, only the labels of Service name and controller.',
  sliceOwnersChecked: 'A slice of an earlier Service of the same name is deleted; before, it was used like the own slices.',
  slicesNotCreatedForDeleted: 'No slice is created while the Service is being deleted.',
  staleSlicesRetried:
    'If the cache still returns slices from before the last write, the sync is retried; before, it was planned from these slices.',
  missingSlicesStale: 'The cache also counts as stale if it lacks a slice that was written.',
  sliceTrackerForgotten:
    'The versions of written slices are forgotten with their Service; before, a new Service of the same name inherited them.',
  terminatingPodsIncluded: 'A terminating pod stays an endpoint that is not ready; the conditions serving and terminating are written.',
  endpointKeyedByTarget: 'Namespace and name of the target are part of the endpoint key, so two pods with one IP are two endpoints.',
  missingNodeSkipped:
    'A pod whose node does not exist is skipped and the sync retried, or kept without a zone if the Service publishes not-ready addresses; before, nothing of that address type was written.',
  sliceSidecarPortsFound:
    'A named target port is also searched in init containers with restartPolicy Always, one release later than for Endpoints.',
  slicesPendingDeletionIgnored:
    'A terminating slice is ignored; before, it was updated, or the Service was retried until its finalizers were removed.',
  placeholderKept: 'The one empty slice of a Service without endpoints is kept unchanged; before, it was updated at every sync.',
  slicePortsNilAsEmpty: 'Absent ports equal an empty list; before, the slices of a Service without ports were rewritten at every sync.',
  sliceConditionsCompared: 'A difference in the condition serving or terminating causes a write if both sides have it.',
  sliceUnknownConditionsCompared: 'A condition serving or terminating that only one side has causes a write, too.',
  sliceNodeAndZoneCompared: 'A difference only in nodeName or zone causes a write.',
};
