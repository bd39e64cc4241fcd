import { parseInstant } from '../spec/index.ts';
import type { Container, ContainerStatus, Optional, Pod, PodStatus, Probe, Timestamp } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { isRestarted, isSidecar, isTerminalPhase, shouldRestartAll, statusOf } from './statuses.ts';

export type ProbeKind = 'startup' | 'readiness' | 'liveness';

/** The stored result of a probe. A container is restarted if its startup or liveness probe has failed. */
export type ProbeResult = 'success' | 'failure' | 'unknown';

/** The state of the worker of one probe of one container. Plain data. */
export interface ProbeState {
  /** The ID of the container that was last seen. */
  readonly containerID: string;
  /** The stored result for this container; undefined if unknown. */
  readonly result?: ProbeResult | undefined;
  /** The outcome of the last probe; undefined before the first. */
  readonly last?: ProbeResult | undefined;
  /** How many times in a row the last outcome occurred; 0 after probing was suspended. */
  readonly run: number;
  /** Whether probing is suspended until there is a new container. */
  readonly onHold: boolean;
  /** Whether the worker has ended permanently. */
  readonly ended: boolean;
}

export interface ProbeOptions extends ReadinessVersion {
  readonly kind: ProbeKind;
  readonly pod: Pod;
  /** The name of the container. It must have a probe of this kind. */
  readonly container: string;
  /** When the kubelet started; by default, long before any container. */
  readonly kubeletStart?: Timestamp | undefined;
}

/** The inputs at the time of a probe. */
export interface ProbeTime {
  readonly now: Timestamp;
  /** The pod's status as the kubelet stores it. Before the first sync, leave it out. */
  readonly status?: PodStatus | undefined;
  /** Whether the pod is being deleted. */
  readonly deleted?: boolean | undefined;
}

export interface ProbeMachine {
  readonly start: ProbeState;
  /** Seconds between two probes. */
  readonly periodSeconds: number;
  /** Returns the state at this time, and whether to run a probe now. Pass the outcome of the probe to `answer`. */
  tick(state: ProbeState, time: ProbeTime): { readonly state: ProbeState; readonly probes: boolean };
  /** Returns the state after an outcome, which is "error" if the probe could not run. @throws RangeError for an unknown outcome */
  answer(state: ProbeState, outcome: ProbeResult | 'error'): ProbeState;
}

/**
 * Creates the probe worker of a release's kubelet. Mirrors `newWorker` and `doProbe`.
 * @throws RangeError for an unknown version
 * @throws TypeError if the container has no such probe
 */
export function createProbe(options: ProbeOptions): ProbeMachine {
  const settings = readinessSettings(options);
  const { pod, kind } = options;
  const container = findProbedContainer(options, settings);
  const probe = container[`${kind}Probe`] as Probe;
  const worker: Worker = {
    kind,
    pod,
    container,
    settings,
    initialDelaySeconds: probe.initialDelaySeconds || 0,
    kubeletStart: options.kubeletStart,
  };
  const thresholds: Readonly<Record<ProbeResult, number>> = {
    success: probe.successThreshold || 1,
    failure: probe.failureThreshold || 3,
    unknown: 0,
  };
  return {
    start: { containerID: '', run: 0, onHold: false, ended: false },
    periodSeconds: probe.periodSeconds || 10,
    tick: (state, time) => (state.ended ? { state, probes: false } : tick(worker, state, time)),
    answer(state, outcome) {
      if (outcome !== 'error' && !Object.hasOwn(thresholds, outcome)) {
        throw new RangeError(`outcome must be "success", "failure", "unknown" or "error", got ${String(outcome)}`);
      }
      if (outcome === 'error' || state.ended) return state;
      const run = state.last === outcome ? state.run + 1 : 1;
      const countedState = { ...state, last: outcome, run };
      if (run < thresholds[outcome]) return countedState;
      return {
        ...countedState,
        result: outcome,
        ...(putsOnHold(kind, outcome, settings) && { onHold: true, run: settings.failedRunReset ? 0 : 1 }),
      };
    },
  };
}

/** Whether this outcome suspends probing until there is a new container. */
const putsOnHold = (kind: ProbeKind, outcome: ProbeResult, { startupProbeStopsOnSuccess }: ReadinessSettings): boolean =>
  (kind === 'startup' && startupProbeStopsOnSuccess) || (kind !== 'readiness' && outcome === 'failure');

interface Worker {
  readonly kind: ProbeKind;
  readonly pod: Pod;
  readonly container: Container;
  readonly settings: ReadinessSettings;
  readonly initialDelaySeconds: number;
  readonly kubeletStart: Timestamp | undefined;
}

/** The stored result of a container before its first probe. */
const initialResultOf = (kind: ProbeKind, { startupUnknownAtFirst }: ReadinessSettings): ProbeResult => {
  if (kind === 'startup' && startupUnknownAtFirst) return 'unknown';
  return kind === 'liveness' ? 'success' : 'failure';
};

