import type { Cause, Pod, Service } from '../types/index.ts';
import type { ReasonRow } from './reason-row.ts';

/** Why a pod is not ready: the codes of `kube-endpoints/readiness`. */
export type ReadinessReasonCode =
  | 'PodEndedNotReady'
  | 'StatusesUnknown'
  | 'InitContainerIncomplete'
  | 'ContainerUnknown'
  | 'ContainerWaiting'
  | 'ContainerEnded'
  | 'ContainerNotStarted'
  | 'ReadinessProbeFails'
  | 'ContainerNotReady'
  | 'ReadinessGateMissing'
  | 'ReadinessGateNotTrue'
  | 'NotReadyByAnother';

/** Why a Service has no working load balancer: the codes of `kube-endpoints/load-balancer`. */
export type LoadBalancerReasonCode =
  | 'LoadBalancerOfOtherClass'
  | 'LoadBalancerNotPickedUp'
  | 'LoadBalancerFailing'
  | 'LoadBalancerWithoutNodes'
  | 'LoadBalancerAwaited'
  | 'LoadBalancerWithoutNodePorts'
  | 'LoadBalancerBeingDeleted'
  | 'LoadBalancerCleanupOwed';

/** Finds why a pod is not ready; empty if nothing prevents it. */
export type Readiness = (pod: Pod) => readonly Cause<ReadinessReasonCode>[];

/** Finds what blocks the load balancer of a Service, or its deletion; empty if nothing does. */
export type LoadBalancing = (service: Service) => readonly Cause<LoadBalancerReasonCode>[];

/** The reasons below `PodNotReady`. */
export const readinessReasons: Readonly<Record<ReadinessReasonCode, ReasonRow>> = {
  PodEndedNotReady: {
    about: 'pod',
    message: 'The pod has ended (phase {phase}), and so its containers are not ready.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  StatusesUnknown: {
    about: 'pod',
    message: 'The kubelet knows nothing of the containers yet.',
    remedy: "See whether the kubelet and the container runtime of the pod's node work.",
  },
  InitContainerIncomplete: {
    about: 'pod',
    message: 'The init container {container} has not completed: {state}.',
    remedy: 'See what it waits for: kubectl logs -c with its name.',
  },
  ContainerUnknown: {
    about: 'pod',
    message: 'Nothing is known of the container {container}.',
    remedy: "See whether the kubelet and the container runtime of the pod's node work.",
  },
  ContainerWaiting: {
    about: 'pod',
    message: 'The container {container} does not run: {state}.',
    remedy: 'See the events of the pod, and why it ended before: kubectl logs --previous.',
  },
  ContainerEnded: {
    about: 'pod',
    message: 'The container {container} runs no more: {state}.',
    remedy: 'See why it ended: kubectl logs --previous.',
  },
  ContainerNotStarted: {
    about: 'pod',
    message: 'The container {container} runs{since}, but its startup probe has not succeeded ({probe}).',
    remedy: 'See what the probe asks for, and whether the container needs longer to start.',
  },
  ReadinessProbeFails: {
    about: 'pod',
    message: 'The readiness probe of the container {container} does not succeed ({probe}).',
    remedy: 'Ask the container what the probe asks; see the events of the pod for the answer it got.',
  },
  ContainerNotReady: {
    about: 'pod',
    message: 'The container {container} runs and is not ready, without a probe that would tell why.',
    remedy: 'Wait for the next status of the kubelet; see whether the pod was changed since.',
  },
  ReadinessGateMissing: {
    about: 'pod',
    message: 'The pod has no condition {gate}, which one of its readiness gates asks for.',
    remedy: 'See whether the controller that sets this condition runs and knows the pod.',
  },
  ReadinessGateNotTrue: {
    about: 'pod',
    message: 'The condition {gate}, which a readiness gate of the pod asks for, is {status}{details}.',
    remedy: 'See what the controller that sets this condition waits for.',
  },
  NotReadyByAnother: {
    about: 'pod',
    message: 'The Ready condition is {status}, although all containers and gates are ready: not the kubelet has set it.',
    remedy: 'See whether the node is lost: its pods are then marked until its kubelet is back.',
  },
};

const cloudRemedy = 'See the Events of the Service and the logs of the service controller.';

/** The reasons that block the load balancer of a Service, or its deletion. */
export const loadBalancerReasons: Readonly<Record<LoadBalancerReasonCode, ReasonRow>> = {
  LoadBalancerOfOtherClass: {
    about: 'service',
    severity: 'info',
    message: 'The load balancer is left to who sees to the class {class}: the service controller passes over a Service with a class.',
    remedy: 'See whether the controller of that class runs; without spec.loadBalancerClass the service controller makes the load balancer.',
  },
  LoadBalancerNotPickedUp: {
    about: 'service',
    severity: 'warning',
    message: 'The Service waits for a load balancer, and no service controller has taken it up: it has no finalizer {finalizer}.',
    remedy: 'Run a service controller with a cloud that has load balancers: a cloud-controller-manager, or kubectl-endpoints run --cloud.',
  },
  LoadBalancerFailing: {
    about: 'service',
    severity: 'warning',
    message: 'The cloud does not bring about what the Service asks of its load balancer; last: {message}.',
    remedy: cloudRemedy,
  },
  LoadBalancerWithoutNodes: {
    about: 'service',
    severity: 'warning',
    message: 'No node may be behind the load balancer (nodes there are: {count}){why}.',
    remedy: 'Add nodes, or take away the label or the taint that keeps them out; in older releases nodes have to be ready, too.',
  },
  LoadBalancerAwaited: {
    about: 'service',
    severity: 'warning',
    message: 'The service controller has taken the Service up, and the cloud has not told of a load balancer yet.',
    remedy: `Wait: clouds take minutes. ${cloudRemedy}`,
  },
  LoadBalancerWithoutNodePorts: {
    about: 'service',
    severity: 'warning',
    message: 'The Service has no node port for {ports}, and a cloud whose load balancers go by node ports cannot forward to it.',
    remedy: 'Set spec.allocateLoadBalancerNodePorts to true, unless the load balancers of the cloud reach pods without node ports.',
  },
  LoadBalancerBeingDeleted: {
    about: 'service',
    severity: 'info',
    message: 'The Service is being deleted since {time}, and waits until the cloud has deleted its load balancer.',
    remedy: `Wait; the finalizer goes when the load balancer is gone. ${cloudRemedy}`,
  },
  LoadBalancerCleanupOwed: {
    about: 'service',
    severity: 'warning',
    message: 'The Service wants no load balancer any more, but one may still be there: its finalizer {finalizer} is not gone.',
    remedy: `Run a service controller with the cloud that made the load balancer. ${cloudRemedy}`,
  },
};
