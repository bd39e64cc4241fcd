import type { Gate, ReleaseOptions } from '../versions/index.ts';
import { createGateLookup } from '../versions/profile.ts';
import { firstMinor } from '../versions/releases.ts';

/** The changes between releases of the kubelet's readiness semantics. */
export type ReadinessGateName =
  | 'terminalPhaseKept'
  | 'podScheduledReported'
  | 'otherConditionsKept'
  | 'readinessGatesEvaluated'
  | 'containersReadyReported'
  | 'failedRunReset'
  | 'containersReadyTimed'
  | 'evictedStatusComplete'
  | 'podIPsReported'
  | 'startedReported'
  | 'startupUnknownAtFirst'
  | 'hostNetworkInPodIPs'
  | 'startupProbesRun'
  | 'readyUnchangedUntilStarted'
  | 'unschedulableNotOwned'
  | 'deletionEndsProbes'
  | 'readinessProbedImmediately'
  | 'hostNetworkDualStack'
  | 'previousStatusKept'
  | 'readinessNeedsProbe'
  | 'terminalPhaseAwaitsContainers'
  | 'terminalPhaseNotReady'
  | 'secondHostIPAdded'
  | 'disruptionTargetShared'
  | 'finishedPodsTerminal'
  | 'sidecars'
  | 'hostIPsListed'
  | 'sandboxConditionReported'
  | 'startupProbeStopsOnSuccess'
  | 'initContainersAlwaysAwaited'
  | 'initializedFromRuntime'
  | 'generationUpdatedIfSet'
  | 'resizeConditionsOwned'
  | 'generationAlwaysSet'
  | 'sidecarProbesContinue'
  | 'restartRules'
  | 'restartConditionTimed'
  | 'statusKeptOnKubeletRestart'
  | 'sidecarStartKeptOnKubeletRestart'
  | 'initializedRemembered'
  | 'sandboxReasonReported';

/** A change between releases, as for the controllers; `reference` is absent if the pull request is not known for certain. */
export type ReadinessGate = Pick<Gate, 'since' | 'backports' | 'feature' | 'summary'> & Partial<Pick<Gate, 'reference'>>;

