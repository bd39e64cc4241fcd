import type { Cause, Container, ContainerStatus, Optional, Pod, PodCondition, Probe, ReadinessCauseCode } from '../types/index.ts';
import { computeConditionsWithSettings, type GeneratedCondition } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { conditionOf, isSidecar, isTerminalPhase, kindOf, statusOf } from './statuses.ts';

export type ReadinessCause = Cause<ReadinessCauseCode>;

export interface ReadinessExplanation {
  /** Whether the status of the pod's Ready condition is True. */
  readonly ready: boolean;
  /** The conditions that this release's kubelet derives from containers and readiness gates, as `computeConditions` does. */
  readonly conditions: readonly GeneratedCondition[];
  /** Empty if the pod is ready. */
  readonly causes: readonly ReadinessCause[];
}

/**
 * Explains why a pod is not ready: finds the responsible containers, probes and readiness gates, as far as the status of the pod shows
 * them.
 * @throws RangeError for an unknown version
 */
export function explainReadiness(pod: Pod, options: ReadinessVersion = {}): ReadinessExplanation {
  const settings = readinessSettings(options);
  const readyCondition = conditionOf(pod.status?.conditions, 'Ready');
  const conditions = computeConditionsWithSettings(pod, settings, {});
  const ready = readyCondition?.status === 'True';
  return { ready, conditions, causes: ready ? [] : findCauses(pod, settings, readyCondition, conditions) };
}

function findCauses(
  pod: Pod,
  settings: ReadinessSettings,
  readyCondition: PodCondition | undefined,
  conditions: readonly GeneratedCondition[],
): ReadinessCause[] {
  const { phase, containerStatuses, initContainerStatuses } = pod.status ?? {};
  const [initialized, ready, containersReady = ready] = conditions;
  if (!containerStatuses && !initContainerStatuses) {
    const isUnknown = readyCondition?.reason === 'UnknownContainerStatuses';
    return isUnknown ? [createCause('StatusesUnknown', 'pod.status.containerStatuses')] : [];
  }
  if (containersReady?.status === 'False') {
    if (isTerminalPhase(phase)) return [createCause('PodEndedNotReady', 'pod.status.phase', { phase: phase ?? '' })];
    const initCauses = initialized?.status === 'False' ? findInitCauses(pod, settings) : [];
    return initCauses.length > 0 ? initCauses : findContainerCauses(pod, settings);
  }
  if (ready?.status === 'False') return findGateCauses(pod);
  return readyCondition
    ? [createCause('ReadyConditionOverridden', 'pod.status.conditions[Ready]', { status: readyCondition.status || 'none' })]
    : [];
}

const createCause = (code: ReadinessCauseCode, path: string, values: ReadinessCause['values'] = {}): ReadinessCause => ({
  code,
  path,
  values,
});

/** A container with its status and the field paths of both. */
interface ContainerRef {
  readonly container: Container;
  readonly status: ContainerStatus | undefined;
  readonly specPath: string;
  readonly statusPath: string;
}

const statusLists = { containers: 'containerStatuses', initContainers: 'initContainerStatuses' } as const;

function listContainers({ spec, status }: Pod, list: keyof typeof statusLists): ContainerRef[] {
  const statuses = status?.[statusLists[list]] ?? [];
  return (spec?.[list] ?? []).map((container, i) => {
    const containerStatus = statusOf(statuses, container);
    const index = containerStatus ? `[${statuses.indexOf(containerStatus)}]` : '';
    return {
      container,
      status: containerStatus,
      specPath: `pod.spec.${list}[${i}]`,
      statusPath: `pod.status.${statusLists[list]}${index}`,
    };
  });
}

/** Init containers run one after another, so only the first unfinished one is a cause; later ones wait for it. */
function findInitCauses(pod: Pod, settings: ReadinessSettings): ReadinessCause[] {
  const isDone = ({ container, status }: ContainerRef): boolean =>
    settings.sidecars && isSidecar(container) ? !!status?.started : !!status?.ready;
  const first = listContainers(pod, 'initContainers').find((ref) => !isDone(ref));
  if (!first) return [];
  const { container, status, statusPath, specPath } = first;
  if (settings.sidecars && isSidecar(container) && status?.state?.running) return [createNotStartedCause(first)];
  const path = status ? `${statusPath}.state` : specPath;
  return [createCause('InitContainerIncomplete', path, { container: container.name ?? '', state: describeStatus(status) })];
}

function findContainerCauses(pod: Pod, settings: ReadinessSettings): ReadinessCause[] {
  const sidecars = settings.sidecars ? listContainers(pod, 'initContainers').filter(({ container }) => isSidecar(container)) : [];
  return [...sidecars, ...listContainers(pod, 'containers')].filter(({ status }) => !status?.ready).map(describeCause);
}

