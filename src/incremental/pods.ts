import { requireWholeNumber } from '../apimachinery/options.ts';
import { isSelectedBy } from '../spec/select.ts';
import type { Settings } from '../spec/settings.ts';
import { createdAt, createMoves, type Moves, readPodTime, type TrackedTrigger, type TriggerTimes } from '../spec/trigger-time.ts';
import type { Pod, Service } from '../types/index.ts';

/**
 * The pods that one Service selects, kept by a host that knows what changed: the rest is then not read again. Passed to a
 * reconciler in place of a list of pods. Whatever the outcome, the changes count as taken in afterwards.
 */
export interface PodFeed {
  /** Every pod that the Service selects now, the changed ones included. Read if little or nothing is remembered of the Service. */
  all(): Iterable<Pod>;
  /** What changed since the feed was last passed in, by pod name: the current pod, or undefined if it is no longer selected. */
  readonly changes: ReadonlyMap<string, Pod | undefined>;
}

export const isFeed = (pods: readonly Pod[] | PodFeed): pods is PodFeed => 'changes' in pods;

export const listOf = (pods: readonly Pod[] | PodFeed): readonly Pod[] => (isFeed(pods) ? [...pods.all()] : pods);

/** What is kept of a pod, which each controller adds to. */
export interface Member {
  /** When its readiness last changed, as a tracker remembers it. */
  readonly time: string | undefined;
}

/** The pods of a Service on a feed, by name. Pods without an outcome and without a time are not kept. */
export interface Members {
  /** Adds pods that are all selected and not known yet, with their times as they were tracked. */
  load(pods: readonly Pod[], times: TriggerTimes): void;
  /**
   * Applies changes, and reports times that moved on to `moves`.
   * @throws TypeError for an invalid timestamp; then nothing was applied
   */
  update(changes: ReadonlyMap<string, Pod | undefined>, moves: Moves): void;
  /** The times of the pods, as a tracker remembers them. */
  times(): Pick<TriggerTimes, 'pods' | 'times'>;
}

/** Replaces what is kept of a pod. Undefined before means a new pod, undefined afterwards that nothing is kept. */
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

/** What is remembered of one Service between two syncs: the state of the specification, and its pods if it is on a feed. */
export interface ServiceMemory<S extends TrackedState, R extends Members> {
  /** As long as there is a roster, the trigger times of the pods are in the roster. */
  state: S;
  roster?: R | undefined;
  /** Everything but the pods that the roster depends on. */
  fingerprint?: string | undefined;
  /** The changes of feeds in syncs that did not read pods. */
  missed?: Map<string, Pod | undefined> | undefined;
}

interface TrackedState {
  readonly triggers?: TriggerTimes | undefined;
}

/** All of a Service that the outcome of its pods depends on. */
export const fingerprintOf = ({ metadata, spec }: Service): string => JSON.stringify([metadata?.name, metadata?.namespace, spec]);

/** Drops the roster, but not the trigger times in it. */
export function giveUpRoster<S extends TrackedState, R extends Members>(memory: ServiceMemory<S, R>): void {
  const { state, roster } = memory;
  if (roster) memory.state = { ...state, triggers: { service: state.triggers?.service, ...roster.times() } };
  memory.roster = undefined;
  memory.missed = undefined;
}

/** The trigger times to go on from, without a roster: undefined if the specification starts afresh. */
export function triggersWithoutRoster<S extends TrackedState, R extends Members>(
  memory: ServiceMemory<S, R>,
  before: TriggerTimes | undefined,
): TriggerTimes | undefined {
  giveUpRoster(memory);
  return before && memory.state.triggers;
}

/**
 * Applies the changes of a feed to the roster of a Service, if it has one with this fingerprint; otherwise returns undefined.
 * @throws TypeError for an invalid timestamp; then the roster is dropped
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

/** Keeps a roster for the next sync, with the trigger times that the specification has tracked for its pods. */
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

/** Leaves the changes of a feed for the next sync that reads pods. */
export function putOff<S extends TrackedState, R extends Members>(memory: ServiceMemory<S, R>, { changes }: PodFeed): void {
  if (!memory.roster) return;
  memory.missed ??= new Map();
  for (const [name, pod] of changes) memory.missed.set(name, pod);
}

export interface ReconcilerSettings extends Settings {
  /** The number of pods from which on a roster is kept. */
  readonly rosterFrom?: number | undefined;
}

/** The number of pods from which on a roster is kept by default: with fewer, reading all pods costs less than a write. */
export const defaultRosterFrom = 32;

/** @throws RangeError if the value is not an integer from 0 on */
export const rosterFromOf = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : requireWholeNumber('rosterFrom', value, 0);
