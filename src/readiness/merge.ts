import type { Optional, Pod, PodCondition, PodStatus, Timestamp } from '../types/index.ts';
import { conditionGenerationOf, createTerminalPhaseVerdict } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { transitionTime, truncateToSeconds } from './record.ts';
import { conditionOf, isTerminalPhase, setCondition } from './statuses.ts';

export interface MergeInput<Status extends PodStatus = PodStatus> {
  readonly pod: Pod;
  /** The status in the API server; by default the pod's. */
  readonly stored?: PodStatus | undefined;
  /** The kubelet's own status. */
  readonly status: Status;
  /** Whether containers of the pod may still run. */
  readonly running?: boolean | undefined;
  readonly now: Timestamp;
}

/**
 * Merges the kubelet's status into the stored one, as a release's kubelet does before it writes: keeps the conditions of other owners,
 * holds back a terminal phase until all containers have ended, and sets Ready and ContainersReady to False in a terminal phase. Mirrors
 * `mergePodStatus`.
 * @throws RangeError for an unknown version
 */
export function mergeStatus<Status extends PodStatus>(input: MergeInput<Status>, options: ReadinessVersion = {}): Status {
  const settings = readinessSettings(options);
  const { pod, status, stored = pod.status ?? {}, running = false } = input;
  const now = truncateToSeconds(input.now);
  const becomesTerminal = !isTerminalPhase(stored.phase) && isTerminalPhase(status.phase);
  const isPhaseHeldBack = becomesTerminal && running && settings.terminalPhaseAwaitsContainers;
  let conditions = (stored.conditions ?? []).filter(({ type }) => !isOwnedByKubelet(type, settings));
  // a shared condition replaces the existing one in place, or is inserted in the kubelet's order
  const addsDisruption = settings.disruptionTargetShared && becomesTerminal && !running;
  for (const condition of status.conditions ?? []) {
    if (isOwnedByKubelet(condition.type, settings)) conditions = [...conditions, condition];
    else if (addsDisruption && condition.type === disruptionTarget)
      conditions = setCondition(conditions, createDisruptionCondition(status, stored, now));
  }
  const phase = isPhaseHeldBack ? stored.phase : status.phase;
  const source = isPhaseHeldBack ? stored : status;
  return {
    ...(omitMergedFields(status, settings) as Status),
    ...pickForeignFields(stored, settings),
    ...(phase && { phase }),
    ...(source.reason && { reason: source.reason }),
    ...(source.message && { message: source.message }),
    conditions:
      settings.terminalPhaseNotReady && isTerminalPhase(phase)
        ? markNotReady(conditions, pod, stored, phase as string, now, settings)
        : conditions,
  };
}

const disruptionTarget = 'DisruptionTarget';

/** Sets the time of the write as transition time if the status of the condition changed, because the condition was held back until then. */
const createDisruptionCondition = (status: PodStatus, stored: PodStatus, now: string): PodCondition => ({
  ...conditionOf(status.conditions, disruptionTarget),
  lastTransitionTime: transitionTime(disruptionTarget, status, stored, now),
});

/** Fields of the stored status that the kubelet does not change. */
const pickForeignFields = (stored: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => sidecars && foreignFields.includes(name)));

/** A status without the phase, reason, message and foreign fields, which the caller sets. */
const omitMergedFields = (status: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(
    Object.entries(status).filter(([name]) => !derivedFields.includes(name) && !(sidecars && foreignFields.includes(name))),
  );

const derivedFields: readonly string[] = ['phase', 'reason', 'message'];

const foreignFields: readonly string[] = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

/** Sets Ready and ContainersReady to False if one of them is True; otherwise changes neither. */
function markNotReady(
  conditions: readonly PodCondition[],
  pod: Pod,
  stored: PodStatus,
  phase: string,
  now: string,
  settings: ReadinessSettings,
): PodCondition[] {
  const types = ['ContainersReady', 'Ready'];
  if (!types.some((type) => conditionOf(conditions, type)?.status === 'True')) return [...conditions];
  return types.reduce<PodCondition[]>(
    (list, type) => {
      const previousCondition = conditionOf(list, type);
      const lastTransitionTime = previousCondition?.status === 'False' ? (previousCondition.lastTransitionTime ?? null) : now;
      return setCondition(list, {
        type,
        ...createTerminalPhaseVerdict(phase),
        ...conditionGenerationOf(pod, stored, type, settings),
        lastTransitionTime,
      });
    },
    [...conditions],
  );
}

/** Whether only the kubelet writes conditions of this type; up to 1.10, of all types; by default in the newest release. Mirrors `PodConditionByKubelet`. */
export function isOwnedByKubelet(type: Optional<string>, settings: ReadinessSettings = readinessSettings({})): boolean {
  return (
    !settings.otherConditionsKept ||
    ownedTypes.includes(type ?? '') ||
    ownedTypesByGate.some(([name, holds]) => name === type && holds(settings))
  );
}

const ownedTypes: readonly string[] = ['PodScheduled', 'Ready', 'Initialized', 'ContainersReady'];

const ownedTypesByGate: readonly (readonly [string, (settings: ReadinessSettings) => boolean])[] = [
  ['Unschedulable', ({ unschedulableNotOwned }) => !unschedulableNotOwned],
  ['PodReadyToStartContainers', ({ sandboxConditionReported }) => sandboxConditionReported],
  ['PodResizePending', ({ resizeConditionsOwned }) => resizeConditionsOwned],
  ['PodResizeInProgress', ({ resizeConditionsOwned }) => resizeConditionsOwned],
  ['AllContainersRestarting', ({ initializedRemembered }) => initializedRemembered],
];
