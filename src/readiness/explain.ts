import type { Cause, Container, ContainerStatus, Optional, Pod, PodCondition, Probe } from '../types/index.ts';
import { conditionsUnder, type MadeCondition } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { conditionOf, isEnd, isSidecar, kindOf, statusOf } from './statuses.ts';

/** What can keep a pod from being ready: a container, a probe or a readiness gate. */
export type ReadinessCauseCode =
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

export type ReadinessCause = Cause<ReadinessCauseCode>;

export interface ReadinessExplanation {
  /** Whether the status of the pod's Ready condition is True. */
  readonly ready: boolean;
  /** The conditions that this release's kubelet derives from containers and readiness gates: Initialized, Ready, ContainersReady. */
  readonly conditions: readonly MadeCondition[];
  /** Empty if the pod is ready. */
  readonly causes: readonly ReadinessCause[];
}

/**
 * Explains why a pod is not ready: finds the containers, probes and readiness gates that cause it, as far as its status shows them.
 * @throws RangeError for an unknown version
 */
export function explainReadiness(pod: Pod, options: ReadinessVersion = {}): ReadinessExplanation {
  const settings = readinessSettings(options);
  const reported = conditionOf(pod.status?.conditions, 'Ready');
  const conditions = conditionsUnder(pod, settings, {});
  const ready = reported?.status === 'True';
  return { ready, conditions, causes: ready ? [] : causesIn(pod, settings, reported, conditions) };
}

function causesIn(
  pod: Pod,
  settings: ReadinessSettings,
  reported: PodCondition | undefined,
  conditions: readonly MadeCondition[],
): ReadinessCause[] {
  const { phase, containerStatuses, initContainerStatuses } = pod.status ?? {};
  const [initialized, ready, containersReady] = conditions;
  if (!containerStatuses && !initContainerStatuses) {
    const isTold = reported?.reason === 'UnknownContainerStatuses';
    return isTold ? [cause('StatusesUnknown', 'pod.status.containerStatuses')] : [];
  }
  if (containersReady?.status === 'False') {
    if (isEnd(phase)) return [cause('PodEndedNotReady', 'pod.status.phase', { phase: phase ?? '' })];
    const incomplete = initialized?.status === 'False' ? initCauses(pod, settings) : [];
    return incomplete.length > 0 ? incomplete : containerCauses(pod, settings);
  }
  if (ready?.status === 'False') return gateCauses(pod);
  return reported ? [cause('NotReadyByAnother', 'pod.status.conditions[Ready]', { status: reported.status || 'none' })] : [];
}

const cause = (code: ReadinessCauseCode, path: string, values: ReadinessCause['values'] = {}): ReadinessCause => ({ code, path, values });

/** A container with its status and the field paths of both. */
interface Place {
  readonly container: Container;
  readonly status: ContainerStatus | undefined;
  readonly specPath: string;
  readonly statusPath: string;
}

const lists = { containers: 'containerStatuses', initContainers: 'initContainerStatuses' } as const;

function placesIn({ spec, status }: Pod, list: keyof typeof lists): Place[] {
  const statuses = status?.[lists[list]] ?? [];
  return (spec?.[list] ?? []).map((container, at) => {
    const found = statusOf(statuses, container);
    const index = found ? `[${statuses.indexOf(found)}]` : '';
    return { container, status: found, specPath: `pod.spec.${list}[${at}]`, statusPath: `pod.status.${lists[list]}${index}` };
  });
}

/** Init containers run one after another, so only the first unfinished one is a cause; later ones wait for it. */
function initCauses(pod: Pod, settings: ReadinessSettings): ReadinessCause[] {
  const isDone = ({ container, status }: Place): boolean =>
    settings.sidecars && isSidecar(container) ? !!status?.started : !!status?.ready;
  const first = placesIn(pod, 'initContainers').find((place) => !isDone(place));
  if (!first) return [];
  const { container, status, statusPath, specPath } = first;
  if (settings.sidecars && isSidecar(container) && status?.state?.running) return [unstarted(first)];
  const path = status ? `${statusPath}.state` : specPath;
  return [cause('InitContainerIncomplete', path, { container: container.name ?? '', state: describe(status) })];
}

function containerCauses(pod: Pod, settings: ReadinessSettings): ReadinessCause[] {
  const sidecars = settings.sidecars ? placesIn(pod, 'initContainers').filter(({ container }) => isSidecar(container)) : [];
  return [...sidecars, ...placesIn(pod, 'containers')].filter(({ status }) => !status?.ready).map(causeIn);
}

