import { compareText } from '../../apimachinery/compare.ts';
import { plainCopy } from '../../apimachinery/copy.ts';
import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput, Service } from '../../types/index.ts';
import type { DesiredGroup } from './group.ts';
import { newSlice, sliceLabels } from './metadata.ts';
import type { SlicePlanCode } from './plan.ts';
import type { ReadSlice } from './reading.ts';

/** What becomes of the slices of one group, or of several put together. */
export interface SliceChanges {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  readonly delete: EndpointSliceInput[];
  readonly codes: Set<SlicePlanCode>;
}

/** What packing stands on. */
export interface PackOptions {
  readonly service: Service;
  readonly maxEndpointsPerSlice: number;
  readonly read: ReadSlice;
}

/**
 * Brings the slices of one address type and one set of ports to the desired endpoints, touching as few of them as possible:
 *
 * 1. Every slice that is there keeps those of its endpoints that are still desired. One that lost or changed an endpoint is
 *    to be updated, one that lost all of them is to be deleted, one with other labels than the Service's is to be updated.
 *    The others are left alone for now.
 * 2. Endpoints without a place fill the slices that are to be updated anyway, the fullest first.
 * 3. If those still left are fewer than fit into a slice, the one slice that they would fill up most takes them all, if any
 *    of those left alone has room for all.
 * 4. What is left then goes into new slices, each as full as it may be.
 *
 * Slices are taken by name and endpoints in the order of their addresses, where upstream's order is random.
 *
 * Mirrors reconcileByPortMapping and getSliceToFill (1.36, staging/src/k8s.io/endpointslice/reconciler.go, utils.go).
 */
export function packGroup(group: DesiredGroup, there: readonly EndpointSliceInput[], options: PackOptions): SliceChanges {
  const { service, maxEndpointsPerSlice: max, read } = options;
  const changes: SliceChanges = { create: [], update: [], delete: [], codes: new Set() };
  const alone: EndpointSliceInput[] = [];
  const labels = sliceLabels(service);
  for (const slice of there) {
    const kept = group.match(slice);
    if (kept) changes.codes.add(kept.length > 0 ? 'EndpointsDiffer' : 'EndpointsGone');
    if (kept?.length === 0) changes.delete.push(slice);
    else if (kept) changes.update.push(revised(slice, kept, labels));
    else if (!read(slice).labelsRight) {
      changes.codes.add('LabelsDiffer');
      changes.update.push(revised(slice, copiesOf(slice), labels));
    } else alone.push(slice);
  }
  const rest = group.takeRest();
  if (rest.length === 0) return changes;
  let next = 0;
  const fill = (slice: EndpointSlice): void => {
    const some = rest.slice(next, next + Math.max(max - slice.endpoints.length, 0));
    slice.endpoints = slice.endpoints.length > 0 ? [...slice.endpoints, ...some] : some;
    next += some.length;
  };
  changes.codes.add('EndpointsAdded');
  for (const slice of changes.update.toSorted((a, b) => b.endpoints.length - a.endpoints.length)) fill(slice);
  while (next < rest.length) {
    const fitting = rest.length - next < max ? fullestWithRoomFor(alone, rest.length - next, max) : undefined;
    const slice = fitting ? copyOf(fitting) : newSlice(service, group.addressType, copyPorts(group), { ...labels });
    fill(slice);
    (fitting ? changes.update : changes.create).push(slice);
  }
  return changes;
}

/** The slice that is closest to full when so many endpoints are added, the first of several; undefined where none has room. */
function fullestWithRoomFor(slices: readonly EndpointSliceInput[], count: number, max: number): EndpointSliceInput | undefined {
  let fullest: EndpointSliceInput | undefined;
  let room = max;
  for (const slice of slices) {
    const left = max - count - (slice.endpoints?.length ?? 0);
    if (left < 0 || left >= room) continue;
    fullest = slice;
    room = left;
  }
  return fullest;
}

/** A copy of a slice that is there, with these endpoints and labels; its own labels where none are given. */
export function revised(slice: EndpointSliceInput, endpoints: Endpoint[], labels?: Readonly<Record<string, string>>): EndpointSlice {
  const copy = plainCopy({ ...slice, endpoints: undefined }) as unknown as EndpointSlice;
  copy.apiVersion = 'discovery.k8s.io/v1';
  copy.kind = 'EndpointSlice';
  if (labels) copy.metadata.labels = { ...labels };
  copy.endpoints = endpoints;
  copy.ports ??= [];
  return copy;
}

/** A copy of a slice that is there. */
export const copyOf = (slice: EndpointSliceInput): EndpointSlice => revised(slice, copiesOf(slice));

const copiesOf = ({ endpoints }: EndpointSliceInput): Endpoint[] =>
  (endpoints ?? []).map((endpoint: EndpointInput) => plainCopy(endpoint) as Endpoint);

const copyPorts = ({ ports }: DesiredGroup): EndpointSlice['ports'] => ports.map((port) => ({ ...port }));

/** Slices in the order in which they are taken. */
export const byName = (a: EndpointSliceInput, b: EndpointSliceInput): number => compareText(nameOf(a), nameOf(b));

const nameOf = ({ metadata }: EndpointSliceInput): string => metadata?.name ?? '';