function findProbedContainer({ pod, container: name, kind }: ProbeOptions, settings: ReadinessSettings): Container {
  const sidecars = settings.sidecars ? (pod.spec?.initContainers ?? []).filter(isSidecar) : [];
  const probedContainer = [...(pod.spec?.containers ?? []), ...sidecars].find((each) => each.name === name);
  if (!probedContainer?.[`${kind}Probe`] || (kind === 'startup' && !settings.startupProbesRun))
    throw new TypeError(`the pod has no container ${JSON.stringify(name)} with a ${kind} probe that this release runs`);
  return probedContainer;
}

function tick(worker: Worker, previousState: ProbeState, { now, status, deleted }: ProbeTime): { state: ProbeState; probes: boolean } {
  const { kind, settings } = worker;
  if (!status) return { state: previousState, probes: false };
  if (isTerminalPhase(status.phase)) return { state: endWorker(previousState), probes: false };
  const containerStatus = findContainerStatus(worker, status);
  if (!containerStatus) return { state: previousState, probes: false };
  const state =
    previousState.containerID === containerStatus.containerID ? previousState : startContainer(worker, previousState, containerStatus);
  if (state.onHold) return { state, probes: false };
  const running = containerStatus.state?.running;
  if (!running) {
    const failedState: ProbeState = { ...state, result: 'failure' };
    return { state: shouldContinue(worker, status, containerStatus) ? failedState : endWorker(failedState), probes: false };
  }
  if (deleted && kind !== 'readiness' && settings.deletionEndsProbes)
    return { state: endWorker({ ...state, result: 'success' }), probes: false };
  const isEarly = secondsBetween(running.startedAt, now, 'now') < worker.initialDelaySeconds;
  const isDue = !settings.startedReported || !!containerStatus.started === (kind !== 'startup');
  return { state, probes: !isEarly && isDue };
}

/** Ends the worker and drops its result. */
const endWorker = (state: ProbeState): ProbeState => ({ ...state, result: undefined, ended: true });

function findContainerStatus(
  { container, settings }: Worker,
  status: PodStatus,
): (ContainerStatus & { readonly containerID: string }) | undefined {
  const lists = settings.sidecars ? [status.containerStatuses, status.initContainerStatuses] : [status.containerStatuses];
  const containerStatus = lists.map((list) => statusOf(list, container)).find((each) => each?.containerID);
  return containerStatus as (ContainerStatus & { readonly containerID: string }) | undefined;
}

function startContainer(worker: Worker, previousState: ProbeState, containerStatus: ContainerStatus): ProbeState {
  const { kind, settings, kubeletStart } = worker;
  const state = { ...previousState, containerID: containerStatus.containerID ?? '', onHold: false };
  if (!settings.statusKeptOnKubeletRestart || !ranBeforeKubelet(containerStatus, kubeletStart))
    return { ...state, result: initialResultOf(kind, settings) };
  const hasStarted = settings.sidecarStartKeptOnKubeletRestart && kind === 'startup' && isInSidecar(worker) && !!containerStatus.started;
  return { ...state, result: hasStarted ? 'success' : undefined };
}

/** Whether a container started more than ten seconds before the kubelet did. Mirrors `kubeletRestartGracePeriod`. */
export function ranBeforeKubelet({ state }: ContainerStatus, kubeletStart: Optional<Timestamp>): boolean {
  const startedAt = state?.running?.startedAt;
  if (!kubeletStart || parseInstant(startedAt, 'startedAt') === undefined) return false;
  return secondsBetween(startedAt, kubeletStart, 'kubeletStart') > gracePeriodSeconds;
}

const gracePeriodSeconds = 10;

/** Whether the worker continues after its container has ended. */
function shouldContinue(worker: Worker, status: PodStatus, { state }: ContainerStatus): boolean {
  const { pod, container, settings } = worker;
  const terminated = state?.terminated;
  if (!terminated) return true;
  if (settings.restartRules)
    return (
      isRestarted(container, pod, terminated.exitCode ?? 0, settings) ||
      (settings.initializedRemembered && shouldRestartAll(pod, status, status))
    );
  return pod.spec?.restartPolicy !== 'Never' || (settings.sidecarProbesContinue && isInSidecar(worker));
}

/** Any container may have its own restart policy, but only an init container with "Always" is a sidecar. */
const isInSidecar = ({ pod, container }: Worker): boolean => !!pod.spec?.initContainers?.includes(container) && isSidecar(container);

/** The seconds from startedAt to a time; Infinity if one of them is absent. @param field the name of `to` for errors */
function secondsBetween(from: Optional<Timestamp>, to: Timestamp, field: string): number {
  const start = parseInstant(from, 'startedAt');
  const end = parseInstant(to, field);
  return start === undefined || end === undefined ? Number.POSITIVE_INFINITY : (Date.parse(`${end}Z`) - Date.parse(`${start}Z`)) / 1000;
}