function describeCause(ref: ContainerRef): ReadinessCause {
  const { container, status, specPath, statusPath } = ref;
  const values = { container: container.name ?? '' };
  if (!status) return createCause('ContainerUnknown', specPath, values);
  const kind = kindOf(status.state);
  if (kind === 'unknown') return createCause('ContainerUnknown', `${statusPath}.state`, values);
  const state = { ...values, state: describeStatus(status) };
  if (kind === 'waiting') return createCause('ContainerWaiting', `${statusPath}.state.waiting`, state);
  if (kind === 'terminated') return createCause('ContainerEnded', `${statusPath}.state.terminated`, state);
  if (status.started === false) return createNotStartedCause(ref);
  const probe = container.readinessProbe;
  if (!probe) return createCause('ContainerNotReady', `${statusPath}.ready`, values);
  return createCause('ReadinessProbeFails', `${specPath}.readinessProbe`, { ...values, probe: describeProbe(probe) });
}

const createNotStartedCause = ({ container, status, specPath, statusPath }: ContainerRef): ReadinessCause =>
  createCause('ContainerNotStarted', container.startupProbe ? `${specPath}.startupProbe` : `${statusPath}.started`, {
    container: container.name ?? '',
    probe: container.startupProbe ? describeProbe(container.startupProbe) : 'it has no startup probe',
    since: formatSince(status),
  });

const formatSince = (status: ContainerStatus | undefined): string => {
  const startedAt = status?.state?.running?.startedAt;
  return startedAt ? ` since ${startedAt instanceof Date ? startedAt.toISOString() : startedAt}` : '';
};

function findGateCauses({ spec, status }: Pod): ReadinessCause[] {
  return (spec?.readinessGates ?? []).flatMap(({ conditionType }, i) => {
    const path = `pod.spec.readinessGates[${i}]`;
    const gate = JSON.stringify(conditionType ?? '');
    const condition = status?.conditions?.find(({ type }) => (type ?? '') === (conditionType ?? ''));
    if (!condition) return [createCause('ReadinessGateMissing', path, { gate })];
    if (condition.status === 'True') return [];
    const details = [condition.reason, condition.message].filter(Boolean).join(', ');
    const values = { gate, status: JSON.stringify(condition.status ?? ''), details: details && ` (${details})` };
    return [createCause('ReadinessGateNotTrue', path, values)];
  });
}

/** For example "waiting: CrashLoopBackOff, back-off ...; last ended with code 1 (Error), restarted 4 times". */
function describeStatus(status: ContainerStatus | undefined): string {
  if (!status) return 'no status yet';
  const { waiting, terminated } = status.state ?? {};
  const kind = kindOf(status.state);
  const lastTermination = status.lastState?.terminated;
  const history = [
    ...(lastTermination ? [`last ended with code ${lastTermination.exitCode ?? 0}${parenthesize(lastTermination.reason)}`] : []),
    ...(status.restartCount ? [`restarted ${status.restartCount === 1 ? 'once' : `${status.restartCount} times`}`] : []),
  ].join(', ');
  const stateTexts: Readonly<Record<typeof kind, string>> = {
    running: 'running',
    waiting: ['waiting', [waiting?.reason, waiting?.message].filter(Boolean).join(', ')].filter(Boolean).join(': '),
    terminated: `ended with code ${terminated?.exitCode ?? 0}${parenthesize([terminated?.reason, terminated?.message].filter(Boolean).join(', '))}`,
    unknown: 'in an unknown state',
  };
  return [stateTexts[kind], history].filter(Boolean).join('; ');
}

const parenthesize = (text: Optional<string>): string => (text ? ` (${text})` : '');

/** For example "HTTP GET /ready on port 8080, every 10 s, failing after 3". */
function describeProbe(probe: Probe): string {
  const { httpGet, tcpSocket, grpc, exec, periodSeconds, failureThreshold, initialDelaySeconds } = probe;
  const handler = [
    ...(httpGet ? [`HTTP GET ${httpGet.path || '/'} on port ${httpGet.port ?? ''}`] : []),
    ...(tcpSocket ? [`TCP on port ${tcpSocket.port ?? ''}`] : []),
    ...(grpc ? [`gRPC on port ${grpc.port ?? ''}`] : []),
    ...(exec ? [`command ${JSON.stringify((exec.command ?? []).join(' '))}`] : []),
  ];
  const delay = initialDelaySeconds ? [`after an initial delay of ${initialDelaySeconds} s`] : [];
  return [...handler, ...delay, `every ${periodSeconds || 10} s`, `failing after ${failureThreshold || 3}`].join(', ');
}
