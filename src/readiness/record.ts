import { compareText } from '../apimachinery/index.ts';
import { parseInstant } from '../spec/index.ts';
import type { Container, ContainerStatus, Pod, PodStatus, Timestamp } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { canRestartAll, conditionOf, isRestarted, isSidecar } from './statuses.ts';

export interface RecordInput<Status extends PodStatus = PodStatus> {
  readonly pod: Pod;
  /** The kubelet's previous status; by default the pod's. */
  readonly previousStatus?: PodStatus | undefined;
  /** The status that the kubelet generated. */
  readonly status: Status;
  readonly now: Timestamp;
}

/** The status to store, or the reason why it is refused. After a refusal, the previous status stays. */
export type Recorded<Status extends PodStatus = PodStatus> =
  | { readonly status: Status; readonly refused?: undefined }
  | { readonly status?: undefined; readonly refused: string };

/**
 * Replaces the previous status with a generated one: sets the transition times of conditions whose status changed, keeps the other times
 * and the start time of the pod, and sorts container statuses. Mirrors `updateStatusInternal`.
 * @throws RangeError for an unknown version
 */
export function recordStatus<Status extends PodStatus>(input: RecordInput<Status>, options: ReadinessVersion = {}): Recorded<Status> {
  const settings = readinessSettings(options);
  const { pod, status, previousStatus = pod.status ?? {} } = input;
  const refused = findIllegalTransition(pod, previousStatus, status, settings);
  if (refused !== undefined) return { refused };
  const now = truncateToSeconds(input.now);
  const { conditions, containerStatuses, initContainerStatuses } = status;
  const generation = Math.max(previousStatus.observedGeneration ?? 0, status.observedGeneration ?? 0);
  return {
    status: {
      ...status,
      startTime: previousStatus.startTime || status.startTime || now,
      ...(generation > 0 && { observedGeneration: generation }),
      ...(conditions && { conditions: setTimes(conditions, previousStatus, now, settings) }),
      ...(containerStatuses && { containerStatuses: [...containerStatuses].sort(compareNames) }),
      ...(initContainerStatuses && { initContainerStatuses: sortByContainers(pod.spec?.initContainers ?? [], initContainerStatuses) }),
    },
  };
}

/** A time truncated to seconds, as the API server stores it. */
export const truncateToSeconds = (now: Timestamp): string => `${(parseInstant(now, 'now') ?? '').slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;

/**
 * Returns the time since which a condition has its status: its previous time, or `now` if its status changed. Mirrors
 * `updateLastTransitionTime`.
 */
export function transitionTime(type: string, status: PodStatus, previousStatus: PodStatus, now: string): Timestamp | null {
  const previousCondition = conditionOf(previousStatus.conditions, type);
  const isSame = previousCondition && (previousCondition.status ?? '') === (conditionOf(status.conditions, type)?.status ?? '');
  return isSame ? (previousCondition.lastTransitionTime ?? null) : now;
}

/** Sets the transition times of conditions. Only the first condition of each type gets a time. */
function setTimes(
  conditions: NonNullable<PodStatus['conditions']>,
  previousStatus: PodStatus,
  now: string,
  settings: ReadinessSettings,
): PodStatus['conditions'] {
  const seenTypes = new Set<string>();
  return conditions.map((condition) => {
    const type = condition.type ?? '';
    if (!isTimed(type, settings) || seenTypes.has(type)) return condition;
    seenTypes.add(type);
    return { ...condition, lastTransitionTime: transitionTime(type, { conditions }, previousStatus, now) };
  });
}

/**
 * Whether the kubelet sets the transition time of a type, possibly before the release in which it owns that type. The times of resize
 * conditions are set elsewhere.
 */
const isTimed = (type: string, settings: ReadinessSettings): boolean =>
  timedTypes.includes(type) || timedTypesByGate.some(([name, holds]) => name === type && holds(settings));

const timedTypes: readonly string[] = ['Ready', 'Initialized'];

const timedTypesByGate: readonly (readonly [string, (settings: ReadinessSettings) => boolean])[] = [
  ['PodScheduled', ({ podScheduledReported }) => podScheduledReported],
  ['ContainersReady', ({ containersReadyTimed }) => containersReadyTimed],
  ['PodReadyToStartContainers', ({ sidecars }) => sidecars],
  ['DisruptionTarget', ({ disruptionTargetShared }) => disruptionTargetShared],
  ['AllContainersRestarting', ({ restartConditionTimed }) => restartConditionTimed],
];

const compareNames = (a: ContainerStatus, b: ContainerStatus): number => compareText(a.name ?? '', b.name ?? '');

/** Sorts statuses in the order of their containers. Statuses without a container come last. Mirrors `SortInitContainerStatuses`. */
function sortByContainers(containers: readonly Container[], statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const sorted = [...statuses];
  let nextIndex = 0;
  for (const { name } of containers) {
    const foundIndex = sorted.findIndex((status, i) => i >= nextIndex && (status.name ?? '') === (name ?? ''));
    if (foundIndex < 0) continue;
    [sorted[nextIndex], sorted[foundIndex]] = [sorted[foundIndex] as ContainerStatus, sorted[nextIndex] as ContainerStatus];
    nextIndex++;
  }
  return sorted;
}

/**
 * Explains why a status must not replace the previous one: a container that has ended permanently would run again, or the status does not
 * match the pod; undefined if it may. Mirrors `checkContainerStateTransition`.
 */
function findIllegalTransition(pod: Pod, previousStatus: PodStatus, status: PodStatus, settings: ReadinessSettings): string | undefined {
  const { containers = [], initContainers = [], restartPolicy } = pod.spec ?? {};
  if (restartPolicy === 'Always' || (settings.initializedRemembered && canRestartAll(pod))) return undefined;
  const runsAgain = (previous: ContainerStatus, specs: readonly Container[], statuses: readonly ContainerStatus[]): boolean => {
    const terminatedState = previous.state?.terminated;
    if (!terminatedState || (terminatedState.exitCode && restartPolicy === 'OnFailure')) return false;
    const specsOfName = specs.filter(({ name }) => (name ?? '') === (previous.name ?? ''));
    if (settings.restartRules && specsOfName.some((each) => isRestarted(each, pod, terminatedState.exitCode ?? 0, settings))) return false;
    return statuses.some(({ name, state }) => (name ?? '') === (previous.name ?? '') && !state?.terminated);
  };
  for (const oldStatus of previousStatus.containerStatuses ?? []) {
    if (runsAgain(oldStatus, containers ?? [], status.containerStatuses ?? [])) return describeRefusal('container', oldStatus);
  }
  for (const [i, oldStatus] of (previousStatus.initContainerStatuses ?? []).entries()) {
    const container = initContainers?.[i];
    const isMatch = !!container && (container.name ?? '') === (oldStatus.name ?? '');
    if (settings.sidecars && !isMatch) return `found mismatch between pod spec and status, container: ${oldStatus.name ?? ''}`;
    if (settings.sidecars && container && isSidecar(container)) continue;
    const kind = settings.sidecars ? 'init container' : 'container';
    if (runsAgain(oldStatus, initContainers ?? [], status.initContainerStatuses ?? [])) return describeRefusal(kind, oldStatus);
  }
  return undefined;
}

const describeRefusal = (kind: string, { name }: ContainerStatus): string =>
  `terminated ${kind} ${name ?? ''} attempted illegal transition to non-terminated state`;
