import type { Endpoint, EndpointHints, EndpointInput, EndpointSlice, EndpointSliceInput } from '../../../types/index.ts';
import type { Profile } from '../../../versions/index.ts';
import { copySlice } from '../pack.ts';
import type { ParsedSlice, SliceParser } from '../reading.ts';

/**
 * The slices of one address type while they are planned. Hints are set in the slices of `create` and `update`; this may move more slices to
 * `update`.
 */
export interface SliceSet {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  /** Existing slices that need no write so far. Never modified: `moveToUpdate` moves copies of them to `update`. */
  unchanged: EndpointSliceInput[];
  readonly read: SliceParser;
}

export const isReady = ({ conditions }: EndpointInput): boolean => conditions?.ready === true;

/** Moves the unchanged slices that need an update to `update`. */
export function moveToUpdate(set: SliceSet, needsUpdate: (reading: ParsedSlice, slice: EndpointSliceInput) => boolean): void {
  const stillUnchanged: EndpointSliceInput[] = [];
  for (const slice of set.unchanged) {
    if (needsUpdate(set.read(slice), slice)) set.update.push(copySlice(slice));
    else stillUnchanged.push(slice);
  }
  set.unchanged = stillUnchanged;
}

/** Removes the hints of all existing endpoints; new slices have none yet. Mirrors RemoveHintsFromSlices (topologycache/utils.go). */
export function removeHints(set: SliceSet): void {
  moveToUpdate(set, ({ hasHints }) => hasHints);
  for (const { endpoints } of set.update) clearHints(endpoints);
}

/** Removes all hints, including those just set in new slices. */
export function revertHints(set: SliceSet): void {
  removeHints(set);
  for (const { endpoints } of set.create) clearHints(endpoints);
}

function clearHints(endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) if (endpoint.hints !== undefined) delete endpoint.hints;
}

/**
 * Sets the hint of every ready endpoint to the zone of that endpoint and, in mode SameNode, to its node. Before
 * `trafficDistributionValidated`, an endpoint without a zone gets a hint for a zone with an empty name.
 *
 * Mirrors ReconcileHints (1.36, staging/src/k8s.io/endpointslice/trafficdist/trafficdist.go).
 */
export function addTrafficDistributionHints(set: SliceSet, mode: 'SameZone' | 'SameNode', profile: Profile): void {
  const createHints = ({ zone, nodeName }: EndpointInput): EndpointHints | undefined => {
    const forZone = profile.trafficDistributionValidated ? zone : (zone ?? '');
    const forNode = mode === 'SameNode' ? nodeName : undefined;
    const hints: EndpointHints = {};
    if (typeof forZone === 'string') hints.forZones = [{ name: forZone }];
    if (typeof forNode === 'string') hints.forNodes = [{ name: forNode }];
    return hints.forZones || hints.forNodes ? hints : undefined;
  };
  const areCorrect = ({ endpoints }: EndpointSliceInput): boolean =>
    (endpoints ?? []).every((endpoint) => !isReady(endpoint) || hasDesiredHints(endpoint, createHints(endpoint)));
  moveToUpdate(set, ({ matchesMode }, slice) => {
    const isCorrect = matchesMode.get(mode) ?? areCorrect(slice);
    matchesMode.set(mode, isCorrect);
    return !isCorrect;
  });
  for (const slice of [...set.create, ...set.update]) {
    for (const endpoint of slice.endpoints) if (isReady(endpoint)) setHints(endpoint, createHints(endpoint));
  }
}

function setHints(endpoint: Endpoint, hints: EndpointHints | undefined): void {
  if (hints) endpoint.hints = hints;
  else delete endpoint.hints;
}

const hasDesiredHints = ({ hints }: EndpointInput, desired: EndpointHints | undefined): boolean =>
  sameNames(hints?.forZones ?? [], desired?.forZones ?? []) && sameNames(hints?.forNodes ?? [], desired?.forNodes ?? []);

type Names = readonly { readonly name?: string | null | undefined }[];

const sameNames = (a: Names, b: Names): boolean => a.length === b.length && a.every(({ name }, i) => (name ?? '') === b[i]?.name);
