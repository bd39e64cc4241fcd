import type { EndpointSlice, EndpointSliceInput, EndpointsInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { byName } from '../slices/pack.ts';
import { messageFor, referenceTo, type SlicePlan, type SlicePlanCode, type SliceReason } from '../slices/plan.ts';
import { slicePortsKey } from '../slices/ports.ts';
import { desiredMirror, mirrorGroupKey } from './desired.ts';
import { matchesMirrorGroup, newMirrorSlice } from './slice.ts';

/** The settings of mirroring. */
export interface MirrorSettings {
  readonly profile: Profile;
  readonly maxEndpointsPerSubset: number;
}

export interface PlannedMirror {
  readonly plan: SlicePlan;
  /** Existing slices that need no write. */
  readonly unchanged: readonly EndpointSliceInput[];
}

/**
 * Plans the writes that make a Service's mirrored slices match its Endpoints.
 *
 * 1. Addresses, and likewise the existing slices, are grouped by address type and ports.
 * 2. For each group with endpoints, one slice is kept: the first that matches the group. If none matches, the first slice is
 *    updated. If the group has no slice, one is missing. All other slices are left over.
 * 3. A missing slice reuses a left-over slice of its address type, as long as there are any: first slices whose ports still
 *    occur in the Endpoints, then the rest.
 * 4. Slices still left over are deleted, and slices still missing are created, unless the Endpoints are being deleted.
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
  const reusable: EndpointSliceInput[] = [];
  for (const [key, group] of groups) {
    const existing = slicesByGroup.get(key) ?? [];
    slicesByGroup.delete(key);
    const hasEndpoints = group.endpoints.size > 0;
    const matching = existing.find((slice) => matchesMirrorGroup(slice, endpoints, group, max, profile));
    const keptSlice = hasEndpoints ? (matching ?? existing[0]) : undefined;
    reusable.push(...existing.filter((slice) => slice !== keptSlice));
    if (!hasEndpoints) continue;
    if (matching) unchanged.push(matching);
    else if (keptSlice) differing.push(newMirrorSlice(endpoints, group, max, profile, keptSlice.metadata?.name ?? ''));
    else missing.push(newMirrorSlice(endpoints, group, max, profile));
  }
  const unmatched = [...slicesByGroup.values()].flat();
  const { recycled, unplaced, leftOver } = recycle(missing, [...reusable.sort(byName), ...unmatched.sort(byName)]);
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

function reasonsFor(outcomes: Partial<Record<SlicePlanCode, boolean>>): SliceReason[] {
  const codes = (Object.keys(outcomes) as SlicePlanCode[]).filter((code) => outcomes[code]);
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

/** The assignment of missing slices to left-over ones. */
interface Recycled {
  readonly recycled: EndpointSlice[];
  readonly unplaced: EndpointSlice[];
  readonly leftOver: EndpointSliceInput[];
}

/**
 * Turns missing slices into updates of left-over slices of the same address type, which is immutable. As upstream, such an
 * update keeps the generateName.
 */
function recycle(missing: readonly EndpointSlice[], reusable: readonly EndpointSliceInput[]): Recycled {
  const remaining = new Set(reusable);
  const recycled: EndpointSlice[] = [];
  const unplaced: EndpointSlice[] = [];
  for (const slice of missing) {
    const reused = [...remaining].find(({ addressType }) => addressType === slice.addressType);
    if (reused) {
      remaining.delete(reused);
      recycled.push({ ...slice, metadata: { ...slice.metadata, name: reused.metadata?.name ?? '' } });
    } else unplaced.push(slice);
  }
  return { recycled, unplaced, leftOver: [...remaining] };
}
