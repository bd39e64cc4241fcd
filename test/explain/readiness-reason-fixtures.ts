import type { Pod, PodStatus } from '../../src/types/index.ts';
import { runningState, statusOf, terminatedState, waitingState } from '../readiness/pods.ts';
import { makePod } from '../spec/objects.ts';
import type { ReasonFixture } from './reason-fixtures.ts';

/** An unready pod with the container "app", and the given fields. */
const makeUnreadyPod = (status: PodStatus, spec: Pod['spec'] = {}): Pod => {
  const conditions = [{ type: 'Ready', status: 'False' }, ...(status.conditions ?? [])];
  return makePod('a', { spec: { containers: [{ name: 'app' }], ...spec }, status: { ...status, conditions } });
};

const readyStatuses = [statusOf('app', runningState())];
const notReadyStatus = statusOf('app', runningState(), { ready: false });

/** Every reason that may follow `PodNotReady`. */
export const readinessFixtures: readonly ReasonFixture[] = [
  {
    code: 'PodEndedNotReady',
    version: '1.21',
    pods: [makeUnreadyPod({ phase: 'Succeeded', containerStatuses: readyStatuses }, { restartPolicy: 'Always' })],
    message: 'The pod has ended (phase Succeeded), and so its containers are not ready.',
    path: 'pod.status.phase',
  },
  {
    code: 'StatusesUnknown',
    pods: [makePod('a', { status: { conditions: [{ type: 'Ready', status: 'False', reason: 'UnknownContainerStatuses' }] } })],
    message: 'The kubelet has not reported the container statuses yet.',
    path: 'pod.status.containerStatuses',
  },
  {
    code: 'InitContainerIncomplete',
    pods: [
      makeUnreadyPod(
        { initContainerStatuses: [statusOf('init', waitingState('ImagePullBackOff'))] },
        { initContainers: [{ name: 'init' }] },
      ),
    ],
    message: 'The init container init has not completed: waiting: ImagePullBackOff.',
    path: 'pod.status.initContainerStatuses[0].state',
  },
  {
    code: 'ContainerUnknown',
    pods: [makeUnreadyPod({ containerStatuses: readyStatuses }, { containers: [{ name: 'app' }, { name: 'other' }] })],
    message: 'The kubelet reports no status of the container other.',
    path: 'pod.spec.containers[1]',
  },
  {
    code: 'ContainerWaiting',
    pods: [makeUnreadyPod({ containerStatuses: [statusOf('app', waitingState(), { lastState: terminatedState(1), restartCount: 2 })] })],
    message: 'The container app is not running: waiting: ContainerCreating; last ended with code 1 (Error), restarted 2 times.',
    path: 'pod.status.containerStatuses[0].state.waiting',
  },
  {
    code: 'ContainerEnded',
    pods: [makeUnreadyPod({ containerStatuses: [statusOf('app', terminatedState(137, 'OOMKilled'))] })],
    message: 'The container app has ended: ended with code 137 (OOMKilled).',
    path: 'pod.status.containerStatuses[0].state.terminated',
  },
  {
    code: 'ContainerNotStarted',
    pods: [
      makeUnreadyPod(
        { containerStatuses: [statusOf('app', runningState(), { ready: false, started: false })] },
        { containers: [{ name: 'app', startupProbe: { tcpSocket: { port: 80 }, failureThreshold: 30 } }] },
      ),
    ],
    message:
      'The container app runs since 2026-01-01T00:00:00Z, but its startup probe has not succeeded (TCP on port 80, every 10 s, failing after 30).',
    path: 'pod.spec.containers[0].startupProbe',
  },
  {
    code: 'ReadinessProbeFails',
    pods: [
      makeUnreadyPod(
        { containerStatuses: [notReadyStatus] },
        { containers: [{ name: 'app', readinessProbe: { httpGet: { path: '/ok', port: 80 } } }] },
      ),
    ],
    message: 'The readiness probe of the container app fails (HTTP GET /ok on port 80, every 10 s, failing after 3).',
    path: 'pod.spec.containers[0].readinessProbe',
  },
  {
    code: 'ContainerNotReady',
    pods: [makeUnreadyPod({ containerStatuses: [notReadyStatus] })],
    message: 'The container app runs but is not ready, although it has no readiness probe.',
    path: 'pod.status.containerStatuses[0].ready',
  },
  {
    code: 'ReadinessGateMissing',
    pods: [makeUnreadyPod({ containerStatuses: readyStatuses }, { readinessGates: [{ conditionType: 'a/b' }] })],
    message: 'The pod has no condition "a/b", which one of its readiness gates requires.',
    path: 'pod.spec.readinessGates[0]',
  },
  {
    code: 'ReadinessGateNotTrue',
    pods: [
      makeUnreadyPod(
        { containerStatuses: readyStatuses, conditions: [{ type: 'a/b', status: 'False', reason: 'Draining' }] },
        { readinessGates: [{ conditionType: 'a/b' }] },
      ),
    ],
    message: 'The condition "a/b", which a readiness gate of the pod requires, is "False" (Draining).',
    path: 'pod.spec.readinessGates[0]',
  },
  {
    code: 'ReadyConditionOverridden',
    pods: [makeUnreadyPod({ containerStatuses: readyStatuses })],
    message: 'The Ready condition is False, although all containers and gates are ready: a client other than the kubelet set it.',
    path: 'pod.status.conditions[Ready]',
  },
];
