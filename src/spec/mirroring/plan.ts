import type { EndpointSlice, EndpointSliceInput, EndpointsInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { compareByName } from '../slices/pack.ts';
import { messageFor, referenceTo, type SlicePlan, type SlicePlanCode, type SliceReason } from '../slices/plan.ts';
import { slicePortsKey } from '../slices/ports.ts';
import { computeDesiredMirror, mirrorGroupKey } from './desired.ts';
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
  const { groups, events } = computeDesiredMirror(endpoints, max, profile);
  const slicesByGroup = groupSlices(current, profile);
  const unchanged: EndpointSliceInput[] = [];
  const differingSlices: EndpointSlice[] = [];
  const missingSlices: EndpointSlice[] = [];
  const reusableSlices: EndpointSliceInput[] = [];
  for (const [key, group] of groups) {
    const existingSlices = slicesByGroup.get(key) ?? [];
    slicesByGroup.delete(key);
    const hasEndpoints = group.endpoints.size > 0;
    const matchingSlice = existingSlices.find((slice) => matchesMirrorGroup(slice, endpoints, group, max, profile));
    const keptSlice = hasEndpoints ? (matchingSlice ?? existingSlices[0]) : undefined;
    reusableSlices.push(...existingSlices.filter((slice) => slice !== keptSlice));
    if (!hasEndpoints) continue;
    if (matchingSlice) unchanged.push(matchingSlice);
    else if (keptSlice) differingSlices.push(newMirrorSlice(endpoints, group, max, profile, keptSlice.metadata?.name ?? ''));
    else missingSlices.push(newMirrorSlice(endpoints, group, max, profile));
  }
  const unmatchedSlices = [...slicesByGroup.values()].flat();
  const { recycledSlices, unplacedSlices, leftOverSlices } = recycle(missingSlices, [
    ...reusableSlices.sort(compareByName),
    ...unmatchedSlices.sort(compareByName),
  ]);
  const plan: SlicePlan = {
    create: endpoints.metadata?.deletionTimestamp ? [] : unplacedSlices,
    update: [...differingSlices, ...recycledSlices].sort(compareByName),
    delete: leftOverSlices.sort(compareByName).map((slice) => referenceTo(slice, profile)),
    events,
    retry: false,
    reasons: reasonsFor({
      MirrorDiffers: differingSlices.length > 0,
      SliceMissing: missingSlices.length > 0,
      MirrorSuperfluous: recycledSlices.length + leftOverSlices.length > 0,
    }),
  };
  return { plan, unchanged };
}

function reasonsFor(outcomes: Partial<Record<SlicePlanCode, boolean>>): SliceReason[] {
  const codes = (Object.keys(outcomes) as SlicePlanCode[]).filter((code) => outcomes[code]);
  return (codes.length > 0 ? codes : (['SlicesEqual'] as const)).map((code) => ({ code, message: messageFor(code) }));
}

/** Groups slices by `mirrorGroupKey`. Mirrors endpointSlicesByKey (1.36, reconciler.go). */
export function groupSlices(slices: readonly EndpointSliceInput[], profile: Profile): Map<string, EndpointSliceInput[]> {
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
interface RecycleResult {
  readonly recycledSlices: EndpointSlice[];
  readonly unplacedSlices: EndpointSlice[];
  readonly leftOverSlices: EndpointSliceInput[];
}

/**
 * Turns missing slices into updates of left-over slices of the same address type, because that field is immutable. As upstream, such an
 * update keeps the generateName of the missing slice.
 */
function recycle(missingSlices: readonly EndpointSlice[], reusableSlices: readonly EndpointSliceInput[]): RecycleResult {
  const leftOverSlices = new Set(reusableSlices);
  const recycledSlices: EndpointSlice[] = [];
  const unplacedSlices: EndpointSlice[] = [];
  for (const slice of missingSlices) {
    const reusedSlice = [...leftOverSlices].find(({ addressType }) => addressType === slice.addressType);
    if (reusedSlice) {
      leftOverSlices.delete(reusedSlice);
      recycledSlices.push({ ...slice, metadata: { ...slice.metadata, name: reusedSlice.metadata?.name ?? '' } });
    } else unplacedSlices.push(slice);
  }
  return { recycledSlices, unplacedSlices, leftOverSlices: [...leftOverSlices] };
}
