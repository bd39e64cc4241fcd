import { createSelectorCache, type PodFeed } from 'kube-endpoints';
import { createLabelMatcher } from 'kube-endpoints/internal';
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
  /** Returns the pods of a Service, with their changes since the last call, for a controller's next sync. Resets the changes. */
  takeFeed(controller: ControllerName, key: string): PodFeed;
  /** Drops a controller's record of changes: its next sync reads all pods of the Service. */
  forget(controller: ControllerName, key: string): void;
  /** Number of pairs of a Service and a pod that it selects. */
  readonly pairs: number;
}

export interface MembershipOptions {
  readonly profile: Profile;
  /** The current pod of a key. */
  readonly getPod: (key: string) => Pod | undefined;
}

/** State of one Service. The pod keys are the cache's own strings, so that a pair costs only one Set entry. */
interface ServiceEntry {
  readonly namespace: string;
  readonly matches: ReturnType<typeof createLabelMatcher>;
  readonly selector: string;
  /** Keys of the selected pods; undefined until first needed. */
  members: Set<string> | undefined;
  /** By controller: keys of the pods changed since its last `takeFeed`; null if no pod changed; absent if it must read all pods. */
  readonly dirtyPods: Partial<Record<ControllerName, Set<string> | null>>;
}

export function createMembership({ profile, getPod }: MembershipOptions): Membership {
  const selectors = createSelectorCache();
  const entries = new Map<string, ServiceEntry>();
  const podKeysByNamespace = createPodKeysByNamespace();
  return {
    setService(key, service) {
      const previous = entries.get(key);
      const selector = JSON.stringify(service.spec?.selector ?? null);
      if (previous?.selector === selector) return;
      selectors.set(key, service);
      const namespace = service.metadata?.namespace ?? '';
      const matches = createLabelMatcher(service.spec?.selector);
      const entry: ServiceEntry = { namespace, matches, selector, members: undefined, dirtyPods: previous?.dirtyPods ?? {} };
      entries.set(key, entry);
      const pods = podKeysByNamespace.podKeys(namespace);
      if (pods.size === 0) entry.members = new Set();
      else if (previous) markDifferences(previous, entry, pods, getPod);
    },
    deleteService(key) {
      selectors.delete(key);
      entries.delete(key);
    },
    updatePod(event, key) {
      const effect = classifyPodEvent(event, selectors.servicesFor, profile);
      if (event.type === 'added') podKeysByNamespace.add(event.object, key);
      if (event.type === 'deleted') podKeysByNamespace.delete(event.object, key);
      for (const { service, selected } of effect.changes) applyPodChange(entries.get(service), key, selected);
      return effect.servicesToSync;
    },
    servicesFor: selectors.servicesFor,
    takeFeed(controller, key) {
      const entry = entries.get(key);
      return entry ? createFeed(entry, controller, podKeysByNamespace, getPod) : emptyFeed;
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

/** Effect of a pod event: the Services that must record it, and the Services that need a sync. */
interface PodEventEffect {
  readonly changes: readonly { readonly service: string; readonly selected: boolean | undefined }[];
  readonly servicesToSync: readonly string[];
}

const noEffect: PodEventEffect = { changes: [], servicesToSync: [] };

/**
 * Determines the effect of a pod event.
 *
 * Mirrors GetServicesToUpdate and determineNeededServiceUpdates (Kubernetes 1.36,
 * staging/src/k8s.io/endpointslice/util/controller_utils.go): a change of labels affects only Services that select the pod either before or
 * after it, but not both; any other change affects all Services that select the pod.
 */
function classifyPodEvent({ type, object, old }: CacheEvent<Pod>, servicesFor: (pod: Pod) => string[], profile: Profile): PodEventEffect {
  if (type !== 'updated') {
    const servicesToSync = servicesFor(object);
    return { changes: servicesToSync.map((service) => ({ service, selected: type === 'added' })), servicesToSync };
  }
  const change = classifyPodUpdate(old, object, profile);
  const labelsChanged = labelsDiffer(old, object);
  if (change === 'nothing' && !labelsChanged) return noEffect;
  const currentServices = servicesFor(object);
  const previousServices = labelsChanged ? servicesFor(old) : currentServices;
  const joinedServices = labelsChanged ? currentServices.filter((key) => !previousServices.includes(key)) : [];
  const leftServices = labelsChanged ? previousServices.filter((key) => !currentServices.includes(key)) : [];
  const stayedServices = change === 'nothing' ? [] : currentServices.filter((key) => !joinedServices.includes(key));
  return {
    changes: [
      ...leftServices.map((service) => ({ service, selected: false })),
      ...joinedServices.map((service) => ({ service, selected: true })),
      ...stayedServices.map((service) => ({ service, selected: undefined })),
    ],
    servicesToSync: [...leftServices, ...joinedServices, ...(change === 'changed' ? stayedServices : [])],
  };
}

/** @param selected whether the Service selects the pod now; undefined if that has not changed */
function applyPodChange(entry: ServiceEntry | undefined, pod: string, selected: boolean | undefined): void {
  if (!entry) return;
  if (selected) entry.members?.add(pod);
  else if (selected === false) entry.members?.delete(pod);
  markDirty(entry, pod);
}

function markDirty({ dirtyPods }: ServiceEntry, pod: string): void {
  for (const controller of Object.keys(dirtyPods) as ControllerName[]) {
    const dirtyKeys = dirtyPods[controller];
    if (dirtyKeys) dirtyKeys.add(pod);
    else dirtyPods[controller] = new Set([pod]);
  }
}

/** Handles a new selector: finds the Service's pods once, and marks the pods that only one of the two selectors selects. */
function markDifferences(previous: ServiceEntry, entry: ServiceEntry, pods: Iterable<string>, getPod: MembershipOptions['getPod']): void {
  const members = new Set<string>();
  for (const key of pods) {
    const labels = getPod(key)?.metadata?.labels;
    const selected = entry.matches(labels);
    if (selected) members.add(key);
    if (selected !== previous.matches(labels)) markDirty(entry, key);
  }
  entry.members = members;
}

function createFeed(
  entry: ServiceEntry,
  controller: ControllerName,
  podKeysByNamespace: PodKeysByNamespace,
  getPod: MembershipOptions['getPod'],
): PodFeed {
  const changes = new Map<string, Pod | undefined>();
  for (const key of entry.dirtyPods[controller] ?? []) {
    const pod = getPod(key);
    changes.set(key.slice(entry.namespace.length + 1), pod && entry.matches(pod.metadata?.labels) ? pod : undefined);
  }
  entry.dirtyPods[controller] = null;
  return {
    changes,
    *all() {
      entry.members ??= findMembers(entry, podKeysByNamespace.podKeys(entry.namespace), getPod);
      for (const key of entry.members) {
        const pod = getPod(key);
        if (pod) yield pod;
      }
    },
  };
}

function findMembers({ matches }: ServiceEntry, pods: Iterable<string>, getPod: MembershipOptions['getPod']): Set<string> {
  const members = new Set<string>();
  for (const key of pods) if (matches(getPod(key)?.metadata?.labels)) members.add(key);
  return members;
}

const emptyFeed: PodFeed = { all: () => [], changes: new Map() };

/** Keys of the pods of each namespace, for Services that are added, or change their selector, after the pods. */
interface PodKeysByNamespace {
  podKeys(namespace: string): ReadonlySet<string>;
  add(pod: Pod, key: string): void;
  delete(pod: Pod, key: string): void;
}

function createPodKeysByNamespace(): PodKeysByNamespace {
  const keysByNamespace = new Map<string, Set<string>>();
  const emptySet: ReadonlySet<string> = new Set();
  return {
    podKeys: (namespace) => keysByNamespace.get(namespace) ?? emptySet,
    add({ metadata }, key) {
      const namespace = metadata?.namespace ?? '';
      const keys = keysByNamespace.get(namespace);
      if (keys) keys.add(key);
      else keysByNamespace.set(namespace, new Set([key]));
    },
    delete({ metadata }, key) {
      const namespace = metadata?.namespace ?? '';
      const keys = keysByNamespace.get(namespace);
      keys?.delete(key);
      if (keys?.size === 0) keysByNamespace.delete(namespace);
    },
  };
}
