import type { GateRow } from './gate.ts';

/** The gates of Endpoints, including changes that also affect EndpointSlices. */
export type EndpointsGateName =
  | 'externalNameSkipped'
  | 'terminalPodsExcluded'
  | 'publishNotReadyAddressesRead'
  | 'tolerateUnreadyAnnotationIgnored'
  | 'addressOfServiceFamily'
  | 'ipFamilyRead'
  | 'ipFamiliesRead'
  | 'addressCanonicalized'
  | 'emptyIPFamiliesPanic'
  | 'targetResourceVersionOmitted'
  | 'appProtocolCopied'
  | 'sidecarPortsFound'
  | 'emptySubsetsOmitted'
  | 'headlessPortOmitted'
  | 'portlessSubsetsKept'
  | 'appProtocolPrinted'
  | 'orderedByFNV'
  | 'overCapacityWarned'
  | 'overCapacityTruncated'
  | 'triggerTimeAnnotated'
  | 'triggerTimeInUTC'
  | 'headlessLabelSet'
  | 'managedByLabel'
  | 'serviceLabelsNotMutated'
  | 'headlessLabelNotCompared'
  | 'targetResourceVersionNotCompared'
  | 'repackedBeforeComparing'
  | 'staleObjectsRetried'
  | 'staleOnlyAfterChange';

export const endpointsGates: Readonly<Record<EndpointsGateName, GateRow>> = {
  externalNameSkipped: {
    stage: 'selection',
    since: '1.27.0',
    reference: '#114814',
    also: ['slices'],
  },
  terminalPodsExcluded: {
    stage: 'eligibility',
    since: '1.25.0',
    backports: ['1.22.11', '1.23.8', '1.24.2'],
    reference: '#110255',
    also: ['slices'],
  },
  publishNotReadyAddressesRead: {
    stage: 'eligibility',
    since: '1.11.0',
    reference: '#63742',
  },
  tolerateUnreadyAnnotationIgnored: {
    stage: 'eligibility',
    since: '1.24.0',
    reference: '#108020',
  },
  addressOfServiceFamily: {
    stage: 'address',
    since: '1.21.0',
    feature: { name: 'IPv6DualStack' },
    reference: '#98969',
  },
  ipFamilyRead: {
    stage: 'address',
    since: '1.19.0',
    backports: ['1.18.9'],
    until: '1.20.0',
    reference: '#91399',
    also: ['slices'],
  },
  ipFamiliesRead: {
    stage: 'address',
    since: '1.20.0',
    reference: '#91824',
    also: ['slices'],
  },
  addressCanonicalized: {
    stage: 'address',
    since: '1.33.0',
    reference: '#130101',
    also: ['slices', 'mirroring'],
  },
  emptyIPFamiliesPanic: {
    stage: 'address',
    since: '1.33.0',
    until: '1.37.0',
    untilBackports: ['1.33.13', '1.34.9', '1.35.6', '1.36.2'],
    reference: '#138736',
  },
  targetResourceVersionOmitted: {
    stage: 'address',
    since: '1.24.0',
    reference: '#108450',
    also: ['slices'],
  },
  appProtocolCopied: {
    stage: 'ports',
    since: '1.19.0',
    feature: { name: 'ServiceAppProtocol' },
    reference: '#90023',
  },
  sidecarPortsFound: {
    stage: 'ports',
    since: '1.32.0',
    reference: '#127976',
  },
  emptySubsetsOmitted: {
    stage: 'subsets',
    since: '1.10.0',
    reference: '#59434',
  },
  headlessPortOmitted: {
    stage: 'subsets',
    since: '1.11.0',
    reference: '#62497',
  },
  portlessSubsetsKept: {
    stage: 'subsets',
    since: '1.12.0',
    backports: ['1.11.8'],
    reference: '#67622',
  },
  appProtocolPrinted: {
    stage: 'subsets',
    since: '1.18.0',
    reference: '#88503',
  },
  orderedByFNV: {
    stage: 'subsets',
    since: '1.35.0',
    reference: '#133511',
    also: ['slices', 'mirroring'],
  },
  overCapacityWarned: {
    stage: 'capacity',
    since: '1.21.0',
    reference: '#99975',
  },
  overCapacityTruncated: {
    stage: 'capacity',
    since: '1.22.0',
    reference: '#103520',
  },
  triggerTimeAnnotated: {
    stage: 'metadata',
    since: '1.14.0',
    reference: '#73314',
  },
  headlessLabelSet: {
    stage: 'metadata',
    since: '1.16.0',
    reference: '#81612',
  },
  triggerTimeInUTC: {
    stage: 'metadata',
    since: '1.22.0',
    reference: '#102366',
    also: ['slices'],
  },
  managedByLabel: {
    stage: 'metadata',
    since: '1.33.0',
    reference: '#130564',
  },
  serviceLabelsNotMutated: {
    stage: 'comparison',
    since: '1.17.0',
    backports: ['1.16.4'],
    reference: '#85361',
  },
  headlessLabelNotCompared: {
    stage: 'comparison',
    since: '1.20.0',
    backports: ['1.17.13', '1.18.10', '1.19.3'],
    reference: '#94112',
  },
  targetResourceVersionNotCompared: {
    stage: 'comparison',
    since: '1.24.0',
    backports: ['1.21.14', '1.22.11', '1.23.8'],
    reference: '#108078',
    also: ['slices', 'mirroring'],
  },
  repackedBeforeComparing: {
    stage: 'comparison',
    since: '1.35.0',
    reference: '#133511',
  },
  staleObjectsRetried: {
    stage: 'tracking',
    since: '1.31.0',
    backports: ['1.28.12', '1.29.7', '1.30.3'],
    reference: '#125675',
  },
  staleOnlyAfterChange: {
    stage: 'tracking',
    since: '1.32.0',
    backports: ['1.28.15', '1.29.10', '1.30.6', '1.31.2'],
    reference: '#127417',
  },
};

