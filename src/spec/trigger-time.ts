import type { Optional, Pod, Service, Timestamp } from '../types/index.ts';
import { readyCondition } from './eligibility.ts';
import { type Instant, readInstant } from './time.ts';

/** What a tracker remembers of one Service between two syncs. Plain data. */
export interface TriggerTimes {
  readonly service: Instant | undefined;
  /** The names of the pods that have a time, in their order. */
  readonly pods: readonly string[];
  /** When the readiness of each of these last changed, as RFC 3339 text. */
  readonly times: readonly string[];
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
  const created = createdAt(service);
  const next = { service: created, pods: [] as string[], times: [] as string[] };
  const timeBefore = lookup(previous);
  const moves = createMoves();
  for (const pod of pods) {
    const timestamp = timestampOf(pod);
    if (timestamp === undefined || timestamp === null) continue;
    const name = pod.metadata?.name ?? '';
    const time = readTime(timestamp, pod, timeBefore(name), previous && moves);
    if (time === undefined) continue;
    next.pods.push(name);
    next.times.push(time);
  }
  moves.consider(created, previous?.service);
  return { next, time: previous ? moves.earliest : created };
}

/** The earliest of the times that moved on. */
export interface Moves {
  earliest: Instant | undefined;
  consider(time: Instant | undefined, before: Instant | undefined): void;
}

export function createMoves(): Moves {
  const moves: Moves = {
    earliest: undefined,
    consider(time, before) {
      if (time === undefined || (before !== undefined && time <= before)) return;
      if (moves.earliest === undefined || time < moves.earliest) moves.earliest = time;
    },
  };
  return moves;
}

/** @throws TypeError for a timestamp that is none */
export const createdAt = (service: Service): Instant | undefined =>
  readInstant(service.metadata?.creationTimestamp, `Service ${nameOf(service)} metadata.creationTimestamp`);

/**
 * When the readiness of a pod last changed, as text to remember; undefined where it has no such time.
 * @param before what was remembered of it
 * @throws TypeError for a timestamp that is none
 */
export function readPodTime(pod: Pod, before: string | undefined, moves: Moves): string | undefined {
  const timestamp = timestampOf(pod);
  return timestamp === undefined || timestamp === null ? undefined : readTime(timestamp, pod, before, moves);
}

const timestampOf = (pod: Pod): Optional<Timestamp> => readyCondition(pod)?.lastTransitionTime;

function readTime(timestamp: Timestamp, pod: Pod, before: string | undefined, moves: Moves | undefined): string | undefined {
  if (before === undefined || before !== timestamp) {
    const time = readInstant(timestamp, () => `Pod ${nameOf(pod)} status.conditions[Ready].lastTransitionTime`);
    if (time === undefined) return undefined;
    moves?.consider(time, before === undefined ? undefined : readInstant(before, ''));
  }
  return typeof timestamp === 'string' ? timestamp : timestamp.toISOString();
}

/** Finds times by name. Pods mostly come in the order of the sync before, so that the next one is nearly always the one asked for. */
function lookup(previous: TriggerTimes | undefined): (name: string) => string | undefined {
  if (!previous) return () => undefined;
  const { pods, times } = previous;
  let next = 0;
  let places: Map<string, number> | undefined;
  return (name) => {
    if (pods[next] === name) return times[next++];
    places ??= new Map(pods.map((each, place) => [each, place]));
    const place = places.get(name);
    if (place === undefined) return undefined;
    next = place + 1;
    return times[place];
  };
}

const nameOf = ({ metadata }: Service | Pod): string => `${metadata?.namespace ?? ''}/${metadata?.name ?? ''}`;
