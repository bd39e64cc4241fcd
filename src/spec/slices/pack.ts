import { compareText } from '../../apimachinery/compare.ts';
import { plainCopy } from '../../apimachinery/copy.ts';
import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { DesiredGroup } from './group.ts';
import { newSlice, sliceLabels } from './metadata.ts';
import type { SlicePlanCode } from './plan.ts';
import type { SliceParser } from './reading.ts';

/** The planned writes for the slices of one group, or of several groups combined. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSliceInput[];
  readonly codes: Set<SlicePlanCode>;
}

/** The inputs of packing besides the group. */
export interface PackOptions {
  readonly service: Service;
  readonly maxEndpointsPerSlice: number;
  readonly read: SliceParser;
  readonly profile: Profile;
}

/**
 * Plans the writes that give the slices of one address type and one set of ports the desired endpoints, changing as few slices
 * as possible:
 *
 * 1. Every existing slice keeps its endpoints that are still desired. A slice that lost or changed an endpoint is updated, a slice
 *    that lost all endpoints is deleted, and a slice whose labels differ from the Service's is updated. Other slices are
 *    unchanged for now.
 * 2. Unplaced endpoints fill the slices that are updated anyway, the fullest first.
 * 3. If the remaining endpoints are fewer than fit into one slice, they all go into the fullest unchanged slice that has room for all
 *    of them, if any.
 * 4. The rest goes into new slices, each filled up to the maximum.
 *
 * Slices are processed by name and endpoints by address; upstream's order is random.
 *
 * Mirrors reconcileByPortMapping and getSliceToFill (1.36, staging/src/k8s.io/endpointslice/reconciler.go, utils.go).
 */
export function packGroup(group: DesiredGroup, existing: readonly EndpointSliceInput[], options: PackOptions): SliceChanges {
  const { service, maxEndpointsPerSlice: max, read, profile } = options;
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set() };
  const unchangedSlices: EndpointSliceInput[] = [];
  const labels = sliceLabels(service, profile);
  const revisedLabels = profile.sliceLabelsMirrored ? labels : undefined;
  for (const slice of existing) {
    // Undefined if the slice needs no change.
    const keptEndpoints = group.takeEndpointsOf(slice);
    if (keptEndpoints) changes.codes.add(keptEndpoints.length > 0 ? 'EndpointsDiffer' : 'EndpointsGone');
    if (keptEndpoints?.length === 0) changes.delete.push(slice);
    else if (keptEndpoints) changes.update.push(reviseSlice(slice, keptEndpoints, revisedLabels));
    else if (!read(slice).hasCorrectLabels) {
      changes.codes.add('LabelsDiffer');
      changes.update.push(reviseSlice(slice, copyEndpoints(slice), labels));
    } else unchangedSlices.push(slice);
  }
  const unplacedEndpoints = group.takeRemaining();
  if (unplacedEndpoints.length === 0) return changes;
  let placedCount = 0;
  const fill = (slice: EndpointSlice): void => {
    const addedEndpoints = unplacedEndpoints.slice(placedCount, placedCount + Math.max(max - slice.endpoints.length, 0));
    slice.endpoints = slice.endpoints.length > 0 ? [...slice.endpoints, ...addedEndpoints] : addedEndpoints;
    placedCount += addedEndpoints.length;
  };
  changes.codes.add('EndpointsAdded');
  for (const slice of changes.update.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice);
  while (placedCount < unplacedEndpoints.length) {
    const fittingSlice =
      unplacedEndpoints.length - placedCount < max
        ? findFullestWithRoom(unchangedSlices, unplacedEndpoints.length - placedCount, max)
        : undefined;
    const slice = fittingSlice ? copySlice(fittingSlice) : newSlice(service, group.addressType, copyPorts(group), { ...labels });
    fill(slice);
    (fittingSlice ? changes.update : changes.create).push(slice);
  }
  return changes;
}

/** Finds the fullest slice with room for `count` more endpoints, the first of several equally full; undefined if there is none. */
function findFullestWithRoom(slices: readonly EndpointSliceInput[], count: number, max: number): EndpointSliceInput | undefined {
  let fullest: EndpointSliceInput | undefined;
  let minRoomLeft = max;
  for (const slice of slices) {
    const roomLeft = max - count - (slice.endpoints?.length ?? 0);
    if (roomLeft < 0 || roomLeft >= minRoomLeft) continue;
    fullest = slice;
    minRoomLeft = roomLeft;
  }
  return fullest;
}

/** Copies an existing slice with these endpoints and labels; keeps the existing labels if none are given. */
export function reviseSlice(slice: EndpointSliceInput, endpoints: Endpoint[], labels?: Readonly<Record<string, string>>): EndpointSlice {
  const copy = plainCopy({ ...slice, endpoints: undefined }) as unknown as EndpointSlice;
  copy.apiVersion = 'discovery.k8s.io/v1';
  copy.kind = 'EndpointSlice';
  if (labels) copy.metadata.labels = { ...labels };
  copy.endpoints = endpoints;
  copy.ports ??= [];
  return copy;
}

/** Copies an existing slice with its endpoints and labels. */
export const copySlice = (slice: EndpointSliceInput): EndpointSlice => reviseSlice(slice, copyEndpoints(slice));

const copyEndpoints = ({ endpoints }: EndpointSliceInput): Endpoint[] =>
  (endpoints ?? []).map((endpoint: EndpointInput) => plainCopy(endpoint) as Endpoint);

const copyPorts = ({ ports }: DesiredGroup): EndpointSlice['ports'] => ports.map((port) => ({ ...port }));

/** Compares slices by name, the order in which they are processed. */
export const compareByName = (a: EndpointSliceInput, b: EndpointSliceInput): number => compareText(nameOf(a), nameOf(b));

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
