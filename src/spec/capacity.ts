import type { EndpointAddress, EndpointSubset, EndpointSubsetInput } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** The number of addresses that Endpoints should not exceed. */
export const maxCapacity = 1000;

/** What the annotation endpoints.kubernetes.io/over-capacity says: addresses are too many, or were cut. */
export type OverCapacity = 'warning' | 'truncated';

export interface Fitted {
  readonly subsets: EndpointSubset[];
  /** What to write into the annotation; undefined where it does not belong there. */
  readonly overCapacity: OverCapacity | undefined;
}

/** Subsets as a release writes them where they are more than it wants to store: left alone, warned about, or cut. */
export function fitCapacity(subsets: EndpointSubset[], profile: Profile): Fitted {
  if (!profile.overCapacityWarned || countAddresses(subsets) <= maxCapacity) return { subsets, overCapacity: undefined };
  if (!profile.overCapacityTruncated) return { subsets, overCapacity: 'warning' };
  return { subsets: truncate(subsets), overCapacity: 'truncated' };
}

/**
 * Whether the annotation on the object that is there is right for its own subsets. Where a release cuts, an object that
 * is over capacity is never right. Mirrors capacityAnnotationSetCorrectly (pkg/controller/endpoint/endpoints_controller.go).
 */
export function isCapacityAnnotationRight(
  annotation: string | undefined,
  subsets: readonly EndpointSubsetInput[],
  profile: Profile,
): boolean {
  if (!profile.overCapacityWarned) return true;
  if (countAddresses(subsets) <= maxCapacity) return annotation === undefined;
  return !profile.overCapacityTruncated && annotation === 'warning';
}

export const countAddresses = (subsets: readonly EndpointSubsetInput[]): number =>
  count(subsets, 'addresses') + count(subsets, 'notReadyAddresses');

type Readiness = 'addresses' | 'notReadyAddresses';

const count = (subsets: readonly EndpointSubsetInput[], key: Readiness): number =>
  subsets.reduce((total, subset) => total + (subset[key]?.length ?? 0), 0);

/**
 * Cuts to capacity: ready addresses before those that are not ready, each subset in proportion to its share, rounded up,
 * so that the last subsets may get less. Mirrors truncateEndpoints (1.22, pkg/controller/endpoint/endpoints_controller.go).
 */
function truncate(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const ready = count(subsets, 'addresses');
  const key: Readiness = ready > maxCapacity ? 'addresses' : 'notReadyAddresses';
  const room = key === 'addresses' ? maxCapacity : maxCapacity - ready;
  const total = count(subsets, key);
  let left = room;
  return subsets.map((subset) => {
    const all = subset[key] ?? [];
    const kept = all.slice(0, Math.min(Math.ceil((all.length / total) * room), left));
    left -= kept.length;
    return replaced(subset, key, kept);
  });
}

function replaced({ addresses, ports }: EndpointSubset, key: Readiness, kept: EndpointAddress[]): EndpointSubset {
  const ready = key === 'addresses' ? kept : addresses;
  const notReady = key === 'addresses' ? [] : kept;
  return { ...(ready?.length && { addresses: ready }), ...(notReady?.length && { notReadyAddresses: notReady }), ...(ports && { ports }) };
}
