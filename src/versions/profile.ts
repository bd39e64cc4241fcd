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
  for (const { name, gate } of rows) profile[name] = isOpenAt(gate, release);
  return Object.freeze(profile) as Profile;
}

/** Whether a gate is on in a release. */
export const isOpen = (gate: Gate, release: Release): boolean => isOpenAt(readGate(gate), release);

/** A gate with its releases read. */
interface Edges {
  readonly opened: readonly Release[];
  readonly closed: readonly Release[];
}

const readGate = ({ since, backports = [], until, mended = [] }: Gate): Edges => ({
  opened: [since, ...backports].map(parseRelease),
  closed: until === undefined ? [] : [until, ...mended].map(parseRelease),
});

const rows: readonly { readonly name: string; readonly gate: Edges }[] = /* @__PURE__ */ Object.entries(gates).map(([name, gate]) => ({
  name,
  gate: readGate(gate),
}));

const isOpenAt = ({ opened, closed }: Edges, release: Release): boolean => reached(opened, release) && !reached(closed, release);

/** Whether `release` is the first of the edges or later, or has the change by a backport to its own minor. */
function reached([since, ...backports]: readonly Release[], release: Release): boolean {
  if (!since) return false;
  return isAtLeast(release, since) || backports.some(({ minor, patch }) => minor === release.minor && release.patch >= patch);
}
