import type { Pod, Service } from '../types/index.ts';
import { readyCondition } from './readiness.ts';
import { type Instant, readInstant } from './time.ts';

/** What a tracker remembers of one Service between two syncs. Plain data. */
export interface TriggerTimes {
  readonly service: Instant | undefined;
  /** By pod name. */
  readonly pods: ReadonlyMap<string, Instant>;
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
  const times = new Map<string, Instant>();
  let earliest: Instant | undefined;
  const consider = (time: Instant, before: Instant | undefined): void => {
    if ((before === undefined || time > before) && (earliest === undefined || time < earliest)) earliest = time;
  };
  for (const pod of pods) {
    const time = readInstant(readyCondition(pod)?.lastTransitionTime, `Pod ${nameOf(pod)} status.conditions[Ready].lastTransitionTime`);
    if (time === undefined) continue;
    const name = pod.metadata?.name ?? '';
    times.set(name, time);
    consider(time, previous?.pods.get(name));
  }
  if (created !== undefined) consider(created, previous?.service);
  return { next: { service: created, pods: times }, time: previous ? earliest : created };
}

const nameOf = ({ metadata }: Service | Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
