import { type HintsCode, slicePlanMessages } from '../spec/index.ts';
import type { ReasonRow } from './reason-row.ts';

/** Why slices do or do not have a pod, as far as the reasons for Endpoints do not cover it. */
export type SliceReasonCode =
  | 'SlicesNotSpecified'
  | 'PodTerminatingServed'
  | 'PodEnded'
  | 'PodWithoutPorts'
  | 'SidecarPortInEndpointsOnly'
  | 'PodOfOtherFamilyOnly'
  | 'PodNotCutFromSlices'
  | 'AnnotationNotReadForSlices'
  | 'NodeMissing'
  | 'NodeMissingStopsSync'
  | 'NodeMissingPublished'
  | 'EndpointShared';

/** Why the endpoints of an address type have hints, or have none although the Service requests them. */
export type HintsReasonCode =
  | Exclude<HintsCode, 'HintsDisabled' | 'InsufficientNodeInfo'>
  | 'NodesUnknown'
  | 'HintsByDistribution'
  | 'EndpointsWithoutHints'
  | 'HintForZoneWithoutName';

export const sliceReasons: Readonly<Record<SliceReasonCode, ReasonRow>> = {
  SlicesNotSpecified: {
    about: 'slices',
    until: 'slicesAreV1',
    message: 'EndpointSlices are specified from 1.21 on, where they became discovery.k8s.io/v1.',
    remedy: 'Ask for 1.21 or a later release.',
  },
  PodTerminatingServed: {
    about: 'slices',
    from: 'terminatingServed',
    message: 'The pod is being deleted since {time}: slices have it as terminating and {serving} until it is gone, Endpoints no longer do.',
    remedy: 'Nothing to mend: consumers fall back on serving endpoints that terminate where there are no ready ones.',
  },
  PodEnded: {
    about: 'slices',
    until: 'terminalPodsLeftOut',
    message: 'The pod has ended (phase {phase}) and is not restarted (restartPolicy {policy}); slices leave it out, ready or not.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodWithoutPorts: {
    about: 'slices',
    message: 'No Service port is found in the pod: slices have it as an endpoint without ports, Endpoints leave it out.',
    remedy: "Name the container port as the Service's targetPort says, or give a number.",
  },
  SidecarPortInEndpointsOnly: {
    about: 'slices',
    from: 'sidecarPortsFound',
    until: 'sliceSidecarPortsFound',
    message: 'The Service port {port} is found in a sidecar for Endpoints; for slices this release does not look there.',
    remedy: 'Give targetPort as a number, or update kube-controller-manager.',
  },
  PodOfOtherFamilyOnly: {
    about: 'slices',
    from: 'addressOfServiceFamily',
    message: 'The pod has no {family} address, which Endpoints want: it is in slices only.',
    remedy: 'Read EndpointSlices, which list every family of the Service.',
  },
  PodNotCutFromSlices: {
    about: 'slices',
    from: 'overCapacityTruncated',
    message: 'Endpoints hold at most {capacity} addresses and were cut; slices list the pod.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  AnnotationNotReadForSlices: {
    about: 'slices',
    until: 'tolerateUnreadyAnnotationDead',
    message: 'Endpoints publish the pod for the annotation {annotation}; slices look at publishNotReadyAddresses alone.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  NodeMissing: {
    about: 'slices',
    from: 'missingNodeSkipped',
    message: "The pod's node {node} is none of the {count} nodes there are: no slice has the pod, and the sync is retried.",
    remedy: 'Nothing to mend while the node comes or goes; delete a pod whose node is gone for good.',
  },
  NodeMissingStopsSync: {
    about: 'slices',
    until: 'missingNodeSkipped',
    message: 'The node {node} of pod {pod} is none of the {count} nodes there are: no slice of type {family} is written, for any pod.',
    remedy: 'Delete the pod whose node is gone, or update kube-controller-manager.',
  },
  NodeMissingPublished: {
    about: 'slices',
    from: 'missingNodeSkipped',
    message:
      "The pod's node {node} is none of the {count} nodes there are; the pod stays, without a zone, as publishNotReadyAddresses is set.",
    remedy: 'Nothing to mend while the node comes or goes; delete a pod whose node is gone for good.',
  },
  EndpointShared: {
    about: 'slices',
    until: 'endpointKeyedByTarget',
    message: 'Another pod has the same addresses of type {family}, and one endpoint stands for both.',
    remedy: 'Update kube-controller-manager; later releases tell such endpoints apart by their pods.',
  },
};

