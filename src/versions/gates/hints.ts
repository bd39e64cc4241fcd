import type { GateRow } from './gate.ts';

/** The gates of hints in EndpointSlices. */
export type HintsGateName =
  | 'topologyHints'
  | 'hintsForReadyOnly'
  | 'controlPlaneNotCounted'
  | 'zoneHintsKept'
  | 'hintEvents'
  | 'topologyModeAnnotation'
  | 'trafficDistribution'
  | 'trafficDistributionValidated'
  | 'preferSameTrafficDistribution';

export const hintsGates: Readonly<Record<HintsGateName, GateRow>> = {
  topologyHints: {
    stage: 'hints',
    since: '1.24.0',
    feature: { name: 'TopologyAwareHints' },
    reference: '#108747',
  },
  hintsForReadyOnly: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#106510',
  },
  controlPlaneNotCounted: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#104744',
  },
  zoneHintsKept: {
    stage: 'hints',
    since: '1.23.0',
    reference: '#105267',
  },
  hintEvents: {
    stage: 'hints',
    since: '1.26.0',
    reference: '#113544',
  },
  topologyModeAnnotation: {
    stage: 'hints',
    since: '1.27.0',
    reference: '#116522',
  },
  trafficDistribution: {
    stage: 'hints',
    since: '1.31.0',
    feature: { name: 'ServiceTrafficDistribution' },
    reference: '#125838',
  },
  trafficDistributionValidated: {
    stage: 'hints',
    since: '1.33.0',
    reference: '#130844',
  },
  preferSameTrafficDistribution: {
    stage: 'hints',
    since: '1.34.0',
    feature: { name: 'PreferSameTrafficDistribution' },
    reference: '#132127',
  },
};

/** What each gate of this file changes. A table of its own, so that bundles without `gates` do not contain the texts. */
export const hintsSummaries: Readonly<Record<HintsGateName, string>> = {
  topologyHints: 'The annotation service.kubernetes.io/topology-aware-hints: Auto requests zone hints for endpoints.',
  hintsForReadyOnly: 'Zone hints by annotation are for ready endpoints only; before, for all endpoints.',
  controlPlaneNotCounted: "Nodes of the control plane do not count for the zones' shares of the CPU.",
  zoneHintsKept: 'A slice whose hints fit is kept; before, every slice with hints by annotation was updated at every sync.',
  hintEvents: 'An Event of the Service reports that hints by annotation were enabled, or why they were disabled.',
  topologyModeAnnotation: 'The annotation service.kubernetes.io/topology-mode: Auto is supported too, unless the older annotation is set.',
  trafficDistribution: 'trafficDistribution: PreferClose gives every ready endpoint a hint for its own zone.',
  trafficDistributionValidated:
    'With trafficDistribution, an endpoint without a zone gets no hint; before, it got one for the zone with an empty name.',
  preferSameTrafficDistribution:
    'trafficDistribution may be PreferSameZone, an alias of PreferClose, or PreferSameNode, which adds a hint for the node.',
};
