import { createSelectorCache, type PodFeed } from 'kube-endpoints';
import { matcherOf } from 'kube-endpoints/internal';
import type { Pod, Service } from 'kube-endpoints/types';
import type { Profile } from 'kube-endpoints/versions';
import type { CacheEvent } from '../cache/cache.ts';
import type { ControllerName } from './controller-event.ts';
import { classifyPodUpdate, labelsDiffer } from './pod-events.ts';

/** Which pods each Service selects. Updated by events, so that a pod change costs only the Services that select the pod. */
export interface Membership {
  /** Adds a Service, or applies its new selector. */
  setService(key: string, service: Service): void;
  deleteService(key: string): void;
  /** Applies a pod event. Returns the keys of the Services that need a sync. */
  updatePod(event: CacheEvent<Pod>, key: string): readonly string[];
  /** Sorted keys of the Services that select a pod. */
  servicesFor(pod: Pod): string[];
  /** The pods of a Service, with their changes since the last call, for a controller's next sync. Resets the changes. */
  feed(controller: ControllerName, key: string): PodFeed;
  /** Drops a controller's record of changes: its next sync reads all pods of the Service. */
  forget(controller: ControllerName, key: string): void;
  /** Number of pairs of a Service and a pod that it selects. */
  readonly pairs: number;
}

export interface MembershipOptions {
  readonly profile: Profile;
  /** The current pod of a key. */
  readonly podOf: (key: string) => Pod | undefined;
}

/** State of one Service. The pod keys are the cache's own strings, so that a pair costs only one Set entry. */
interface Entry {
  readonly namespace: string;
  readonly matches: ReturnType<typeof matcherOf>;
  readonly selector: string;
  /** Keys of the selected pods; undefined until first needed. */
  members: Set<string> | undefined;
  /** By controller: keys of the pods changed since its last `feed`, null if none, absent if it must read all pods. */
  readonly dirtyPods: Partial<Record<ControllerName, Set<string> | null>>;
}

export function createMembership({ profile, podOf }: MembershipOptions): Membership {
  const selectors = createSelectorCache();
  const entries = new Map<string, Entry>();
  const namespaces = createNamespaces();
  return {
    setService(key, service) {
      const known = entries.get(key);
      const selector = JSON.stringify(service.spec?.selector ?? null);
      if (known?.selector === selector) return;
      selectors.set(key, service);
      const namespace = service.metadata?.namespace ?? '';
      const matches = matcherOf(service.spec?.selector);
      const entry: Entry = { namespace, matches, selector, members: undefined, dirtyPods: known?.dirtyPods ?? {} };
      entries.set(key, entry);
      const pods = namespaces.in(namespace);
      if (pods.size === 0) entry.members = new Set();
      else if (known) markDifferences(known, entry, pods, podOf);
    },
    deleteService(key) {
      selectors.delete(key);
      entries.delete(key);
    },
    updatePod(event, key) {
      const moves = movesOf(event, selectors.servicesFor, profile);
      if (event.type === 'added') namespaces.add(event.object, key);
      if (event.type === 'deleted') namespaces.delete(event.object, key);
      for (const { service, selected } of moves.touched) touch(entries.get(service), key, selected);
      return moves.due;
    },
    servicesFor: selectors.servicesFor,
    feed(controller, key) {
      const entry = entries.get(key);
      return entry ? feedOf(entry, controller, namespaces, podOf) : emptyFeed;
    },
    forget(controller, key) {
      const entry = entries.get(key);
      if (entry) delete entry.dirtyPods[controller];
    },
    get pairs() {
      let count = 0;
      for (const { members } of entries.values()) count += members?.size ?? 0;
      return count;
    },
  };
}

/** How a pod event affects Services: which have changes to record, and which need a sync. */
interface Moves {
  readonly touched: readonly { readonly service: string; readonly selected: boolean | undefined }[];
  readonly due: readonly string[];
}

const noMoves: Moves = { touched: [], due: [] };

/**
 * Mirrors GetServicesToUpdate and determineNeededServiceUpdates (1.36, staging/src/k8s.io/endpointslice/util/controller_utils.go): a
 * change of labels affects only Services that select the pod either before or after it, but not both; any other change affects all.
 */