const nodesRemedy = 'Give every ready node that is not of the control plane a zone and allocatable CPU, in two zones or more.';
const endpointsRemedy = 'Run more ready pods, in proportion to the CPU of each zone, or use trafficDistribution.';
const distributionRemedy = 'Give PreferClose (1.31), PreferSameZone or PreferSameNode (1.34).';

export const hintsReasons: Readonly<Record<HintsReasonCode, ReasonRow>> = {
  TopologyAnnotationNotObeyed: {
    about: 'hints',
    until: 'topologyHints',
    message: slicePlanMessages.TopologyAnnotationNotObeyed,
    remedy: 'Nothing to mend: from 1.24 on it is obeyed.',
  },
  TopologyAnnotationUnknown: {
    about: 'hints',
    message: slicePlanMessages.TopologyAnnotationUnknown,
    remedy: 'Set the annotation to Auto, or remove it.',
  },
  TrafficDistributionNotObeyed: {
    about: 'hints',
    message: slicePlanMessages.TrafficDistributionNotObeyed,
    remedy: distributionRemedy,
  },
  TrafficDistributionUnknown: { about: 'hints', message: slicePlanMessages.TrafficDistributionUnknown, remedy: distributionRemedy },
  TrafficDistributionOverruled: {
    about: 'hints',
    from: 'trafficDistribution',
    message: slicePlanMessages.TrafficDistributionOverruled,
    remedy: 'Remove one of the two.',
  },
  EndpointWithoutZone: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.EndpointWithoutZone, remedy: nodesRemedy },
  HintsEnabled: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.HintsEnabled, remedy: 'Nothing to mend.' },
  InsufficientNumberOfEndpoints: {
    about: 'hints',
    from: 'topologyHints',
    message: slicePlanMessages.InsufficientNumberOfEndpoints,
    remedy: endpointsRemedy,
  },
  MinAllocationExceedsOverloadThreshold: {
    about: 'hints',
    from: 'topologyHints',
    message: slicePlanMessages.MinAllocationExceedsOverloadThreshold,
    remedy: endpointsRemedy,
  },
  NodeWithoutZone: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.NodeWithoutZone, remedy: nodesRemedy },
  NodeWithoutCPU: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.NodeWithoutCPU, remedy: nodesRemedy },
  NodesReadyInFewZones: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.NodesReadyInFewZones, remedy: nodesRemedy },
  NodesUnknown: {
    about: 'hints',
    from: 'topologyHints',
    message: 'No nodes are given, so that zones are not known and hints cannot be told.',
    remedy: 'Give the nodes, too.',
  },
  HintsByDistribution: {
    about: 'hints',
    from: 'trafficDistribution',
    message: '{count} of {ready} ready endpoints have a hint for their own {what}.',
    remedy: 'Nothing to mend.',
  },
  EndpointsWithoutHints: {
    about: 'hints',
    from: 'trafficDistributionValidated',
    message: '{count} of {ready} ready endpoints have no zone, and so no hint for it.',
    remedy: 'Label their nodes topology.kubernetes.io/zone.',
  },
  HintForZoneWithoutName: {
    about: 'hints',
    from: 'trafficDistribution',
    until: 'trafficDistributionValidated',
    message: '{count} of {ready} ready endpoints have no zone, and get a hint for the zone without a name.',
    remedy: 'Label their nodes topology.kubernetes.io/zone.',
  },
};
