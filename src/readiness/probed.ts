import type { Container, ContainerStatus, Pod, Timestamp } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { type ProbeKind, type ProbeResult, ranBeforeKubelet } from './probe.ts';
import { isSidecar, type ObservedStatus } from './statuses.ts';

/** The state of a pod's probes. */
export interface ProbeResults {
  /** The stored result of a container's probe; undefined if it has no such probe or no result yet. */
  result(kind: ProbeKind, status: ContainerStatus): ProbeResult | undefined;
  /** Whether the probe of a container has a worker; by default, whether the pod defines the probe. */
  isWorkedOn?(kind: ProbeKind, name: string): boolean;
  /** Called for every readiness probe that should run at once, because it is not known to have succeeded. */
  runAtOnce?(name: string): void;
  /** When the kubelet started; by default, long before any container. */
  readonly kubeletStart?: Timestamp | undefined;
}

/**
 * Sets `started` and `ready` of container statuses from probe results. Mirrors `UpdatePodStatus`.
 * @throws RangeError for an unknown version
 */
export const applyProbes = (pod: Pod, observed: ObservedStatus, probes: ProbeResults, options: ReadinessVersion = {}): ObservedStatus =>
  applyProbesWithSettings(pod, observed, probes, readinessSettings(options));

export function applyProbesWithSettings(
  pod: Pod,
  observed: ObservedStatus,
  probes: ProbeResults,
  settings: ReadinessSettings,
): ObservedStatus {
  const { containerStatuses, initContainerStatuses } = observed;
  const context: ProbeContext = { pod, probes, settings };
  const initContainers = pod.spec?.initContainers ?? [];
  return {
    ...observed,
    ...(containerStatuses && { containerStatuses: containerStatuses.map((status) => applyToContainer(context, status)) }),
    ...(initContainerStatuses && {
      initContainerStatuses: initContainerStatuses.map((status, i) => applyToInitContainer(context, status, initContainers[i])),
    }),
  };
}

interface ProbeContext {
  readonly pod: Pod;
  readonly probes: ProbeResults;
  readonly settings: ReadinessSettings;
}

function applyToContainer(context: ProbeContext, status: ContainerStatus): ContainerStatus {
  const container = context.pod.spec?.containers?.find(({ name }) => (name ?? '') === (status.name ?? ''));
  if (!context.settings.startedReported) return { ...status, ready: isReady(context, status, container) };
  const started = isStarted(context, status);
  if (context.settings.readyUnchangedUntilStarted && !started) return { ...status, started };
  return { ...status, started, ready: isReady(context, status, container) };
}

/** @param container the init container at the same index; ignored if its name differs */
function applyToInitContainer(context: ProbeContext, status: ContainerStatus, container: Container | undefined): ContainerStatus {
  const hasSucceeded = !!status.state?.terminated && !status.state.terminated.exitCode;
  if (!context.settings.sidecars) return { ...status, ready: hasSucceeded };
  const started = isStarted(context, status);
  if (!container || (container.name ?? '') !== (status.name ?? '')) return { ...status, started };
  if (!isSidecar(container)) return { ...status, started, ...(hasSucceeded && { ready: true }) };
  return started ? { ...status, started, ready: isReady(context, status, container) } : { ...status, started };
}

/** Whether a container runs and has passed its startup probe, if any. Mirrors `isContainerStarted`. */
function isStarted({ pod, probes, settings }: ProbeContext, status: ContainerStatus): boolean {
  if (!status.state?.running) return false;
  if (!settings.startupProbesRun) return true;
  const result = probes.result('startup', status);
  if (result !== undefined) return result === 'success';
  return (settings.statusKeptOnKubeletRestart && !!status.started) || !hasWorker(pod, probes, 'startup', status);
}

function isReady({ pod, probes, settings }: ProbeContext, status: ContainerStatus, container: Container | undefined): boolean {
  if (!status.state?.running) return false;
  const result = probes.result('readiness', status);
  if (result === 'success') return true;
  if (result !== undefined && !settings.readinessNeedsProbe) return false;
  const hasProbe = hasWorker(pod, probes, 'readiness', status);
  if (hasProbe && settings.readinessProbedImmediately) probes.runAtOnce?.(status.name ?? '');
  if (!settings.statusKeptOnKubeletRestart || !container || !ranBeforeKubelet(status, probes.kubeletStart)) return !hasProbe;
  // a container that ran before the kubelet started keeps its readiness until its probe has a result
  const wasReady = !!pod.status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return (!hasProbe || result === undefined) && (!container.readinessProbe || wasReady);
}

function hasWorker(pod: Pod, probes: ProbeResults, kind: ProbeKind, { name }: ContainerStatus): boolean {
  if (probes.isWorkedOn) return probes.isWorkedOn(kind, name ?? '');
  const probedContainers = [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? []).filter(isSidecar)];
  return probedContainers.some((container) => (container.name ?? '') === (name ?? '') && !!container[`${kind}Probe`]);
}
