import { unmanagedBecause } from '../../spec/select.ts';
import { defaultRosterFrom } from '../../spec/settings.ts';
import type { DesiredState } from '../../spec/slices/desired.ts';
import { desiredStates } from '../../spec/slices/desired.ts';
import { zoneSharesOf } from '../../spec/slices/hints/zones.ts';
import { sliceController } from '../../spec/slices/labels.ts';
import { isManaged } from '../../spec/slices/metadata.ts';
import { createNameOrder } from '../../spec/slices/pack.ts';
import type { SlicePlan } from '../../spec/slices/plan.ts';
import { createSliceReader, type ReadSlice } from '../../spec/slices/reading.ts';
import { emptyPlan } from '../../spec/slices/reasons.ts';
import type { SliceSettings } from '../../spec/slices/settings.ts';
import { syncSlices } from '../../spec/slices/sync.ts';
import { formatInstant, type Instant } from '../../spec/time.ts';
import type { EndpointSliceInput, Node, Optional, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { PodFeed } from '../feed.ts';
import { followFeed, giveUpRoster, isFeed, type PodMemory, putOff, readAll, standingOf, track } from '../pod-memory.ts';
import { createHintsMemory } from './hints-memory.ts';
import { createNodeIndex, type NodeIndex } from './node-index.ts';
import { createFeedRoster, createRoster, type FeedRoster, type Roster } from './roster.ts';
import { createSliceTracker } from './tracker.ts';

export interface SlicesInput {
  /** "namespace/name" of the Service. */
  readonly key: string;
  /** The Service; undefined where it is deleted. */
  readonly service?: Service | undefined;
  /** A list, which may be every pod there is; or a feed, with which a sync costs what the changed pods cost. */
  readonly pods: readonly Pod[] | PodFeed;
  /**
   * Every node there is. Undefined where nodes are not known: no pod is then left out for its node, and zones are unknown.
   * An array that is handed in again is taken for unchanged.
   */
  readonly nodes?: readonly Node[] | undefined;
  /** The EndpointSlices as the host's cache shows them; may be every one there is, those of others are not touched. */
  readonly current: readonly EndpointSliceInput[];
}

/** The part of a reconciler that keeps slices. */
export interface SliceReconciler {
  reconcileSlices(input: SlicesInput): SlicePlan;
  observe(written: EndpointSliceInput): void;
  expectDeletion(slice: EndpointSliceInput): void;
  handleDeletion(slice: EndpointSliceInput): boolean;
  /** The keys of Services whose hints no longer fit these nodes, which are to be synced. */
  overloaded(nodes: readonly Node[]): string[];
  forget(key: string): void;
}

interface Memory extends PodMemory<FeedRoster> {
  readonly uid: Optional<string>;
  /** Where the Service is on lists. */
  listed?: { readonly standing: string; readonly roster: Roster } | undefined;
  reader?: { readonly labels: string; readonly read: ReadSlice };
  readonly inOrder: (slices: EndpointSliceInput[]) => EndpointSliceInput[];
}

/**
 * Makes the slice part of a reconciler. Pods and slices of the sync before that are handed in again, the same objects, are
 * not read as a whole again: it is enough that the parts of them that change have changed.
 *
 * Mirrors syncService (1.36, pkg/controller/endpointslice/endpointslice_controller.go), except that memory belongs to one
 * Service object, as `createReconciler` says.
 */
export function createSliceReconciler(settings: SliceSettings): SliceReconciler {
  const { profile, timeZone } = settings;
  const memories = new Map<string, Memory>();
  const tracker = createSliceTracker();
  const hints = createHintsMemory();
  const nodeIndex = createNodeIndex();
  const forget = (key: string): void => {
    memories.delete(key);
    tracker.forget(key);
    hints.forget(key);
  };
  return {
    reconcileSlices({ key, service, pods, nodes, current }) {
      if (!service) {
        forget(key);
        return emptyPlan('ServiceDeleted');
      }
      const known = memories.get(key);
      const unmanaged = unmanagedBecause(service, profile);
      if (unmanaged) {
        if (known) giveUpRoster(known);
        return emptyPlan(unmanaged);
      }
      const uid = service.metadata?.uid;
      if (known && known.uid !== uid) forget(key);
      const memory: Memory = memories.get(key) ?? { uid, inOrder: createNameOrder() };
      const there = ownSlices(service, current, memory, profile);
      if (tracker.isStale(key, there)) {
        if (isFeed(pods)) putOff(memory, pods);
        return { ...emptyPlan('SlicesStale'), retry: true };
      }
      nodeIndex.update(nodes);
      const { desired, time } = follow(memory, service, pods, nodeIndex, there.length > 0, settings);
      memories.set(key, memory);
      const { zoneShares } = nodeIndex;
      const triggerTime = time && formatInstant(time, timeZone);
      return syncSlices(
        { key, service, zoneShares, there, read: readerOf(memory, service, profile), desired, triggerTime },
        hints,
        settings,
      );
    },
    observe: (slice) => tracker.observe(slice),
    expectDeletion: (slice) => tracker.expectDeletion(slice),
    handleDeletion: (slice) => tracker.handleDeletion(slice),
    overloaded: (nodes) => hints.overloaded(zoneSharesOf(nodes).shares),
    forget,
  };
}

/** The controller's slices of a Service, in the order of their names, each name once. */
const ownSlices = (service: Service, current: readonly EndpointSliceInput[], { inOrder }: Memory, profile: Profile): EndpointSliceInput[] =>
  inOrder(current.filter((slice) => isManaged(slice, service, sliceController) && isThere(slice, profile))).filter(
    (slice, i, all) => slice.metadata?.name !== all[i + 1]?.metadata?.name || !slice.metadata?.name,
  );

const isThere = ({ metadata }: EndpointSliceInput, profile: Profile): boolean =>
  !(profile.slicesPendingDeletionIgnored && metadata?.deletionTimestamp);

/** The reader of the slices of a Service, for as long as its labels stay what they are. */
function readerOf(memory: Memory, service: Service, profile: Profile): ReadSlice {
  const labels = JSON.stringify(service.metadata?.labels ?? {});
  if (memory.reader?.labels !== labels) memory.reader = { labels, read: createSliceReader(service, profile) };
  return memory.reader.read;
}

/** What the pods of a sync come to, and its trigger time. */
interface Followed {
  readonly desired: readonly DesiredState[];
  readonly time: Instant | undefined;
}

/** The first sync of a Service needs no memory of its pods, and many a reconciler is made for that one alone. */
function follow(
  memory: Memory,
  service: Service,
  pods: readonly Pod[] | PodFeed,
  nodes: NodeIndex,
  lasting: boolean,
  settings: SliceSettings,
): Followed {
  const standing = `${nodes.version} ${standingOf(service)}`;
  const listed = memory.listed?.standing === standing ? memory.listed.roster : undefined;
  memory.listed = undefined;
  if (isFeed(pods) && (lasting || memory.roster)) {
    const { roster, time } = followFeed(memory, pods, service, standing, settings.rosterFrom ?? defaultRosterFrom, () =>
      createFeedRoster(service, nodes.byName, settings),
    );
    return { desired: roster.desired(), time };
  }
  if (isFeed(pods) || !lasting) {
    const { selected, time } = readAll(memory, pods, service);
    return { desired: desiredStates(service, selected, nodes.byName, settings), time };
  }
  giveUpRoster(memory);
  const roster = listed ?? createRoster(service, nodes.byName, settings);
  const time = track(memory, service, roster.update(pods));
  memory.listed = { standing, roster };
  return { desired: roster.desired(), time };
}