/** What each gate of this file changes. A table of its own, so that bundles without `gates` do not contain the texts. */
export const endpointsSummaries: Readonly<Record<EndpointsGateName, string>> = {
  externalNameSkipped: 'A Service of type ExternalName gets no Endpoints even if it has a selector.',
  terminalPodsExcluded:
    'A pod in phase Succeeded or Failed is never an endpoint, regardless of its restart policy and readiness; an IP only in podIPs suffices.',
  publishNotReadyAddressesRead:
    'spec.publishNotReadyAddresses is read. Before, only the annotation service.alpha.kubernetes.io/tolerate-unready-endpoints was.',
  tolerateUnreadyAnnotationIgnored:
    'The annotation service.alpha.kubernetes.io/tolerate-unready-endpoints is no longer read; publishNotReadyAddresses alone decides.',
  addressOfServiceFamily: 'The address is the first of podIPs with the primary IP family of the Service; before, it was podIP.',
  ipFamilyRead: 'With IPv6DualStack, spec.ipFamily is the IP family of a Service without a cluster IP; before, that was IPv4.',
  ipFamiliesRead: 'The IP family of a Service is the first of ipFamilies, otherwise that of clusterIP or of podIP.',
  addressCanonicalized: 'IPs are written in canonical form: 010.0.0.1 becomes 10.0.0.1.',
  emptyIPFamiliesPanic:
    'A Service without ipFamilies makes the controller panic (since #130101); the result here is that of the fixed releases: the family of clusterIP, then of podIP.',
  targetResourceVersionOmitted: "targetRef no longer carries the pod's resourceVersion.",
  appProtocolCopied: "The Service port's appProtocol is copied.",
  sidecarPortsFound: 'A named target port is also searched in init containers with restartPolicy Always.',
  emptySubsetsOmitted: 'Endpoints without addresses are written without subsets; before, with an empty list.',
  headlessPortOmitted:
    'The subsets of a headless Service without ports have no ports; before, they had TCP port 0, which the API server rejects.',
  portlessSubsetsKept:
    'Subsets without ports are packed like others, and port 0 is not listed; before, repacking dropped them, and a headless Service without ports had one subset per pod.',
  appProtocolPrinted: 'EndpointPort has the field AppProtocol, so it is part of the printed structure whose hash orders ports and subsets.',
  orderedByFNV: 'Ports and subsets are ordered by 128-bit FNV-1a instead of MD5.',
  overCapacityWarned: 'Endpoints with more than 1,000 addresses get the annotation endpoints.kubernetes.io/over-capacity: warning.',
  overCapacityTruncated:
    'More than 1,000 addresses are truncated to 1,000, ready ones first, in proportion over the subsets; the annotation is truncated.',
  triggerTimeAnnotated: 'Endpoints carry the trigger time in the annotation endpoints.kubernetes.io/last-change-trigger-time.',
  headlessLabelSet: 'Endpoints of a headless Service carry the label service.kubernetes.io/headless.',
  triggerTimeInUTC: "The trigger time is written in UTC; before, in the time zone of the controller's process.",
  managedByLabel: 'Endpoints carry the label endpoints.kubernetes.io/managed-by: endpoint-controller; Endpoints without it are updated.',
  serviceLabelsNotMutated:
    'The headless label is not written into the labels of the cached Service; before, later syncs of that version of the Service compared it, too.',
  headlessLabelNotCompared: 'The headless label is ignored when labels are compared; before, a headless Service was updated at every sync.',
  targetResourceVersionNotCompared: 'A difference only in the resourceVersion of targets does not cause a write.',
  repackedBeforeComparing:
    'If subsets differ, the existing ones are repacked and compared again, so a change of order alone is not written.',
  staleObjectsRetried: 'If the cache still returns Endpoints that an update has replaced, they count as stale and the sync is retried.',
  staleOnlyAfterChange:
    'An update that changed nothing (same resourceVersion) does not mark Endpoints as stale; before, such a Service was retried forever.',
};
