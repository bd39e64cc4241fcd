import { printList, quote } from '../apimachinery/index.ts';
import type { Container, ContainerStatus, Optional, Pod, PodCondition, PodStatus } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { hasStarted, isSidecar, joinStatuses, type ObservedStatus, statusOf } from './statuses.ts';

export interface ConditionsOptions extends ReadinessVersion {
  /** The container statuses and phase that the kubelet observes; by default those in the pod's status. */
  readonly observed?: ObservedStatus | undefined;
  /** The conditions that readiness gates refer to; by default the pod's. */
  readonly conditions?: readonly PodCondition[] | undefined;
  /**
   * The previous status; by default the pod's. The previous status shows whether a condition had an observedGeneration, and whether the pod
   * was initialized.
   */
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
 * Computes Initialized, Ready and, from 1.11 on, ContainersReady as a release's kubelet does, in this order. Mirrors
 * `GeneratePodInitializedCondition`, `GeneratePodReadyCondition` and `GenerateContainersReadyCondition`.
 * @throws RangeError for an unknown version
 */
export const computeConditions = (pod: Pod, options: ConditionsOptions = {}): GeneratedCondition[] =>
  computeConditionsWithSettings(pod, readinessSettings(options), options);

export function computeConditionsWithSettings(
  pod: Pod,
  settings: ReadinessSettings,
  { observed = pod.status ?? {}, conditions = pod.status?.conditions ?? [], previousStatus = pod.status ?? {} }: ConditionsOptions,
): GeneratedCondition[] {
  const state = { pod, settings, previousStatus, observed };
  const joinedStatuses = joinStatuses(observed);
  const initStatuses = settings.sidecars ? joinedStatuses : (observed.initContainerStatuses ?? undefined);
  const statuses = settings.sidecars ? joinedStatuses : (observed.containerStatuses ?? undefined);
  const containersReadyVerdict = judgeContainersReady(state, statuses);
  const createCondition = (type: string, verdict: Verdict): GeneratedCondition => ({
    type,
    ...verdict,
    ...conditionGenerationOf(pod, previousStatus, type, settings),
  });
  const isJudgedByGates = containersReadyVerdict.status === 'True' && settings.readinessGatesEvaluated;
  return [
    createCondition('Initialized', judgeInitialized(state, initStatuses)),
    createCondition('Ready', isJudgedByGates ? judgeReadinessGates(pod, conditions) : containersReadyVerdict),
    ...(settings.containersReadyReported ? [createCondition('ContainersReady', containersReadyVerdict)] : []),
  ];
}

type Verdict = Pick<GeneratedCondition, 'status' | 'reason' | 'message'>;

interface PodState {
  readonly pod: Pod;
  readonly settings: ReadinessSettings;
  readonly previousStatus: PodStatus;
  readonly observed: ObservedStatus;
}

/**
 * Returns the observedGeneration of a condition; empty if the pod has no generation or the release does not set the field. Mirrors
 * `CalculatePodConditionObservedGeneration`.
 */
export function conditionGenerationOf(
  { metadata }: Pod,
  previousStatus: PodStatus,
  type: string,
  { generationAlwaysSet, generationUpdatedIfSet }: ReadinessSettings,
): { readonly observedGeneration?: number } {
  const isUpdated = (): boolean =>
    generationUpdatedIfSet && !!previousStatus.conditions?.some((each) => each.type === type && each.observedGeneration);
  return metadata?.generation && (generationAlwaysSet || isUpdated()) ? { observedGeneration: metadata.generation } : {};
}

/** Creates the verdict of ContainersReady for a pod that has ended. Mirrors `generateContainersReadyConditionForTerminalPhase`. */
export const createTerminalPhaseVerdict = (phase: Optional<string>): Verdict => ({
  status: 'False',
  reason: phase === 'Failed' ? 'PodFailed' : 'PodCompleted',
});

function judgeContainersReady({ pod, settings, observed: { phase } }: PodState, statuses: readonly ContainerStatus[] | undefined): Verdict {
  if (!statuses) return unknownStatusesVerdict;
  const sidecars = settings.sidecars ? (pod.spec?.initContainers ?? []).filter(isSidecar) : [];
  const failedContainers = findFailed([...sidecars, ...(pod.spec?.containers ?? [])], statuses, ({ ready }) => !!ready);
  if (phase === 'Succeeded' && failedContainers.unknownNames.length === 0) return createTerminalPhaseVerdict(phase);
  if (phase === 'Failed' && settings.terminalPhaseNotReady) return createTerminalPhaseVerdict(phase);
  return createVerdict(failedContainers, 'unready', 'ContainersNotReady');
}

function judgeInitialized(
  { pod, settings, previousStatus, observed }: PodState,
  statuses: readonly ContainerStatus[] | undefined,
): Verdict {
  const initContainers = pod.spec?.initContainers ?? [];
  if (!statuses && initContainers.length > 0) return unknownStatusesVerdict;
  const failedContainers = findFailed(initContainers, statuses, (status, container) =>
    settings.sidecars && isSidecar(container) ? !!status.started : !!status.ready,
  );
  if (observed.phase === 'Succeeded' && failedContainers.unknownNames.length === 0) return { status: 'True', reason: 'PodCompleted' };
  if (settings.sidecars && hasStarted(pod.spec?.containers ?? [], statuses)) return { status: 'True' };
  const verdict = createVerdict(failedContainers, 'incomplete', 'ContainersNotInitialized');
  const wasInitialized = (): boolean =>
    !!previousStatus.conditions?.some(({ type, status }) => type === 'Initialized' && status === 'True');
  return settings.initializedRemembered && verdict.status === 'False' && wasInitialized() ? { status: 'True' } : verdict;
}

const unknownStatusesVerdict: Verdict = { status: 'False', reason: 'UnknownContainerStatuses' };

/** Names of containers without a status, and of containers whose status fails the test. */
interface FailedContainers {
  readonly unknownNames: readonly string[];
  readonly failingNames: readonly string[];
}

function findFailed(
  containers: readonly Container[],
  statuses: readonly ContainerStatus[] | undefined,
  passes: (status: ContainerStatus, container: Container) => boolean,
): FailedContainers {
  const unknownNames: string[] = [];
  const failingNames: string[] = [];
  for (const container of containers) {
    const status = statusOf(statuses, container);
    if (!status) unknownNames.push(container.name ?? '');
    else if (!passes(status, container)) failingNames.push(container.name ?? '');
  }
  return { unknownNames, failingNames };
}

function createVerdict({ unknownNames, failingNames }: FailedContainers, failure: string, reason: string): Verdict {
  const parts = [
    ...(unknownNames.length > 0 ? [`containers with unknown status: ${printList(unknownNames)}`] : []),
    ...(failingNames.length > 0 ? [`containers with ${failure} status: ${printList(failingNames)}`] : []),
  ];
  return parts.length === 0 ? { status: 'True' } : { status: 'False', reason, message: parts.join(', ') };
}

function judgeReadinessGates({ spec }: Pod, conditions: readonly PodCondition[]): Verdict {
  const parts = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const name = quote(conditionType ?? '');
    const condition = conditions.find(({ type }) => (type ?? '') === (conditionType ?? ''));
    if (!condition) return [`corresponding condition of pod readiness gate ${name} does not exist.`];
    return condition.status === 'True' ? [] : [`the status of pod readiness gate ${name} is not "True", but ${condition.status ?? ''}`];
  });
  return parts.length === 0 ? { status: 'True' } : { status: 'False', reason: 'ReadinessGatesNotReady', message: parts.join(', ') };
}
