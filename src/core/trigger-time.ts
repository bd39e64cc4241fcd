import type { Pod, Service, Timestamp } from '../types/index.ts';
import { readyCondition } from './readiness.ts';
import { type Instant, readInstant } from './time.ts';

/** What a tracker remembers of one Service between two syncs. Plain data. */
export interface TriggerTimes {
  readonly service: Instant | undefined;
  /** Of each pod that has a time, in the order of the pods. */
  readonly pods: readonly PodTime[];
}

/** When a pod's readiness last changed: as its condition says it, and as it compares. */
export interface PodTime {
  readonly name: string;
  readonly text: Timestamp;
  readonly time: Instant;
}

export interface TrackedTrigger {
  /** What to hand in at the next sync. */
  readonly next: TriggerTimes;
  /** When the change happened that this sync writes; undefined where nothing new did, so that nothing is to be exported. */
  readonly time: Instant | undefined;
}

/**
 * The last-change trigger time of a sync: that of the Service's creation when it is seen first, then the earliest of the
 * times that moved on since the sync before (a pod's time is that of its last readiness transition).
 * @param pods those that the Service selects, whether they become endpoints or not
 * @throws TypeError for a timestamp that is none
 *
 * Mirrors ComputeEndpointLastChangeTriggerTime (1.36, staging/src/k8s.io/endpointslice/util/trigger_time_tracker.go).
 */
export function trackTriggerTime(previous: TriggerTimes | undefined, service: Service, pods: readonly Pod[]): TrackedTrigger {
  const created = readInstant(service.metadata?.creationTimestamp, `Service ${nameOf(service)} metadata.creationTimestamp`);
  const times: PodTime[] = [];
  const timeBefore = lookup(previous?.pods ?? []);
  let earliest: Instant | undefined;
  const consider = (time: Instant, before: Instant | undefined): void => {
    if ((before === undefined || time > before) && (earliest === undefined || time < earliest)) earliest = time;
  };
  for (const pod of pods) {
    const text = readyCondition(pod)?.lastTransitionTime;
    if (text === undefined || text === null) continue;
    const name = pod.metadata?.name ?? '';
    const before = timeBefore(name);
    if (before && before.text === text && typeof text === 'string') {
      times.push(before);
      continue;
    }
    const time = readInstant(text, `Pod ${nameOf(pod)} status.conditions[Ready].lastTransitionTime`);
    if (time === undefined) continue;
    times.push({ name, text, time });
    consider(time, before?.time);
  }
  if (created !== undefined) consider(created, previous?.service);
  return { next: { service: created, pods: times }, time: previous ? earliest : created };
}

/** Finds times by name. Pods mostly come in the order of the sync before, so that the next one is nearly always the one asked for. */
function lookup(times: readonly PodTime[]): (name: string) => PodTime | undefined {
  let next = 0;
  let places: Map<string, number> | undefined;
  return (name) => {
    if (times[next]?.name === name) return times[next++];
    places ??= new Map(times.map((each, place) => [each.name, place]));
    const place = places.get(name);
    if (place === undefined) return undefined;
    next = place + 1;
    return times[place];
  };
}

const nameOf = ({ metadata }: Service | Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
