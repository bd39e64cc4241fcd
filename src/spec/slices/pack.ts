import { compareText } from '../../apimachinery/compare.ts';
import { plainCopy } from '../../apimachinery/copy.ts';
import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { DesiredGroup } from './group.ts';
import { newSlice, sliceLabels } from './metadata.ts';
import type { SlicePlanCode } from './plan.ts';
import type { ReadSlice } from './reading.ts';

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
  readonly read: ReadSlice;
}

/**
 * Plans the writes that give the slices of one address type and one set of ports the desired endpoints, changing as few slices
 * as possible:
 *
 * 1. Every existing slice keeps those of its endpoints that are still desired. A slice that lost or changed an endpoint is
 *    updated, one that lost all of them is deleted, one whose labels differ from the Service's is updated. The others are
 *    unchanged for now.
 * 2. Unplaced endpoints fill the slices that are updated anyway, the fullest first.
 * 3. If the remaining endpoints are fewer than fit into one slice, they all go into the unchanged slice that they fill up most,
 *    if one has room for all of them.
 * 4. The rest goes into new slices, each filled up to the maximum.
 *
 * Slices are processed by name and endpoints by address; upstream's order is random.
 *
 * Mirrors reconcileByPortMapping and getSliceToFill (1.36, staging/src/k8s.io/endpointslice/reconciler.go, utils.go).
 */
export function packGroup(group: DesiredGroup, existing: readonly EndpointSliceInput[], options: PackOptions): SliceChanges {
  const { service, maxEndpointsPerSlice: max, read } = options;
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set() };
  const unchanged: EndpointSliceInput[] = [];
  const labels = sliceLabels(service);
  for (const slice of existing) {
    // Undefined if the slice needs no change.
    const keptEndpoints = group.match(slice);
    if (keptEndpoints) changes.codes.add(keptEndpoints.length > 0 ? 'EndpointsDiffer' : 'EndpointsGone');
    if (keptEndpoints?.length === 0) changes.delete.push(slice);
    else if (keptEndpoints) changes.update.push(reviseSlice(slice, keptEndpoints, labels));
    else if (!read(slice).labelsCorrect) {
      changes.codes.add('LabelsDiffer');
      changes.update.push(reviseSlice(slice, copyEndpoints(slice), labels));
    } else unchanged.push(slice);
  }
  const unplaced = group.takeRemaining();
  if (unplaced.length === 0) return changes;
  let placedCount = 0;
  const fill = (slice: EndpointSlice): void => {
    const added = unplaced.slice(placedCount, placedCount + Math.max(max - slice.endpoints.length, 0));
    slice.endpoints = slice.endpoints.length > 0 ? [...slice.endpoints, ...added] : added;
    placedCount += added.length;
  };
  changes.codes.add('EndpointsAdded');
  for (const slice of changes.update.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice);
  while (placedCount < unplaced.length) {
    const fitting = unplaced.length - placedCount < max ? findFullestWithRoom(unchanged, unplaced.length - placedCount, max) : undefined;
    const slice = fitting ? copySlice(fitting) : newSlice(service, group.addressType, copyPorts(group), { ...labels });
    fill(slice);
    (fitting ? changes.update : changes.create).push(slice);
  }
  return changes;
}

/** The slice that `count` more endpoints fill up most, the first of several; undefined if no slice has room for all of them. */
function findFullestWithRoom(slices: readonly EndpointSliceInput[], count: number, max: number): EndpointSliceInput | undefined {
  let fullest: EndpointSliceInput | undefined;
  let minRoom = max;
  for (const slice of slices) {
    const room = max - count - (slice.endpoints?.length ?? 0);
    if (room < 0 || room >= minRoom) continue;
    fullest = slice;
    minRoom = room;
  }
  return fullest;
}

/** A copy of an existing slice with these endpoints and labels; it keeps its own labels if none are given. */
export function reviseSlice(slice: EndpointSliceInput, endpoints: Endpoint[], labels?: Readonly<Record<string, string>>): EndpointSlice {
  const copy = plainCopy({ ...slice, endpoints: undefined }) as unknown as EndpointSlice;
  copy.apiVersion = 'discovery.k8s.io/v1';
  copy.kind = 'EndpointSlice';
  if (labels) copy.metadata.labels = { ...labels };
  copy.endpoints = endpoints;
  copy.ports ??= [];
  return copy;
}

/** A copy of an existing slice. */
export const copySlice = (slice: EndpointSliceInput): EndpointSlice => reviseSlice(slice, copyEndpoints(slice));

const copyEndpoints = ({ endpoints }: EndpointSliceInput): Endpoint[] =>
  (endpoints ?? []).map((endpoint: EndpointInput) => plainCopy(endpoint) as Endpoint);

const copyPorts = ({ ports }: DesiredGroup): EndpointSlice['ports'] => ports.map((port) => ({ ...port }));

/** Compares slices by name, the order in which they are processed. */
export const byName = (a: EndpointSliceInput, b: EndpointSliceInput): number => compareText(nameOf(a), nameOf(b));

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
