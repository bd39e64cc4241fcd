import { compareText } from '../apimachinery/index.ts';
import { readInstant } from '../spec/index.ts';
import type { Container, ContainerStatus, Pod, PodStatus, Timestamp } from '../types/index.ts';
import { type ReadinessSettings, type ReadinessVersion, readinessSettings } from './gates.ts';
import { canRestartAll, conditionOf, isRestarted, isSidecar } from './statuses.ts';

export interface RecordInput<Status extends PodStatus = PodStatus> {
  readonly pod: Pod;
  /** The status that the kubelet keeps; by default the pod's. */
  readonly former?: PodStatus | undefined;
  /** The one it has generated. */
  readonly status: Status;
  readonly now: Timestamp;
}

/** A status to keep, or why it is not taken: then the former one stays. */
export type Recorded<Status extends PodStatus = PodStatus> =
  | { readonly status: Status; readonly refused?: undefined }
  | { readonly status?: undefined; readonly refused: string };

/**
 * Takes a generated status in place of the former one: its conditions get their times, each moving only where the status of the
 * condition does; the start of the pod stays; containers stand in order. `updateStatusInternal`.
 * @throws RangeError for an unknown version
 */
export function recordStatus<Status extends PodStatus>(input: RecordInput<Status>, options: ReadinessVersion = {}): Recorded<Status> {
  const settings = readinessSettings(options);
  const { pod, status, former = pod.status ?? {} } = input;
  const refused = illegalTransition(pod, former, status, settings);
  if (refused !== undefined) return { refused };
  const now = wholeSeconds(input.now);
  const { conditions, containerStatuses, initContainerStatuses } = status;
  const generation = Math.max(former.observedGeneration ?? 0, status.observedGeneration ?? 0);
  return {
    status: {
      ...status,
      startTime: former.startTime || status.startTime || now,
      ...(generation > 0 && { observedGeneration: generation }),
      ...(conditions && { conditions: withTimes(conditions, former, now, settings) }),
      ...(containerStatuses && { containerStatuses: [...containerStatuses].sort(byName) }),
      ...(initContainerStatuses && { initContainerStatuses: inOrderOf(pod.spec?.initContainers ?? [], initContainerStatuses) }),
    },
  };
}

/** A time to the second, which is how the API server keeps it. */
export const wholeSeconds = (now: Timestamp): string => `${(readInstant(now, 'now') ?? '').slice(0, 'yyyy-mm-ddThh:mm:ss'.length)}Z`;

/** The time since when a condition has its status. `updateLastTransitionTime`. */
export function transitionTime(type: string, status: PodStatus, former: PodStatus, now: string): Timestamp | null {
  const before = conditionOf(former.conditions, type);
  const isSame = before && (before.status ?? '') === (conditionOf(status.conditions, type)?.status ?? '');
  return isSame ? (before.lastTransitionTime ?? null) : now;
}

/** Of conditions of one type the first has its time set. */
function withTimes(
  conditions: NonNullable<PodStatus['conditions']>,
  former: PodStatus,
  now: string,
  settings: ReadinessSettings,
): PodStatus['conditions'] {
  const done = new Set<string>();
  return conditions.map((condition) => {
    const type = condition.type ?? '';
    if (!isTimed(type, settings) || done.has(type)) return condition;
    done.add(type);
    return { ...condition, lastTransitionTime: transitionTime(type, { conditions }, former, now) };
  });
}

/** Some are timed in releases in which they are not yet the kubelet's. A resize has its times from elsewhere. */
const isTimed = (type: string, settings: ReadinessSettings): boolean =>
  timed.includes(type) || sometimesTimed.some(([name, holds]) => name === type && holds(settings));

const timed: readonly string[] = ['ContainersReady', 'Ready', 'Initialized', 'PodScheduled'];

const sometimesTimed: readonly (readonly [string, (settings: ReadinessSettings) => boolean])[] = [
  ['PodReadyToStartContainers', ({ sidecars }) => sidecars],
  ['DisruptionTarget', ({ disruptionShared }) => disruptionShared],
  ['AllContainersRestarting', ({ restartRules }) => restartRules],
];

const byName = (a: ContainerStatus, b: ContainerStatus): number => compareText(a.name ?? '', b.name ?? '');

/** `SortInitContainerStatuses`: those of no container come last. */
function inOrderOf(containers: readonly Container[], statuses: readonly ContainerStatus[]): ContainerStatus[] {
  const sorted = [...statuses];
  let place = 0;
  for (const { name } of containers) {
    const found = sorted.findIndex((status, at) => at >= place && (status.name ?? '') === (name ?? ''));
    if (found < 0) continue;
    [sorted[place], sorted[found]] = [sorted[found] as ContainerStatus, sorted[place] as ContainerStatus];
    place++;
  }
  return sorted;
}

/** Why a status cannot follow another: a container that has ended for good runs again. `checkContainerStateTransition`. */
function illegalTransition(pod: Pod, former: PodStatus, status: PodStatus, settings: ReadinessSettings): string | undefined {
  const { containers = [], initContainers = [], restartPolicy } = pod.spec ?? {};
  if (restartPolicy === 'Always' || (settings.initializedRemembered && canRestartAll(pod))) return undefined;
  const isBack = (before: ContainerStatus, specs: readonly Container[], after: readonly ContainerStatus[]): boolean => {
    const ended = before.state?.terminated;
    if (!ended || (ended.exitCode && restartPolicy === 'OnFailure')) return false;
    const own = specs.filter(({ name }) => (name ?? '') === (before.name ?? ''));
    if (settings.restartRules && own.some((each) => isRestarted(each, pod, ended.exitCode ?? 0, settings))) return false;
    return after.some(({ name, state }) => (name ?? '') === (before.name ?? '') && !state?.terminated);
  };
  for (const before of former.containerStatuses ?? []) {
    if (isBack(before, containers ?? [], status.containerStatuses ?? [])) return refusal('container', before);
  }
  for (const [at, before] of (former.initContainerStatuses ?? []).entries()) {
    const container = initContainers?.[at];
    const isMatch = !!container && (container.name ?? '') === (before.name ?? '');
    if (settings.sidecars && !isMatch) return `found mismatch between pod spec and status, container: ${before.name ?? ''}`;
    if (settings.sidecars && container && isSidecar(container)) continue;
    const word = settings.sidecars ? 'init container' : 'container';
    if (isBack(before, initContainers ?? [], status.initContainerStatuses ?? [])) return refusal(word, before);
  }
  return undefined;
}

const refusal = (word: string, { name }: ContainerStatus): string =>
  `terminated ${word} ${name ?? ''} attempted illegal transition to non-terminated state`;
