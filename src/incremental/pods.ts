import { requireWholeNumber } from '../apimachinery/options.ts';
import { isSelectedBy } from '../spec/select.ts';
import type { Settings } from '../spec/settings.ts';
import { createdAt, createMoves, type Moves, readPodTime, type TrackedTrigger, type TriggerTimes } from '../spec/trigger-time.ts';
import type { Pod, Service } from '../types/index.ts';

/**
 * The pods that one Service selects, from a caller that tracks changes, so that unchanged pods are not read again. Pass it to a
 * reconciler in place of a list of pods. Each change is passed once: it counts as applied after the call, even if the call fails.
 */
export interface PodFeed {
  /** Every pod that the Service selects now, including changed ones. Read if there is no usable state of the Service yet. */
  all(): Iterable<Pod>;
  /** The changes since the feed was last passed, by pod name: the current pod, or undefined if it is no longer selected. */
  readonly changes: ReadonlyMap<string, Pod | undefined>;
}

export const isFeed = (pods: readonly Pod[] | PodFeed): pods is PodFeed => 'changes' in pods;

export const listOf = (pods: readonly Pod[] | PodFeed): readonly Pod[] => (isFeed(pods) ? [...pods.all()] : pods);

/** The cached state of a pod, which each controller extends. */
export interface Member {
  /** The last readiness transition, as the trigger time tracker stores it. */
  readonly time: string | undefined;
}

/** The pods of a Service on a feed, by name. Pods without an outcome and without a time are not stored. */
export interface Members {
  /** Adds pods that are all selected and not known yet, with their tracked times. */
  load(pods: readonly Pod[], times: TriggerTimes): void;
  /**
   * Applies changes, and reports times that advanced to `moves`.
   * @throws TypeError for an invalid timestamp; no change is applied then
   */
  update(changes: ReadonlyMap<string, Pod | undefined>, moves: Moves): void;
  /** The times of the pods, as the trigger time tracker stores them. */
  times(): Pick<TriggerTimes, 'pods' | 'times'>;
}

/** Replaces the state of a pod. `before` is undefined for a new pod; returns undefined to store nothing. */
export type Move<M extends Member> = (before: M | undefined, pod: Pod | undefined, time: string | undefined) => M | undefined;

export function createMembers<M extends Member>(service: Service, move: Move<M>): Members & { readonly all: ReadonlyMap<string, M> } {
  const all = new Map<string, M>();
  const isSelected = isSelectedBy(service);
  const put = (name: string, before: M | undefined, pod: Pod | undefined, time: string | undefined): void => {
    const after = move(before, pod, time);
    if (after === before) return;
    if (after) all.set(name, after);
    else all.delete(name);
  };
  return {
    all,
    load(pods, { pods: names, times }) {
      let next = 0;
      for (const pod of pods) {
        const name = pod.metadata?.name ?? '';
        const time = names[next] === name ? times[next++] : undefined;
        if (!all.has(name)) put(name, undefined, pod, time);
      }
    },
    update(changes, moves) {
      const read = Array.from(changes, ([name, given]) => {
        const pod = given && isSelected(given) ? given : undefined;
        const before = all.get(name);
        return { name, pod, before, time: pod && readPodTime(pod, before?.time, moves) };
      });
      for (const { name, pod, before, time } of read) put(name, before, pod, time);
    },
    times() {
      const timed = [...all].filter(([, { time }]) => time !== undefined);
      return { pods: timed.map(([name]) => name), times: timed.map(([, { time }]) => time as string) };
    },
  };
}

/** The state of one Service between two syncs: that of the specification, and its pods if it is on a feed. */
export interface ServiceMemory<S extends TrackedState, R extends Members> {
  /** While there is a roster, it holds the pods' trigger times instead of this state. */
  state: S;
  roster?: R | undefined;
  /** Everything except the pods that the roster depends on. */
  fingerprint?: string | undefined;
  /** Changes of feeds from syncs that did not read pods. */
  missed?: Map<string, Pod | undefined> | undefined;
}

interface TrackedState {
  readonly triggers?: TriggerTimes | undefined;
}

/** All fields of a Service that affect the outcome of its pods. */
export const fingerprintOf = ({ metadata, spec }: Service): string => JSON.stringify([metadata?.name, metadata?.namespace, spec]);

/** Drops the roster, and moves its trigger times to the state. */
export function giveUpRoster<S extends TrackedState, R extends Members>(memory: ServiceMemory<S, R>): void {
  const { state, roster } = memory;
  if (roster) memory.state = { ...state, triggers: { service: state.triggers?.service, ...roster.times() } };
  memory.roster = undefined;
  memory.missed = undefined;
}

/** Drops the roster and returns the trigger times to continue from; undefined if `before` is, for example for a new Service. */
export function triggersWithoutRoster<S extends TrackedState, R extends Members>(
  memory: ServiceMemory<S, R>,
  before: TriggerTimes | undefined,
): TriggerTimes | undefined {
  giveUpRoster(memory);
  return before && memory.state.triggers;
}

/**
 * Applies the changes of a feed to the roster of a Service. Returns undefined if it has no roster with this fingerprint, or if
 * `before` is undefined.
 * @throws TypeError for an invalid timestamp; the roster is dropped then
 */
export function updateRoster<S extends TrackedState, R extends Members>(
  memory: ServiceMemory<S, R>,
  { changes }: PodFeed,
  service: Service,
  before: TriggerTimes | undefined,
  fingerprint: string,
): TrackedTrigger | undefined {
  const { roster, missed } = memory;
  if (!roster || !before || memory.fingerprint !== fingerprint) return undefined;
  const moves = createMoves();
  try {
    const created = createdAt(service);
    roster.update(missed ? new Map([...missed, ...changes]) : changes, moves);
    moves.consider(created, before.service);
    memory.missed = undefined;
    return { next: { service: created, pods: [], times: [] }, time: moves.earliest };
  } catch (error) {
    giveUpRoster(memory);
    throw error;
  }
}

/** Stores a roster for the next sync. It takes over the trigger times of its pods. */
export function keepRoster<S extends TrackedState, R extends Members>(
  memory: ServiceMemory<S, R>,
  roster: R,
  fingerprint: string,
  { next, time }: TrackedTrigger,
): TrackedTrigger {
  memory.roster = roster;
  memory.fingerprint = fingerprint;
  return { next: { service: next.service, pods: [], times: [] }, time };
}

/** Stores the changes of a feed for the next sync that reads pods. */
export function putOff<S extends TrackedState, R extends Members>(memory: ServiceMemory<S, R>, { changes }: PodFeed): void {
  if (!memory.roster) return;
  memory.missed ??= new Map();
  for (const [name, pod] of changes) memory.missed.set(name, pod);
}

export interface ReconcilerSettings extends Settings {
  /** The minimum number of pods for a roster. */
  readonly rosterFrom?: number | undefined;
}

/** The default minimum number of pods for a roster. With fewer pods, reading all of them costs less than a write. */
export const defaultRosterFrom = 32;

/** @throws RangeError if the value is not an integer of at least 0 */
export const rosterFromOf = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : requireWholeNumber('rosterFrom', value, 0);
