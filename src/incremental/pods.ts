import { requireWholeNumber } from '../apimachinery/options.ts';
import { createPodMatcher } from '../spec/select.ts';
import type { Settings } from '../spec/settings.ts';
import {
  type AdvancedTimes,
  createAdvancedTimes,
  creationTimeOf,
  readPodTime,
  type TrackedTrigger,
  type TriggerTimes,
} from '../spec/trigger-time.ts';
import type { Pod, Service } from '../types/index.ts';

/**
 * The pods that one Service selects, from a caller that tracks changes, so that unchanged pods are not read again. Pass it to a
 * reconciler instead of a list of pods. Each change is passed once: it counts as applied after the call, even if the call fails.
 */
export interface PodFeed {
  /** Every pod that the Service selects now, including changed ones. Called if the reconciler has no usable index of the Service's pods. */
  all(): Iterable<Pod>;
  /** The changes since the feed was last passed, by pod name: the current pod, or undefined if it is no longer selected. */
  readonly changes: ReadonlyMap<string, Pod | undefined>;
}

export const isFeed = (pods: readonly Pod[] | PodFeed): pods is PodFeed => 'changes' in pods;

export const listPods = (pods: readonly Pod[] | PodFeed): readonly Pod[] => (isFeed(pods) ? [...pods.all()] : pods);

/** The cached state of a pod, which each controller extends. */
export interface CachedPod {
  /** The last readiness transition, as the trigger time tracker stores it. */
  readonly time: string | undefined;
}

/** The pods of a Service on a feed, by name. Pods without an outcome and without a time are not stored. */
export interface PodIndex {
  /** Adds pods that are all selected and not stored yet, with their tracked times. */
  load(pods: readonly Pod[], times: TriggerTimes): void;
  /**
   * Applies changes, and passes times that advanced to `advancedTimes`.
   * @throws TypeError for an invalid timestamp; no change is applied then
   */
  update(changes: ReadonlyMap<string, Pod | undefined>, advancedTimes: AdvancedTimes): void;
  /** The times of the pods, as the trigger time tracker stores them. */
  times(): Pick<TriggerTimes, 'pods' | 'times'>;
}

/** Replaces the state of a pod. `previous` is undefined for a new pod; returns undefined to store nothing. */
export type PodUpdater<M extends CachedPod> = (previous: M | undefined, pod: Pod | undefined, time: string | undefined) => M | undefined;

export function createPodIndex<M extends CachedPod>(
  service: Service,
  updatePod: PodUpdater<M>,
): PodIndex & { readonly cachedPods: ReadonlyMap<string, M> } {
  const cachedPods = new Map<string, M>();
  const isSelected = createPodMatcher(service);
  const put = (name: string, previous: M | undefined, pod: Pod | undefined, time: string | undefined): void => {
    const updated = updatePod(previous, pod, time);
    if (updated === previous) return;
    if (updated) cachedPods.set(name, updated);
    else cachedPods.delete(name);
  };
  return {
    cachedPods,
    load(pods, { pods: names, times }) {
      let next = 0;
      for (const pod of pods) {
        const name = pod.metadata?.name ?? '';
        const time = names[next] === name ? times[next++] : undefined;
        if (!cachedPods.has(name)) put(name, undefined, pod, time);
      }
    },
    update(changes, advancedTimes) {
      const updates = Array.from(changes, ([name, changedPod]) => {
        const pod = changedPod && isSelected(changedPod) ? changedPod : undefined;
        const previous = cachedPods.get(name);
        return { name, pod, previous, time: pod && readPodTime(pod, previous?.time, advancedTimes) };
      });
      for (const { name, pod, previous, time } of updates) put(name, previous, pod, time);
    },
    times() {
      const podsWithTime = [...cachedPods].filter(([, { time }]) => time !== undefined);
      return { pods: podsWithTime.map(([name]) => name), times: podsWithTime.map(([, { time }]) => time as string) };
    },
  };
}

