import type { Endpoint, EndpointInput, EndpointSlice, EndpointSliceInput } from '../../../types/index.ts';
import { copyOf } from '../pack.ts';
import type { Reading, ReadSlice } from '../reading.ts';

/** The slices of one address type on their way to a plan: hints are set in those to write, and may draw in others. */
export interface SliceSet {
  readonly create: EndpointSlice[];
  readonly update: EndpointSlice[];
  /** Slices that are there and need no write so far. Never written to: `drawIn` copies those that do. */
  unchanged: EndpointSliceInput[];
  readonly read: ReadSlice;
}

export const isReady = ({ conditions }: EndpointInput): boolean => conditions?.ready === true;

/** Moves those of the unchanged slices that need an update into the ones to update. */
export function drawIn(set: SliceSet, needsUpdate: (reading: Reading, slice: EndpointSliceInput) => boolean): void {
  const still: EndpointSliceInput[] = [];
  for (const slice of set.unchanged) {
    if (needsUpdate(set.read(slice), slice)) set.update.push(copyOf(slice));
    else still.push(slice);
  }
  set.unchanged = still;
}

/** Takes the hints away from every endpoint that is there; those of new slices have none yet. Mirrors RemoveHintsFromSlices (topologycache/utils.go). */
export function removeHints(set: SliceSet): void {
  drawIn(set, ({ hinted }) => hinted);
  for (const { endpoints } of set.update) clearHints(endpoints);
}

/** Takes the hints away that were just given. */
export function takeBackHints(set: SliceSet): void {
  removeHints(set);
  for (const { endpoints } of set.create) clearHints(endpoints);
}

function clearHints(endpoints: readonly Endpoint[]): void {
  for (const endpoint of endpoints) if (endpoint.hints !== undefined) delete endpoint.hints;
}
