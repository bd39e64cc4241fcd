import { type LoadBalancerReasonCode, loadBalancerReasons, type ReadinessReasonCode, readinessReasons } from './cause-reasons.ts';
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
  | 'PortFoundNowhere'
  | 'PortMissingInSomePods'
  | 'OverCapacityWarned'
  | 'OverCapacityTruncated'
  | 'EndpointsRefused'
  | 'AnnotationDead'
  | 'AnnotationUnreadable'
  | 'EmptyIPFamiliesPanic'
  | 'RewrittenAtEverySync'
  | LoadBalancerReasonCode;

export type ReasonCode = PodReasonCode | ReadinessReasonCode | ServiceReasonCode | SliceReasonCode | HintsReasonCode;

/** All reasons. Those about Endpoints and Services are here; readiness, load balancers, slices and hints have their own files. */
export const reasons: Readonly<Record<ReasonCode, ReasonRow>> = {
  ...sliceReasons,
  ...hintsReasons,
  PodReady: { about: 'pod', message: 'The pod is ready.', remedy: 'Nothing to mend.' },
  PodNotReady: {
    about: 'pod',
    message: 'The pod is not ready: {why}.',
    remedy: 'Look at the readiness probe, the readiness gates and the state of its containers.',
  },
  PodPublishedNotReady: {
    about: 'pod',
    message: 'The Service publishes pods that are not ready or terminating as ready ({field} is {value}).',
    remedy: 'Nothing to mend where clients of the Service want to see such pods, as peers of a StatefulSet do.',
  },
  PodInOtherNamespace: {
    about: 'pod',
    message: 'The pod is in namespace {actual}, the Service in {wanted}.',
    remedy: 'A Service selects pods of its own namespace only.',
  },
  PodLabelsDoNotMatch: {
    about: 'pod',
    message: 'The selector wants {wanted}; the pod has {actual}.',
    remedy: "Change the pod template's labels or the Service's selector.",
  },
  PodTerminal: {
    about: 'pod',
    from: 'terminalPodsLeftOut',
    message: 'The pod has ended (phase {phase}) and never becomes an endpoint again.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodFinished: {
    about: 'pod',
    until: 'terminalPodsLeftOut',
    message: 'The pod is not ready, has ended (phase {phase}) and is not restarted (restartPolicy {policy}).',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  PodHasNoIP: {
    about: 'pod',
    message: 'The pod has no IP yet.',
    remedy: 'See why it is not scheduled or its sandbox does not start: kubectl describe pod.',
  },
  PodTerminating: {
    about: 'pod',
    message: 'The pod is being deleted since {time}.',
    remedy: 'Nothing to mend: traffic leaves a terminating pod. publishNotReadyAddresses keeps it in.',
  },
  PodHasNoIPOfFamily: {
    about: 'pod',
    from: 'addressOfServiceFamily',
    message: 'The pod has no {family} address ({actual}); the Service wants {family} ({source}).',
    remedy: "Give the pod's node an address range of that family, or change the Service's ipFamilies.",
  },
  PodIPInvalid: {
    about: 'pod',
    from: 'addressReprinted',
    message: 'The pod IP {ip} is no IP address; it would be written as "<nil>", which the API server refuses.',
    remedy: "Find what wrote the pod's status: the kubelet or the network plug-in.",
  },
  PortNotFound: {
    about: 'pod',
    message: 'No container has a port named {target} with protocol {protocol} for the Service port {port}.',
    remedy: "Name the container port as the Service's targetPort says (names and protocols must be equal), or give a number.",
  },
  PortHasNoNumber: {
    about: 'pod',
    message: 'The target port of Service port {port} is 0, so that the address is listed without that port.',
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
    message: 'Endpoints hold at most {capacity} addresses, and this one was cut.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  ...readinessReasons,
  ServiceIsExternalName: {
    about: 'service',
    severity: 'info',
    from: 'externalNameSkipped',
    message: 'A Service of type ExternalName gets no Endpoints; its selector is not looked at.',
    remedy: 'Drop the selector, or change the type.',
  },
  ServiceHasNoSelector: {
    about: 'service',
    severity: 'info',
    message: 'The Service has no selector: its Endpoints are left to whoever writes them{found}.',
    remedy: 'Give it a selector, or write Endpoints or EndpointSlices of the same name.',
  },
  ServiceHasNoPorts: {
    about: 'service',
    severity: 'error',
    message: 'The Service has no ports and is not headless, so that no pod becomes an endpoint.',
    remedy: 'Add ports; only a headless Service (clusterIP: None) goes without.',
  },
  SelectorMatchesNothing: {
    about: 'service',
    severity: 'error',
    message: 'The selector {selector} matches none of the {count} pods in namespace {namespace}{nearest}.',
    remedy: "Compare the selector with the labels of the pods' template.",
  },
  SelectorIsEmpty: {
    about: 'service',
    severity: 'warning',
    message: 'The selector is empty and so selects every pod in namespace {namespace}.',
    remedy: 'Remove the selector if none is meant; an API server drops an empty one.',
  },
  NoPodEligible: {
    about: 'service',
    severity: 'error',
    message: 'None of the {count} selected pods becomes an endpoint: {why}.',
    remedy: 'See the reasons of the pods.',
  },
  NoPodReady: {
    about: 'service',
    severity: 'error',
    message: 'No pod behind the Service is ready.',
    remedy: 'See the reasons of the pods.',
  },
  PortFoundNowhere: {
    about: 'service',
    severity: 'error',
    message: 'No selected pod has a port named {target} with protocol {protocol} for the Service port {port}.',
    remedy: "Name the container port as the Service's targetPort says, or give a number.",
  },
  PortMissingInSomePods: {
    about: 'service',
    severity: 'warning',
    message: '{missing} of {count} selected pods have no port named {target} with protocol {protocol} for the Service port {port}.',
    remedy: 'Nothing to mend in a rolling update that adds or renames the port; otherwise name the container port alike everywhere.',
  },
  OverCapacityWarned: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityWarned',
    until: 'overCapacityTruncated',
    message: '{count} addresses are more than the {capacity} that Endpoints should hold; later releases cut them.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  OverCapacityTruncated: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityTruncated',
    message: '{cut} of {count} addresses were cut, because Endpoints hold at most {capacity}.',
    remedy: 'Read EndpointSlices, which have no such limit.',
  },
  EndpointsRefused: {
    about: 'service',
    severity: 'warning',
    from: 'overCapacityTruncated',
    message:
      '{empty} of {count} subsets have no address left after cutting; the API server refuses such Endpoints, and those that are there stay as they are.',
    remedy: 'Let all pods offer the same port numbers, so that they share one subset; or read EndpointSlices, which are right.',
  },
  AnnotationDead: {
    about: 'service',
    severity: 'warning',
    from: 'tolerateUnreadyAnnotationDead',
    message: 'The annotation {annotation} is no longer read.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  AnnotationUnreadable: {
    about: 'service',
    severity: 'warning',
    until: 'tolerateUnreadyAnnotationDead',
    message: 'The annotation {annotation} has the value {value}, which is no boolean, and counts as absent.',
    remedy: 'Set spec.publishNotReadyAddresses instead, and remove the annotation.',
  },
  EmptyIPFamiliesPanic: {
    about: 'service',
    severity: 'warning',
    from: 'emptyIPFamiliesPanic',
    message: 'The Service has no ipFamilies, on which the endpoints controller of this release panics; answered as the mended releases do.',
    remedy: 'Set spec.ipFamilies, or update kube-controller-manager.',
  },
  RewrittenAtEverySync: {
    about: 'service',
    severity: 'warning',
    message:
      'The controller rewrites the Endpoints at every sync, because the labels it writes never compare equal to those of the Service.',
    remedy:
      "Remove the labels that the controller sets on Endpoints itself from the Service; a headless Service before 1.20 needs the controller's update.",
  },
  ...loadBalancerReasons,
};