/** The state of one Service between two syncs: the state of the specification and, if a feed passes its pods, an index of them. */
export interface ServiceMemory<S extends TrackedState, R extends PodIndex> {
  /** While there is an index, it holds the pods' trigger times instead of this state. */
  state: S;
  index?: R | undefined;
  /** Everything that the index depends on, except the pods. */
  fingerprint?: string | undefined;
  /** Changes of feeds from syncs that did not read pods. */
  deferredChanges?: Map<string, Pod | undefined> | undefined;
}

interface TrackedState {
  readonly triggers?: TriggerTimes | undefined;
}

/** All fields of a Service that affect the outcome of its pods. */
export const fingerprintOf = ({ metadata, spec }: Service): string => JSON.stringify([metadata?.name, metadata?.namespace, spec]);

/** Drops the index, and moves its trigger times to the state. */
export function dropIndex<S extends TrackedState, R extends PodIndex>(memory: ServiceMemory<S, R>): void {
  const { state, index } = memory;
  if (index) memory.state = { ...state, triggers: { service: state.triggers?.service, ...index.times() } };
  memory.index = undefined;
  memory.deferredChanges = undefined;
}

/** Drops the index and returns the trigger times to continue from; undefined if `previous` is undefined, as for a new Service. */
export function takeTriggers<S extends TrackedState, R extends PodIndex>(
  memory: ServiceMemory<S, R>,
  previous: TriggerTimes | undefined,
): TriggerTimes | undefined {
  dropIndex(memory);
  return previous && memory.state.triggers;
}

/**
 * Applies the changes of a feed to the index of a Service. Returns undefined if the Service has no index with this fingerprint, or if
 * `previous` is undefined.
 * @throws TypeError for an invalid timestamp; the index is dropped then
 */
export function updateIndex<S extends TrackedState, R extends PodIndex>(
  memory: ServiceMemory<S, R>,
  { changes }: PodFeed,
  service: Service,
  previous: TriggerTimes | undefined,
  fingerprint: string,
): TrackedTrigger | undefined {
  const { index, deferredChanges } = memory;
  if (!index || !previous || memory.fingerprint !== fingerprint) return undefined;
  const advancedTimes = createAdvancedTimes();
  try {
    const creationTime = creationTimeOf(service);
    index.update(deferredChanges ? new Map([...deferredChanges, ...changes]) : changes, advancedTimes);
    advancedTimes.consider(creationTime, previous.service);
    memory.deferredChanges = undefined;
    return { next: { service: creationTime, pods: [], times: [] }, time: advancedTimes.earliest };
  } catch (error) {
    dropIndex(memory);
    throw error;
  }
}

/** Stores an index for the next sync. Returns the trigger without the times of pods, which the index holds from now on. */
export function storeIndex<S extends TrackedState, R extends PodIndex>(
  memory: ServiceMemory<S, R>,
  index: R,
  fingerprint: string,
  { next, time }: TrackedTrigger,
): TrackedTrigger {
  memory.index = index;
  memory.fingerprint = fingerprint;
  return { next: { service: next.service, pods: [], times: [] }, time };
}

/** Stores the changes of a feed for the next sync that reads pods; no effect without an index. */
export function deferChanges<S extends TrackedState, R extends PodIndex>(memory: ServiceMemory<S, R>, { changes }: PodFeed): void {
  if (!memory.index) return;
  memory.deferredChanges ??= new Map();
  for (const [name, pod] of changes) memory.deferredChanges.set(name, pod);
}

export interface ReconcilerSettings extends Settings {
  /** The minimum number of pods for an index. */
  readonly minIndexedPods?: number | undefined;
}

/** The default minimum number of pods for an index. With fewer pods, reading all of them costs less than a write. */
export const defaultMinIndexedPods = 32;

/** @throws RangeError if the value is not an integer of at least 0 */
export const requireMinIndexedPods = (value: number | undefined): number | undefined =>
  value === undefined ? undefined : requireWholeNumber('minIndexedPods', value, 0);
