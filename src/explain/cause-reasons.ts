import type { Cause, LoadBalancerCauseCode, Pod, ReadinessCauseCode, Service } from '../types/index.ts';
import type { ReasonRow } from './reason-row.ts';

/** Finds why a pod is not ready; empty if nothing prevents it. */
export type Readiness = (pod: Pod) => readonly Cause<ReadinessCauseCode>[];

/** Finds what blocks the load balancer of a Service, or its deletion; empty if nothing does. */
export type LoadBalancing = (service: Service) => readonly Cause<LoadBalancerCauseCode>[];

/** The reasons that explain `PodNotReady`. */
export const readinessReasons: Readonly<Record<ReadinessCauseCode, ReasonRow>> = {
  PodEndedNotReady: {
    about: 'pod',
    message: 'The pod has ended (phase {phase}), and so its containers are not ready.',
    remedy: 'Delete the pod, or let its owner replace it.',
  },
  StatusesUnknown: {
    about: 'pod',
    message: 'The kubelet has not reported the container statuses yet.',
    remedy: "Check that the kubelet and the container runtime of the pod's node work.",
  },
  InitContainerIncomplete: {
    about: 'pod',
    message: 'The init container {container} has not completed: {state}.',
    remedy: 'Check what it waits for: kubectl logs POD -c CONTAINER.',
  },
  ContainerUnknown: {
    about: 'pod',
    message: 'The kubelet reports no status of the container {container}.',
    remedy: "Check that the kubelet and the container runtime of the pod's node work.",
  },
  ContainerWaiting: {
    about: 'pod',
    message: 'The container {container} is not running: {state}.',
    remedy: 'Check the Events of the pod: kubectl describe pod. If the container ran before, check why it ended: kubectl logs --previous.',
  },
  ContainerEnded: {
    about: 'pod',
    message: 'The container {container} has ended: {state}.',
    remedy: 'Check why it ended: kubectl logs --previous.',
  },
  ContainerNotStarted: {
    about: 'pod',
    message: 'The container {container} runs{since}, but its startup probe has not succeeded ({probe}).',
    remedy: 'Check the probe, and whether the container needs more time to start.',
  },
  ReadinessProbeFails: {
    about: 'pod',
    message: 'The readiness probe of the container {container} fails ({probe}).',
    remedy: "Send the probe's request to the container; the Events of the pod show the response that the kubelet got.",
  },
  ContainerNotReady: {
    about: 'pod',
    message: 'The container {container} runs but is not ready, although it has no readiness probe.',
    remedy: 'Wait until the kubelet reports the pod again; until then, check the logs of the container.',
  },
  ReadinessGateMissing: {
    about: 'pod',
    message: 'The pod has no condition {gate}, which one of its readiness gates requires.',
    remedy: 'Check that the controller that sets this condition runs and watches the pod.',
  },
  ReadinessGateNotTrue: {
    about: 'pod',
    message: 'The condition {gate}, which a readiness gate of the pod requires, is {status}{details}.',
    remedy: 'Check what the controller that sets this condition waits for.',
  },
  ReadyConditionOverridden: {
    about: 'pod',
    message: 'The Ready condition is {status}, although all containers and gates are ready: a client other than the kubelet set it.',
    remedy: 'Check whether the node is unreachable: the node controller then marks its pods as not ready until the kubelet reports again.',
  },
};

const cloudRemedy = 'Check the Events of the Service and the logs of the service controller.';

/** The reasons that block the load balancer of a Service, or its deletion. */
export const loadBalancerReasons: Readonly<Record<LoadBalancerCauseCode, ReasonRow>> = {
  LoadBalancerOfOtherClass: {
    about: 'service',
    severity: 'warning',
    message: 'The Service waits for the controller of its load balancer class {class}; the service controller ignores this class.',
    remedy:
      'Check that the controller of that class runs. Without spec.loadBalancerClass, the service controller creates the load balancer.',
  },
  LoadBalancerNotPickedUp: {
    about: 'service',
    severity: 'warning',
    message: 'The Service waits for a load balancer, but no service controller has processed it: the finalizer {finalizer} is missing.',
    remedy: 'Run a service controller with a cloud that has load balancers: a cloud-controller-manager, or kubectl-endpoints run --cloud.',
  },
  LoadBalancerFailing: {
    about: 'service',
    severity: 'warning',
    message: 'The cloud fails to create or update the load balancer: {message}.',
    remedy: cloudRemedy,
  },
  LoadBalancerWithoutNodes: {
    about: 'service',
    severity: 'warning',
    message: 'The load balancer has no eligible node (nodes in the cluster: {count}){why}.',
    remedy: 'Add nodes, or remove the label or taint that excludes them; in older releases, nodes must also be ready.',
  },
  LoadBalancerPending: {
    about: 'service',
    severity: 'warning',
    message: 'The service controller has processed the Service, but the cloud has not reported a load balancer yet.',
    remedy: `Wait: clouds need minutes. ${cloudRemedy}`,
  },
  LoadBalancerWithoutNodePorts: {
    about: 'service',
    severity: 'warning',
    message: 'The Service has no node port for {ports}, and a cloud whose load balancers forward to node ports cannot reach it.',
    remedy: 'Set spec.allocateLoadBalancerNodePorts to true, unless the load balancers of the cloud reach pods without node ports.',
  },
  LoadBalancerBeingDeleted: {
    about: 'service',
    severity: 'info',
    message: 'The Service has been terminating since {time}, and waits until the cloud has deleted its load balancer.',
    remedy: `Wait; the finalizer is removed when the load balancer is deleted. ${cloudRemedy}`,
  },
  LoadBalancerCleanupPending: {
    about: 'service',
    severity: 'warning',
    message: 'The Service no longer needs a load balancer, but one may still exist: its finalizer {finalizer} is still set.',
    remedy: `Run a service controller with the cloud that created the load balancer. ${cloudRemedy}`,
  },
};