function movesOf({ type, object, old }: CacheEvent<Pod>, servicesFor: (pod: Pod) => string[], profile: Profile): Moves {
  if (type !== 'updated') {
    const due = servicesFor(object);
    return { touched: due.map((service) => ({ service, selected: type === 'added' })), due };
  }
  const change = classifyPodUpdate(old, object, profile);
  const relabelled = labelsDiffer(old, object);
  if (change === 'nothing' && !relabelled) return noMoves;
  const after = servicesFor(object);
  const before = relabelled ? servicesFor(old) : after;
  const joined = relabelled ? after.filter((key) => !before.includes(key)) : [];
  const left = relabelled ? before.filter((key) => !after.includes(key)) : [];
  const stayed = change === 'nothing' ? [] : after.filter((key) => !joined.includes(key));
  return {
    touched: [
      ...left.map((service) => ({ service, selected: false })),
      ...joined.map((service) => ({ service, selected: true })),
      ...stayed.map((service) => ({ service, selected: undefined })),
    ],
    due: [...left, ...joined, ...(change === 'changed' ? stayed : [])],
  };
}

/** @param selected whether the Service selects the pod now; undefined if that has not changed */
function touch(entry: Entry | undefined, pod: string, selected: boolean | undefined): void {
  if (!entry) return;
  if (selected) entry.members?.add(pod);
  else if (selected === false) entry.members?.delete(pod);
  markDirty(entry, pod);
}

function markDirty({ dirtyPods }: Entry, pod: string): void {
  for (const controller of Object.keys(dirtyPods) as ControllerName[]) {
    const marked = dirtyPods[controller];
    if (marked) marked.add(pod);
    else dirtyPods[controller] = new Set([pod]);
  }
}

/** Handles a new selector: finds the Service's pods once, and marks those that are selected only before or only after the change. */
function markDifferences(before: Entry, entry: Entry, pods: Iterable<string>, podOf: MembershipOptions['podOf']): void {
  const members = new Set<string>();
  for (const key of pods) {
    const labels = podOf(key)?.metadata?.labels;
    const selected = entry.matches(labels);
    if (selected) members.add(key);
    if (selected !== before.matches(labels)) markDirty(entry, key);
  }
  entry.members = members;
}

function feedOf(entry: Entry, controller: ControllerName, namespaces: Namespaces, podOf: MembershipOptions['podOf']): PodFeed {
  const changes = new Map<string, Pod | undefined>();
  for (const key of entry.dirtyPods[controller] ?? []) {
    const pod = podOf(key);
    changes.set(key.slice(entry.namespace.length + 1), pod && entry.matches(pod.metadata?.labels) ? pod : undefined);
  }
  entry.dirtyPods[controller] = null;
  return {
    changes,
    *all() {
      entry.members ??= membersOf(entry, namespaces.in(entry.namespace), podOf);
      for (const key of entry.members) {
        const pod = podOf(key);
        if (pod) yield pod;
      }
    },
  };
}

function membersOf({ matches }: Entry, pods: Iterable<string>, podOf: MembershipOptions['podOf']): Set<string> {
  const members = new Set<string>();
  for (const key of pods) if (matches(podOf(key)?.metadata?.labels)) members.add(key);
  return members;
}

const emptyFeed: PodFeed = { all: () => [], changes: new Map() };

/** Keys of the pods of each namespace, for Services that are added, or change their selector, after the pods. */
interface Namespaces {
  in(namespace: string): ReadonlySet<string>;
  add(pod: Pod, key: string): void;
  delete(pod: Pod, key: string): void;
}

function createNamespaces(): Namespaces {
  const namespaces = new Map<string, Set<string>>();
  const none: ReadonlySet<string> = new Set();
  return {
    in: (namespace) => namespaces.get(namespace) ?? none,
    add({ metadata }, key) {
      const namespace = metadata?.namespace ?? '';
      const keys = namespaces.get(namespace);
      if (keys) keys.add(key);
      else namespaces.set(namespace, new Set([key]));
    },
    delete({ metadata }, key) {
      const namespace = metadata?.namespace ?? '';
      const keys = namespaces.get(namespace);
      keys?.delete(key);
      if (keys?.size === 0) namespaces.delete(namespace);
    },
  };
}
