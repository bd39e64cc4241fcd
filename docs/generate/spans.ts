import type { Gate } from '../../src/versions/index.ts';
import { isOpen } from '../../src/versions/profile.ts';
import { firstMinor, lastMinor, parseRelease } from '../../src/versions/releases.ts';

/** The specified minor releases, by minor version number. */
export const minors: readonly number[] = Array.from({ length: lastMinor - firstMinor + 1 }, (_, i) => firstMinor + i);

/** A range of patch releases of a minor release; without `last`, all from `first` on. */
export interface PatchRange {
  readonly first: number;
  readonly last?: number;
}

/** The patch releases of a minor release in which a gate is open, or closed; undefined if there are none. */
export function patchRangeOf(gate: Gate, minor: number, open = true): PatchRange | undefined {
  const matchesFirst = isOpen(gate, { minor, patch: 0 }) === open;
  const matchesLast = isOpen(gate, { minor, patch: Number.POSITIVE_INFINITY }) === open;
  if (matchesFirst && matchesLast) return { first: 0 };
  if (!matchesFirst && !matchesLast) return undefined;
  const changeRelease = [...(gate.backports ?? []), ...(gate.untilBackports ?? [])]
    .map((release) => parseRelease(release))
    .find((release) => release.minor === minor);
  if (!changeRelease) throw new Error(`1.${minor} changes a gate without naming the patch release`);
  return matchesLast ? { first: changeRelease.patch } : { first: 0, last: changeRelease.patch - 1 };
}

/** A gate that must be open if `open` is true, otherwise closed. */
export interface Condition {
  readonly gate: Gate;
  readonly open: boolean;
}

/** The releases in which all conditions hold, as text: "1.22 from .11, 1.23 and newer". */
export function releasesMatching(conditions: readonly Condition[]): string {
  const spans = minors.map((minor) => ({ minor, patches: intersect(conditions.map(({ gate, open }) => patchRangeOf(gate, minor, open))) }));
  const parts: string[] = [];
  for (let i = 0; i < spans.length; i++) {
    const { minor, patches } = spans[i] as (typeof spans)[number];
    if (!patches) continue;
    if (patches.last !== undefined) parts.push(`1.${minor}${patches.first > 0 ? ` from .${patches.first}` : ''} to .${patches.last}`);
    else if (patches.first > 0) parts.push(`1.${minor} from .${patches.first}`);
    else {
      const start = minor;
      while (coversAllPatches(spans[i + 1]?.patches)) i++;
      parts.push(formatMinors(start, (spans[i] as (typeof spans)[number]).minor));
    }
  }
  return parts.join(', ');
}

const coversAllPatches = (patches: PatchRange | undefined): boolean => patches?.first === 0 && patches.last === undefined;

function formatMinors(from: number, to: number): string {
  if (to === lastMinor) return from === firstMinor ? 'all' : `1.${from} and newer`;
  return from === to ? `1.${from}` : `1.${from} to 1.${to}`;
}

function intersect(ranges: readonly (PatchRange | undefined)[]): PatchRange | undefined {
  let [first, last] = [0, Number.POSITIVE_INFINITY];
  for (const patches of ranges) {
    if (!patches) return undefined;
    first = Math.max(first, patches.first);
    last = Math.min(last, patches.last ?? last);
  }
  if (first > last) return undefined;
  return last === Number.POSITIVE_INFINITY ? { first } : { first, last };
}