/** The differences between releases in how the kubelet determines readiness, sorted by release. */
export const readinessGates: Readonly<Record<ReadinessGateName, ReadinessGate>> = {
  terminalPhaseKept: {
    since: '1.10.0',
    reference: '#59767',
    summary: 'A terminal phase in the API server never changes.',
  },
  podScheduledReported: {
    since: '1.10.0',
    reference: '#61504',
    summary: 'The kubelet reports PodScheduled as True and sets its time; before, it copied the condition of the API server.',
  },
  otherConditionsKept: {
    since: '1.11.0',
    reference: '#62306',
    summary: 'The kubelet keeps conditions of other owners; before, it owned all conditions and removed others.',
  },
  readinessGatesEvaluated: {
    since: '1.11.0',
    reference: '#64344',
    summary: 'A pod is ready only if the conditions of its readiness gates are True.',
  },
  containersReadyReported: {
    since: '1.11.0',
    reference: '#64646',
    summary: 'ContainersReady reports whether all containers are ready.',
  },
  failedRunReset: {
    since: '1.11.0',
    summary: 'A failed liveness probe starts again with no failures; before, one failure was already counted for the new container.',
  },
  containersReadyTimed: {
    since: '1.12.0',
    reference: '#64867',
    summary: 'ContainersReady has a transition time.',
  },
  evictedStatusComplete: {
    since: '1.13.0',
    summary: 'The status of an evicted pod has addresses, container statuses and conditions of other owners.',
  },
  podIPsReported: { since: '1.16.0', reference: '#73977', summary: 'podIPs lists the addresses of a pod.' },
  startedReported: {
    since: '1.16.0',
    reference: '#77807',
    summary: 'The field started shows which containers have started; readiness and liveness probes wait for it.',
  },
  startupUnknownAtFirst: {
    since: '1.17.0',
    reference: '#84279',
    summary: 'The result of a startup probe is unknown before the first probe; before, it was a failure.',
  },
  hostNetworkInPodIPs: { since: '1.18.0', summary: 'The podIPs of a pod with hostNetwork contain the address of its node.' },
  startupProbesRun: { since: '1.18.0', feature: { name: 'StartupProbe' }, summary: 'The kubelet runs startup probes.' },
  readyUnchangedUntilStarted: {
    since: '1.19.0',
    backports: ['1.18.6'],
    summary: 'The ready field of a container that has not started is left unchanged.',
  },
  unschedulableNotOwned: { since: '1.20.0', summary: 'The kubelet does not own conditions of type Unschedulable.' },
  deletionEndsProbes: {
    since: '1.21.0',
    backports: ['1.18.18', '1.19.10', '1.20.6'],
    summary: 'Startup and liveness probes of a pod that is being deleted succeed and end.',
  },
  readinessProbedImmediately: {
    since: '1.21.0',
    summary: 'Generating the status triggers an immediate readiness probe of each container whose probe has not succeeded.',
  },
  hostNetworkDualStack: {
    since: '1.21.0',
    feature: { name: 'IPv6DualStack', from: 20 },
    summary: 'A pod with hostNetwork has both addresses of its node.',
  },
  previousStatusKept: {
    since: '1.22.0',
    summary: 'The kubelet derives a status from its previous one: a terminal phase stays terminal, and reason and message are kept.',
  },
  readinessNeedsProbe: {
    since: '1.22.0',
    summary: 'A running container without a readiness probe is ready, regardless of stored probe results.',
  },
  terminalPhaseAwaitsContainers: {
    since: '1.24.0',
    backports: ['1.22.9', '1.23.6'],
    summary: 'A terminal phase is written only after all containers have ended.',
  },
  terminalPhaseNotReady: {
    since: '1.25.0',
    backports: ['1.22.11', '1.23.8', '1.24.2'],
    summary: 'Containers of a failed pod are not ready, and a status with a terminal phase is never written as ready.',
  },
  secondHostIPAdded: {
    since: '1.24.0',
    backports: ['1.23.4'],
    summary: 'If the node gets a second address, a pod with hostNetwork gets it, too.',
  },
  disruptionTargetShared: {
    since: '1.26.0',
    feature: { name: 'PodDisruptionConditions', from: 26 },
    summary: 'The kubelet and other components write the condition DisruptionTarget.',
  },
  finishedPodsTerminal: {
    since: '1.27.0',
    summary: 'A pod whose containers will not be restarted gets a terminal phase, regardless of its restart policy.',
  },
  sidecars: { since: '1.28.0', summary: 'Init containers with restartPolicy Always count for the phase and for ContainersReady.' },
  hostIPsListed: { since: '1.29.0', feature: { name: 'PodHostIPs' }, summary: 'hostIPs lists the addresses of the node.' },
  sandboxConditionReported: {
    since: '1.29.0',
    feature: { name: 'PodReadyToStartContainersCondition' },
    summary: "PodReadyToStartContainers reports whether the pod's sandbox is ready.",
  },
  startupProbeStopsOnSuccess: { since: '1.32.0', summary: 'A startup probe that has succeeded does not run again.' },
  initContainersAlwaysAwaited: {
    since: '1.32.0',
    feature: { name: 'SidecarContainers', from: 32 },
    summary: 'A pod whose init containers (except sidecars) must run again is Pending, even if other containers have run.',
  },
  initializedFromRuntime: {
    since: '1.33.0',
    summary: 'The container runtime, not the status, determines whether a pod has been initialized.',
  },
  generationUpdatedIfSet: { since: '1.33.0', summary: 'An observedGeneration that is already set is updated.' },
  resizeConditionsOwned: {
    since: '1.33.0',
    summary: 'The kubelet owns PodResizePending and PodResizeInProgress.',
  },
  generationAlwaysSet: {
    since: '1.34.0',
    feature: { name: 'PodObservedGenerationTracking' },
    summary: 'observedGeneration is always set.',
  },
  sidecarProbesContinue: {
    since: '1.35.0',
    backports: ['1.33.6', '1.34.2'],
    summary: 'The probes of a sidecar continue after it has ended, even in a pod with restartPolicy Never.',
  },
  restartRules: {
    since: '1.35.0',
    feature: { name: 'ContainerRestartRules' },
    summary: 'Containers may have their own restart policies and restart rules.',
  },
  restartConditionTimed: {
    since: '1.35.0',
    summary: 'The kubelet sets the transition time of the condition AllContainersRestarting.',
  },
  statusKeptOnKubeletRestart: {
    since: '1.35.0',
    feature: { name: 'ChangeContainerStatusOnKubeletRestart', inverted: true },
    summary: 'Containers that ran before a restart of the kubelet stay started and ready.',
  },
  sidecarStartKeptOnKubeletRestart: {
    since: '1.36.0',
    backports: ['1.35.4'],
    summary: 'The startup probe of a sidecar that had started before a restart of the kubelet counts as succeeded.',
  },
  initializedRemembered: {
    since: '1.36.0',
    feature: { name: 'RestartAllContainersOnContainerExits' },
    summary: 'A restart rule of one container can restart all containers of the pod; a pod that was initialized stays initialized.',
  },
  sandboxReasonReported: { since: '1.37.0', summary: 'PodReadyToStartContainers reports why the sandbox is not ready.' },
};

/** Whether each gate of this module is on in a release. */
export type ReadinessSettings = Readonly<Record<ReadinessGateName, boolean>>;

/** The release, "1.9" to "1.37" or a patch release of one, and its feature gates. */
export type ReadinessVersion = ReleaseOptions;

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range, or an invalid feature gate
 */
export const readinessSettings = ({ version, featureGates }: ReadinessVersion = {}): ReadinessSettings => settingsOf(version, featureGates);

const settingsOf = /* @__PURE__ */ createGateLookup(readinessGates, firstMinor);
