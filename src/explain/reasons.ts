import type { LoadBalancerCauseCode, ReadinessCauseCode } from '../types/index.ts';
import { loadBalancerReasons, readinessReasons } from './cause-reasons.ts';
import type { ReasonRow } from './reason-row.ts';
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

export type ServiceReasonCode =
  | 'ServiceIsExternalName'
  | 'ServiceHasNoSelector'
  | 'ServiceHasNoPorts'
  | 'SelectorMatchesNothing'
  | 'SelectorIsEmpty'
  | 'NoPodEligible'
  | 'NoPodReady'
  | 'PortFoundInNoPod'
  | 'PortMissingInSomePods'
  | 'OverCapacityWarned'
  | 'OverCapacityTruncated'
  | 'EndpointsRefused'
  | 'AnnotationWithoutEffect'
  | 'AnnotationUnreadable'
  | 'EmptyIPFamiliesPanic'
  | 'RewrittenAtEverySync'
  | LoadBalancerCauseCode;

export type ReasonCode = PodReasonCode | ReadinessCauseCode | ServiceReasonCode | SliceReasonCode | HintsReasonCode;

/** All reasons. Those about Endpoints and Services are here; readiness, load balancers, slices and hints have their own files. */
export const reasons: Readonly<Record<ReasonCode, ReasonRow>> = {
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
    message: 'The pod has ended (phase {phase}) and never becomes an endpoint again.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodFinished: {
    about: 'pod',
    until: 'terminalPodsExcluded',
    message: 'The pod is not ready, has ended (phase {phase}) and is not restarted (restartPolicy {policy}).',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodHasNoIP: {
    about: 'pod',
    message: 'The pod has no IP yet.',
    remedy: 'Check why it is not scheduled or why its sandbox does not start: kubectl describe pod.',
  },
  PodTerminating: {
    about: 'pod',
    message: 'The pod has been terminating since {time}.',
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
    message: 'No container has a port named {target} with protocol {protocol} for the Service port {port}.',
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
  ServiceIsExternalName: {
    about: 'service',
    severity: 'info',
    from: 'externalNameSkipped',
    message: 'A Service of type ExternalName gets no Endpoints; its selector is ignored.',
    remedy: 'Remove the selector, or change the type.',
  },
  ServiceHasNoSelector: {
    about: 'service',
    severity: 'info',
    message: 'The Service has no selector, so the endpoints controller does not write its Endpoints{found}.',
    remedy: 'Give it a selector, or write Endpoints or EndpointSlices of the same name.',
  },
  ServiceHasNoPorts: {
    about: 'service',
    severity: 'error',
    message: 'The Service has no ports and is not headless, so no pod becomes an endpoint.',
    remedy: 'Add ports; only a headless Service (clusterIP: None) may have none.',
  },
  SelectorMatchesNothing: {
    about: 'service',
    severity: 'error',
    message: 'The selector {selector} matches no pod; namespace {namespace} has {pods}{nearest}.',
    remedy: 'Compare the selector with the labels in the pod template.',
  },
  SelectorIsEmpty: {
    about: 'service',
    severity: 'warning',
    message: 'The selector is empty, so it selects every pod in namespace {namespace}.',
    remedy: 'Remove the selector if the Service should have none; an API server drops an empty selector.',
  },
  NoPodEligible: {
    about: 'service',
    severity: 'error',
    message: 'No selected pod can be an endpoint: {why}.',
    remedy: 'Check the reasons of the pods.',
  },
  NoPodReady: {
    about: 'service',
    severity: 'error',
    message: "None of the Service's endpoints is ready.",
    remedy: 'Check the reasons of the pods.',
  },
  PortFoundInNoPod: {
    about: 'service',
    severity: 'error',
    message: 'No selected pod has a port named {target} with protocol {protocol} for the Service port {port}.',
    remedy: "Name the container port as the Service's targetPort says, or give a number.",
  },
  PortMissingInSomePods: {
    about: 'service',
    severity: 'warning',
    message:
      'The port named {target} with protocol {protocol} for the Service port {port} is missing in {missing} of {count} selected pods.',
    remedy:
      'No action is needed during a rolling update that adds or renames the port; otherwise give the container port the same name in all pods.',
  },
  OverCapacityWarned: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityWarned',
    until: 'overCapacityTruncated',
    message: 'The Endpoints have {count} addresses, but should have at most {capacity}; later releases truncate them.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  OverCapacityTruncated: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityTruncated',
    message: '{cut} of {count} addresses are missing, because Endpoints are truncated to {capacity}.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  EndpointsRefused: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityTruncated',
    message:
      '{empty} of {count} subsets have no address after truncation; the API server rejects such Endpoints, so the existing Endpoints stay unchanged.',
    remedy: 'Let all pods offer the same port numbers, so that they share one subset, or read EndpointSlices, which have no such limit.',
  },
  AnnotationWithoutEffect: {
    about: 'service',
    severity: 'warning',
    from: 'tolerateUnreadyAnnotationIgnored',
    message: 'The annotation {annotation} is no longer read.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  AnnotationUnreadable: {
    about: 'service',
    severity: 'warning',
    until: 'tolerateUnreadyAnnotationIgnored',
    message: 'The annotation {annotation} has the value {value}, which is not a boolean, and is ignored.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  EmptyIPFamiliesPanic: {
    about: 'service',
    severity: 'warning',
    from: 'emptyIPFamiliesPanic',
    message:
      'The Service has no ipFamilies, which makes the endpoints controller of this release panic; the result is that of the fixed releases.',
    remedy: 'Set spec.ipFamilies, or update kube-controller-manager.',
  },
  RewrittenAtEverySync: {
    about: 'service',
    severity: 'warning',
    message:
      'The controller rewrites the Endpoints at every sync, because the labels it writes never compare equal to those of the Service.',
    remedy:
      'Remove labels from the Service that the controller itself sets on Endpoints; for a headless Service before 1.20, update kube-controller-manager.',
  },
  ...loadBalancerReasons,
};
