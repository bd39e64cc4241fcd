import type { EndpointSlice, EndpointSliceInput, EndpointsInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { byName } from '../slices/pack.ts';
import { messageFor, referenceTo, type SlicePlan, type SlicePlanCode, type SliceReason } from '../slices/plan.ts';
import { slicePortsKey } from '../slices/ports.ts';
import { desiredMirror, mirrorGroupKey } from './desired.ts';
import { isMirrorRight, mirrorOf } from './slice.ts';

/** What mirroring stands on. */
export interface MirrorSettings {
  readonly profile: Profile;
  readonly maxEndpointsPerSubset: number;
}

export interface PlannedMirror {
  readonly plan: SlicePlan;
  /** Slices that are right as they are. */
  readonly unchanged: readonly EndpointSliceInput[];
}

/**
 * What brings the slices that are mirrored for a Service to what its Endpoints say.
 *
 * 1. Addresses are grouped by their type and ports; slices that are there likewise.
 * 2. Of the slices of a group with endpoints one is kept: the first that is right, else the first, which is updated. Where
 *    there is none, one is missing. All other slices are left over.
 * 3. A missing slice takes the place of one of its address type that is left over, for as long as there are any: first of
 *    those whose ports some subset has, then of the rest.
 * 4. What is still left over is deleted, what is still to create is created, unless the Endpoints are being deleted.
 *
 * Mirrors the second half of reconcile, reconcileByPortMapping and finalize (1.36,
 * pkg/controller/endpointslicemirroring/reconciler.go), recycleSlices (reconciler_helpers.go).
 */
export function planMirror(
  endpoints: EndpointsInput,
  current: readonly EndpointSliceInput[],
  { profile, maxEndpointsPerSubset: max }: MirrorSettings,
): PlannedMirror {
  const { groups, events } = desiredMirror(endpoints, max, profile);
  const slicesByGroup = groupSlices(current, profile);
  const unchanged: EndpointSliceInput[] = [];
  const differing: EndpointSlice[] = [];
  const missing: EndpointSlice[] = [];
  const spare: EndpointSliceInput[] = [];
  for (const [key, group] of groups) {
    const there = slicesByGroup.get(key) ?? [];
    slicesByGroup.delete(key);
    const wanted = group.endpoints.size > 0;
    const right = there.find((slice) => isMirrorRight(slice, endpoints, group, max, profile));
    const kept = wanted ? (right ?? there[0]) : undefined;
    spare.push(...there.filter((slice) => slice !== kept));
    if (!wanted) continue;
    if (right) unchanged.push(right);
    else if (kept) differing.push(mirrorOf(endpoints, group, max, profile, kept.metadata?.name ?? ''));
    else missing.push(mirrorOf(endpoints, group, max, profile));
  }
  const unasked = [...slicesByGroup.values()].flat();
  const { recycled, unplaced, leftOver } = recycle(missing, [...spare.sort(byName), ...unasked.sort(byName)]);
  const plan: SlicePlan = {
    create: endpoints.metadata?.deletionTimestamp ? [] : unplaced,
    update: [...differing, ...recycled].sort(byName),
    delete: leftOver.sort(byName).map(referenceTo),
    events,
    retry: false,
    reasons: reasonsFor({
      MirrorDiffers: differing.length > 0,
      SliceMissing: missing.length > 0,
      MirrorSuperfluous: recycled.length + leftOver.length > 0,
    }),
  };
  return { plan, unchanged };
}

function reasonsFor(found: Partial<Record<SlicePlanCode, boolean>>): SliceReason[] {
  const codes = (Object.keys(found) as SlicePlanCode[]).filter((code) => found[code]);
  return (codes.length > 0 ? codes : (['SlicesEqual'] as const)).map((code) => ({ code, message: messageFor(code) }));
}

/** Slices by `mirrorGroupKey`. Mirrors endpointSlicesByKey (1.36, reconciler.go). */
function groupSlices(slices: readonly EndpointSliceInput[], profile: Profile): Map<string, EndpointSliceInput[]> {
  const groups = new Map<string, EndpointSliceInput[]>();
  for (const slice of slices) {
    const key = mirrorGroupKey(slice.addressType ?? '', slicePortsKey(slice.ports, profile));
    const group = groups.get(key);
    if (group) group.push(slice);
    else groups.set(key, [slice]);
  }
  return groups;
}

/** What becomes of missing slices and of those that are left over. */
interface Recycled {
  readonly recycled: EndpointSlice[];
  readonly unplaced: EndpointSlice[];
  readonly leftOver: EndpointSliceInput[];
}

/**
 * Puts missing slices in the places of others of the same address type, which cannot be changed. Like upstream, such an
 * update keeps the prefix for a generated name.
 */
function recycle(missing: readonly EndpointSlice[], spare: readonly EndpointSliceInput[]): Recycled {
  const places = new Set(spare);
  const recycled: EndpointSlice[] = [];
  const unplaced: EndpointSlice[] = [];
  for (const slice of missing) {
    const place = [...places].find(({ addressType }) => addressType === slice.addressType);
    if (place) {
      places.delete(place);
      recycled.push({ ...slice, metadata: { ...slice.metadata, name: place.metadata?.name ?? '' } });
    } else unplaced.push(slice);
  }
  return { recycled, unplaced, leftOver: [...places] };
}
