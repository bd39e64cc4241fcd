import type { EndpointAddress, EndpointSubset, EndpointSubsetInput } from '../types/index.ts';
import type { Profile } from '../versions/index.ts';

/** The maximum number of addresses in Endpoints. */
export const maxCapacity = 1000;

/** The value of the annotation endpoints.kubernetes.io/over-capacity: too many addresses were kept, or were truncated. */
export type OverCapacity = 'warning' | 'truncated';

export interface FittedSubsets {
  readonly subsets: EndpointSubset[];
  /** The value of the annotation; undefined if the annotation must be absent. */
  readonly overCapacity: OverCapacity | undefined;
}

/** Applies the release's capacity limit: keeps the subsets, keeps them and requests a warning annotation, or truncates them. */
export function fitCapacity(subsets: EndpointSubset[], profile: Profile): FittedSubsets {
  if (!profile.overCapacityWarned || countAddresses(subsets) <= maxCapacity) return { subsets, overCapacity: undefined };
  if (!profile.overCapacityTruncated) return { subsets, overCapacity: 'warning' };
  return { subsets: truncate(subsets), overCapacity: 'truncated' };
}

/**
 * Whether the annotation of an existing object fits the subsets of that object. In releases that truncate, no annotation fits an
 * object over capacity. Mirrors capacityAnnotationSetCorrectly (pkg/controller/endpoint/endpoints_controller.go).
 */
export function isCapacityAnnotationCorrect(
  annotation: string | undefined,
  subsets: readonly EndpointSubsetInput[],
  profile: Profile,
): boolean {
  if (!profile.overCapacityWarned) return true;
  if (countAddresses(subsets) <= maxCapacity) return annotation === undefined;
  return !profile.overCapacityTruncated && annotation === 'warning';
}

export const countAddresses = (subsets: readonly EndpointSubsetInput[]): number =>
  countIn(subsets, 'addresses') + countIn(subsets, 'notReadyAddresses');

type AddressField = 'addresses' | 'notReadyAddresses';

const countIn = (subsets: readonly EndpointSubsetInput[], key: AddressField): number =>
  subsets.reduce((total, subset) => total + (subset[key]?.length ?? 0), 0);

/**
 * Truncates to capacity: ready addresses take precedence, and each subset keeps its proportional share, rounded up, so that the
 * last subsets may get less. Mirrors truncateEndpoints (1.22, pkg/controller/endpoint/endpoints_controller.go).
 */
function truncate(subsets: readonly EndpointSubset[]): EndpointSubset[] {
  const readyCount = countIn(subsets, 'addresses');
  const key: AddressField = readyCount > maxCapacity ? 'addresses' : 'notReadyAddresses';
  const limit = key === 'addresses' ? maxCapacity : maxCapacity - readyCount;
  const total = countIn(subsets, key);
  let remaining = limit;
  return subsets.map((subset) => {
    const all = subset[key] ?? [];
    const keptAddresses = all.slice(0, Math.min(Math.ceil((all.length / total) * limit), remaining));
    remaining -= keptAddresses.length;
    return withAddresses(subset, key, keptAddresses);
  });
}

function withAddresses({ addresses, ports }: EndpointSubset, key: AddressField, keptAddresses: EndpointAddress[]): EndpointSubset {
  const ready = key === 'addresses' ? keptAddresses : addresses;
  const notReady = key === 'addresses' ? [] : keptAddresses;
  return { ...(ready?.length && { addresses: ready }), ...(notReady?.length && { notReadyAddresses: notReady }), ...(ports && { ports }) };
}
