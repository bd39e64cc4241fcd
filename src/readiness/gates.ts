import type { Gate } from '../versions/index.ts';
import { gateTable } from '../versions/profile.ts';

/** The changes between releases of the kubelet's readiness semantics. */
export type ReadinessGateName =
  | 'hostNetworkListed'
  | 'startupProbesRun'
  | 'readyOnceStarted'
  | 'unschedulableLeftAlone'
  | 'deletionEndsProbes'
  | 'readinessRunAtOnce'
  | 'hostNetworkDualStack'
  | 'formerStatusKept'
  | 'readinessNeedsProbe'
  | 'endAwaitsContainers'
  | 'endedIsNotReady'
  | 'secondAddressAdded'
  | 'disruptionShared'
  | 'finishedPodsEnd'
  | 'sidecars'
  | 'hostIPsListed'
  | 'networkTold'
  | 'startupHeldOnSuccess'
  | 'initContainersAlwaysAwaited'
  | 'activeContainersAsked'
  | 'generationKept'
  | 'resizeOwned'
  | 'generationTold'
  | 'sidecarProbesGoOn'
  | 'restartRules'
  | 'kubeletRestartKept'
  | 'sidecarStartKept'
  | 'initializedRemembered'
  | 'networkReasonTold';

/** A change between releases, like the gates of the controllers, but without a reference: docs/semantics lists the sources. */
export type ReadinessGate = Pick<Gate, 'since' | 'backports' | 'summary'>;

/** Sorted by release. */
export const readinessGates: Readonly<Record<ReadinessGateName, ReadinessGate>> = {
  hostNetworkListed: { since: '1.18.0', summary: 'The address of a pod on the network of its node stands in podIPs, too.' },
  startupProbesRun: { since: '1.18.0', summary: 'Startup probes are made.' },
  readyOnceStarted: { since: '1.19.0', backports: ['1.18.6'], summary: 'A container that has not started keeps the readiness it has.' },
  unschedulableLeftAlone: { since: '1.20.0', summary: "A condition of type Unschedulable is not the kubelet's." },
  deletionEndsProbes: {
    since: '1.21.0',
    backports: ['1.18.18', '1.19.10', '1.20.6'],
    summary: 'Startup and liveness probes of a pod that is being deleted succeed and end.',
  },
  readinessRunAtOnce: {
    since: '1.21.0',
    summary: 'A readiness probe that has not succeeded is made at once when the status is generated.',
  },
  hostNetworkDualStack: { since: '1.21.0', summary: 'A pod on the network of its node has both of its addresses.' },
  formerStatusKept: {
    since: '1.22.0',
    summary: 'The status that the kubelet keeps is the base of the next: its phase does not leave the end, its reason and message stay.',
  },
  readinessNeedsProbe: {
    since: '1.22.0',
    summary: 'A container that runs and has no readiness probe is ready, whatever was stored of one.',
  },
  endAwaitsContainers: {
    since: '1.24.0',
    backports: ['1.22.9', '1.23.6'],
    summary: 'A phase that is an end is not written while containers may run.',
  },
  endedIsNotReady: {
    since: '1.25.0',
    backports: ['1.22.11', '1.23.8', '1.24.2'],
    summary: 'Containers of a pod that has failed are not ready, and what is written of an end is never ready.',
  },
  secondAddressAdded: {
    since: '1.24.0',
    backports: ['1.23.4'],
    summary: 'A pod on the network of its node gets the second address when the node does.',
  },
  disruptionShared: { since: '1.26.0', summary: 'The kubelet writes DisruptionTarget, as others do.' },
  finishedPodsEnd: { since: '1.27.0', summary: 'A pod that is known not to be restarted ends, whatever its restart policy.' },
  sidecars: { since: '1.28.0', summary: 'Init containers that are always restarted count for the phase and for ContainersReady.' },
  hostIPsListed: { since: '1.29.0', summary: 'hostIPs lists the addresses of the node.' },
  networkTold: { since: '1.29.0', summary: 'PodReadyToStartContainers tells whether the sandbox is there.' },
  startupHeldOnSuccess: { since: '1.32.0', summary: 'A startup probe that has succeeded is not made again.' },
  initContainersAlwaysAwaited: {
    since: '1.32.0',
    summary: 'A pod whose init containers, sidecars apart, have to run again is pending even where other containers have run.',
  },
  activeContainersAsked: { since: '1.33.0', summary: 'Whether a pod has been initialized is asked of the runtime.' },
  generationKept: { since: '1.33.0', summary: 'observedGeneration is kept up where it is told.' },
  resizeOwned: { since: '1.33.0', summary: "PodResizePending and PodResizeInProgress are the kubelet's." },
  generationTold: { since: '1.34.0', summary: 'observedGeneration is told.' },
  sidecarProbesGoOn: {
    since: '1.35.0',
    backports: ['1.33.6', '1.34.2'],
    summary: 'The probes of a sidecar that ended go on in a pod that is never restarted.',
  },
  restartRules: { since: '1.35.0', summary: 'Containers have restart policies and rules of their own.' },
  kubeletRestartKept: { since: '1.35.0', summary: 'Containers that ran before the kubelet was restarted stay started and ready.' },
  sidecarStartKept: {
    since: '1.36.0',
    backports: ['1.35.4'],
    summary: 'The startup probe of a sidecar that had started before the kubelet was restarted has succeeded.',
  },
  initializedRemembered: {
    since: '1.36.0',
    summary: 'All containers of a pod can be restarted at once, by a rule of one of them; a pod that has been initialized stays so.',
  },
  networkReasonTold: { since: '1.37.0', summary: 'PodReadyToStartContainers tells why there is no sandbox.' },
};

/** Whether each gate of this module is on in a release. */
export type ReadinessSettings = Readonly<Record<ReadinessGateName, boolean>>;

export interface ReadinessVersion {
  /** "1.17" to "1.37" or a patch release of one; the newest by default. */
  readonly version?: string | undefined;
}

/**
 * The gates of a release.
 * @throws RangeError naming the accepted range
 */
export const readinessSettings = ({ version }: ReadinessVersion = {}): ReadinessSettings => settingsOf(version);

const settingsOf = /* @__PURE__ */ gateTable(readinessGates);
