import type { EndpointSliceInput, EndpointsInput } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import { areEqualBeyondKey, endpointKey } from '../slices/endpoint.ts';
import { computeDesiredMirror, type MirrorGroup } from './desired.ts';
import { groupSlices } from './plan.ts';

/** The figures that the mirroring controller reports as metrics when it reconciles. */
export interface MirrorFigures {
  /** Endpoints that the slices should hold. */
  readonly endpoints: number;
  /** The fewest slices that can hold these endpoints. */
  readonly desired: number;
  /** Endpoints that the sync adds, updates and removes. */
  readonly added: number;
  readonly updated: number;
  readonly removed: number;
  /** Addresses that are not mirrored, because they are invalid or exceed the maximum of their subset. */
  readonly skipped: number;
}

/**
 * Computes the figures of a sync from the Endpoints and the mirrored slices that exist before it, sorted by name.
 *
 * Mirrors reconcile, reconcileByPortMapping and totalChanges (1.36, pkg/controller/endpointslicemirroring/reconciler.go). As upstream,
 * endpoints of slices whose ports no subset has do not count as removed.
 */
export function computeMirrorFigures(
  endpoints: EndpointsInput,
  current: readonly EndpointSliceInput[],
  max: number,
  profile: Profile,
): MirrorFigures {
  const { groups, skippedCount } = computeDesiredMirror(endpoints, max, profile);
  const slicesByGroup = groupSlices(current, profile);
  const figures = { endpoints: 0, desired: 0, added: 0, updated: 0, removed: 0, skipped: skippedCount };
  for (const [key, group] of groups) {
    const size = group.endpoints.size;
    const existingSlices = slicesByGroup.get(key) ?? [];
    figures.endpoints += size;
    figures.desired += Math.ceil(size / max);
    if (size === 0) for (const slice of existingSlices) figures.removed += slice.endpoints?.length ?? 0;
    else countChanges(group, existingSlices[0], profile, figures);
  }
  return figures;
}

function countChanges(
  { endpoints: desired }: MirrorGroup,
  slice: EndpointSliceInput | undefined,
  profile: Profile,
  figures: { added: number; updated: number; removed: number },
): void {
  let matchCount = 0;
  for (const endpoint of slice?.endpoints ?? []) {
    const match = desired.get(endpointKey(endpoint, profile));
    if (!match) figures.removed++;
    else {
      matchCount++;
      if (!areEqualBeyondKey(match, endpoint, profile)) figures.updated++;
    }
  }
  figures.added += desired.size - matchCount;
}
