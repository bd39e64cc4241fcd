import type { Optional, Pod, PodCondition, PodStatus, Timestamp } from '../types/index.ts';
import { endedVerdict, generationIn } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { transitionTime, wholeSeconds } from './record.ts';
import { conditionOf, isEnd, withCondition } from './statuses.ts';

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
 * The status that a release's kubelet writes over the one in the API server: its own conditions are merged with those of other owners,
 * a terminal phase is held back until all containers have ended, and nothing is ready in a terminal phase. Mirrors `mergePodStatus`.
 * @throws RangeError for an unknown version
 */
export function mergeStatus<Status extends PodStatus>(input: MergeInput<Status>, options: ReadinessVersion = {}): Status {
  const settings = readinessSettings(options);
  const { pod, status, stored = pod.status ?? {}, running = false } = input;
  const now = wholeSeconds(input.now);
  const ends = !isEnd(stored.phase) && isEnd(status.phase);
  const isHeld = ends && running && settings.endAwaitsContainers;
  let conditions = (stored.conditions ?? []).filter(({ type }) => !isOwned(type, settings));
  // a shared condition replaces the existing one in place, or is inserted in the kubelet's order
  const withDisruption = settings.disruptionShared && ends && !running;
  for (const condition of status.conditions ?? []) {
    if (isOwned(condition.type, settings)) conditions = [...conditions, condition];
    else if (withDisruption && condition.type === disruptionTarget)
      conditions = withCondition(conditions, disruptionIn(status, stored, now));
  }
  const phase = isHeld ? stored.phase : status.phase;
  const why = isHeld ? stored : status;
  return {
    ...(without(status, settings) as Status),
    ...foreign(stored, settings),
    ...(phase && { phase }),
    ...(why.reason && { reason: why.reason }),
    ...(why.message && { message: why.message }),
    conditions: settings.endedIsNotReady && isEnd(phase) ? atTheEnd(conditions, pod, stored, phase as string, now, settings) : conditions,
  };
}

const disruptionTarget = 'DisruptionTarget';

/** The transition time is that of the write, because the condition was held back until all containers had ended. */
const disruptionIn = (status: PodStatus, stored: PodStatus, now: string): PodCondition => ({
  ...conditionOf(status.conditions, disruptionTarget),
  lastTransitionTime: transitionTime(disruptionTarget, status, stored, now),
});

/** Fields of the stored status that the kubelet does not change. */
const foreign = (stored: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => sidecars && foreignFields.includes(name)));

/** A status without the phase, reason, message and foreign fields, which the caller sets. */
const without = (status: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(Object.entries(status).filter(([name]) => !said.includes(name) && !(sidecars && foreignFields.includes(name))));

const said: readonly string[] = ['phase', 'reason', 'message'];

const foreignFields: readonly string[] = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

/** If Ready or ContainersReady is True, sets both to False; otherwise they are unchanged. */
function atTheEnd(
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
      const before = conditionOf(list, type);
      const lastTransitionTime = before?.status === 'False' ? (before.lastTransitionTime ?? null) : now;
      return withCondition(list, { type, ...endedVerdict(phase), ...generationIn(pod, stored, type, settings), lastTransitionTime });
    },
    [...conditions],
  );
}

/** Whether only the kubelet writes conditions of this type. Mirrors `PodConditionByKubelet`. */
export function isOwned(type: Optional<string>, settings: ReadinessSettings): boolean {
  return always.includes(type ?? '') || sometimes.some(([name, holds]) => name === type && holds(settings));
}

const always: readonly string[] = ['PodScheduled', 'Ready', 'Initialized', 'ContainersReady'];

const sometimes: readonly (readonly [string, (settings: ReadinessSettings) => boolean])[] = [
  ['Unschedulable', ({ unschedulableLeftAlone }) => !unschedulableLeftAlone],
  ['PodReadyToStartContainers', ({ networkTold }) => networkTold],
  ['PodResizePending', ({ resizeOwned }) => resizeOwned],
  ['PodResizeInProgress', ({ resizeOwned }) => resizeOwned],
  ['AllContainersRestarting', ({ initializedRemembered }) => initializedRemembered],
];
