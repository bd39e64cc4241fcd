import type { EndpointSliceInput, Node, Optional, Pod, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { selectPods, unmanagedBecause } from '../select.ts';
import { formatInstant } from '../time.ts';
import { type TriggerTimes, trackTriggerTime } from '../trigger-time.ts';
import { addressTypesOf } from './address-types.ts';
import { type DesiredState, desiredEndpoints, type NodesByName } from './desired.ts';
import { createHintsMemory } from './hints/memory.ts';
import { zoneSharesOf } from './hints/zones.ts';
import { sliceController } from './labels.ts';
import { isManaged } from './metadata.ts';
import { byName } from './pack.ts';
import type { SlicePlan } from './plan.ts';
import { emptyPlan } from './reasons.ts';
import { createRoster, type Roster } from './roster.ts';
import type { SliceSettings } from './settings.ts';
import { syncSlices } from './sync.ts';
import { createSliceTracker } from './tracker.ts';

export interface SlicesInput {
  /** "namespace/name" of the Service. */
  readonly key: string;
  /** The Service; undefined where it is deleted. */
  readonly service?: Service | undefined;
  /** May be every pod there is. */
  readonly pods: readonly Pod[];
  /** Every node there is. Undefined where nodes are not known: no pod is then left out for its node, and zones are unknown. */
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

interface Memory {
  readonly uid: Optional<string>;
  readonly triggers?: TriggerTimes;
  readonly roster?: Roster;
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
      const unmanaged = unmanagedBecause(service, profile);
      if (unmanaged) return emptyPlan(unmanaged);
      const uid = service.metadata?.uid;
      if (memories.has(key) && memories.get(key)?.uid !== uid) forget(key);
      const there = ownSlices(service, current, profile);
      if (tracker.isStale(key, there)) return { ...emptyPlan('SlicesStale'), retry: true };
      const memory = memories.get(key);
      const pool = poolOf(service, pods, byNodeName(nodes), there.length > 0, memory?.roster, profile);
      const triggers = trackTriggerTime(memory?.triggers, service, pool.selected);
      memories.set(key, { uid, triggers: triggers.next, ...(pool.roster && { roster: pool.roster }) });
      const triggerTime = triggers.time && formatInstant(triggers.time, timeZone);
      return syncSlices({ key, service, nodes: nodes ?? [], there, desired: pool.desired(), triggerTime }, hints, settings);
    },
    observe: (slice) => tracker.observe(slice),
    expectDeletion: (slice) => tracker.expectDeletion(slice),
    handleDeletion: (slice) => tracker.handleDeletion(slice),
    overloaded: (nodes) => hints.overloaded(zoneSharesOf(nodes).shares),
    forget,
  };
}

/** The controller's slices of a Service, in the order of their names, each name once. */
const ownSlices = (service: Service, current: readonly EndpointSliceInput[], profile: Profile): EndpointSliceInput[] =>
  current
    .filter((slice) => isManaged(slice, service, sliceController) && isThere(slice, profile))
    .sort(byName)
    .filter((slice, i, all) => slice.metadata?.name !== all[i + 1]?.metadata?.name || !slice.metadata?.name);

const isThere = ({ metadata }: EndpointSliceInput, profile: Profile): boolean =>
  !(profile.slicesPendingDeletionIgnored && metadata?.deletionTimestamp);

const byNodeName = (nodes: readonly Node[] | undefined): NodesByName =>
  nodes && new Map(nodes.map((node) => [node.metadata?.name ?? '', node]));

/** The pods of a sync: which are selected, and what they come to. */
interface Pool {
  readonly selected: readonly Pod[];
  desired(): readonly DesiredState[];
  readonly roster?: Roster;
}

/** The first sync of a Service needs no memory of its pods, and many a reconciler is made for that one alone. */
function poolOf(
  service: Service,
  pods: readonly Pod[],
  nodes: NodesByName,
  lasting: boolean,
  known: Roster | undefined,
  profile: Profile,
): Pool {
  if (lasting) {
    const roster = known?.isFor(service, nodes) ? known : createRoster(service, nodes, profile);
    return { selected: roster.update(pods), desired: roster.desired, roster };
  }
  const selected = selectPods(service, pods);
  return { selected, desired: () => addressTypesOf(service).map((type) => desiredEndpoints(service, selected, nodes, type, profile)) };
}
