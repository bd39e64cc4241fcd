import type { Optional, Pod, PodCondition, PodStatus, Timestamp } from '../types/index.ts';
import { endedVerdict, generationIn } from './conditions.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { transitionTime, wholeSeconds } from './record.ts';
import { conditionOf, isEnd, withCondition } from './statuses.ts';

export interface MergeInput<Status extends PodStatus = PodStatus> {
  readonly pod: Pod;
  /** The status that the API server has; by default the pod's. */
  readonly stored?: PodStatus | undefined;
  /** The one that the kubelet keeps. */
  readonly status: Status;
  /** Whether containers of the pod may still run. */
  readonly running?: boolean | undefined;
  readonly now: Timestamp;
}

/**
 * What the kubelet of a release writes over the status that the API server has: its own conditions beside those of others; no
 * end before all containers have ended; nothing ready at the end. `mergePodStatus`.
 * @throws RangeError for an unknown version
 */
export function mergeStatus<Status extends PodStatus>(input: MergeInput<Status>, options: ReadinessVersion = {}): Status {
  const settings = readinessSettings(options);
  const { pod, status, stored = pod.status ?? {}, running = false } = input;
  const now = wholeSeconds(input.now);
  const ends = !isEnd(stored.phase) && isEnd(status.phase);
  const isHeld = ends && running && settings.endAwaitsContainers;
  let conditions = (stored.conditions ?? []).filter(({ type }) => !isOwned(type, settings));
  // one of others' is replaced in its place, or comes where the kubelet has it
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

/** Its time is that of the write: it was held back until all containers had ended. */
const disruptionIn = (status: PodStatus, stored: PodStatus, now: string): PodCondition => ({
  ...conditionOf(status.conditions, disruptionTarget),
  lastTransitionTime: transitionTime(disruptionTarget, status, stored, now),
});

/** Fields that the kubelet leaves as they are. */
const foreign = (stored: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => sidecars && foreignFields.includes(name)));

/** What is left of a status where nothing else is to be said of phase and foreign fields. */
const without = (status: object, { sidecars }: ReadinessSettings): object =>
  Object.fromEntries(Object.entries(status).filter(([name]) => !said.includes(name) && !(sidecars && foreignFields.includes(name))));

const said: readonly string[] = ['phase', 'reason', 'message'];

const foreignFields: readonly string[] = ['resourceClaimStatuses', 'extendedResourceClaimStatus', 'nodeAllocatableResourceClaimStatuses'];

/** Where anything is ready, neither is: what is said otherwise is left. */
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

/** Whether a condition of that type is the kubelet's alone. `PodConditionByKubelet`. */
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
