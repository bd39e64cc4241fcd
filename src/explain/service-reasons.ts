import type { ReasonRow } from './reason-row.ts';

/** Reasons about the Endpoints of a whole Service. */
export type EndpointsReasonCode =
  | 'ServiceIsExternalName'
  | 'ServiceHasNoSelector'
  | 'ServiceHasNoPorts'
  | 'SelectorMatchesNothing'
  | 'SelectorIsEmpty'
  | 'NoPodEligible'
  | 'NoPodReady'
  | 'PortFoundInNoPod'
  | 'PortMissingInSomePods'
  | 'TargetPortUndeclared'
  | 'NotReadyPodsPublished'
  | 'OverCapacityWarned'
  | 'OverCapacityTruncated'
  | 'EndpointsRefused'
  | 'AnnotationWithoutEffect'
  | 'AnnotationUnreadable'
  | 'EmptyIPFamiliesPanic'
  | 'RewrittenAtEverySync';

export const endpointsReasons: Readonly<Record<EndpointsReasonCode, ReasonRow>> = {
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
    message: 'The selector {selector} matches no pod{nearest}; namespace {namespace} has {pods}.',
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
    message: 'No selected pod has the {protocol} port {target} for the Service port {port}{declared}.',
    remedy: "Name the container port as the Service's targetPort says, or give a number.",
  },
  PortMissingInSomePods: {
    about: 'service',
    severity: 'warning',
    message: '{missing} of {count} selected pods ({pods}) {lack} the {protocol} port {target} for the Service port {port}{declared}.',
    remedy:
      'No action is needed during a rolling update that adds or renames the port; otherwise give the container port the same name in all pods.',
  },
  TargetPortUndeclared: {
    about: 'service',
    severity: 'warning',
    message: 'No selected pod declares the target port {target}/{protocol} of the Service port {port}{declared}.',
    remedy:
      'Set targetPort to the port on which the application listens; if it listens on the target port, declare that port in the container.',
  },
  NotReadyPodsPublished: {
    about: 'service',
    severity: 'warning',
    message: '{count} of {all} endpoints are not ready, but get traffic, because {field} is {value}: {pods}.',
    remedy: 'Check why the pods are not ready; if clients must not see such pods, set publishNotReadyAddresses to false.',
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
};
