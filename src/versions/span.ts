import type { GateEdges } from './profile.ts';
import { formatRelease, parseRelease, type Release } from './releases.ts';

/** The first and the last release in which a rule applies, within the range of this package. */
export interface Span {
  readonly since?: string;
  readonly until?: string;
}

/**
 * The span of a rule that applies in `version` because a gate is on there, or is not on yet. If a backport brought the change to
 * the minor release of `version`, the span is given in patch releases of that minor.
 */
export function spanOf(gate: GateEdges, isOn: boolean, version: string): Span {
  const { minor } = parseRelease(version);
  if (!isOn) return { until: lastReleaseBefore(gate.since, gate.backports, minor) };
  const since = { since: formatRelease(shortenRelease(findBackport(minor, gate.backports) ?? parseRelease(gate.since))) };
  return gate.until === undefined ? since : { ...since, until: lastReleaseBefore(gate.until, gate.untilBackports, minor) };
}

/** The backport of a change to a minor release; undefined if absent. */
const findBackport = (minor: number, backports: readonly string[] | undefined): Release | undefined =>
  backports?.map((release) => parseRelease(release)).find((backport) => backport.minor === minor);

/**
 * The last release without a change. If the change was backported to `minor`, or else to the minor release before `since`, the patch
 * release before the backport; otherwise the minor release before `since`.
 */
function lastReleaseBefore(since: string, backports: readonly string[] | undefined, minor: number): string {
  const previousMinor = parseRelease(since).minor - 1;
  const backport = findBackport(minor, backports) ?? findBackport(previousMinor, backports);
  return formatRelease(backport ? { ...backport, patch: backport.patch - 1 } : { minor: previousMinor, patch: Number.POSITIVE_INFINITY });
}

/** "1.33.0" is shortened to "1.33", which is easier to read. */
const shortenRelease = (release: Release): Release =>
  release.patch === 0 ? { minor: release.minor, patch: Number.POSITIVE_INFINITY } : release;
