import { printList, quote } from '../apimachinery/index.ts';
import type { Container, ContainerStatus, Optional, Pod, PodCondition, PodStatus } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { hasStarted, isSidecar, joinStatuses, type ObservedStatus, statusOf } from './statuses.ts';

export interface ConditionsOptions extends ReadinessVersion {
  /** The container statuses and phase that the kubelet observes; by default those in the pod's status. */
  readonly observed?: ObservedStatus | undefined;
  /** The conditions that readiness gates refer to; by default the pod's. */
  readonly conditions?: readonly PodCondition[] | undefined;
  /** The previous status; by default the pod's. It shows whether conditions had a generation, and whether the pod was initialized. */
  readonly previousStatus?: PodStatus | undefined;
}

/** A condition that the kubelet generates, without times. */
export interface GeneratedCondition {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly observedGeneration?: number;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Computes Initialized, Ready and ContainersReady as a release's kubelet does, in its order. Mirrors
 * `GeneratePodInitializedCondition`, `GeneratePodReadyCondition` and `GenerateContainersReadyCondition`.
 * @throws RangeError for an unknown version
 */
export const computeConditions = (pod: Pod, options: ConditionsOptions = {}): GeneratedCondition[] =>
  computeConditionsWith(pod, readinessSettings(options), options);

export function computeConditionsWith(
  pod: Pod,
  settings: ReadinessSettings,
  { observed = pod.status ?? {}, conditions = pod.status?.conditions ?? [], previousStatus = pod.status ?? {} }: ConditionsOptions,
): GeneratedCondition[] {
  const state = { pod, settings, previousStatus, observed };
  const joinedStatuses = joinStatuses(observed);
  const initStatuses = settings.sidecars ? joinedStatuses : (observed.initContainerStatuses ?? undefined);
  const statuses = settings.sidecars ? joinedStatuses : (observed.containerStatuses ?? undefined);
  const containersReady = containersReadyVerdict(state, statuses);
  const createCondition = (type: string, verdict: Verdict): GeneratedCondition => ({
    type,
    ...verdict,
    ...observedGenerationOf(pod, previousStatus, type, settings),
  });
  return [
    createCondition('Initialized', initializedVerdict(state, initStatuses)),
    createCondition('Ready', containersReady.status === 'True' ? gatesVerdict(pod, conditions) : containersReady),
    createCondition('ContainersReady', containersReady),
  ];
}

type Verdict = Pick<GeneratedCondition, 'status' | 'reason' | 'message'>;

interface PodState {
  readonly pod: Pod;
  readonly settings: ReadinessSettings;
  readonly previousStatus: PodStatus;
  readonly observed: ObservedStatus;
}

/** The observedGeneration of a condition; empty if the release does not set it. Mirrors `CalculatePodConditionObservedGeneration`. */
export function observedGenerationOf(
  { metadata }: Pod,
  previousStatus: PodStatus,
  type: string,
  { generationAlwaysSet, generationUpdatedIfSet }: ReadinessSettings,
): { readonly observedGeneration?: number } {
  const isUpdated = (): boolean =>
    generationUpdatedIfSet && !!previousStatus.conditions?.some((each) => each.type === type && each.observedGeneration);
  return metadata?.generation && (generationAlwaysSet || isUpdated()) ? { observedGeneration: metadata.generation } : {};
}

/** ContainersReady of a pod that has ended. Mirrors `generateContainersReadyConditionForTerminalPhase`. */
export const terminalPhaseVerdict = (phase: Optional<string>): Verdict => ({
  status: 'False',
  reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted',
});

function containersReadyVerdict(
  { pod, settings, observed: { phase } }: PodState,
  statuses: readonly ContainerStatus[] | undefined,
): Verdict {
  if (!statuses) return unknownStatuses;
  const sidecars = settings.sidecars ? (pod.spec?.initContainers ?? []).filter(isSidecar) : [];
  const failedContainers = findFailed([...sidecars, ...(pod.spec?.containers ?? [])], statuses, ({ ready }) => !!ready);
  if (phase === 'Succeeded' && failedContainers.unknown.length === 0) return terminalPhaseVerdict(phase);
  if (phase === 'Failed' && settings.terminalPhaseNotReady) return terminalPhaseVerdict(phase);
  return createVerdict(failedContainers, 'unready', 'ContainersNotReady');
}

function initializedVerdict(
  { pod, settings, previousStatus, observed }: PodState,
  statuses: readonly ContainerStatus[] | undefined,
): Verdict {
  const initContainers = pod.spec?.initContainers ?? [];
  if (!statuses && initContainers.length > 0) return unknownStatuses;
  const failedContainers = findFailed(initContainers, statuses, (status, container) =>
    settings.sidecars && isSidecar(container) ? !!status.started : !!status.ready,
  );
  if (observed.phase === 'Succeeded' && failedContainers.unknown.length === 0) return { status: 'True', reason: 'PodCompleted' };
  if (settings.sidecars && hasStarted(pod.spec?.containers ?? [], statuses)) return { status: 'True' };
  const verdict = createVerdict(failedContainers, 'incomplete', 'ContainersNotInitialized');
  const wasInitialized = (): boolean =>
    !!previousStatus.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True');
  return settings.initializedRemembered && verdict.status === 'False' && wasInitialized() ? { status: 'True' } : verdict;
}

const unknownStatuses: Verdict = { status: 'False', reason: 'UnknownContainerStatuses' };

/** Names of containers without a status, and of containers whose status fails the test. */
interface FailedContainers {
  readonly unknown: readonly string[];
  readonly failing: readonly string[];
}

function findFailed(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[] | undefined,
  passes: (status: ContainerStatus, container: Container) => boolean,
): FailedContainers {
  const unknown: string[] = [];
  const failing: string[] = [];
  for (const container of containers) {
    const status = statusOf(statuses, container);
    if (!status) unknown.push(container.name ?? '');
    else if (!passes(status, container)) failing.push(container.name ?? '');
  }
  return { unknown, failing };
}

function createVerdict({ unknown, failing }: FailedContainers, failure: string, reason: string): Verdict {
  const parts = [
    ...(unknown.length > 0 ? [`containers with unknown status: ${printList(unknown)}`] : []),
    ...(failing.length > 0 ? [`containers with ${failure} status: ${printList(failing)}`] : []),
  ];
  return parts.length === 0 ? { status: 'True' } : { status: 'False', reason, message: parts.join(', ') };
}

function gatesVerdict({ spec }: Pod, conditions: readonly PodCondition[]): Verdict {
  const parts = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const name = quote(conditionType ?? '');
    const condition = conditions.find(({ type }) => (type ?? '') === (conditionType ?? ''));
    if (!condition) return [`corresponding condition of pod readiness gate ${name} does not exist.`];
    return condition.status === 'True' ? [] : [`the status of pod readiness gate ${name} is not "True", but ${condition.status ?? ''}`];
  });
  return parts.length === 0 ? { status: 'True' } : { status: 'False', reason: 'ReadinessGatesNotReady', message: parts.join(', ') };
}
