import type { ReasonRow } from './reason-row.ts';

/** Root causes that only other objects than the Service and its pods show: `diagnoseService`. */
export type DiagnosisReasonCode =
  | 'WorkloadScaledToZero'
  | 'WorkloadHasNoPods'
  | 'TemplateLabelsDoNotMatch'
  | 'PodsInOtherNamespace'
  | 'NoNodeForDaemonSet'
  | 'NamespaceTerminating'
  | 'NodeNotReady'
  | 'NodeNotFound'
  | 'NoEndpointsWritten'
  | 'WrittenPortsDiffer'
  | 'ExternalNameIsIP'
  | 'ExternalNameNotFound'
  | 'ExternalNameIncomplete'
  | 'SlicesOutOfDate'
  | 'FamilyMissingInPods'
  | 'PoliciesDenyAll'
  | 'UnknownField'
  | 'PodsNotGiven';

export const diagnosisReasons: Readonly<Record<DiagnosisReasonCode, ReasonRow>> = {
  WorkloadScaledToZero: {
    about: 'cause',
    severity: 'error',
    message: 'The selector matches the pod template of {workload}, which has {field} {value}, so there are no pods.',
    remedy: 'Scale the workload up, or resume it.',
  },
  WorkloadHasNoPods: {
    about: 'cause',
    severity: 'error',
    message: 'The selector matches the pod template of {workload}, which has no pods{why}.',
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
  NoNodeForDaemonSet: {
    about: 'cause',
    severity: 'error',
    message: 'The pod template of {workload} fits no node{why}, so there are no pods.',
    remedy: 'Check the node selector, the affinity and the tolerations of the template, and the labels and taints of the nodes.',
  },
  NamespaceTerminating: {
    about: 'cause',
    severity: 'warning',
    message: 'Namespace {namespace} is being deleted, with everything in it; no new pod can start there.',
    remedy: 'Create the objects in another namespace, or again after the namespace is gone.',
  },
  NodeNotReady: {
    about: 'cause',
    severity: 'error',
    message: 'The node {node} is not ready{why}.',
    remedy: 'Check the kubelet and the network of the node, or delete the node if its machine is gone.',
  },
  NodeNotFound: {
    about: 'cause',
    severity: 'error',
    message: 'The node {node} does not exist.',
    remedy: 'Delete the pod, so that its workload replaces it on another node.',
  },
  NoEndpointsWritten: {
    about: 'cause',
    severity: 'error',
    message: 'The Service has no selector and no ready endpoint{why}.',
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
    message: 'The externalName is {target}, but {why}.',
    remedy: 'Set externalName to the name of an existing Service.',
  },
  ExternalNameIncomplete: {
    about: 'cause',
    severity: 'error',
    message: 'The externalName {target} is not a complete DNS name, and DNS does not add the domain of the cluster{meant}.',
    remedy: 'Set externalName to a complete name; that of a Service ends with the domain of the cluster.',
  },
  SlicesOutOfDate: {
    about: 'cause',
    severity: 'warning',
    message: 'The EndpointSlices of the Service are out of date: they {what}.',
    remedy: 'Check that kube-controller-manager runs; it updates EndpointSlices within seconds.',
  },
  FamilyMissingInPods: {
    about: 'cause',
    severity: 'warning',
    message: 'The Service has the families {families}, but these of its {all} ready pods have no {family} address: {pods}.',
    remedy: 'Give the nodes pod addresses of both families and recreate the pods, or make the Service single-stack.',
  },
  PoliciesDenyAll: {
    about: 'cause',
    severity: 'error',
    message: 'Network policies deny all traffic to port {port} of {pods}: no rule of {policies} allows this port.',
    remedy: 'Add an ingress rule for this port to a NetworkPolicy that selects the pods.',
  },
  UnknownField: {
    about: 'cause',
    severity: 'warning',
    message: '{path} is not a field of a {kind} and is ignored{nearest}.',
    remedy: 'Correct the name of the field, or its place in the object.',
  },
  PodsNotGiven: {
    about: 'cause',
    severity: 'warning',
    message: 'Unknown: the input has no Pods and no workloads, so it does not show what the selector {selector} matches.',
    remedy: 'Add the Pods, or the workloads that create them.',
  },
};
