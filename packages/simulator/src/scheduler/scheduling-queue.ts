import { metaNamespaceKey } from 'kube-endpoints/internal/apimachinery';
import { createHeap, type Heap } from '../go/heap.ts';
import { createPodInfo, type PodInfo } from './node-info.ts';
import type { Pod } from './types.ts';

/** A pod that waits for a node: QueuedPodInfo (1.36, pkg/scheduler/framework/types.go). */
export interface QueuedPod {
  readonly info: PodInfo;
  /** The plugins that rejected it in its last attempt. Empty after an error. */
  readonly rejectors: ReadonlySet<string>;
}

/** The pods that wait for a node: PriorityQueue (1.36, pkg/scheduler/backend/queue) in virtual time. */
export interface SchedulingQueue {
  /** Adds a new pod. One with scheduling gates waits until it has none. */
  add(pod: Pod): void;
  /** Replaces the object of a pod. If it waits without back-off, `isWorthRetrying` decides whether it is tried again. */
  update(pod: Pod, isWorthRetrying: (queued: QueuedPod) => boolean): void;
  delete(pod: Pod): void;
  /** Takes the next pod: of those that are ready the one of the highest priority, or else the one whose back-off ends first. */
  pop(): QueuedPod | undefined;
  /** Adds the newest object of a pod after a failed attempt. Without rejectors, the failure is an error, and the pod is tried again after its back-off. */
  addUnschedulable(queued: QueuedPod, pod: Pod, rejectors: ReadonlySet<string>): void;
  /** Makes rejected pods ready, or ready after their back-off, if a change of the cluster can help them. */
  retry(isWorthRetrying: (queued: QueuedPod) => boolean): void;
  /** When the state next changes by itself, in milliseconds since the epoch; undefined if it does not. */
  nextTime(): number | undefined;
}

/** `errors` are pods that wait for their back-off after an error. */
type Place = 'active' | 'backoff' | 'errors' | 'unschedulable' | 'gated' | 'popped';

interface Entry extends QueuedPod {
  info: PodInfo;
  rejectors: ReadonlySet<string>;
  place: Place;
  /** When it was added after its last attempt. */
  timestamp: number;
  /** Orders pods that were added at the same time. */
  order: number;
  rejections: number;
  consecutiveErrors: number;
}

const initialBackoff = 1000;
const maxBackoff = 10_000;
/** Back-offs end at multiples of this time. */
const window = 1000;
/** Rejected pods are tried again after this time, even without a change. */
const maxTimeUnschedulable = 5 * 60_000;
const leftoverPeriod = 30_000;

export function createSchedulingQueue(now: () => number): SchedulingQueue {
  const entries = new Map<string, Entry>();
  const heaps = { active: createHeap(isBefore), backoff: createHeap(endsBefore), errors: createHeap(endsBefore) };
  const leftovers = { start: now(), lastCheck: now() };
  let count = 0;
  const requeue = (entry: Entry): void => {
    if (isBackingOff(entry, now())) move(heaps, entry, entry.rejectors.size === 0 ? 'errors' : 'backoff');
    else move(heaps, entry, 'active');
  };
  return {
    add(pod) {
      const entry = createEntry(pod, now(), ++count);
      entries.set(keyOf(pod), entry);
      if (!isGated(pod)) move(heaps, entry, 'active');
    },
    update(pod, isWorthRetrying) {
      const entry = entries.get(keyOf(pod));
      if (!entry) return;
      entry.info = createPodInfo(pod, entry.info);
      if (entry.place === 'gated' && !isGated(pod)) move(heaps, entry, 'active');
      if (entry.place === 'unschedulable' && isWorthRetrying(entry)) requeue(entry);
    },
    delete(pod) {
      const entry = entries.get(keyOf(pod));
      entries.delete(keyOf(pod));
      if (entry) move(heaps, entry, 'popped');
    },
    pop() {
      for (const heap of [heaps.backoff, heaps.errors])
        for (let next = heap.peek(); next && !isBackingOff(next, now()); next = heap.peek()) move(heaps, next, 'active');
      if (isLeftoverCheckDue(leftovers, now()))
        for (const entry of entries.values()) if (isLeftover(entry, leftovers.lastCheck)) requeue(entry);
      const next = heaps.active.pop() ?? heaps.backoff.pop();
      if (next) next.place = 'popped';
      return next;
    },
    addUnschedulable(queued, pod, rejectors) {
      const entry = entries.get(keyOf(pod));
      if (entry !== queued) return;
      entry.info = createPodInfo(pod, entry.info);
      reject(entry, rejectors, now());
      entry.order = ++count;
      if (rejectors.size === 0) requeue(entry);
    },
    retry(isWorthRetrying) {
      for (const entry of entries.values()) if (entry.place === 'unschedulable' && isWorthRetrying(entry)) requeue(entry);
    },
    nextTime: () => findNextTime([...entries.values()], leftovers),
  };
}

