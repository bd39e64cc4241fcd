import { type Gate, type GateName, gates } from './gates.ts';
import { formatRelease, isAtLeast, lastMinor, parseRelease, type Release } from './releases.ts';

/** What holds in one release: each gate of the table, on or off. Frozen. */
export type Profile = Readonly<Record<GateName, boolean>> & { readonly version: string };

/** The newest minor release that this package specifies; the default of every `version`. */
export const newest: string = `1.${lastMinor}`;

/**
 * The profile of a release.
 * @param version "1.17" to "1.37" (the last patch release of it) or a patch release such as "1.29.6"
 * @throws RangeError naming the accepted range
 */
export function profileFor(version: string = newest): Profile {
  const release = parseRelease(version);
  const profile: Record<string, boolean | string> = { version: formatRelease(release) };
  for (const [name, gate] of Object.entries<Gate>(gates)) profile[name] = isOpen(gate, release);
  return Object.freeze(profile) as Profile;
}

/** Whether a gate is on in a release. */
export const isOpen = (gate: Gate, release: Release): boolean =>
  reached(gate.since, gate.backports, release) && !(gate.until !== undefined && reached(gate.until, gate.mended, release));

/** Whether `release` is `since` or later, or has the change by a backport to its own minor. */
function reached(since: string, backports: readonly string[] | undefined, release: Release): boolean {
  if (isAtLeast(release, parseRelease(since))) return true;
  for (const backport of backports ?? []) {
    const from = parseRelease(backport);
    if (from.minor === release.minor) return release.patch >= from.patch;
  }
  return false;
}
