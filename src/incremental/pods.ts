import { requireWholeNumber } from '../apimachinery/options.ts';
import { isSelectedBy } from '../spec/select.ts';
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
  /** Every pod that the Service selects now, including changed ones. Called if there is no usable state of the Service yet. */
  all(): Iterable<Pod>;
  /** The changes since the feed was last passed, by pod name: the current pod, or undefined if it is no longer selected. */
  readonly changes: ReadonlyMap<string, Pod | undefined>;
}

export const isFeed = (pods: readonly Pod[] | PodFeed): pods is PodFeed => 'changes' in pods;

export const listOf = (pods: readonly Pod[] | PodFeed): readonly Pod[] => (isFeed(pods) ? [...pods.all()] : pods);

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
   * Applies changes, and reports times that advanced to `advanced`.
   * @throws TypeError for an invalid timestamp; no change is applied then
   */
  update(changes: ReadonlyMap<string, Pod | undefined>, advanced: AdvancedTimes): void;
  /** The times of the pods, as the trigger time tracker stores them. */
  times(): Pick<TriggerTimes, 'pods' | 'times'>;
}

/** Replaces the state of a pod. `previous` is undefined for a new pod; returns undefined to store nothing. */
export type UpdatePod<M extends CachedPod> = (previous: M | undefined, pod: Pod | undefined, time: string | undefined) => M | undefined;

export function createPodIndex<M extends CachedPod>(
  service: Service,
  updatePod: UpdatePod<M>,
): PodIndex & { readonly all: ReadonlyMap<string, M> } {
  const all = new Map<string, M>();
  const isSelected = isSelectedBy(service);
  const put = (name: string, previous: M | undefined, pod: Pod | undefined, time: string | undefined): void => {
    const updated = updatePod(previous, pod, time);
    if (updated === previous) return;
    if (updated) all.set(name, updated);
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
    update(changes, advanced) {
      const updates = Array.from(changes, ([name, changedPod]) => {
        const pod = changedPod && isSelected(changedPod) ? changedPod : undefined;
        const previous = all.get(name);
        return { name, pod, previous, time: pod && readPodTime(pod, previous?.time, advanced) };
      });
      for (const { name, pod, previous, time } of updates) put(name, previous, pod, time);
    },
    times() {
      const podsWithTime = [...all].filter(([, { time }]) => time !== undefined);
      return { pods: podsWithTime.map(([name]) => name), times: podsWithTime.map(([, { time }]) => time as string) };
    },
  };
}

/** The state of one Service between two syncs: the state of the specification and, if a feed passes its pods, an index of them. */
export interface ServiceMemory<S extends TrackedState, R extends PodIndex> {
  /** While there is an index, it holds the pods' trigger times instead of this state. */
  state: S;
  index?: R | undefined;
  /** Everything except the pods that the index depends on. */
  fingerprint?: string | undefined;
  /** Changes of feeds from syncs that did not read pods. */
  deferred?: Map<string, Pod | undefined> | undefined;
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
  memory.deferred = undefined;
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
 * Applies the changes of a feed to the index of a Service. Returns undefined if it has no index with this fingerprint, or if
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
  const { index, deferred } = memory;
  if (!index || !previous || memory.fingerprint !== fingerprint) return undefined;
  const advanced = createAdvancedTimes();
  try {
    const creationTime = creationTimeOf(service);
    index.update(deferred ? new Map([...deferred, ...changes]) : changes, advanced);
    advanced.consider(creationTime, previous.service);
    memory.deferred = undefined;
    return { next: { service: creationTime, pods: [], times: [] }, time: advanced.earliest };
  } catch (error) {
    dropIndex(memory);
    throw error;
  }
}

/** Stores an index for the next sync. From now on, the index holds the trigger times of its pods. */
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

/** Stores the changes of a feed for the next sync that reads pods. */
export function deferChanges<S extends TrackedState, R extends PodIndex>(memory: ServiceMemory<S, R>, { changes }: PodFeed): void {
  if (!memory.index) return;
  memory.deferred ??= new Map();
  for (const [name, pod] of changes) memory.deferred.set(name, pod);
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
