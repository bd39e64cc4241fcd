import type { EndpointSliceInput, Service } from '../../types/index.ts';
import type { Profile } from '../../versions/index.ts';
import type { HintsMode } from './hints/intent.ts';
import { areSliceLabelsCorrect, isOwnedBy } from './metadata.ts';
import { slicePortsKey } from './ports.ts';

/** The parsed state of an existing slice. */
export interface ParsedSlice {
  readonly isOwned: boolean;
  readonly hasCorrectLabels: boolean;
  readonly portsKey: string;
  /** The number of ready endpoints. */
  readonly readyCount: number;
  /** Whether any endpoint has hints. */
  readonly hasHints: boolean;
  /** The number of hints per zone over the ready endpoints; undefined if a ready endpoint has no hint. */
  readonly hintsByZone: ReadonlyMap<string, number> | undefined;
  /** Whether the hints match a mode; filled in for the modes that were compared. */
  readonly matchesMode: Map<HintsMode, boolean>;
}

/** Parses a slice of one Service. */
export type SliceParser = (slice: EndpointSliceInput) => ParsedSlice;

export const parseSlice = (slice: EndpointSliceInput, service: Service, profile: Profile): ParsedSlice => ({
  isOwned: !profile.sliceOwnersChecked || isOwnedBy(slice, service),
  hasCorrectLabels: !profile.sliceLabelsMirrored || areSliceLabelsCorrect(slice, service),
  portsKey: slicePortsKey(slice.ports, profile),
  ...countHints(slice),
  matchesMode: new Map(),
});

/**
 * Counts ready endpoints, and the hints of ready endpoints by zone. Mirrors getHintsByZone (1.36,
 * staging/src/k8s.io/endpointslice/topologycache/utils.go).
 */
function countHints({ endpoints }: EndpointSliceInput): Pick<ParsedSlice, 'readyCount' | 'hasHints' | 'hintsByZone'> {
  const zones = new Map<string, number>();
  let [readyCount, hasHints, isComplete] = [0, false, true];
  for (const { conditions, hints } of endpoints ?? []) {
    if (hints) hasHints = true;
    if (conditions?.ready !== true) continue;
    readyCount++;
    if (!hints?.forZones?.length) isComplete = false;
    for (const { name } of hints?.forZones ?? []) zones.set(name ?? '', (zones.get(name ?? '') ?? 0) + 1);
  }
  return { readyCount, hasHints, hintsByZone: isComplete ? zones : undefined };
}

/** The last written generation of each slice of a Service, by UID. Plain data. */
export type WrittenSlices = ReadonlyMap<string, number>;

/** Used in place of a generation for a deleted slice. */
export const deletionExpected = -1;

/**
 * Whether the cached slices are older than the last writes: an older generation, a slice that was deleted, or a written slice is missing.
 *
 * Mirrors StaleSlices (1.36, staging/src/k8s.io/endpointslice/util/endpointslice_tracker.go).
 */
export function areSlicesStale(
  written: WrittenSlices | undefined,
  slices: readonly EndpointSliceInput[],
  { staleSlicesRetried, missingSlicesStale }: Pick<Profile, 'staleSlicesRetried' | 'missingSlicesStale'>,
): boolean {
  if (!written || !staleSlicesRetried) return false;
  let missingCount = 0;
  for (const generation of written.values()) if (generation !== deletionExpected) missingCount++;
  for (const { metadata } of slices) {
    const generation = written.get(metadata?.uid ?? '');
    if (generation === undefined) continue;
    if (generation === deletionExpected || generation > (metadata?.generation ?? 0)) return true;
    missingCount--;
  }
  return missingSlicesStale && missingCount > 0;
}
