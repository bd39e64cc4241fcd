import type { Optional, Pod, Service, Timestamp } from '../types/index.ts';
import { readyCondition } from './eligibility.ts';
import { type Instant, parseInstant } from './time.ts';

/** A tracker's memory of one Service between two syncs. Plain data. */
export interface TriggerTimes {
  readonly service: Instant | undefined;
  /** The names of the pods that have a time, in the order of the sync. */
  readonly pods: readonly string[];
  /** The last readiness transition of each of these pods, as RFC 3339 text. */
  readonly times: readonly string[];
}

export interface TrackedTrigger {
  /** Pass this to the next sync. */
  readonly next: TriggerTimes;
  /** The time of the change that this sync writes; undefined if nothing changed, so that no trigger time is exported. */
  readonly time: Instant | undefined;
}

/**
 * Computes the last-change trigger time of a sync: at the first sync the creation time of the Service, later the earliest of the times
 * that advanced since the previous sync (a pod's time is that of its last readiness transition).
 * @param pods all pods that the Service selects, including those that do not become endpoints
 * @throws TypeError for an invalid timestamp
 *
 * Mirrors ComputeEndpointLastChangeTriggerTime (1.36, staging/src/k8s.io/endpointslice/util/trigger_time_tracker.go).
 */
export function trackTriggerTime(previous: TriggerTimes | undefined, service: Service, pods: readonly Pod[]): TrackedTrigger {
  const creationTime = creationTimeOf(service);
  const next = { service: creationTime, pods: [] as string[], times: [] as string[] };
  const previousTimeOf = createTimeLookup(previous);
  const advancedTimes = createAdvancedTimes();
  for (const pod of pods) {
    const timestamp = timestampOf(pod);
    if (timestamp === undefined || timestamp === null) continue;
    const name = pod.metadata?.name ?? '';
    const time = readTime(timestamp, pod, previousTimeOf(name), previous && advancedTimes);
    if (time === undefined) continue;
    next.pods.push(name);
    next.times.push(time);
  }
  advancedTimes.consider(creationTime, previous?.service);
  return { next, time: previous ? advancedTimes.earliest : creationTime };
}

/** Collects the earliest of the times that advanced. */
export interface AdvancedTimes {
  earliest: Instant | undefined;
  consider(time: Instant | undefined, previousTime: Instant | undefined): void;
}

export function createAdvancedTimes(): AdvancedTimes {
  const advancedTimes: AdvancedTimes = {
    earliest: undefined,
    consider(time, previousTime) {
      if (time === undefined || (previousTime !== undefined && time <= previousTime)) return;
      if (advancedTimes.earliest === undefined || time < advancedTimes.earliest) advancedTimes.earliest = time;
    },
  };
  return advancedTimes;
}

/** @throws TypeError for an invalid timestamp */
export const creationTimeOf = (service: Service): Instant | undefined =>
  parseInstant(service.metadata?.creationTimestamp, `Service ${nameOf(service)} metadata.creationTimestamp`);

/**
 * Returns the last readiness transition of a pod, as text for the next sync; undefined if it has none. Passes a changed time to `advancedTimes`.
 * @param previousTime the remembered text of the previous sync
 * @throws TypeError for an invalid timestamp
 */
export function readPodTime(pod: Pod, previousTime: string | undefined, advancedTimes: AdvancedTimes): string | undefined {
  const timestamp = timestampOf(pod);
  return timestamp === undefined || timestamp === null ? undefined : readTime(timestamp, pod, previousTime, advancedTimes);
}

const timestampOf = (pod: Pod): Optional<Timestamp> => readyCondition(pod)?.lastTransitionTime;

function readTime(
  timestamp: Timestamp,
  pod: Pod,
  previousTime: string | undefined,
  advancedTimes: AdvancedTimes | undefined,
): string | undefined {
  if (previousTime === undefined || previousTime !== timestamp) {
    const time = parseInstant(timestamp, () => `Pod ${nameOf(pod)} status.conditions[Ready].lastTransitionTime`);
    if (time === undefined) return undefined;
    advancedTimes?.consider(time, previousTime === undefined ? undefined : parseInstant(previousTime, ''));
  }
  return typeof timestamp === 'string' ? timestamp : timestamp.toISOString();
}

/**
 * Creates a function that looks up the previous time of a pod by name. Pods usually keep their order between syncs, so the next entry is
 * tried first.
 */
function createTimeLookup(previous: TriggerTimes | undefined): (name: string) => string | undefined {
  if (!previous) return () => undefined;
  const { pods, times } = previous;
  let next = 0;
  let indexes: Map<string, number> | undefined;
  return (name) => {
    if (pods[next] === name) return times[next++];
    indexes ??= new Map(pods.map((each, index) => [each, index]));
    const index = indexes.get(name);
    if (index === undefined) return undefined;
    next = index + 1;
    return times[index];
  };
}

const nameOf = ({ metadata }: Service | Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