function causeIn(place: Place): ReadinessCause {
  const { container, status, specPath, statusPath } = place;
  const values = { container: container.name ?? '' };
  if (!status) return cause('ContainerUnknown', specPath, values);
  const kind = kindOf(status.state);
  if (kind === 'unknown') return cause('ContainerUnknown', `${statusPath}.state`, values);
  const state = { ...values, state: describe(status) };
  if (kind === 'waiting') return cause('ContainerWaiting', `${statusPath}.state.waiting`, state);
  if (kind === 'terminated') return cause('ContainerEnded', `${statusPath}.state.terminated`, state);
  if (status.started === false) return unstarted(place);
  const probe = container.readinessProbe;
  if (!probe) return cause('ContainerNotReady', `${statusPath}.ready`, values);
  return cause('ReadinessProbeFails', `${specPath}.readinessProbe`, { ...values, probe: describeProbe(probe) });
}

const unstarted = ({ container, status, specPath, statusPath }: Place): ReadinessCause =>
  cause('ContainerNotStarted', container.startupProbe ? `${specPath}.startupProbe` : `${statusPath}.started`, {
    container: container.name ?? '',
    probe: container.startupProbe ? describeProbe(container.startupProbe) : 'it has none',
    since: since(status),
  });

const since = (status: ContainerStatus | undefined): string => {
  const startedAt = status?.state?.running?.startedAt;
  return startedAt ? ` since ${startedAt instanceof Date ? startedAt.toISOString() : startedAt}` : '';
};

function gateCauses({ spec, status }: Pod): ReadinessCause[] {
  return (spec?.readinessGates ?? []).flatMap(({ conditionType }, at) => {
    const path = `pod.spec.readinessGates[${at}]`;
    const gate = JSON.stringify(conditionType ?? '');
    const condition = status?.conditions?.find(({ type }) => (type ?? '') === (conditionType ?? ''));
    if (!condition) return [cause('ReadinessGateMissing', path, { gate })];
    if (condition.status === 'True') return [];
    const details = [condition.reason, condition.message].filter(Boolean).join(', ');
    const found = { gate, status: JSON.stringify(condition.status ?? ''), details: details && ` (${details})` };
    return [cause('ReadinessGateNotTrue', path, found)];
  });
}

/** For example "waiting: CrashLoopBackOff, back-off ...; it ended with code 1 (Error) before, restarted 4 times". */
function describe(status: ContainerStatus | undefined): string {
  if (!status) return 'nothing is known of it';
  const { waiting, terminated } = status.state ?? {};
  const kind = kindOf(status.state);
  const before = status.lastState?.terminated;
  const history = [
    ...(before ? [`it ended with code ${before.exitCode ?? 0}${inBraces(before.reason)} before`] : []),
    ...(status.restartCount ? [`restarted ${status.restartCount === 1 ? 'once' : `${status.restartCount} times`}`] : []),
  ].join(', ');
  const now: Readonly<Record<typeof kind, string>> = {
    running: 'running',
    waiting: ['waiting', [waiting?.reason, waiting?.message].filter(Boolean).join(', ')].filter(Boolean).join(': '),
    terminated: `ended with code ${terminated?.exitCode ?? 0}${inBraces([terminated?.reason, terminated?.message].filter(Boolean).join(', '))}`,
    unknown: 'in no known state',
  };
  return [now[kind], history].filter(Boolean).join('; ');
}

const inBraces = (text: Optional<string>): string => (text ? ` (${text})` : '');

/** For example "HTTP GET /ready on port 8080, every 10 s, failing after 3". */
function describeProbe(probe: Probe): string {
  const { httpGet, tcpSocket, grpc, exec, periodSeconds, failureThreshold, initialDelaySeconds } = probe;
  const does = [
    ...(httpGet ? [`HTTP GET ${httpGet.path || '/'} on port ${httpGet.port ?? ''}`] : []),
    ...(tcpSocket ? [`TCP on port ${tcpSocket.port ?? ''}`] : []),
    ...(grpc ? [`gRPC on port ${grpc.port ?? ''}`] : []),
    ...(exec ? [`command ${JSON.stringify((exec.command ?? []).join(' '))}`] : []),
  ];
  const delay = initialDelaySeconds ? [`from ${initialDelaySeconds} s on`] : [];
  return [...does, ...delay, `every ${periodSeconds || 10} s`, `failing after ${failureThreshold || 3}`].join(', ');
}