type Heaps = Readonly<Record<'active' | 'backoff' | 'errors', Heap<Entry>>>;

/** Moves an entry between the heaps. In a place without a heap, it is in none. */
function move(heaps: Heaps, entry: Entry, place: Place): void {
  if (entry.place in heaps) heaps[entry.place as keyof Heaps].delete(entry);
  entry.place = place;
  if (place in heaps) heaps[place as keyof Heaps].push(entry);
}

interface Leftovers {
  readonly start: number;
  lastCheck: number;
}

const keyOf = ({ metadata }: Pod): string => metaNamespaceKey(metadata);

function isLeftoverCheckDue(leftovers: Leftovers, now: number): boolean {
  const check = leftovers.start + Math.floor((now - leftovers.start) / leftoverPeriod) * leftoverPeriod;
  if (check === leftovers.lastCheck) return false;
  leftovers.lastCheck = check;
  return true;
}

/** Whether a pod was rejected so long ago that it is tried again without a reason. */
const isLeftover = ({ place, timestamp }: Entry, now: number): boolean =>
  place === 'unschedulable' && now - timestamp > maxTimeUnschedulable;

function reject(entry: Entry, rejectors: ReadonlySet<string>, now: number): void {
  entry.rejectors = rejectors;
  entry.timestamp = now;
  if (rejectors.size === 0) entry.consecutiveErrors += 1;
  else [entry.rejections, entry.consecutiveErrors] = [entry.rejections + 1, 0];
  entry.place = 'unschedulable';
}

function findNextTime(entries: readonly Entry[], { lastCheck }: Leftovers): number | undefined {
  const backoffs = entries.filter(({ place }) => place === 'backoff' || place === 'errors').map((entry) => backoffEnd(entry) + window);
  const hasUnschedulable = entries.some(({ place }) => place === 'unschedulable');
  const times = [...backoffs, ...(hasUnschedulable ? [lastCheck + leftoverPeriod] : [])];
  return times.length > 0 ? Math.min(...times) : undefined;
}

const createEntry = (pod: Pod, timestamp: number, order: number): Entry => ({
  info: createPodInfo(pod),
  rejectors: new Set(),
  place: 'gated',
  timestamp,
  order,
  rejections: 0,
  consecutiveErrors: 0,
});

const isGated = ({ spec }: Pod): boolean => (spec?.schedulingGates ?? []).length > 0;

/** The start of the second in which the back-off ends: getBackoffTime. */
function backoffEnd({ timestamp, rejections, consecutiveErrors }: Entry): number {
  const count = consecutiveErrors > 0 ? consecutiveErrors : rejections;
  if (count === 0) return -Infinity;
  return truncate(timestamp + Math.min(initialBackoff * 2 ** (count - 1), maxBackoff));
}

const truncate = (time: number): number => Math.floor(time / window) * window;
const isBackingOff = (entry: Entry, now: number): boolean => backoffEnd(entry) >= truncate(now);

const priorityOf = ({ info }: Entry): number => info.pod.spec?.priority ?? 0;

/** The order of PrioritySort. */
const comparePriority = (a: Entry, b: Entry): number => priorityOf(b) - priorityOf(a) || a.timestamp - b.timestamp || a.order - b.order;

const isBefore = (a: Entry, b: Entry): boolean => comparePriority(a, b) < 0;

/** The end of the back-off, and then the order of PrioritySort. */
const endsBefore = (a: Entry, b: Entry): boolean => backoffEnd(a) < backoffEnd(b) || (backoffEnd(a) === backoffEnd(b) && isBefore(a, b));
