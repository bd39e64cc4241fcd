import { type HintsCode, slicePlanMessages } from '../spec/index.ts';
import type { ReasonRow } from './reason-row.ts';

/** Why slices contain or omit a pod, in addition to the reasons for Endpoints. */
export type SliceReasonCode =
  | 'SlicesNotSpecified'
  | 'SliceControllerNotStarted'
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
    until: 'slicesAreBeta',
    message: 'EndpointSlices are computed from 1.17 on, the first release with discovery.k8s.io/v1beta1.',
    remedy: 'Select 1.17 or a later release.',
  },
  SliceControllerNotStarted: {
    about: 'slices',
    until: 'sliceControllerStarted',
    message: 'The feature gate EndpointSlice is off, so kube-controller-manager does not run the EndpointSlice controller.',
    remedy: 'Turn on the feature gate EndpointSlice of all components. From 1.18 on, it is on by default.',
  },
  PodTerminatingServed: {
    about: 'slices',
    from: 'terminatingPodsIncluded',
    message:
      'The pod is being deleted, with the deadline {time}: until then, slices list it as terminating and {serving}; Endpoints no longer list it.',
    remedy: 'No action is needed: consumers use serving terminating endpoints if no endpoint is ready.',
  },
  PodEnded: {
    about: 'slices',
    until: 'terminalPodsExcluded',
    message: 'The pod has ended with phase {phase} and is not restarted (restartPolicy {policy}); slices do not list it, ready or not.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodWithoutPorts: {
    about: 'slices',
    message: "The pod has none of the Service's ports: slices list it as an endpoint without ports, Endpoints do not list it.",
    remedy: "Name the container port as the Service's targetPort says, or give a number.",
  },
  SidecarPortInEndpointsOnly: {
    about: 'slices',
    from: 'sidecarPortsFound',
    until: 'sliceSidecarPortsFound',
    message: 'For Endpoints, the Service port {port} is found in a sidecar; for slices, this release does not search sidecars.',
    remedy: 'Give targetPort as a number, or update kube-controller-manager.',
  },
  PodOfOtherFamilyOnly: {
    about: 'slices',
    from: 'addressOfServiceFamily',
    message: 'The pod has no {family} address, which Endpoints require: only slices list it.',
    remedy: 'Read EndpointSlices, which list every family of the Service.',
  },
  PodNotCutFromSlices: {
    about: 'slices',
    from: 'overCapacityTruncated',
    message: "Endpoints are truncated to {capacity} addresses, without the pod's; slices list the pod.",
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  AnnotationNotReadForSlices: {
    about: 'slices',
    until: 'tolerateUnreadyAnnotationIgnored',
    message: 'Endpoints publish the pod because of the annotation {annotation}; slices use only publishNotReadyAddresses.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  NodeMissing: {
    about: 'slices',
    from: 'missingNodeSkipped',
    message: "The pod's node {node} does not exist (nodes in the cluster: {count}): no slice lists the pod, and the sync is retried.",
    remedy: 'No action is needed while the node is being added or removed; delete the pod if its node no longer exists.',
  },
  NodeMissingStopsSync: {
    about: 'slices',
    until: 'missingNodeSkipped',
    message:
      'The node {node} of pod {pod} does not exist (nodes in the cluster: {count}): no slice of type {family} is written, for any pod.',
    remedy: 'Delete the pod whose node no longer exists, or update kube-controller-manager.',
  },
  NodeMissingPublished: {
    about: 'slices',
    from: 'missingNodeSkipped',
    message:
      "The pod's node {node} does not exist (nodes in the cluster: {count}); the pod is listed without a zone, because publishNotReadyAddresses is set.",
    remedy: 'No action is needed while the node is being added or removed; delete the pod if its node no longer exists.',
  },
  EndpointShared: {
    about: 'slices',
    until: 'endpointKeyedByTarget',
    message: 'Another pod has the same addresses of type {family}, and one endpoint represents both.',
    remedy: 'Update kube-controller-manager; later releases distinguish such endpoints by their pods.',
  },
};

const nodesRemedy = 'Ensure that every ready node outside the control plane has a zone and allocatable CPU, in at least two zones.';
const endpointsRemedy = 'Run more ready pods, in proportion to the CPU of each zone, or use trafficDistribution.';
const distributionRemedy = 'Set PreferClose (from 1.31), or PreferSameZone or PreferSameNode (from 1.34).';

export const hintsReasons: Readonly<Record<HintsReasonCode, ReasonRow>> = {
  TopologyAnnotationIgnored: {
    about: 'hints',
    until: 'topologyHints',
    message: slicePlanMessages.TopologyAnnotationIgnored,
    remedy: 'No action is needed: releases from 1.24 on support the annotation.',
  },
  TopologyAnnotationUnknown: {
    about: 'hints',
    message: slicePlanMessages.TopologyAnnotationUnknown,
    remedy: 'Set the annotation to Auto, or remove it.',
  },
  TrafficDistributionIgnored: {
    about: 'hints',
    message: slicePlanMessages.TrafficDistributionIgnored,
    remedy: distributionRemedy,
  },
  TrafficDistributionUnknown: { about: 'hints', message: slicePlanMessages.TrafficDistributionUnknown, remedy: distributionRemedy },
  TrafficDistributionOverridden: {
    about: 'hints',
    from: 'trafficDistribution',
    message: slicePlanMessages.TrafficDistributionOverridden,
    remedy: 'Remove one of the two.',
  },
  EndpointWithoutZone: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.EndpointWithoutZone, remedy: nodesRemedy },
  HintsEnabled: { about: 'hints', from: 'topologyHints', message: slicePlanMessages.HintsEnabled, remedy: 'No action is needed.' },
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
    message: 'No nodes are given, so zones are unknown and hints cannot be computed.',
    remedy: 'Pass the nodes, too.',
  },
  HintsByDistribution: {
    about: 'hints',
    from: 'trafficDistribution',
    message: 'Ready endpoints with a hint for their own {what}: {count} of {ready}.',
    remedy: 'No action is needed.',
  },
  EndpointsWithoutHints: {
    about: 'hints',
    from: 'trafficDistributionValidated',
    message: 'Ready endpoints without a zone, and therefore without a hint: {count} of {ready}.',
    remedy: 'Label their nodes topology.kubernetes.io/zone.',
  },
  HintForZoneWithoutName: {
    about: 'hints',
    from: 'trafficDistribution',
    until: 'trafficDistributionValidated',
    message: 'Ready endpoints without a zone, whose hint is for a zone with an empty name: {count} of {ready}.',
    remedy: 'Label their nodes topology.kubernetes.io/zone.',
  },
};
