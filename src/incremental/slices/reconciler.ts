import { selectPods } from '../../spec/select.ts';
import type { SliceSettings } from '../../spec/settings.ts';
import { areHintsOverloaded } from '../../spec/slices/hints/hints.ts';
import { zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import type { SlicePlan } from '../../spec/slices/plan.ts';
import { computeDesiredSlices, type DesiredSlices, planSlicesWith, type SlicesState } from '../../spec/slices/slices.ts';
import { type TriggerTimes, trackTriggerTime } from '../../spec/trigger-time.ts';
import type { EndpointSliceInput, Node, Pod, Service } from '../../types/index.ts';
import {
  defaultMinIndexedPods,
  deferChanges,
  dropIndex,
  fingerprintOf,
  isFeed,
  listPods,
  type PodFeed,
  type ServiceMemory,
  storeIndex,
  takeTriggers,
  updateIndex,
} from '../pods.ts';
import { createSliceTracker } from '../tracker.ts';
import { createNameSorter, createNodeIndex, createSliceReader, type NodeIndex, type SliceReader } from './caches.ts';
import { createPodFeedIndex, createPodListIndex, type PodFeedIndex, type PodListIndex } from './pod-index.ts';

export interface SlicesInput {
  /** "namespace/name" of the Service. */
  readonly key: string;
  /** Undefined if the Service is deleted. */
  readonly service?: Service | undefined;
  /** A list, which may be every pod of the cluster; or a feed, so that the cost of a sync depends on the changed pods only. */
  readonly pods: readonly Pod[] | PodFeed;
  /**
   * All nodes of the cluster. If undefined, nodes are unknown: no pod is left out because of its node, and zones are unknown.
   * The same array instance is assumed to be unchanged.
   */
  readonly nodes?: readonly Node[] | undefined;
  /** The EndpointSlices in the caller's cache. May be every slice of the cluster; those of other Services or controllers are ignored. */
  readonly current: readonly EndpointSliceInput[];
}

/** The part of a reconciler that manages slices. */
export interface SliceReconciler {
  reconcileSlices(input: SlicesInput): SlicePlan;
  observe(written: EndpointSliceInput): void;
  expectDeletion(slice: EndpointSliceInput): void;
  /** Returns whether the deletion was expected. */
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** The keys of Services whose hints no longer fit these nodes. Sync these Services. */
  overloadedServices(nodes: readonly Node[]): string[];
  forget(key: string): void;
}

interface SliceReconcilerSettings extends SliceSettings {
  readonly minIndexedPods?: number | undefined;
}

interface Memory extends ServiceMemory<SlicesState, PodFeedIndex> {
  /** Set if the pods are passed as a list: an index of the pods, and a fingerprint of everything else that their outcome depends on. */
  listState?: { readonly fingerprint: string; readonly index: PodListIndex } | undefined;
  readonly reader: SliceReader;
  readonly sortByName: (slices: EndpointSliceInput[]) => EndpointSliceInput[];
}

/**
 * Creates a reconciler that plans the same as `planSlices`. If the same pod or slice object is passed again, only the fields that may
 * change are compared.
 */
export function createSliceReconciler(settings: SliceReconcilerSettings): SliceReconciler {
  const memories = new Map<string, Memory>();
  const tracker = createSliceTracker();
  const nodeIndex = createNodeIndex(settings.profile);
  const forget = (key: string): void => {
    memories.delete(key);
    tracker.forget(key);
  };
  return {
    reconcileSlices({ key, service, pods, nodes, current }) {
      if (!service) {
        memories.delete(key);
        if (settings.profile.sliceTrackerForgotten) tracker.forget(key);
      }
      const memory: Memory = memories.get(key) ?? {
        state: {},
        reader: createSliceReader(settings.profile),
        sortByName: createNameSorter(),
      };
      nodeIndex.update(nodes);
      let hasReadPods = false;
      const stateWithWrites = { ...memory.state, written: tracker.writtenSlices(key) };
      const { plan, state } = planSlicesWith(service, current, stateWithWrites, settings, {
        sortByName: memory.sortByName,
        zoneShares: nodeIndex.zoneShares,
        createParser: memory.reader,
        computeDesired(owner, triggers, hasSlices) {
          hasReadPods = true;
          return computeDesired(memory, owner, pods, nodeIndex, triggers, hasSlices, settings);
        },
      });
      if (hasReadPods) {
        if (!state.written) tracker.forget(key);
        memory.state = state;
        memories.set(key, memory);
      } else if (plan.retry && isFeed(pods)) deferChanges(memory, pods);
      else if (!plan.retry) dropIndex(memory);
      return plan;
    },
    observe: (slice) => tracker.observe(slice),
    expectDeletion: (slice) => tracker.expectDeletion(slice),
    handleDeletion: (slice) => tracker.handleDeletion(slice),
    overloadedServices(nodes) {
      const { shares } = zoneSharesOf(nodes, settings.profile);
      return [...memories].filter(([, { state }]) => areHintsOverloaded(state.hints, shares)).map(([key]) => key);
    },
    forget,
  };
}

/**
 * Computes the desired slices. Builds no index while a Service has no slices, as at its first sync, because many reconcilers are created
 * for a single sync.
 */
function computeDesired(
  memory: Memory,
  service: Service,
  pods: readonly Pod[] | PodFeed,
  nodes: NodeIndex,
  previousTriggers: TriggerTimes | undefined,
  hasSlices: boolean,
  settings: SliceReconcilerSettings,
): DesiredSlices {
  const { listState, index } = memory;
  memory.listState = undefined;
  if (!hasSlices && !index) return computeDesiredSlices(service, listPods(pods), nodes.byName, previousTriggers, settings);
  if (isFeed(pods)) return computeDesiredFromFeed(memory, service, pods, nodes, previousTriggers, settings);
  const fingerprint = fingerprintFor(service, nodes);
  const triggers = takeTriggers(memory, previousTriggers);
  const podIndex = listState?.fingerprint === fingerprint ? listState.index : createPodListIndex(service, nodes.byName, settings);
  const tracked = trackTriggerTime(triggers, service, podIndex.update(pods));
  memory.listState = { fingerprint, index: podIndex };
  return { ...tracked, states: podIndex.listDesiredStates() };
}

function computeDesiredFromFeed(
  memory: Memory,
  service: Service,
  feed: PodFeed,
  nodes: NodeIndex,
  previousTriggers: TriggerTimes | undefined,
  settings: SliceReconcilerSettings,
): DesiredSlices {
  const updated = memory.index && updateIndex(memory, feed, service, previousTriggers, fingerprintFor(service, nodes));
  if (updated && memory.index) return { ...updated, states: memory.index.listDesiredStates() };
  const triggers = takeTriggers(memory, previousTriggers);
  const pods = listPods(feed);
  if (pods.length < (settings.minIndexedPods ?? defaultMinIndexedPods))
    return computeDesiredSlices(service, pods, nodes.byName, triggers, settings);
  const selectedPods = selectPods(service, pods);
  const tracked = trackTriggerTime(triggers, service, selectedPods);
  const index = createPodFeedIndex(service, nodes.byName, settings);
  index.load(selectedPods, tracked.next);
  return { ...storeIndex(memory, index, fingerprintFor(service, nodes), tracked), states: index.listDesiredStates() };
}

const fingerprintFor = (service: Service, nodes: NodeIndex): string => `${nodes.version} ${fingerprintOf(service)}`;
