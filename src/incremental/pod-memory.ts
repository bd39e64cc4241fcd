import { selectPods } from '../spec/select.ts';
import type { Instant } from '../spec/time.ts';
import type { Pod, Service } from '../types/index.ts';
import type { PodFeed } from './feed.ts';
import type { Members } from './members.ts';
import { createdAt, createMoves, type TriggerTimes, trackTriggerTime } from './trigger-time.ts';

/** What is remembered of the pods of one Service between two syncs. */
export interface PodMemory<R extends Members> {
  triggers?: TriggerTimes | undefined;
  /** Where the Service is on a feed: its pods, with their trigger times. */
  roster?: R | undefined;
  /** All that the roster stands on but the pods; it is of no use on anything else. */
  standing?: string | undefined;
  /** What a feed told of in syncs that did not get as far as the pods. */
  missed?: Map<string, Pod | undefined> | undefined;
}

export const isFeed = (pods: readonly Pod[] | PodFeed): pods is PodFeed => 'changes' in pods;

/** All of a Service that the outcome of its pods depends on. */
export const standingOf = ({ metadata, spec }: Service): string => JSON.stringify([metadata?.name, metadata?.namespace, spec]);

/**
 * The roster of a Service that is on a feed, brought up to date, and the trigger time of the sync.
 *
 * 1. A roster that stands on the same is told what changed. If it fails on a timestamp it is given up.
 * 2. Otherwise all pods are read and tracked as those of a list are, and `make` makes a roster of them.
 * 3. A roster of few pods is not kept: to make it anew costs less than a write, and most Services have few.
 *
 * @param keepFrom from how many pods on it is kept
 */
export function followFeed<R extends Members>(
  memory: PodMemory<R>,
  feed: PodFeed,
  service: Service,
  standing: string,
  keepFrom: number,
  make: () => R,
): { readonly roster: R; readonly time: Instant | undefined } {
  if (memory.roster && memory.standing === standing) return { roster: memory.roster, time: update(memory, memory.roster, feed, service) };
  const { selected, time } = readAll(memory, feed, service);
  const roster = make();
  roster.load(selected, memory.triggers as TriggerTimes);
  if (selected.length < keepFrom) return { roster, time };
  memory.triggers = { service: memory.triggers?.service, pods: [], times: [] };
  memory.roster = roster;
  memory.standing = standing;
  return { roster, time };
}

function update<R extends Members>(memory: PodMemory<R>, roster: R, { changes }: PodFeed, service: Service): Instant | undefined {
  const moves = createMoves();
  try {
    const created = createdAt(service);
    roster.update(memory.missed ? new Map([...memory.missed, ...changes]) : changes, moves);
    moves.consider(created, memory.triggers?.service);
    memory.triggers = { service: created, pods: [], times: [] };
    memory.missed = undefined;
    return moves.earliest;
  } catch (error) {
    giveUpRoster(memory);
    throw error;
  }
}

/** The pods that a Service selects, of a list or of a feed whose changes are of no use, with the trigger time of the sync. */
export function readAll<R extends Members>(
  memory: PodMemory<R>,
  pods: readonly Pod[] | PodFeed,
  service: Service,
): { readonly selected: readonly Pod[]; readonly time: Instant | undefined } {
  giveUpRoster(memory);
  const selected = selectPods(service, isFeed(pods) ? [...pods.all()] : pods);
  return { selected, time: track(memory, service, selected) };
}

/** The trigger time of a sync over these pods, which are all that are selected. */
export function track<R extends Members>(memory: PodMemory<R>, service: Service, selected: readonly Pod[]): Instant | undefined {
  const { next, time } = trackTriggerTime(memory.triggers, service, selected);
  memory.triggers = next;
  return time;
}

/** Leaves the changes of a feed for the sync that gets as far as the pods. */
export function putOff<R extends Members>(memory: PodMemory<R>, { changes }: PodFeed): void {
  if (!memory.roster) return;
  memory.missed ??= new Map();
  for (const [name, pod] of changes) memory.missed.set(name, pod);
}

/** Forgets the pods, but not their trigger times. */
export function giveUpRoster<R extends Members>(memory: PodMemory<R>): void {
  if (memory.roster) memory.triggers = { service: memory.triggers?.service, ...memory.roster.times() };
  memory.roster = undefined;
  memory.missed = undefined;
}
