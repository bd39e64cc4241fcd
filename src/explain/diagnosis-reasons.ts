import type { ReasonRow } from './reason-row.ts';

/** Root causes that only other objects than the Service and its pods show: `diagnoseService`. */
export type DiagnosisReasonCode =
  | 'WorkloadScaledToZero'
  | 'WorkloadHasNoPods'
  | 'TemplateLabelsDoNotMatch'
  | 'PodsInOtherNamespace'
  | 'NodeNotReady'
  | 'NodeNotFound'
  | 'NoEndpointsWritten'
  | 'WrittenPortsDiffer'
  | 'ExternalNameIsIP'
  | 'ExternalNameNotFound'
  | 'PoliciesDenyAll'
  | 'UnknownField'
  | 'PodsNotGiven';

export const diagnosisReasons: Readonly<Record<DiagnosisReasonCode, ReasonRow>> = {
  WorkloadScaledToZero: {
    about: 'cause',
    severity: 'error',
    message: '{workload}, whose pods the selector matches, has {field} 0, so there are no pods.',
    remedy: 'Scale the workload up.',
  },
  WorkloadHasNoPods: {
    about: 'cause',
    severity: 'error',
    message: '{workload}, whose pods the selector matches, has no pods{why}.',
    remedy:
      'Check the conditions and the Events of the workload: a quota, an admission webhook or a missing service account can reject pods.',
  },
  TemplateLabelsDoNotMatch: {
    about: 'cause',
    severity: 'error',
    message: 'The selector {selector} matches no pod; the closest pod template, that of {workload}, {differences}.',
    remedy: "Change the Service's selector, or the labels of the pod template.",
  },
  PodsInOtherNamespace: {
    about: 'cause',
    severity: 'error',
    message: 'The selector {selector} matches no pod in namespace {namespace}, but {pods} in namespace {other}.',
    remedy: 'Create the Service in the namespace of its pods: a Service selects only pods of its own namespace.',
  },
  NodeNotReady: {
    about: 'cause',
    severity: 'error',
    message: 'Node {node} is not ready{why}.',
    remedy: 'Check the kubelet and the network of the node, or delete the node if its machine is gone.',
  },
  NodeNotFound: {
    about: 'cause',
    severity: 'error',
    message: 'Node {node} of the pod does not exist.',
    remedy: 'Delete the pod, so that its workload replaces it on another node.',
  },
  NoEndpointsWritten: {
    about: 'cause',
    severity: 'error',
    message: 'The Service has no selector, and no Endpoints or EndpointSlice has an address for it.',
    remedy: 'Give the Service a selector, or write an EndpointSlice with the label kubernetes.io/service-name.',
  },
  WrittenPortsDiffer: {
    about: 'cause',
    severity: 'error',
    message: 'The endpoints of the Service have no port named {port} with protocol {protocol}; they have {ports}.',
    remedy: 'Give the port in the EndpointSlice or Endpoints the name and the protocol of the Service port.',
  },
  ExternalNameIsIP: {
    about: 'cause',
    severity: 'error',
    message: 'The externalName {target} is an IP address, which DNS does not resolve as a name.',
    remedy: 'Remove externalName and the type, and write an EndpointSlice with this address.',
  },
  ExternalNameNotFound: {
    about: 'cause',
    severity: 'error',
    message: 'The externalName {target} names a Service that does not exist: {why}.',
    remedy: 'Set externalName to the name of an existing Service.',
  },
  PoliciesDenyAll: {
    about: 'cause',
    severity: 'error',
    message: 'Network policies deny all traffic to port {port} of the pods: {policies} {select} them, and no rule allows this port.',
    remedy: 'Add an ingress rule for this port to a NetworkPolicy that selects the pods.',
  },
  UnknownField: {
    about: 'cause',
    severity: 'warning',
    message: '{path} is not a field of {object}, so an API server ignores it{nearest}.',
    remedy: 'Correct the name of the field, and its place in the object.',
  },
  PodsNotGiven: {
    about: 'cause',
    severity: 'warning',
    message: 'Unknown: the input has no Pods and no workloads, so it does not show what the selector {selector} matches.',
    remedy: 'Add the Pods, or the workloads that create them.',
  },
};
