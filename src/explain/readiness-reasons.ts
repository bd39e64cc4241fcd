import type { ReadinessCauseCode } from '../types/index.ts';
import type { ReasonRow } from './reason-row.ts';

/** What keeps a pod from being ready, below `PodNotReady`. */
export const readinessReasons: Readonly<Record<ReadinessCauseCode, ReasonRow>> = {
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
