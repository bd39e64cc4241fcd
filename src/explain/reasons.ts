import type { LoadBalancerCauseCode, ReadinessCauseCode } from '../types/index.ts';
import { loadBalancerReasons, readinessReasons } from './cause-reasons.ts';
import type { DiagnosisReasonCode } from './diagnosis-reasons.ts';
import type { ReasonRow } from './reason-row.ts';
import { type EndpointsReasonCode, endpointsReasons } from './service-reasons.ts';
import { type HintsReasonCode, hintsReasons, type SliceReasonCode, sliceReasons } from './slice-reasons.ts';

export type { ReasonRow, Severity } from './reason-row.ts';

export type PodReasonCode =
  | 'PodReady'
  | 'PodNotReady'
  | 'PodPublishedNotReady'
  | 'PodInOtherNamespace'
  | 'PodLabelsDoNotMatch'
  | 'PodTerminal'
  | 'PodFinished'
  | 'PodHasNoIP'
  | 'PodTerminating'
  | 'PodHasNoIPOfFamily'
  | 'PodIPInvalid'
  | 'PortNotFound'
  | 'PortHasNoNumber'
  | 'HostnameLeftOut'
  | 'CutByCapacity';

export type ServiceReasonCode = EndpointsReasonCode | LoadBalancerCauseCode;

/** The codes that explain the result of a release for a Service, its pods and its slices. */
export type ResultReasonCode = PodReasonCode | ReadinessCauseCode | ServiceReasonCode | SliceReasonCode | HintsReasonCode;

export type ReasonCode = ResultReasonCode | DiagnosisReasonCode;

/**
 * The reasons for results: bundles without a diagnosis do not need its reasons. Those about Endpoints and Services are here; readiness, load
 * balancers, slices and hints have their own files.
 */
export const resultReasons: Readonly<Record<ResultReasonCode, ReasonRow>> = {
  ...sliceReasons,
  ...hintsReasons,
  PodReady: { about: 'pod', message: 'The pod is ready.', remedy: 'No action is needed.' },
  PodNotReady: {
    about: 'pod',
    message: 'The pod is not ready: {why}.',
    remedy: 'Check the readiness probe, the readiness gates and the state of its containers.',
  },
  PodPublishedNotReady: {
    about: 'pod',
    message: 'The Service publishes pods that are not ready or terminating as ready ({field} is {value}).',
    remedy: 'No action is needed if clients of the Service must see such pods, for example peers in a StatefulSet.',
  },
  PodInOtherNamespace: {
    about: 'pod',
    message: 'The pod is in namespace {actual}, the Service in namespace {wanted}.',
    remedy: 'Move one of the two: a Service selects only pods of its own namespace.',
  },
  PodLabelsDoNotMatch: {
    about: 'pod',
    message: 'The selector requires {wanted}; the pod has {actual}.',
    remedy: "Change the pod template's labels or the Service's selector.",
  },
  PodTerminal: {
    about: 'pod',
    from: 'terminalPodsExcluded',
    message: 'The pod has ended with phase {phase} and never becomes an endpoint again.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodFinished: {
    about: 'pod',
    until: 'terminalPodsExcluded',
    message: 'The pod is not ready, has ended with phase {phase} and is not restarted (restartPolicy {policy}).',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodHasNoIP: {
    about: 'pod',
    message: 'The pod has no IP{why}.',
    remedy: 'Check why it is not scheduled or why its sandbox does not start: kubectl describe pod.',
  },
  PodTerminating: {
    about: 'pod',
    message: 'The pod is being deleted, with the deadline {time}.',
    remedy: 'No action is needed: a terminating pod gets no new traffic. With publishNotReadyAddresses, it stays an endpoint.',
  },
  PodHasNoIPOfFamily: {
    about: 'pod',
    from: 'addressOfServiceFamily',
    message: 'The pod has no {family} address ({actual}); the Service requires {family} ({source}).',
    remedy: "Give the pod's node an address range of that family, or change the Service's ipFamilies.",
  },
  PodIPInvalid: {
    about: 'pod',
    from: 'addressCanonicalized',
    message: 'The pod IP {ip} is invalid; it would be written as "<nil>", which the API server rejects.',
    remedy: "Find what wrote the pod's status: the kubelet or the network plug-in.",
  },
  PortNotFound: {
    about: 'pod',
    message: 'No container has a port named {target} with protocol {protocol} for the Service port {port}{declared}.',
    remedy: "Name the container port as the Service's targetPort says (names and protocols must be equal), or give a number.",
  },
  PortHasNoNumber: {
    about: 'pod',
    message: 'The target port of Service port {port} is 0, so the address is listed without that port.',
    remedy: 'Set targetPort; the API server defaults it to the port, so this object did not come from one.',
  },
  HostnameLeftOut: {
    about: 'pod',
    message: 'The host name {hostname} is not published: the subdomain is {subdomain}, the Service is named {service}.',
    remedy: "Set the pod's subdomain to the name of the headless Service.",
  },
  CutByCapacity: {
    about: 'pod',
    from: 'overCapacityTruncated',
    message: "Endpoints are truncated to {capacity} addresses, and the pod's address is not among them.",
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  ...readinessReasons,
  ...endpointsReasons,
  ...loadBalancerReasons,
};
