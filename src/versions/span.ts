import type { Gate } from './gates.ts';
import { formatRelease, parseRelease, type Release } from './releases.ts';

/** The first and the last release in which a rule holds, as far as they lie within the range of this package. */
export interface Span {
  readonly since?: string;
  readonly until?: string;
}

/**
 * The span of a rule that holds in `version` because a gate is open there, or because it is not open yet. Where the change
 * came to the minor release of `version` by a backport, the span is told in patch releases of that minor.
 */
export function spanOf(gate: Gate, open: boolean, version: string): Span {
  const { minor } = parseRelease(version);
  const opened = edge(gate.since, gate.backports, minor);
  if (!open) return { until: formatRelease(before(opened)) };
  const since = { since: formatRelease(rounded(opened)) };
  return gate.until === undefined ? since : { ...since, until: formatRelease(before(edge(gate.until, gate.mended, minor))) };
}

/** The release at which a change arrived, seen from a minor release: its own backport where there is one. */
function edge(since: string, backports: readonly string[] | undefined, minor: number): Release {
  const own = backports?.map(parseRelease).find((backport) => backport.minor === minor);
  return own ?? parseRelease(since);
}

const before = ({ minor, patch }: Release): Release =>
  patch > 0 ? { minor, patch: patch - 1 } : { minor: minor - 1, patch: Number.POSITIVE_INFINITY };

/** "1.33" says more to a reader than "1.33.0". */
const rounded = (release: Release): Release => (release.patch === 0 ? { minor: release.minor, patch: Number.POSITIVE_INFINITY } : release);
